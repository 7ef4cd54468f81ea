import { plain } from "../../base/control_characters.ts";
import { layRows } from "../markdown/lay.ts";
import { duration } from "../../base/figures.ts";
import type { Look, Row } from "./rows.ts";

/** Characters kept of one stretch of thinking: what it ended with. */
const MOST_KEPT = 200_000;
/** Rows of the newest words while folded. */
const FOLDED_ROWS = 2;

/** A stretch of thinking. */
interface Thought {
  readonly began: number;
  text: string;
  /** Stands in full in the transcript. */
  shown: boolean;
}

/** What the model thinks: a line while folded, all of it while not. */
export class Thoughts {
  readonly #look: Look;
  readonly #now: () => number;
  readonly #tell: (rows: readonly Row[]) => void;
  /** Those of the last turn that had any. */
  #past: Thought[] = [];
  #present: Thought | undefined;
  #fresh = false;
  #unfolded = false;

  /** `tell` writes rows to the transcript; `now` is a clock in milliseconds. */
  constructor(look: Look, now: () => number, tell: (rows: readonly Row[]) => void) {
    this.#look = look;
    this.#now = now;
    this.#tell = tell;
  }

  /** A turn has begun: with its first thought the last turn's are forgotten. */
  newTurn(): void {
    this.#fresh = true;
  }

  push(delta: string): void {
    if (this.#fresh) this.#past = [];
    this.#fresh = false;
    this.#present ??= { began: this.#now(), text: "", shown: false };
    this.#present.text = (this.#present.text + delta).slice(-MOST_KEPT);
  }

  /** The thinking has come to its end. */
  end(): void {
    const thought = this.#present;
    this.#present = undefined;
    if (thought === undefined || plain(thought.text).trim() === "") return;
    this.#past.push(thought);
    const { style, t, keys } = this.#look;
    const time = duration(this.#now() - thought.began);
    const hint = keys && !this.#unfolded ? ` · ${t("ctrl-t shows it")}` : "";
    const text = style.dim(`✻ ${t("thought for {time}", { time })}${hint}`);
    this.#tell([{ text, fit: "cut" }, ...this.#unfolded ? this.#show(thought) : []]);
  }

  /** What was being thought is void. */
  drop(): void {
    this.#present = undefined;
  }

  /** Unfolds the thinking of this or the last turn and of those to come, or folds those to come. */
  toggle(): void {
    this.#unfolded = !this.#unfolded;
    if (!this.#unfolded) return;
    const rows = this.#past.filter(({ shown }) => !shown).flatMap((one) => this.#show(one));
    if (rows.length > 0) this.#tell(rows);
  }

  /** The end of what is being thought now: of its last line, or where unfolded `max` rows of all. */
  lines(width: number, max: number): string[] {
    if (this.#present === undefined) return [];
    const most = this.#unfolded ? Math.max(1, max) : FOLDED_ROWS;
    const { text } = this.#present;
    // The beginning is moved by leaps: the rows must not be wrapped anew with each word.
    const leap = width * most;
    const from = Math.max(0, Math.floor(text.length / leap) - 1) * leap;
    const lines = plain(text.slice(from)).trimEnd().split("\n");
    const shown = this.#unfolded ? lines : lines.slice(-1);
    if (shown.length === 1 && shown[0] === "") return [];
    return layRows(shown.map((line) => this.#row(line)), width).slice(-most);
  }

  #show(thought: Thought): Row[] {
    thought.shown = true;
    return plain(thought.text).trim().split("\n").map((line) => this.#row(line));
  }

  #row(line: string): Row {
    const { style } = this.#look;
    return { lead: style.dim("│ "), text: style.dim(style.italic(line)), fit: "wrap" };
  }
}

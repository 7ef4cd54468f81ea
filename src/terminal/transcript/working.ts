/** What shows while the model works: a spinner, and its thoughts. */
import { aboutCall } from "../../base/about_call.ts";
import { plain, plainLine } from "../../base/control_characters.ts";
import { count, duration } from "../../base/figures.ts";
import type { Text } from "../../base/t.ts";
import type { EventBody, Usage } from "../../base/types.ts";
import { layRows } from "../markdown/lay.ts";
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

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** Silence after which the model is said to be silent. */
const STALL_MS = 20_000;

/** What is going on, for one line of the screen. */
type Doing = "working" | "thinking" | "stopping" | "compressing" | "hook";

const WORDS: { readonly [doing in Doing]: Text } = {
  working: "Working",
  thinking: "Thinking",
  stopping: "Stopping",
  compressing: "Compressing…",
  hook: "running {event} hooks",
};

type Writing = Pick<Extract<EventBody, { type: "writing" }>, "name" | "chars" | "path">;

/** What else the line may tell. */
interface SpinnerFacts {
  /** Of the turn so far. */
  readonly usage?: Usage | undefined;
  /** A tool is at work, or a person is asked: the model's silence means nothing. */
  readonly waiting?: boolean;
}

/** The line that shows that something is going on, for how long, and how to stop it. */
export class Spinner {
  readonly #tick: () => void;
  readonly #now: () => number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #began = 0;
  #heard = 0;
  #retryAt = 0;
  /** The call that is being written, and how much of it there is. */
  #writing: Writing | undefined;
  doing: Doing = "working";

  /** `tick` asks for a frame; `now` is a clock in milliseconds. */
  constructor(tick: () => void, now: () => number) {
    this.#tick = tick;
    this.#now = now;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    this.doing = "working";
    this.#began = this.#now();
    this.#retryAt = 0;
    this.heard();
    this.#timer ??= setInterval(this.#tick, FRAME_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Something has come; `writing` when it is more of a call. */
  heard(writing?: Writing): void {
    this.#heard = this.#now();
    this.#writing = writing;
  }

  /** Counts down `ms` milliseconds to the next attempt. */
  countDown(ms: number): void {
    this.#retryAt = this.#now() + ms;
  }

  line({ style, t, workspace }: Look, { usage, waiting = false }: SpinnerFacts = {}): string {
    const now = this.#now();
    const elapsed = now - this.#began;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length]!;
    const silent = waiting ? 0 : now - Math.max(this.#heard, this.#retryAt);
    const left = this.#retryAt - now;
    const stalled = left <= 0 && silent >= STALL_MS;
    const summing = this.#writing?.name === "" && this.doing !== "stopping";
    let word = t(WORDS[summing ? "compressing" : this.doing], { event: "turn_end" });
    if (this.doing === "stopping") {
      return `${style.cyan(frame)} ${word} ${style.dim(duration(elapsed))}`;
    }
    if (left > 0) word = t("Retrying in {seconds} s", { seconds: Math.ceil(left / 1000) });
    else if (stalled) {
      const seconds = Math.floor(silent / 1000);
      word = style.yellow(t("nothing from the model for {seconds} s", { seconds }));
    } else if (this.#writing?.name === "") {
      if (this.#writing.chars > 0) {
        word += ` ${t("{chars} characters of a summary", { chars: count(this.#writing.chars) })}`;
      }
    } else if (this.#writing !== undefined) {
      const { name, chars, path } = this.#writing;
      const about = path === undefined ? "" : aboutCall({ path }, workspace).text;
      word = t(
        about
          ? "Writing {name} {path} ({chars} characters)"
          : "Writing a {name} call ({chars} characters)",
        {
          name: plainLine(name),
          path: plainLine(about),
          chars: count(chars),
        },
      );
    }
    const rest = [
      ...usage === undefined ? [] : [`↑${count(usage.input)} ↓${count(usage.output)}`],
      t("esc to interrupt"),
    ];
    // The silence and the wait have clocks of their own.
    const clock = stalled || left > 0 ? style.dim("·") : style.dim(duration(elapsed) + " ·");
    return `${style.cyan(frame)} ${word} ${clock} ${style.dim(rest.join(" · "))}`;
  }
}

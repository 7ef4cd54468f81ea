import { createHighlighter } from "../markdown/highlight.ts";
import type { LiveScreen } from "../live.ts";
import { layRows } from "../markdown/lay.ts";
import type { MarkdownLook } from "../markdown/markdown_piece.ts";
import type { Look, Row } from "./rows.ts";
import { type Room, StreamMarkdown } from "../markdown/stream_markdown.ts";
import { markdownTheme } from "../style.ts";
import { dimRow } from "./turn_rows.ts";

/** Rows of the same section stand together; a blank line parts one section from the next. */
export type Section =
  | "welcome"
  | "recap"
  | "user"
  | "thought"
  | "answer"
  | "tools"
  | "agents"
  | "unfolded"
  | "notice"
  | "question"
  | "reply"
  | "todos"
  | "end";

/** Rows of the answer that stay together while something else is said above them. */
const ROWS_KEPT = 4;

/** Where it is said. */
export type Stage = Pick<LiveScreen, "commit"> & {
  readonly terminal: { readonly columns: number };
};

/** What has been said, in the terminal's scrollback, and the answer that is still being said. */
export class Transcript {
  readonly #live: Stage;
  readonly #look: Look;
  readonly #markdown: MarkdownLook;
  #section: Section | undefined;
  /** What was said last is more than a line. */
  #tall = false;
  #answer: StreamMarkdown | undefined;
  /** The running answer as it came. */
  #said = "";
  /** The answer broke off: what tells of it, and what the next attempt has said so far. */
  #broken: { readonly rows: readonly Row[]; again: string } | undefined;

  constructor(live: Stage, look: Look) {
    this.#live = live;
    this.#look = look;
    const { style } = look;
    this.#markdown = { theme: markdownTheme(style), highlight: createHighlighter(style) };
  }

  /** Adds rows, after what the answer has said so far. */
  say(section: Section, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.endAnswer();
    this.#commit(section, rows);
  }

  /** Adds rows amid the answer, which goes on below them. */
  sayBeside(section: Section, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.#answer?.pause({ width: this.#live.terminal.columns, rows: ROWS_KEPT });
    this.#commit(section, rows);
  }

  /** Adds to the running answer; what a new attempt says once more is not shown again. */
  push(delta: string): void {
    if (this.#broken) {
      this.#broken.again += delta;
      if (!this.#said.startsWith(this.#broken.again)) this.#tryAgain(this.#broken);
      return;
    }
    this.#said += delta;
    this.#answer ??= new StreamMarkdown((draw) => {
      const gap = this.#gap("answer");
      this.#live.commit((width) => [...gap, ...draw(width)]);
    }, this.#markdown);
    this.#answer.push(delta);
  }

  /** Moves what is finished of the answer into the scrollback, or has no `room`; once per frame. */
  settle(room: Room): void {
    this.#answer?.settle(room);
  }

  endAnswer(): void {
    if (this.#broken) this.#tryAgain(this.#broken);
    this.#answer?.end();
    this.#answer = undefined;
    this.#said = "";
  }

  /** The answer broke off and is asked for again, of which `rows` tell; those of an attempt before are forgotten. */
  breakOff(rows: readonly Row[]): void {
    this.#broken = { rows, again: "" };
  }

  /** True until the attempt after a break has said something new. */
  get broken(): boolean {
    return this.#broken !== undefined;
  }

  /** The unfinished end of the answer, and why it has stopped. */
  renderAnswer(width: number): readonly string[] {
    const answer = this.#answer?.render(width, Infinity) ?? [];
    return this.#broken ? [...answer, "", ...layRows(this.#broken.rows, width)] : answer;
  }

  /** Goes on with what broke off, or begins anew where the new attempt is another one. */
  #tryAgain({ rows, again }: { readonly rows: readonly Row[]; readonly again: string }): void {
    this.#broken = undefined;
    const same = again.startsWith(this.#said);
    const rest = same ? again.slice(this.#said.length) : again;
    if (same) this.sayBeside("notice", rows);
    else {
      const shown = this.#answer !== undefined && !this.#answer.empty;
      this.#answer?.drop();
      this.#answer = undefined;
      this.#said = "";
      this.#commit("notice", [
        ...shown
          ? [dimRow("(the unfinished answer above is void; it starts over)", this.#look)]
          : [],
        ...rows,
      ]);
    }
    if (rest !== "") this.push(rest);
  }

  #commit(section: Section, rows: readonly Row[]): void {
    const gap = this.#gap(section, rows.length > 1);
    this.#live.commit((width) => [...gap, ...layRows(rows, width)]);
  }

  #gap(section: Section, tall = false): readonly string[] {
    const before = this.#section;
    const wasTall = this.#tall;
    this.#section = section;
    this.#tall = tall;
    if (section === "reply") return [];
    const apart = section === "user" || section === "question" ||
      // where one notice ends and the next begins would not be seen
      section === "notice" && wasTall;
    return before === section && !apart ? [] : [""];
  }
}

import { createHighlighter } from "./highlight.ts";
import type { LiveScreen } from "./live.ts";
import { layRows } from "./lay.ts";
import type { MarkdownLook } from "./markdown_piece.ts";
import type { Look, Row } from "./rows.ts";
import { type Room, StreamMarkdown } from "./stream_markdown.ts";
import { markdownTheme } from "./style.ts";

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

  /** Adds to the running answer. */
  push(delta: string): void {
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
    this.#answer?.end();
    this.#answer = undefined;
  }

  /** Forgets what can still be forgotten of the answer; true when some of it has already been shown. */
  dropAnswer(): boolean {
    const shown = this.#answer !== undefined && !this.#answer.empty;
    this.#answer?.drop();
    this.#answer = undefined;
    return shown;
  }

  /** The unfinished end of the answer. */
  renderAnswer(width: number): readonly string[] {
    return this.#answer?.render(width, Infinity) ?? [];
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

import { Markdown, type MarkdownTheme, type Token, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { createBlockLexer } from "./blocks.ts";
import { plain, PlainStream } from "./clean.ts";
import { AFRESH, cutBlock, type Resume, TIGHT } from "./cut_block.ts";
import { HELP, helpBold } from "./help_bold.ts";
import type { Highlighter, Open } from "./highlight.ts";
import type { Draw } from "./live.ts";
import { fitTables, openRow } from "./tables.ts";
import { tame } from "./tame.ts";

/** Characters above which even an unfinished block is cut, to keep frames cheap. */
const LARGEST_TAIL = 2048;
/** What shows that it was cut (a table, a line without an end) may grow longer. */
const LARGEST_WHOLE = 4096;

/** Characters after which a paragraph that could not be cut between two rows is looked at again. */
const AGAIN = 256;
/** What a later mark could change, or a mark itself. */
const MARKS = /[*_`~[\]<>$\\!]/;

/** Where the unfinished rest is drawn. */
export interface Room {
  readonly width: number;
  readonly rows: number;
}

/** Blanks that pi-tui puts before code, and for a tab. */
const CODE_INDENT = 2;
const TAB = "   ";

/** How markdown is drawn. */
export interface MarkdownLook {
  readonly theme: MarkdownTheme;
  readonly highlight: Highlighter;
}

function lastText(tokens: readonly Token[]): number {
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]?.type === "space") last--;
  return last;
}

const lengthOf = (tokens: readonly Token[]) =>
  tokens.reduce((sum, token) => sum + token.raw.length, 0);

/** Index up to which whole blocks are finished: a blank line before the last block, or 0. */
function finishedLength(tokens: readonly Token[]): number {
  let at = 0;
  let cut = 0;
  for (const token of tokens.slice(0, lastText(tokens))) {
    at += token.raw.length;
    if (token.type === "space" || token.raw.endsWith("\n\n")) cut = at;
  }
  return cut;
}

/**
 * One answer as it streams. Finished blocks are handed to `commit` and never looked at again, so
 * the cost is linear in the text; `render` draws the unfinished rest.
 */
export class StreamMarkdown {
  readonly #commit: (draw: Draw) => void;
  readonly #look: MarkdownLook;
  readonly #clean = new PlainStream();
  readonly #blocks = createBlockLexer();
  readonly #live: Piece;
  #tail = "";
  /** How the tail is to be read, and what its code goes on with. */
  #resume: Resume = { ...AFRESH, tight: true };
  #open: Open | undefined;
  #dirty = false;
  #empty = true;
  /** Length of the tail from which on a cut between rows is worth a look. */
  #cutFrom = 0;

  constructor(commit: (draw: Draw) => void, look: MarkdownLook) {
    this.#commit = commit;
    this.#look = look;
    this.#live = new Piece(look);
  }

  /** True until something has been committed. */
  get empty(): boolean {
    return this.#empty;
  }

  push(delta: string): void {
    const text = this.#clean.push(delta);
    const before = Math.max(0, this.#tail.length - 1);
    this.#tail = this.#tail === "" && this.#resume.opener === ""
      ? text.replace(/^\n+/, "")
      : this.#tail + text;
    if (this.#tail.length > LARGEST_TAIL || this.#tail.includes("\n\n", before)) this.#dirty = true;
  }

  /** Commits the blocks that are finished, and of a paragraph what has no room; once per frame. */
  settle(room?: Room): void {
    if (this.#dirty) {
      this.#dirty = false;
      while (this.#settleOne());
    }
    if (room) this.#settleRows(room);
  }

  /** Cuts a paragraph that has grown too tall between two rows, where the cut does not show. */
  #settleRows({ width, rows }: Room): void {
    const text = this.#tail;
    if (text.length < this.#cutFrom || text.length <= rows || this.#resume.opener !== "") return;
    const linesOf = (part: string, resume = this.#resume) => {
      const piece = new Piece(this.#look);
      piece.set(part, resume, undefined);
      return piece.lines(width, false);
    };
    this.#live.set(text, this.#resume, this.#open);
    const whole = this.#live.lines(width, false);
    if (whole.length <= rows) return;
    this.#cutFrom = text.length + AGAIN;
    const blocks = this.#blocks(text);
    if (blocks[lastText(blocks)]?.type !== "paragraph" || lastText(blocks) > 0) return;
    const most = whole.length - Math.ceil(rows / 2);
    for (let taken = most; taken > Math.max(0, most - 3); taken--) {
      const length = lengthOfRows(text, taken, (part) => linesOf(part).length);
      const [head, rest] = [text.slice(0, length), text.slice(length)];
      if (!/^\p{L}/u.test(rest) || MARKS.test(linesOf(head).map(plain).join(""))) continue;
      if ([...linesOf(head), ...linesOf(rest, TIGHT)].join("\n") !== whole.join("\n")) continue;
      this.#freeze(length, TIGHT, undefined);
      return;
    }
  }

  /** Commits what is finished, or cuts what is too long; false when there is nothing to commit. */
  #settleOne(): boolean {
    if (this.#tail === "") return false;
    const opener = this.#resume.opener.length;
    const text = this.#resume.opener + this.#tail;
    const tokens = this.#blocks(text);
    const finished = finishedLength(tokens) - opener;
    if (finished > 0) return this.#freeze(finished, AFRESH, undefined);
    const at = lastText(tokens);
    const last = tokens[at];
    if (last === undefined) return false;
    const whole = last.type === "table" || !last.raw.includes("\n");
    if (this.#tail.length <= (whole ? LARGEST_WHOLE : LARGEST_TAIL)) return false;
    const start = lengthOf(tokens.slice(0, at));
    const { length, next } = cutBlock(last, text.slice(start, start + last.raw.length));
    const taken = start + length - opener;
    return taken > 0 && this.#freeze(taken, next, last);
  }

  /** Commits the rest. */
  end(): void {
    this.#tail += this.#clean.end();
    // A row that will not come whole reads as its text.
    const row = this.#tail.length - openRow(this.#resume.opener + this.#tail);
    if (row < this.#tail.length) {
      this.#tail = this.#tail.slice(0, row) + "\n" + this.#tail.slice(row);
    }
    if (this.#tail.trim() !== "") this.#freeze(this.#tail.length, AFRESH, undefined);
    this.#tail = "";
  }

  /** Forgets what has not been committed (a retry voids it). */
  drop(): void {
    this.#clean.end();
    this.#tail = "";
    this.#resume = { ...AFRESH, tight: true };
    this.#open = undefined;
  }

  /** The unfinished rest: its last `max` lines, after a blank line unless a block was cut. */
  render(width: number, max: number): readonly string[] {
    if (this.#tail.trim() === "") return [];
    const shown = this.#tail.length - openRow(this.#resume.opener + this.#tail);
    if (this.#tail.slice(0, shown).trim() === "") return [];
    this.#live.set(this.#tail.slice(0, shown), this.#resume, this.#open);
    const lines = this.#live.lines(width, false);
    const gap = this.#empty ? [""] : [];
    return [...gap, ...lines.slice(-Math.max(1, max))];
  }

  #freeze(length: number, next: Resume, cut: Token | undefined): true {
    const text = this.#tail.slice(0, length).replace(next.fence ? /\n$/ : /\n+$/, "");
    const piece = new Piece(this.#look);
    piece.set(text, this.#resume, this.#open);
    this.#commit((width) => piece.lines(width, next.fence));
    const topFence = next.fence && cut?.type === "code";
    this.#open = topFence ? this.#openAfter(text) : undefined;
    const rest = this.#tail.slice(length);
    this.#tail = next.tight ? rest : rest.replace(/^\n+/, "");
    this.#resume = next;
    this.#cutFrom = 0;
    this.#empty = false;
    return true;
  }

  /** What the code of a piece leaves open. */
  #openAfter(piece: string): Open | undefined {
    const token = this.#blocks(this.#resume.opener + piece).at(-1);
    if (token?.type !== "code") return undefined;
    return this.#look.highlight(token.text, token.lang ?? "", this.#open).open;
  }
}

/** Characters that the first `rows` rows of a text take, `heightOf` a beginning of it growing with that. */
function lengthOfRows(text: string, rows: number, heightOf: (part: string) => number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (heightOf(text.slice(0, middle)) <= rows) low = middle;
    else high = middle - 1;
  }
  // A word that has not gone over to the next row as a whole begins there.
  const blank = text.lastIndexOf(" ", low) + 1;
  return blank > 0 && low - blank < 24 && /\w/.test(text[low] ?? "") ? blank : low;
}

/** A stretch of markdown as rows. */
class Piece {
  readonly #look: MarkdownLook;
  readonly #block: Markdown;
  #text = "";
  #resume = AFRESH;
  #open: Open | undefined;
  /** The piece's first code block is the one that was cut. */
  #goesOn = false;
  #width = 0;

  constructor(look: MarkdownLook) {
    this.#look = look;
    this.#block = new Markdown(
      "",
      0,
      0,
      { ...look.theme, highlightCode: (code, lang) => this.#code(code, lang ?? "") },
      undefined,
      {
        renderLatex: false,
        transform: (text, width) => fitTables(text, width, look.theme),
      },
    );
  }

  set(text: string, resume: Resume, open: Open | undefined): void {
    if (text === this.#text && resume === this.#resume) return;
    this.#text = text;
    this.#resume = resume;
    this.#open = open;
    this.#block.setText(helpBold(tame(resume.opener + text)));
  }

  /** Rows, after a blank one unless tight; `continues`: the code block at the end has none yet. */
  lines(width: number, continues: boolean): string[] {
    const { hidden, tight } = this.#resume;
    this.#goesOn = this.#resume.fence;
    this.#width = width;
    const lines = this.#block.render(width).slice(hidden).map((line) =>
      line.replaceAll(HELP, "").trimEnd()
    );
    if (continues) lines.pop();
    while (!continues && lines.at(-1) === "") lines.pop();
    return tight ? lines : ["", ...lines];
  }

  #code(code: string, lang: string): string[] {
    const open = this.#goesOn ? this.#open : undefined;
    this.#goesOn = false;
    const { lines } = this.#look.highlight(code, lang, open);
    // Within a list or a quote the room is not known.
    if (!`\n${this.#text.replaceAll("\t", TAB)}`.includes("\n" + code)) return lines;
    const room = Math.max(1, this.#width - CODE_INDENT);
    return lines.flatMap((line) => wrapTextWithAnsi(line, room));
  }
}

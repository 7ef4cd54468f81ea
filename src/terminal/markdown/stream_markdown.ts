import type { Token } from "@earendil-works/pi-tui";
import { type BlockLexer, createBlockLexer } from "./blocks.ts";
import { plain, PlainStream } from "../../base/control_characters.ts";
import {
  AFRESH,
  type Columns,
  columnsIn,
  type Cut,
  cutBlock,
  cutLine,
  goesOnBehind,
  isClosed,
  openRow,
  type Resume,
  TIGHT,
  widened,
} from "./long_blocks.ts";
import type { Open } from "./highlight.ts";
import type { Draw } from "../live.ts";
import { type MarkdownLook, Piece } from "./markdown_piece.ts";

// Where a block that is too tall for its room is cut between two rows, so that it does not show.

/** What a later mark could change, or a mark itself. */
const MARKS = /[*_`~[\]<>$\\]|!$/;
/** Begins text or bold text, whatever comes behind it. */
const TEXT = /^(?:\*\*)?[^\s#>\-+*_`~=|<[!\\:\d$.)]/;
/** Begins an item, or a line that is quoted. */
const LINE = /^[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +|(?<=>) *)[^\s#>\-+*_`~=|<[!\\:\d$.)]/;
/** Before a block within another one, which no mark goes beyond. */
const BLOCK = /\n(?=[ >]*(?:(?:[-*+]|\d{1,9}[.)]) |\n))/;
/** The end of an address that more may yet belong to. */
const ADDRESS = /(?:www\.|:\/\/|\S@)\S*$/i;
/** The beginning of a word, which goes over to the next row as a whole; a Chinese character is one. */
const WORD_END = /[^\s\u2e80-\uffef]*$/;
/** Begins bold text that stands wholly on the next row, or ends what stands before. */
const BOLD = /(?<!\*)\*\*$/;
/** Rows above the wanted one where the text may be cut instead. */
const TRIES = 3;

/** How a text is drawn that goes on as told, or as the whole does; `continues` as in Piece's lines. */
type DrawPart = (text: string, resume?: Resume, continues?: boolean) => readonly string[];

/**
 * Where to cut a text that takes the rows `whole`, behind its first `most` or some fewer;
 * undefined when that would show, now or by what may yet come.
 */
function cutRows(
  text: string,
  opener: string,
  { whole, most }: { readonly whole: readonly string[]; readonly most: number },
  draw: DrawPart,
  blocks: BlockLexer,
): Cut | undefined {
  for (let taken = most; taken > Math.max(0, most - TRIES); taken--) {
    const end = lengthOfRows(text, taken, (part) => draw(part).length);
    const bold = BOLD.exec(text.slice(0, end))?.index ?? end;
    for (const length of new Set([end, bold])) {
      const [head, rest] = [text.slice(0, length), text.slice(length)];
      if (!isSure(head, rest, draw)) continue;
      const next = goesOnBehind(blocks(opener + head), rest);
      if (next.fence) continue;
      if (!shows({ length, next }, text, whole, draw)) return { length, next };
    }
  }
  return undefined;
}

/** Whether a text that takes the rows `whole` takes others when it is cut. */
function shows(
  { length, next }: Cut,
  text: string,
  whole: readonly string[],
  draw: DrawPart,
): boolean {
  const head = draw(text.slice(0, length), undefined, next.fence);
  // What is one style in the whole ends and begins anew here.
  return told([...head, ...draw(text.slice(length), next)]) !== told(whole);
}

const told = (rows: readonly string[]) => rows.map((row) => plain(row).trimEnd()).join("\n");

/** Whether nothing that may come behind `rest` would draw `head`, or where they part, otherwise. */
function isSure(head: string, rest: string, draw: DrawPart): boolean {
  if (head.endsWith("\n") && LINE.test(rest)) return true;
  // It may yet be the head of a table.
  if (/\|[^\n]*$/.test(head) || /^[^\n]*\|/.test(rest)) return false;
  return TEXT.test(rest) && !ADDRESS.test(head) &&
    !MARKS.test(told(draw(head.split(BLOCK).at(-1)!)));
}

/** Characters that the first `rows` rows of a text take, `heightOf` a beginning of it growing with that. */
function lengthOfRows(text: string, rows: number, heightOf: (part: string) => number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (heightOf(text.slice(0, middle)) <= rows) low = middle;
    else high = middle - 1;
  }
  if (text[low] === " ") return low + 1;
  // A word that has not gone over to the next row as a whole begins there.
  const word = WORD_END.exec(text.slice(0, low))!.index;
  return word > 0 && low - word < 24 && /\w/.test(text[low] ?? "") ? word : low;
}

/** Characters above which even an unfinished block is cut, to keep frames cheap. */
const LARGEST_TAIL = 2048;
/** What shows that it was cut (a table, a line without an end) may grow longer. */
const LARGEST_WHOLE = 4096;

/** What shows no cut between its lines. */
const SEAMLESS = ["code", "list", "table"];
/** What can be cut between two of its rows. */
const ROWED = ["paragraph", "item", "blockquote"];
/** What can be cut between its lines. */
const PARTED = [...SEAMLESS, "item", "table", "blockquote"];

/** Where the unfinished rest is drawn. */
export interface Room {
  readonly width: number;
  readonly rows: number;
  /** Rows there are as long as nothing else takes them. */
  readonly most?: number;
}

function lastText(tokens: readonly Token[]): number {
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]?.type === "space") last--;
  return last;
}

/** The type of a block; a list of one item shows where it is cut. */
function kindOf(token: Token | undefined): string {
  if (token?.type === "list" && token.items.length === 1) return "item";
  return token?.type ?? "";
}

const lengthOf = (tokens: readonly Token[]) =>
  tokens.reduce((sum, token) => sum + token.raw.length, 0);

/** Whether it may yet be the next item of the list before it. */
function isOpen(token: Token | undefined): boolean {
  return /^ {0,3}\d{1,9}$/.test(token?.raw ?? "");
}

/** Index up to which whole blocks are finished: a blank line before the last block, or 0. */
function finishedLength(tokens: readonly Token[]): number {
  if (isOpen(tokens.at(-1))) return 0;
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
  /** What stands above is not the answer's. */
  #apart = true;
  /** Rows that the tail took when it could not be cut; looked at again when it takes more. */
  #uncut = 0;

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
    let text = this.#clean.push(delta);
    const before = Math.max(0, this.#tail.length - 1);
    if (this.#resume.inCodeLine && this.#tail === "" && text !== "") {
      this.#resume = { ...this.#resume, inCodeLine: false };
      text = text.replace(/^\n/, "");
    }
    this.#tail = this.#tail === "" && this.#resume.opener === ""
      ? text.replace(/^\n+/, "")
      : this.#tail + text;
    if (this.#tail.length > LARGEST_TAIL || this.#tail.includes("\n\n", before)) this.#dirty = true;
  }

  /** Commits the blocks that are finished, and of the last one what has no room; once per frame. */
  settle(room?: Room): void {
    if (this.#dirty) {
      this.#dirty = false;
      while (this.#settleOne());
    }
    if (room) this.#settleRows(room);
  }

  /**
   * Something else is said, which stands above the rest: commits what is finished, and of a block
   * that is taller than the room its whole lines.
   */
  pause(room: Room): void {
    this.#uncut = 0;
    this.#dirty = true;
    this.settle();
    this.#settleRows(room, PARTED);
    const { columns, fence, opener } = this.#resume;
    // What goes on of a table below the rest has a head again.
    if (columns && fence) this.#freeze(0, { ...TIGHT, opener }, undefined);
    this.#resume = { ...this.#resume, tight: true };
    this.#apart = true;
  }

  /** Cuts what has grown too tall: a paragraph between two rows, one of `kinds` between its lines. */
  #settleRows(room: Room, kinds: readonly string[] = SEAMLESS): void {
    const text = this.#tail;
    if (text.length <= room.rows) return;
    this.#live.set(text, this.#resume, this.#open);
    const whole = this.#live.lines(room.width, false);
    const height = whole.length + (this.#apart ? 1 : 0);
    if (height <= Math.max(this.#uncut, room.rows)) return;
    if (this.#settleOne()) return this.#settleRows(room, kinds);
    const { tokens, text: read } = this.#read();
    const at = lastText(tokens);
    if (at > 0 && isOpen(tokens[at])) return;
    // What cannot be cut is looked at the less often the taller it is.
    this.#uncut = height + (height >> 3);
    const type = kindOf(tokens[at]);
    const draw: DrawPart = (part, resume = this.#resume, continues = false) => {
      const piece = new Piece(this.#look);
      piece.set(part, resume, undefined);
      return piece.lines(room.width, continues);
    };
    if (ROWED.includes(type)) {
      const most = whole.length - Math.ceil(room.rows / 2);
      const cut = cutRows(text, this.#resume.opener, { whole, most }, draw, this.#blocks);
      if (cut) return void this.#freeze(cut.length, cut.next, undefined);
    }
    const isSeamless = (cut: Cut) => cut.next.fence && !shows(cut, text, whole, draw);
    if (type === "table" && kinds === SEAMLESS) {
      if (height <= (room.most ?? room.rows)) return;
      const columns = this.#columnsOf(whole, room.width);
      if (this.#cutLast(tokens, read, undefined, columns)) this.#settleRows(room, kinds);
    } else if (
      kinds.includes(type)
        ? this.#cutLast(tokens, read)
        : type === "item" && this.#cutLast(tokens, read, isSeamless)
    ) this.#settleRows(room, kinds);
  }

  /** How the table that is cut next is drawn: as it has been where it was cut before. */
  #columnsOf(whole: readonly string[], room: number): Columns {
    const { columns } = this.#resume;
    if (columns?.room === room) return columns;
    return { room, widths: widened(columnsIn(whole), room), head: true };
  }

  /** Commits what is finished, or cuts what is too long; false when there is nothing to commit. */
  #settleOne(): boolean {
    if (this.#tail === "") return false;
    const { tokens, text } = this.#read();
    const finished = finishedLength(tokens) - this.#resume.opener.length;
    if (finished > 0) return this.#freeze(finished, AFRESH, undefined);
    const last = tokens[lastText(tokens)];
    const whole = last?.type === "table" || !last?.raw.includes("\n");
    if (this.#tail.length <= (whole ? LARGEST_WHOLE : LARGEST_TAIL)) return false;
    return this.#cutLast(tokens, text);
  }

  /** The tail with what it goes on from, and its blocks. */
  #read(): { tokens: readonly Token[]; text: string } {
    const text = this.#resume.opener + this.#tail;
    return { tokens: this.#blocks(text), text };
  }

  /** Commits what of the last block need not wait for its end; false when that is nothing, or `may` not be. */
  #cutLast(
    tokens: readonly Token[],
    text: string,
    may?: (cut: Cut) => boolean,
    columns?: Columns,
  ): boolean {
    const at = lastText(tokens);
    const last = tokens[at];
    if (last === undefined) return false;
    const start = lengthOf(tokens.slice(0, at));
    const raw = text.slice(start, start + last.raw.length);
    const before = start - this.#resume.opener.length;
    // More of the last line may yet make it no fence.
    if (last.type === "code" && start + raw.length === text.length && isClosed(raw)) return false;
    const { length, next: rest } = cutBlock(last, raw, this.#blocks);
    // What stands above a head goes with its first row.
    if (columns && length === 0) return false;
    const next = columns
      ? { ...rest, columns: { ...columns, head: false }, fence: columns.widths.length > 0 }
      : rest;
    if (may && !may({ length: before + length, next })) return false;
    if (before + length > 0) return this.#freeze(before + length, next, last);
    // Code takes long to wrap.
    if (this.#tail.length <= (last.type === "code" ? LARGEST_TAIL : LARGEST_WHOLE)) return false;
    const cut = cutLine(last, raw);
    return this.#freeze(before + cut.length, cut.next, last);
  }

  /** Commits the rest. */
  end(): void {
    this.#tail += this.#clean.end();
    // A row that will not come whole reads as its text.
    const row = this.#tail.length - openRow(this.#resume.opener + this.#tail);
    if (row < this.#tail.length) {
      this.#tail = this.#tail.slice(0, row) + "\n" + this.#tail.slice(row);
    }
    // Code that was cut at its end has its border yet to come.
    if (this.#tail.trim() !== "" || this.#resume.fence) {
      this.#freeze(this.#tail.length, AFRESH, undefined);
    }
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
    const gap = this.#apart ? [""] : [];
    return [...gap, ...lines.slice(-Math.max(1, max))];
  }

  #freeze(length: number, next: Resume, cut: Token | undefined): true {
    const taken = this.#tail.slice(0, length);
    const text = next.fence ? taken : taken.replace(/\n+$/, "");
    const piece = new Piece(this.#look);
    const isNew = next.columns !== undefined && next.columns.room !== this.#resume.columns?.room;
    const columns = isNew ? { ...next.columns!, head: true } : this.#resume.columns;
    piece.set(text, columns ? { ...this.#resume, columns } : this.#resume, this.#open);
    this.#commit((width) => piece.lines(width, next.fence));
    const topFence = next.fence && cut?.type === "code";
    this.#open = topFence ? this.#openAfter(text) : undefined;
    const rest = this.#tail.slice(length);
    this.#tail = next.tight ? rest : rest.replace(/^\n+/, "");
    this.#resume = next;
    this.#uncut = 0;
    this.#empty = this.#apart = false;
    return true;
  }

  /** What the code of a piece leaves open. */
  #openAfter(piece: string): Open | undefined {
    const token = this.#blocks(this.#resume.opener + piece).at(-1);
    if (token?.type !== "code") return undefined;
    return this.#look.highlight(token.text, token.lang ?? "", this.#open).open;
  }
}

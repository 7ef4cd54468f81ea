/**
 * Blocks that do not fit: tables too wide for the terminal are lists, and a block too long to wait
 * for its end is cut where nothing is lost or doubled.
 */
import {
  sliceByColumn,
  stripTerminalSequences,
  type Token,
  type Tokens,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { type BlockLexer, createBlockLexer, HELP } from "./blocks.ts";

/** Columns of text below which a cell is no longer readable. */
const LEAST_CELL = 11;
/** Ends all styles but the colour behind the text. */
const PLAIN = "\x1b[22;23;24;25;27;28;29;39m";
const DELIMITER = /^ {0,3}\|?[ :|]*-+[-:| ]*$/m;

/** How a table was drawn that has been cut; without columns as a list. */
export interface Columns {
  /** Of the terminal. */
  readonly room: number;
  readonly widths: readonly number[];
  /** Its head is still to be drawn. */
  readonly head: boolean;
}

/** How the first table of a piece is drawn. */
export interface First {
  /** Rows of it stand above: without more of them nothing is drawn. */
  readonly goesOn: boolean;
  readonly columns?: Columns | undefined;
}

/** Whether it ends with the head of a table. */
export function endsInHead(markdown: string): boolean {
  return markdown.includes("|") && DELIMITER.test(markdown.split("\n").at(-2) ?? "");
}

/** Replaces each table that is too wide for `width` by a list with an item for each row. */
export function fitTables(markdown: string, width: number, first: First): string {
  if (!DELIMITER.test(markdown)) return markdown;
  let known: First | undefined = first;
  return createBlockLexer()(markdown).map((token) => {
    if (token.type !== "table") return token.raw;
    const table = token as Tokens.Table;
    const { goesOn, columns } = known ?? { goesOn: false };
    known = undefined;
    if (columns ? columns.widths.length > 0 : fits(table, width)) return token.raw;
    return (goesOn && table.rows.length === 0 ? "" : asList(table)) + /\n*$/.exec(token.raw)![0];
  }).join("");
}

/** How many characters at the end are a row of a table that has not come whole. */
export function openRow(markdown: string): number {
  const last = markdown.slice(markdown.lastIndexOf("\n") + 1);
  if (!last.includes("|") || !DELIMITER.test(markdown)) return 0;
  const table = createBlockLexer()(markdown).at(-1) as Tokens.Table | undefined;
  if (table?.type !== "table" || table.rows.length === 0) return 0;
  const cells = last.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/);
  return cells.length < table.header.length || cells.join("").trim() === "" ? last.length : 0;
}

/** The widths of the columns of the last table among rows. */
export function columnsIn(rows: readonly string[]): readonly number[] {
  const border = rows.findLast((row) => /^┌─[─┬]*─┐$/.test(row)) ?? "";
  return border.slice(1, -1).split("┬").map(({ length }) => length - 2).filter((n) => n > 0);
}

/** Moves the text of each cell of a table as its head says, also of one that takes several rows. */
export function alignColumns(
  rows: readonly string[],
  widths: readonly number[],
  align: Tokens.Table["align"],
): string[] {
  if (align.every((one) => one !== "right" && one !== "center")) return [...rows];
  return rows.map((row) => row.startsWith("│ ") ? alignRow(row, widths, align) : row);
}

/** Widths that take all the room there is: a row that is yet to come may be longer. */
export function widened(widths: readonly number[], room: number): readonly number[] {
  const used = widths.reduce((sum, one) => sum + one, 0);
  const left = Math.max(0, room - used - 3 * widths.length - 1);
  return widths.map((width) => width + Math.floor(left * width / used));
}

/** A table with columns of these widths; without a head the rest of one, below a row of it. */
export function drawTable(
  head: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  widths: readonly number[],
): string[] {
  const border = (left: string, amid: string, right: string) =>
    `${left}─${widths.map((width) => "─".repeat(width)).join(`─${amid}─`)}─${right}`;
  return [
    ...head ? [border("┌", "┬", "┐"), ...drawRow(head, widths)] : [],
    ...rows.flatMap((cells) => [border("├", "┼", "┤"), ...drawRow(cells, widths)]),
    border("└", "┴", "┘"),
  ];
}

function drawRow(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = widths.map((width, x) => wrapTextWithAnsi(cells[x] ?? "", width));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, y) => {
    const parts = columns.map((lines, x) => {
      const line = lines[y] ?? "";
      const style = line.includes("\x1b") ? PLAIN : "";
      return line + style + " ".repeat(Math.max(0, widths[x]! - visibleWidth(line)));
    });
    return `│ ${parts.join(" │ ")} │`;
  });
}

function alignRow(
  line: string,
  columns: readonly number[],
  align: Tokens.Table["align"],
): string {
  let at = 0;
  let out = "";
  const take = (width: number) => sliceByColumn(line, (at += width) - width, width);
  for (const [x, width] of columns.entries()) {
    const border = take(x === 0 ? 2 : 3);
    const cell = take(width);
    const used = visibleWidth(stripTerminalSequences(cell).trimEnd());
    const room = align[x] === "right"
      ? width - used
      : align[x] === "center"
      ? width - used >> 1
      : 0;
    out += border + " ".repeat(room) + sliceByColumn(cell, 0, width - room);
  }
  return out + take(2);
}

function fits({ header, rows }: Tokens.Table, width: number): boolean {
  const room = width - (3 * header.length + 1);
  if (room >= header.length * LEAST_CELL) return true;
  // Characters of two columns count once: wrong by half at most, and on the side of the table.
  const widest = header.map((head, column) =>
    Math.max(head.text.length, ...rows.map((row) => row[column]?.text.length ?? 0))
  );
  return widest.reduce((sum, one) => sum + one, 0) <= room &&
    widest.every((one) => one <= LEAST_CELL);
}

function asList({ header, rows }: Tokens.Table): string {
  if (rows.length === 0) return header.map((head) => head.text).join(" · ");
  return rows.map((row) =>
    row.map((cell, column) => {
      const name = header[column]?.text ?? "";
      const text = [name && `${name}:`, cell.text.replaceAll("\n", " ")].filter(Boolean).join(" ");
      return column === 0 ? `- ${text}` : text && `  - ${text}`;
    }).filter((line) => line !== "").join("\n")
  ).join("\n");
}

/** How the text behind a cut is to be read. */
export interface Resume {
  /** Markdown that stands before it: the fence, list item or table head in which it goes on. */
  readonly opener: string;
  /** Rows that the opener takes when drawn, which are left out. */
  readonly hidden: number;
  /** No blank row parts it from what stands above. */
  readonly tight: boolean;
  /** The cut went through code or a table: what stands before it has no border at its end yet. */
  readonly fence: boolean;
  /** The cut went through a line of code, whose end adds no line. */
  readonly inCodeLine?: boolean;
  /** How the table was drawn that goes on. */
  readonly columns?: Columns;
}

export const AFRESH: Resume = { opener: "", hidden: 0, tight: false, fence: false };
/** Goes on right below. */
export const TIGHT: Resume = { ...AFRESH, tight: true };
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*/;
const INDENT = "    ";
/** A line that may begin code, in whatever else. */
const OPENS = /^(?:[ >]|[-*+] |\d{1,9}[.)] )*(?:`{3}|~{3})/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}(?=\S))?/;
/** Begins HTML that goes on beyond empty lines. */
const HTML = /^ {0,3}(?:<!--|<\?|<!\[CDATA\[|<(?:script|pre|style|textarea)\b[^>\n]*>)/i;
/** Empty lines, which the end of a piece does not keep. */
const EMPTY_END = /(?<=\n)(?:[ \t>]*\n)+$/;

/** How many characters of a block to take, and how the rest goes on. */
export interface Cut {
  readonly length: number;
  readonly next: Resume;
}

/**
 * How many characters of the block to take, 0 for none yet, and how the rest goes on. `raw` is its
 * source: the token's own has a line end where there was a blank.
 */
export function cutBlock(block: Token, raw: string, blocks: BlockLexer): Cut {
  let length = raw.lastIndexOf("\n") + 1;
  const empty = EMPTY_END.exec(raw.slice(0, length))?.[0].length ?? 0;
  if (empty > 0 && isCode(blocks, raw.slice(0, length))) length -= empty;
  const line = raw.lastIndexOf("\n", length - 2) + 1;
  // Code without a line would be drawn with an empty one.
  if (OPENS.test(raw.slice(line, length))) length = line;
  if (block.type === "table") {
    const head = headOf(raw);
    return length > head.length
      ? { length, next: { ...TIGHT, opener: head } }
      : { length: 0, next: TIGHT };
  }
  if (block.type === "code" && isClosed(raw)) return { length: raw.length, next: AFRESH };
  if (block.type === "list") {
    const { items, loose } = block as Tokens.List;
    const before = items.slice(0, -1).reduce((sum, item) => sum + item.raw.length, 0);
    if (before > 0) return { length: before, next: nextItem(block as Tokens.List, loose) };
  }
  if (length === 0 && block.type === "paragraph") return { length: inLine(raw), next: TIGHT };
  if (length === 0) return { length, next: TIGHT };
  // What the last line begins is not taken.
  return { length, next: goOn(contextOf(blocks(raw.slice(0, length)).findLast(isText), "")) };
}

/** As cutBlock, within a last line that is too long to wait for its end. */
export function cutLine(block: Token, raw: string): Cut {
  const length = inLine(raw);
  if (block.type === "table") return { length, next: { ...TIGHT, opener: headOf(raw) } };
  const { fence, ...rest } = goesOnBehind([block], "");
  const next = { ...rest, fence, ...fence && { inCodeLine: true } };
  if (block.type !== "code" || FENCE.test(raw)) return { length, next };
  return { length, next: { ...next, opener: next.opener + INDENT } };
}

/** How `rest` is to be read behind blocks in whose last it goes on. */
export function goesOnBehind(blocks: readonly Token[], rest: string): Resume {
  return goOn(contextOf(blocks.findLast(isText), "", !/^ *>/.test(rest)));
}

/** Whether the text ends amid code. */
function isCode(blocks: BlockLexer, text: string): boolean {
  return contextOf(blocks(text).findLast(isText), "").fence;
}

function goOn({ lines, fence, begin = "", borders = 0 }: Context): Resume {
  const opener = lines.map((line) => line + "\n").join("") + begin;
  return { opener, hidden: lines.length + borders, tight: true, fence };
}

function headOf(table: string): string {
  return table.split("\n", 2).join("\n") + "\n";
}

/** How the last item of a list is to be read, when those before it have been taken. */
function nextItem(list: Tokens.List, loose: boolean): Resume {
  if (!list.ordered) return { ...TIGHT, tight: !loose };
  const opener = `${markOf(list, list.items.length - 2)}${HELP}\n` + (loose ? "\n" : "");
  return { ...TIGHT, opener, hidden: loose ? 2 : 1, tight: !loose };
}

/** What stands before an item's text: its number counts on from the list's first. */
function markOf({ ordered, start, items }: Tokens.List, index: number): string {
  const [, lead = "", mark = "-", gap = " "] = ITEM.exec(items[index]!.raw) ?? [];
  return lead + (ordered ? `${Number(start) + index}${mark.at(-1)}` : mark) + gap;
}

/** A line without an end is cut at its last blank, before what may be a link, or else within no character. */
function inLine(raw: string): number {
  const blank = raw.lastIndexOf(" ") + 1;
  if (blank > (ITEM.exec(raw)?.[0].length ?? 0)) return blank;
  const link = /!?\[[^[\n]*$/.exec(raw)?.index ?? 0;
  if (link > 0) return link;
  return /[\ud800-\udbff]$/.test(raw) ? raw.length - 1 : raw.length;
}

interface Context {
  readonly lines: readonly string[];
  /** The innermost is code. */
  readonly fence: boolean;
  /** Stands before the rest of the line itself. */
  readonly begin?: string;
  /** Rows that are drawn above the lines. */
  readonly borders?: number;
}

/** The beginnings of all that is open at the block's end, one line each; `amid` the line of a quote, it too. */
function contextOf(block: Token | undefined, indent: string, amid = false): Context {
  if (block?.type === "code") {
    const fence = FENCE.exec(block.raw);
    if (fence === null) return { lines: [indent + INDENT + HELP], fence: true, borders: 1 };
    if (isClosed(block.raw)) return { lines: [], fence: false };
    return { lines: [indent + fence[0].trimStart()], fence: true };
  }
  if (block?.type === "html") {
    const begin = HTML.exec(block.raw)?.[0];
    return { lines: begin === undefined ? [] : [indent + begin.trimStart()], fence: false };
  }
  const inner = (tokens: readonly Token[] | undefined) => tokens?.findLast(isText);
  if (block?.type === "list") {
    const { items, loose } = block as Tokens.List;
    const item = items.at(-1)!;
    const mark = markOf(block as Tokens.List, items.length - 1);
    const within = indent + " ".repeat(mark.length);
    const { lines, ...rest } = contextOf(inner(item.tokens), within, amid);
    // An empty line within makes the list a loose one; indented code has one above it.
    const gap = lines.length > 0 && (loose || rest.borders) ? [""] : [];
    return { lines: [`${indent}${mark}${HELP}`, ...gap, ...lines], ...rest };
  }
  if (block?.type === "blockquote") {
    const all = contextOf(inner((block as Tokens.Blockquote).tokens), indent + "> ", amid);
    return amid && all.lines.length === 0 ? { begin: indent + "> ", ...all } : all;
  }
  return { lines: [], fence: false };
}

function isText({ type }: Token): boolean {
  return type !== "space";
}

/** Whether a block of code has its last fence. */
export function isClosed(raw: string): boolean {
  const mark = FENCE.exec(raw)?.[1];
  if (mark === undefined) return false;
  const last = raw.trimEnd().split("\n").slice(1).at(-1)?.trim() ?? "";
  return last.startsWith(mark) && last.replaceAll(mark[0]!, "") === "";
}

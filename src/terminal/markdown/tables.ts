/** Tables that would not fit are lists: a terminal of 40 columns has no room for five of them. */
import {
  sliceByColumn,
  stripTerminalSequences,
  type Tokens,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { createBlockLexer } from "./blocks.ts";

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

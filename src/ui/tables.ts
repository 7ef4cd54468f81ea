/** Tables that would not fit are lists: a terminal of 40 columns has no room for five of them. */
import {
  sliceByColumn,
  stripTerminalSequences,
  type Tokens,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { createBlockLexer, HELP } from "./blocks.ts";

/** Columns of text below which a cell is no longer readable. */
const LEAST_CELL = 11;
const DELIMITER = /^ {0,3}\|?[ :|]*-+[-:| ]*$/m;

/** Markdown, and the tables in it whose columns `alignColumns` has yet to align. */
export interface Fitted {
  readonly markdown: string;
  readonly aligned: readonly Tokens.Table[];
}

/** Replaces each table that is too wide for `width` by a list with an item for each row. */
export function fitTables(markdown: string, width: number): Fitted {
  if (!DELIMITER.test(markdown)) return { markdown, aligned: [] };
  const aligned: Tokens.Table[] = [];
  const parts = createBlockLexer()(markdown).map((token) => {
    if (token.type !== "table") return token.raw;
    const table = token as Tokens.Table;
    if (!fits(table, width)) return asList(table) + /\n*$/.exec(token.raw)![0];
    if (table.align.every((one) => one !== "right" && one !== "center")) return token.raw;
    aligned.push(table);
    // Tells the table from what else looks like one when drawn.
    return token.raw.replace(/^( {0,3}\|? *)/, `$1${HELP}`);
  });
  return { markdown: parts.join(""), aligned };
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

/** Moves the text of each cell of aligned tables, also of one that takes several rows. */
export function alignColumns(lines: readonly string[], tables: readonly Tokens.Table[]): string[] {
  const left = [...tables];
  let columns: readonly number[] = [];
  let align: Tokens.Table["align"] = [];
  return lines.map((line, y) => {
    if (line.startsWith("┌─") && lines[y + 1]?.includes(HELP)) {
      columns = stripTerminalSequences(line).trim().slice(1, -1).split("┬").map(({ length }) =>
        length - 2
      );
      align = left.shift()?.align ?? [];
    } else if (line.startsWith("└─")) align = [];
    return align.length > 0 && line.startsWith("│ ") ? alignRow(line, columns, align) : line;
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
      const text = cell.text.replaceAll("\n", " ");
      if (column === 0) return `- ${text}`;
      const name = header[column]?.text ?? "";
      return text === "" ? "" : `  - ${name === "" ? "" : `${name}: `}${text}`;
    }).filter((line) => line !== "").join("\n")
  ).join("\n");
}

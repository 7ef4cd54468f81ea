/** Tables that would not fit are lists: a terminal of 40 columns has no room for five of them. */
import { Markdown, type MarkdownTheme, type Tokens, visibleWidth } from "@earendil-works/pi-tui";
import { createBlockLexer, HELP } from "./blocks.ts";

/** Columns of text below which a cell is no longer readable. */
const LEAST_CELL = 11;
const DELIMITER = /^ {0,3}\|?[ :|]*-+[-:| ]*$/m;

/**
 * Replaces each table that is too wide for `width` by a list with an item for each row, and pads the
 * cells of columns that are not aligned to the left.
 */
export function fitTables(markdown: string, width: number, theme: MarkdownTheme): string {
  if (!DELIMITER.test(markdown)) return markdown;
  return createBlockLexer()(markdown).map((token) => {
    if (token.type !== "table") return token.raw;
    const table = token as Tokens.Table;
    const end = /\n*$/.exec(token.raw)![0];
    if (!fits(table, width)) return asList(table) + end;
    const aligned = table.align.some((one) => one === "right" || one === "center");
    return aligned ? alignColumns(table, width, theme) + end : token.raw;
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

function alignColumns(table: Tokens.Table, width: number, theme: MarkdownTheme): string {
  const rows = [table.header, ...table.rows];
  const widths = rows.map((row) => row.map((cell) => drawnWidth(cell.text, theme)));
  const widest = table.align.map((_, i) => Math.max(...widths.map((row) => row[i] ?? 0)));
  const borders = 3 * widest.length + 1;
  // In a column that is made narrower the blanks would be wrapped.
  if (widest.reduce((sum, one) => sum + one, borders) > width) return table.raw.trimEnd();
  const lines = rows.map((row, y) =>
    row.map((cell, x) => {
      const room = widest[x]! - widths[y]![x]!;
      const align = table.align[x];
      const blanks = align === "right" ? room : align === "center" ? room >> 1 : 0;
      return HELP + " ".repeat(blanks) + cell.text.replaceAll("|", "\\|");
    })
  );
  lines.splice(1, 0, table.align.map(() => "---"));
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function drawnWidth(cell: string, theme: MarkdownTheme): number {
  const drawn = new Markdown(HELP + cell, 0, 0, theme).render(cell.length * 2 + 1000)[0] ?? "";
  return visibleWidth(drawn.trimEnd());
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

import { descendant, type Element, isElement, type Node, textOf } from "./parse.ts";

/** A cell; undefined where another cell's colspan reaches. */
export type Cell = Element | undefined;

/** The table's rows, without those of tables inside it; undefined when it arranges the page instead of showing data. */
export function rowsOf(table: Element): readonly (readonly Cell[])[] | undefined {
  if (descendant(table, ({ name }) => /^(table|pre|ul|ol|blockquote|h[1-6])$/.test(name))) return;
  const groups = table.children.flatMap((child) =>
    isElement(child) && /^(thead|tbody|tfoot)$/.test(child.name) ? child.children : [child]
  ).filter((child) => !(isElement(child) && /^(caption|colgroup)$/.test(child.name)));
  const rows = groups.filter(isRow);
  const outside = groups.filter((child) => !isRow(child)).concat(
    rows.flatMap((row) => row.children.filter((child) => !isCell(child))),
  );
  if (outside.some((node) => textOf(node).trim())) return;
  const cells = rows.map(cellsOf);
  return widthOf(cells) < 2 ? undefined : cells;
}

/** The lines of a Markdown table; stops after the row that passes `maxChars`. */
export function tableLines(
  rows: readonly (readonly Cell[])[],
  maxChars: number,
  textOfCell: (cell: Element) => string,
): readonly string[] {
  const width = widthOf(rows);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(Array<string>(width).fill("---"));
  const headed = rows[0]?.some((cell) => cell?.name === "th");
  const lines = headed ? [] : [line(Array<string>(width).fill("")), rule];
  let size = 0;
  for (const row of rows) {
    const cells = row.map((cell) => cell ? textOfCell(cell).replaceAll("|", "\\|") : "");
    const text = line([...cells, ...Array<string>(width - row.length).fill("")]);
    lines.push(text);
    if (headed && lines.length === 1) lines.push(rule);
    size += text.length;
    if (size > maxChars) break;
  }
  return lines;
}

function cellsOf(row: Element): Cell[] {
  return row.children.filter(isElement).filter(({ name }) => /^t[dh]$/.test(name)).flatMap(
    (cell) => {
      const span = Math.min(20, Math.max(1, Number(cell.attribs.colspan) || 1));
      return [cell, ...Array<Cell>(span - 1).fill(undefined)];
    },
  );
}

function isRow(node: Node): node is Element {
  return isElement(node) && node.name === "tr";
}

function isCell(node: Node): node is Element {
  return isElement(node) && /^t[dh]$/.test(node.name);
}

function widthOf(rows: readonly (readonly Cell[])[]): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}

import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { lineOf, type Row } from "./render.ts";

/** Columns that the text of a cut row keeps before its end is cut too. */
const LEAST_TEXT = 12;

/** Rows as terminal lines for a width; `raw` rows stay whole and the terminal breaks them. */
export function layRows(rows: readonly Row[], width: number): string[] {
  return rows.flatMap((row) => {
    if (row.fit === "wrap") return wrap(row, width);
    return row.fit === "cut" ? [cut(row, width)] : [lineOf(row)];
  });
}

function wrap({ lead = "", text, end = "" }: Row, width: number): string[] {
  const indent = visibleWidth(lead);
  return wrapTextWithAnsi(text + end, Math.max(1, width - indent)).map((line, index) =>
    (index === 0 ? lead : " ".repeat(indent)) + line
  );
}

function cut(row: Row, width: number): string {
  const { lead = "", text, end = "" } = row;
  const room = width - visibleWidth(end);
  if (end === "" || room < LEAST_TEXT) return truncateToWidth(lineOf(row), width, "…");
  return truncateToWidth(lead + text, room, "…") + end;
}

import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { lineOf, type Row } from "./rows.ts";

/** Columns that the text of a cut row keeps before its end is cut too. */
const LEAST_TEXT = 12;
/** Columns that it keeps before the hint is left out. */
const PLENTY = 24;

/** Indent of what is wrapped where the lead takes too much of the width. */
const HANG = 4;

/** Rows as terminal lines for a width; `raw` rows stay whole and the terminal breaks them. */
export function layRows(rows: readonly Row[], width: number): string[] {
  return rows.flatMap((row) => {
    if (row.fit === "wrap") return wrap(row, width);
    return row.fit === "cut" ? [cut(row, width)] : [lineOf(row)];
  });
}

function wrap({ lead = "", text, end = "" }: Row, width: number): string[] {
  const indent = visibleWidth(lead);
  if (indent > HANG && indent > width / 3) {
    const lines = wrapTextWithAnsi(lead + text + end, Math.max(1, width - HANG));
    return lines.map((line, index) => (index === 0 ? "" : " ".repeat(HANG)) + line);
  }
  return wrapTextWithAnsi(text + end, Math.max(1, width - indent)).map((line, index) =>
    (index === 0 ? lead : " ".repeat(indent)) + line
  );
}

function cut(row: Row, width: number): string {
  const { lead = "", text, hint, ...rest } = row;
  if (hint !== undefined) {
    const end = (rest.end ?? "") + hint;
    return cut(
      { lead, text, ...width - visibleWidth(end) < PLENTY ? rest : { ...rest, end } },
      width,
    );
  }
  const { end = "" } = rest;
  const room = width - visibleWidth(end);
  if (end === "" || room < LEAST_TEXT) return truncateToWidth(lineOf(row), width, "…");
  return truncateToWidth(lead + text, room, "…") + end;
}

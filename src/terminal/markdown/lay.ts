import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { lineOf, type Row } from "../transcript/rows.ts";

/** Characters of one column each, of which most rows are. */
const NARROW = /^[ -~·…↑↓─-╿⠀-⣿]*$/;
// deno-lint-ignore no-control-regex -- colours
const STYLES = /\x1b\[[\d;]*m/g;
/** Characters for each column that a row has when most of it is styles. */
const MOST_STYLED = 8;

/** Whether a row is seen to fit at a glance: pi-tui looks at it character by character, most dearly. */
export function surelyFits(row: string, width: number): boolean {
  if (row.length > width * MOST_STYLED) return false;
  const text = row.includes("\x1b") ? row.replace(STYLES, "") : row;
  return text.length <= width && NARROW.test(text);
}

/** Columns that the text of a cut row keeps before its end is cut too. */
const LEAST_TEXT = 12;
/** Columns that it keeps before the hint is left out. */
const PLENTY = 24;

/** Indent of what is wrapped where the lead takes too much of the width. */
const HANG = 4;

/** Before what goes on with a broken row: an indent alone could be the text's own next line. */
const ON = "↳ ";

// deno-lint-ignore no-control-regex -- colours
const COLOURS = /(\x1b\[[\d;]*m)/;
/** Ends what bold, dim or a colour began. */
// deno-lint-ignore no-control-regex -- colours
const OFF = /^\x1b\[(?:0?|2[2-9]|39)m$/;
const SEGMENTER = new Intl.Segmenter();

/** Rows as terminal lines for a width. */
export function layRows(rows: readonly Row[], width: number): string[] {
  return rows.flatMap((row) => {
    if (row.fit === "cut") return [cut(row, width)];
    return row.fit === "wrap"
      ? hang(row, width, wrapTextWithAnsi, "")
      : hang(row, width, breakText, ON);
  });
}

function hang(
  { lead = "", text, end = "" }: Row,
  width: number,
  split: (text: string, width: number) => string[],
  mark: string,
): string[] {
  const behind = (columns: number) =>
    columns < mark.length ? " ".repeat(columns) : " ".repeat(columns - mark.length) + mark;
  const indent = visibleWidth(lead);
  if (indent > HANG && indent > width / 3) {
    const lines = split(lead + text + end, Math.max(1, width - HANG));
    return lines.map((line, index) => (index === 0 ? "" : behind(HANG)) + line);
  }
  return split(text + end, Math.max(1, width - indent)).map((line, index) =>
    (index === 0 ? lead : behind(indent)) + line
  );
}

/** Breaks a text wherever a line is full: what it says is all there, its blanks too. */
function breakText(text: string, width: number): string[] {
  const lines = [""];
  let used = 0;
  let colour = "";
  for (const [index, part] of text.split(COLOURS).entries()) {
    if (index % 2 === 1) {
      colour = OFF.test(part) ? "" : colour + part;
      lines[lines.length - 1] += part;
      continue;
    }
    for (const { segment } of SEGMENTER.segment(part)) {
      const columns = visibleWidth(segment);
      if (used + columns > width) {
        lines.push(colour);
        used = 0;
      }
      lines[lines.length - 1] += segment;
      used += columns;
    }
  }
  return lines;
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
  if (surelyFits(lineOf(row), width)) return lineOf(row);
  const { end = "" } = rest;
  const room = width - visibleWidth(end);
  if (end === "" || room < LEAST_TEXT) return truncateToWidth(lineOf(row), width, "…");
  return truncateToWidth(lead + text, room, "…") + end;
}

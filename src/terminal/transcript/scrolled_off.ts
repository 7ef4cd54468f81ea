/** What a terminal that shrank has moved into its scrollback, where nothing can erase it. */
import {
  sliceByColumn,
  stripTerminalSequences,
  type TuiMainScreenRenderState,
  visibleWidth,
} from "@earendil-works/pi-tui";
import type { Place } from "../device/frame_terminal.ts";

/** What was drawn last, and the column of the cursor. */
export interface State extends TuiMainScreenRenderState {
  readonly cursorColumn: number;
}

/** The rows into which a terminal `columns` wide breaks a line, without styles. */
export function hardRows(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const segment of charactersOf(line)) {
    const width = visibleWidth(segment);
    if (used + width > columns && row !== "") {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += segment;
    used += width;
  }
  return [...rows, row];
}

/**
 * Rows from the top of the live part down to the cursor, after a change of width has wrapped the
 * lines anew. Some terminals cut the cursor's own line instead; the cursor then is `at` its end.
 */
export function rowsAboveCursor(state: State, columns: number, at?: Place): number {
  const { previousLines, hardwareCursorRow: row, cursorColumn } = state;
  const isCut = at === undefined || at.column >= columns - 1;
  const before = isCut ? "" : sliceByColumn(previousLines[row] ?? "", 0, cursorColumn);
  const lines = [...previousLines.slice(0, row), before];
  return lines.flatMap((line) => hardRows(line, columns)).length - 1;
}

/** Rows as they are told again however they are wrapped: without blanks. */
export function unwrapped(rows: readonly string[]): string {
  return rows.join("").replace(/\s+/g, "");
}

/**
 * `lines` without what they begin with that is in `gone` (see `unwrapped`); `met` is how much of
 * that was found. Where they begin with anything else, nothing is taken off.
 */
export function withoutGone(
  gone: string,
  lines: readonly string[],
): { readonly lines: readonly string[]; readonly met: number } {
  let met = 0;
  for (const [index, line] of lines.entries()) {
    if (met === gone.length) return { lines: lines.slice(index), met };
    const before = met;
    let column = 0;
    for (const segment of charactersOf(line)) {
      if (segment.trim() !== "") {
        if (met < gone.length && !gone.startsWith(segment, met)) return { lines, met: 0 };
        if (met === gone.length) {
          const rest = met === before ? line : sliceByColumn(line, column, visibleWidth(line));
          return { lines: [rest, ...lines.slice(index + 1)], met };
        }
        met += segment.length;
      }
      column += visibleWidth(segment);
    }
  }
  return { lines: met === 0 ? lines : [], met };
}

function charactersOf(line: string): string[] {
  const segments = new Intl.Segmenter().segment(stripTerminalSequences(line));
  return [...segments].map(({ segment }) => segment);
}

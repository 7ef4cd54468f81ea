/** Rows of cells under each other, for terminals. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/gu;

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string) => [...text].length + (text.match(WIDE)?.length ?? 0);

/** Fills all cells but a row's last to their column's width; columns in `right` from the left. */
export function table(
  given: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  // a name of two lines would pass for two rows
  const rows = given.map((row) =>
    row.map((cell) => cell.replaceAll(/\s*[\r\n\v\f\u0085\u2028\u2029]\s*/g, " "))
  );
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, widthOf(cell)));
  }
  return rows.map((row) =>
    row.map((cell, i) => {
      const blanks = " ".repeat(widths[i]! - widthOf(cell));
      if (right.includes(i)) return blanks + cell;
      return i === row.length - 1 ? cell : cell + blanks;
    }).join("  ")
  );
}

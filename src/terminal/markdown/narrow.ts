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

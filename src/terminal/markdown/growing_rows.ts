/** Rows of a text that grows: what its end can no longer change is not wrapped again. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** Wraps a text as pi-tui does; the less work the more it goes on from the last one. */
export type WrapGrowing = (text: string, width: number) => readonly string[];

/** What a break leaves out. */
const BREAK = / *\n?/y;

export function createWrapGrowing(): WrapGrowing {
  let known = { text: "", width: 0, at: 0, rows: [] as readonly string[] };
  return (text, width) => {
    const { at, rows } = known.width === width && text.startsWith(known.text)
      ? known
      : { at: 0, rows: [] };
    const rest = wrapTextWithAnsi(text.slice(at), width);
    let sure = 0;
    let from = at;
    // A character that is not whole may yet go back to the row before it.
    while (sure + 2 < rest.length) {
      const [row, next] = [rest[sure]!, rest[sure + 1]!];
      BREAK.lastIndex = from + row.length;
      BREAK.test(text);
      const begin = BREAK.lastIndex;
      // Where a style goes on from row to row they do not stand in the text.
      if (next === "" || !text.startsWith(row, from) || !text.startsWith(next, begin)) break;
      from = begin;
      sure++;
    }
    known = { text, width, at: from, rows: [...rows, ...rest.slice(0, sure)] };
    return [...rows, ...rest];
  };
}

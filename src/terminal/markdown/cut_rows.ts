/** Where a block that is too tall for its room is cut between two rows, so that it does not show. */
import { plain } from "../../base/control_characters.ts";
import type { BlockLexer } from "../transcript/blocks.ts";
import { type Cut, goesOnBehind, type Resume } from "./cut_block.ts";

/** What a later mark could change, or a mark itself. */
const MARKS = /[*_`~[\]<>$\\]|!$/;
/** Begins text or bold text, whatever comes behind it. */
const TEXT = /^(?:\*\*)?[^\s#>\-+*_`~=|<[!\\:\d$.)]/;
/** Begins an item, or a line that is quoted. */
const LINE = /^[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +|(?<=>) *)[^\s#>\-+*_`~=|<[!\\:\d$.)]/;
/** Before a block within another one, which no mark goes beyond. */
const BLOCK = /\n(?=[ >]*(?:(?:[-*+]|\d{1,9}[.)]) |\n))/;
/** The end of an address that more may yet belong to. */
const ADDRESS = /(?:www\.|:\/\/|\S@)\S*$/i;
/** The beginning of a word, which goes over to the next row as a whole; a Chinese character is one. */
const WORD_END = /[^\s\u2e80-\uffef]*$/;
/** Begins bold text that stands wholly on the next row, or ends what stands before. */
const BOLD = /(?<!\*)\*\*$/;
/** Rows above the wanted one where the text may be cut instead. */
const TRIES = 3;

/** How a text is drawn that goes on as told, or as the whole does; `continues` as in Piece's lines. */
export type DrawPart = (text: string, resume?: Resume, continues?: boolean) => readonly string[];

/**
 * Where to cut a text that takes the rows `whole`, behind its first `most` or some fewer;
 * undefined when that would show, now or by what may yet come.
 */
export function cutRows(
  text: string,
  opener: string,
  { whole, most }: { readonly whole: readonly string[]; readonly most: number },
  draw: DrawPart,
  blocks: BlockLexer,
): Cut | undefined {
  for (let taken = most; taken > Math.max(0, most - TRIES); taken--) {
    const end = lengthOfRows(text, taken, (part) => draw(part).length);
    const bold = BOLD.exec(text.slice(0, end))?.index ?? end;
    for (const length of new Set([end, bold])) {
      const [head, rest] = [text.slice(0, length), text.slice(length)];
      if (!isSure(head, rest, draw)) continue;
      const next = goesOnBehind(blocks(opener + head), rest);
      if (next.fence) continue;
      if (!shows({ length, next }, text, whole, draw)) return { length, next };
    }
  }
  return undefined;
}

/** Whether a text that takes the rows `whole` takes others when it is cut. */
export function shows(
  { length, next }: Cut,
  text: string,
  whole: readonly string[],
  draw: DrawPart,
): boolean {
  const head = draw(text.slice(0, length), undefined, next.fence);
  // What is one style in the whole ends and begins anew here.
  return told([...head, ...draw(text.slice(length), next)]) !== told(whole);
}

const told = (rows: readonly string[]) => rows.map((row) => plain(row).trimEnd()).join("\n");

/** Whether nothing that may come behind `rest` would draw `head`, or where they part, otherwise. */
function isSure(head: string, rest: string, draw: DrawPart): boolean {
  if (head.endsWith("\n") && LINE.test(rest)) return true;
  // It may yet be the head of a table.
  if (/\|[^\n]*$/.test(head) || /^[^\n]*\|/.test(rest)) return false;
  return TEXT.test(rest) && !ADDRESS.test(head) &&
    !MARKS.test(told(draw(head.split(BLOCK).at(-1)!)));
}

/** Characters that the first `rows` rows of a text take, `heightOf` a beginning of it growing with that. */
function lengthOfRows(text: string, rows: number, heightOf: (part: string) => number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (heightOf(text.slice(0, middle)) <= rows) low = middle;
    else high = middle - 1;
  }
  if (text[low] === " ") return low + 1;
  // A word that has not gone over to the next row as a whole begins there.
  const word = WORD_END.exec(text.slice(0, low))!.index;
  return word > 0 && low - word < 24 && /\w/.test(text[low] ?? "") ? word : low;
}

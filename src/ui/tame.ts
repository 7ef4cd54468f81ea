/** Takes from markdown what would cost a parser too much time; it is shown as it stands. */
import type { Token, Tokens } from "@earendil-works/pi-tui";
import { type BlockLexer, flatten } from "./blocks.ts";
import { FENCE } from "./help_bold.ts";

/** Signs of emphasis in one paragraph: the parser takes the cube of their number. */
const MOST_MARKS = 400;
/** A sign of emphasis; one within a word like snake_case is none. */
const MARK = /[*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** Code within a paragraph, what is escaped already, or a sign of emphasis. */
const MARK_OR_CODE = new RegExp(`\\\\[^]|(\`+)(?!\`)[^]*?(?<!\`)\\1(?!\`)|${MARK.source}`, "gu");

/** Leaves code as it is, whatever is in it. */
export function tame(markdown: string, blocks: BlockLexer): string {
  const flat = flatten(markdown);
  if (marksIn(flat) <= MOST_MARKS) return flat;
  return blocks(flat).map((block) => {
    if (!isFlood(block)) return block.raw;
    const escaped = escapeMarks(block.raw);
    // What looked like code is none where a list or a quote has ended before its fence.
    return blocks(escaped).some(isFlood) ? block.raw.replace(MARK, "\\$&") : escaped;
  }).join("");
}

/** Whether a paragraph in it has too many. */
function isFlood(token: Token): boolean {
  if (token.type === "code") return false;
  if (token.type === "list") {
    return (token as Tokens.List).items.some(({ tokens }) => tokens.some(isFlood));
  }
  if (token.type === "blockquote") return (token as Tokens.Blockquote).tokens.some(isFlood);
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].some((row) => row.some(({ text }) => marksIn(text) > MOST_MARKS));
  }
  return marksIn(token.raw) > MOST_MARKS;
}

function marksIn(text: string): number {
  let marks = 0;
  for (const [found] of text.matchAll(MARK_OR_CODE)) if (/^[*_~]/.test(found)) marks++;
  return marks;
}

function escapeMarks(text: string): string {
  let fence = "";
  const parts: string[] = [];
  let prose = "";
  const flush = () => {
    parts.push(prose.replace(MARK_OR_CODE, (found) => /^[*_~]/.test(found) ? `\\${found}` : found));
    prose = "";
  };
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark, info = ""] = FENCE.exec(line) ?? [];
    const begins = fence === "" && mark !== undefined &&
      !(mark.startsWith("`") && info.includes("`"));
    const ends = fence !== "" && mark?.startsWith(fence) && info.trim() === "";
    if (begins || fence !== "") {
      flush();
      parts.push(line);
      if (begins) fence = mark;
      if (ends) fence = "";
    } else prose += line;
  }
  flush();
  return parts.join("");
}

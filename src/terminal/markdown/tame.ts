/** Takes from markdown what would cost a parser too much time; it is shown as it stands. */
import type { Token, Tokens } from "@earendil-works/pi-tui";
import { type BlockLexer, flatten } from "../transcript/blocks.ts";
import { FENCE } from "./help_bold.ts";

/**
 * Signs of emphasis in one paragraph without an end, times all that it has: from each the parser
 * reads on through all that follow, and again within what it finds. A pair costs it no more than a word.
 */
const MOST_STEPS = 400 * 400;
/** A sign of emphasis; one within a word like snake_case is none. */
const MARK = /[*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const IN_WORD = /(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu;
/** Code within a paragraph, what is escaped already, or a sign of emphasis. */
const MARK_OR_CODE = new RegExp(`\\\\[^]|(\`+)(?!\`)[^]*?(?<!\`)\\1(?!\`)|${MARK.source}`, "gu");
const pair = (mark: string, edge: string, end: string) =>
  `(?<![*_~])(${mark})(?![*_~${edge}])[^*_~]*(?<![${edge}])${end}(?![*_~])`;
/** Words between two signs of a kind; beside punctuation only bold is sure to end (see helpBold). */
const PAIR = new RegExp(
  pair("\\*\\*", "\\s", "\\1") + "|" +
    pair("\\*(?:\\*\\*)?|_{1,3}|~~", "\\s\\p{P}\\p{S}", "\\2"),
  "gu",
);
/** Pairs within pairs that people write. */
const PAIRS_DEEP = 3;

/** Leaves code as it is, whatever is in it. */
export function tame(markdown: string, blocks: BlockLexer): string {
  const flat = flatten(markdown);
  if (!isFlooded(flat)) return flat;
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
    return [header, ...rows].some((row) => row.some(({ text }) => isFlooded(text)));
  }
  return isFlooded(token.raw);
}

function isFlooded(text: string): boolean {
  const all = marksIn(text);
  if (all * all <= MOST_STEPS) return false;
  let rest = text.replace(MARK_OR_CODE, (found) => /^[*_~]/.test(found) ? found : ".")
    .replace(IN_WORD, ".");
  for (let n = 0; n < PAIRS_DEEP; n++) rest = rest.replace(PAIR, ".");
  return marksIn(rest) * all > MOST_STEPS;
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

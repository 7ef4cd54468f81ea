/** Where a block that is too long to wait for its end is cut, so that nothing is lost or doubled. */
import type { Token, Tokens } from "@earendil-works/pi-tui";
import { HELP } from "./help_bold.ts";

/** How the text behind a cut is to be read. */
export interface Resume {
  /** Markdown that stands before it: the fence, list item or table head in which it goes on. */
  readonly opener: string;
  /** Rows that the opener takes when drawn, which are left out. */
  readonly hidden: number;
  /** No blank row parts it from what stands above. */
  readonly tight: boolean;
  /** The cut went through a code block: what stands before it has no end yet. */
  readonly fence: boolean;
}

export const AFRESH: Resume = { opener: "", hidden: 0, tight: false, fence: false };
/** Goes on right below. */
export const TIGHT: Resume = { ...AFRESH, tight: true };
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*/;
const ITEM = /^ *(?:[-*+]|\d{1,9}[.)])/;

/**
 * How many characters of the block to take, 0 for none yet, and how the rest goes on. `raw` is its
 * source: the token's own has a line end where there was a blank.
 */
export function cutBlock(
  block: Token,
  raw: string,
): { readonly length: number; readonly next: Resume } {
  const length = raw.lastIndexOf("\n") + 1;
  if (block.type === "table") {
    const head = raw.split("\n", 2).join("\n") + "\n";
    return length > head.length
      ? { length, next: { ...TIGHT, opener: head } }
      : { length: 0, next: TIGHT };
  }
  if (block.type === "code" && isClosed(raw)) return { length: raw.length, next: AFRESH };
  if (block.type === "list") {
    const { items, loose } = block as Tokens.List;
    const before = items.slice(0, -1).reduce((sum, item) => sum + item.raw.length, 0);
    if (before > 0) return { length: before, next: { ...TIGHT, tight: !loose } };
  }
  if (length === 0 && block.type === "paragraph") return { length: inLine(raw), next: TIGHT };
  const context = contextOf(block, "");
  const opener = context.lines.map((line) => line + "\n").join("");
  return {
    length,
    next: { opener, hidden: context.lines.length, tight: true, fence: context.fence },
  };
}

/** A line without an end is cut at its last blank, or anywhere but within a character. */
function inLine(raw: string): number {
  const blank = raw.lastIndexOf(" ") + 1;
  if (blank > 0) return blank;
  return /[\ud800-\udbff]$/.test(raw) ? raw.length - 1 : raw.length;
}

/** The beginnings of all that is open at the block's end, one line each. */
function contextOf(block: Token | undefined, indent: string): { lines: string[]; fence: boolean } {
  if (block?.type === "code") {
    const fence = FENCE.exec(block.raw);
    if (fence === null || isClosed(block.raw)) return { lines: [], fence: false };
    return { lines: [indent + fence[0].trimStart()], fence: true };
  }
  const inner = (tokens: readonly Token[] | undefined) =>
    tokens?.findLast((one) => one.type !== "space");
  if (block?.type === "list") {
    const item = (block as Tokens.List).items.at(-1)!;
    const mark = ITEM.exec(item.raw)?.[0].trimStart() ?? "-";
    const { lines, fence } = contextOf(inner(item.tokens), indent + " ".repeat(mark.length + 1));
    return { lines: [`${indent}${mark} ${HELP}`, ...lines], fence };
  }
  if (block?.type === "blockquote") {
    return contextOf(inner((block as Tokens.Blockquote).tokens), indent + "> ");
  }
  return { lines: [], fence: false };
}

function isClosed(raw: string): boolean {
  const mark = FENCE.exec(raw)?.[1];
  if (mark === undefined) return false;
  const last = raw.trimEnd().split("\n").slice(1).at(-1)?.trim() ?? "";
  return last.startsWith(mark) && last.replaceAll(mark[0]!, "") === "";
}

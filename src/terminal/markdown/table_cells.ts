/** Cells that a row has more than its table's head, which a parser would leave out. */
import type { Token, Tokens } from "@earendil-works/pi-tui";
import type { BlockLexer } from "../transcript/blocks.ts";

const DELIMITER = /^[ \t>]*[|:-][-:| \t]*$/m;
const LEAD = /^[ \t>]+/;
const CODE = /(`+)(?!`)[^]*?(?<!`)\1(?!`)/g;

/** Has in each row no more cells than in its head: a bar in code is text, what is too much the last cell's. */
export function keepCells(markdown: string, blocks: BlockLexer): string {
  if (!markdown.includes("|") || !DELIMITER.test(markdown)) return markdown;
  return blocks(markdown).map((block) => {
    const kept = new Map(tablesIn(block).flatMap(keptRows));
    if (kept.size === 0) return block.raw;
    return block.raw.split("\n").map((line) => {
      const row = line.replace(LEAD, "");
      return line.slice(0, line.length - row.length) + (kept.get(row) ?? row);
    }).join("\n");
  }).join("");
}

function tablesIn(token: Token): Tokens.Table[] {
  if (token.type === "table") return [token as Tokens.Table];
  if (token.type === "list") {
    return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(tablesIn));
  }
  return token.type === "blockquote" ? (token as Tokens.Blockquote).tokens.flatMap(tablesIn) : [];
}

/** The rows of a table that have too many cells, each with how it is kept. */
function keptRows({ raw, header }: Tokens.Table): [string, string][] {
  return raw.split("\n").slice(2).flatMap((line): [string, string][] => {
    const row = line.replace(LEAD, "");
    const extra = barsOf(row).length - (header.length - 1);
    return extra > 0 ? [[row, keepRow(row, extra)]] : [];
  });
}

/** Where the cells of a row part; empty ones at its end are none. */
function barsOf(row: string): number[] {
  const end = /[\s|]*$/.exec(row)!.index;
  return [...row.matchAll(/\\[^]|\|/g)].filter(({ 0: found, index }) =>
    found === "|" && index > 0 && index < end
  ).map(({ index }) => index);
}

function keepRow(row: string, extra: number): string {
  const code = [...row.matchAll(CODE)];
  const inCode = (at: number) =>
    code.some(({ 0: { length }, index }) => index < at && at < index + length);
  const bars = barsOf(row);
  const first = bars.filter(inCode);
  const text = new Set([...first, ...bars.filter((at) => !inCode(at)).reverse()].slice(0, extra));
  return [...text].sort((a, b) => b - a)
    .reduce((kept, at) => `${kept.slice(0, at)}\\${kept.slice(at)}`, row);
}

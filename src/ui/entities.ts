import { plainLine } from "./clean.ts";

const NAMED: { readonly [name: string]: string } = {
  amp: "&",
  apos: "'",
  copy: "©",
  gt: ">",
  hellip: "…",
  larr: "←",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  middot: "·",
  nbsp: "\u00a0",
  ndash: "–",
  quot: '"',
  rarr: "→",
  rdquo: "”",
  rsquo: "’",
  times: "×",
};
const CODE = "(`+)(?!`)[^\\n]*?(?<!`)\\1(?!`)";
const ENTITY = new RegExp(`${CODE}|&(?:#(\\d{1,8})|#[xX]([\\da-fA-F]{1,6})|([a-z]{2,6}));`, "g");
/** What would mean something to markdown. */
const MEANS = /[\\`*_~[\]<>|#+\-.!()$]/;
/** What may be code without a fence that begins so far left. */
const INDENTED = /^(?: {4}|\t)/;

/** Puts characters for the HTML entities of a line of markdown, but for those in code. */
export function tellEntities(line: string): string {
  if (!line.includes("&") || INDENTED.test(line)) return line;
  return line.replaceAll(ENTITY, (all, code, decimal, hex, name) => {
    if (code !== undefined) return all;
    const char = name !== undefined
      ? NAMED[name] ?? all
      : charOf(decimal === undefined ? parseInt(hex, 16) : Number(decimal));
    return MEANS.test(char) ? "\\" + char : char;
  });
}

function charOf(code: number): string {
  return code === 0 || code > 0x10ffff ? "\ufffd" : plainLine(String.fromCodePoint(code));
}

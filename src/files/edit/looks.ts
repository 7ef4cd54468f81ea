import { plainQuotes } from "./plain_quotes.ts";

const UNSEEN = /[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g;
const NAMES: { readonly [char: string]: string } = {
  "\t": "TAB",
  "\r": "CR",
  "\u00a0": "NBSP",
  "\u3000": "U+3000",
  "\ufeff": "BOM",
};

/** What models write for the characters in HTML, or read of them. */
const ENTITIES: { readonly [name: string]: string } = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: "",
};
const ENTITY = /&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,5})|#x([0-9a-f]{1,4}));/gi;
/** A string of JSON within another one is written so. */
const ESCAPE = /\\(?:([nrt])|u([0-9a-f]{4})|(["'`/$]))/gi;

const plainEntities = (text: string) =>
  text.replace(
    ENTITY,
    (_all, name?: string, decimal?: string, hex?: string) =>
      name === undefined
        ? String.fromCharCode(decimal === undefined ? parseInt(hex!, 16) : Number(decimal))
        : ENTITIES[name.toLowerCase()]!,
  );
const plainEscapes = (text: string) =>
  text.replace(
    ESCAPE,
    (_all, blank?: string, hex?: string, sign?: string) =>
      blank === undefined ? sign ?? String.fromCharCode(parseInt(hex!, 16)) : "",
  );

/** What is left of a text without spaces, case kept, and with every character that only looks different made plain. */
export function looks(text: string): string {
  // what was written twice for HTML is so in the text that was read
  const plain = plainEscapes(plainEntities(plainEntities(text)));
  const bare = plain.replace(UNSEEN, "");
  // deno-lint-ignore no-control-regex -- the bound of ASCII
  if (/^[\x00-\x7f]*$/.test(bare)) return bare;
  return plainQuotes(bare.normalize("NFKC")).replaceAll("。", ".").replaceAll("、", ",");
}

/** Makes what cannot be seen visible: `⟨TAB⟩`, `⟨NBSP⟩`, `⟨CR⟩`, `⟨U+200B⟩`; blanks at the end as `·`. */
export function reveal(line: string): string {
  return line
    .replace(/ +$/, (blanks) => "·".repeat(blanks.length))
    .replace(/[^\S \n]|[\u00ad\u200b-\u200f\u2060\ufeff]/g, (char) => {
      return `⟨${NAMES[char] ?? codePoint(char)}⟩`;
    });
}

/** The first character in which two texts differ: its line and column from 1, and what stands there. */
export function firstDifference(
  wanted: string,
  found: string,
): { line: number; column: number; wanted: string; found: string } | undefined {
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at++;
  if (at === wanted.length && at === found.length) return undefined;
  const before = found.slice(0, at);
  const column = at - (before.lastIndexOf("\n") + 1) + 1;
  return {
    line: before.split("\n").length,
    column,
    wanted: named(wanted, at),
    found: named(found, at),
  };
}

function named(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined || code === 10) return "⟨↵⟩";
  const char = String.fromCodePoint(code);
  const shown = char === " " ? '" "' : reveal(char) === char ? `"${char}"` : reveal(char);
  return `${shown} (${codePoint(char)})`;
}

function codePoint(char: string): string {
  return "U+" + char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}

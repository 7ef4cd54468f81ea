import { plainLine } from "../../base/control_characters.ts";
import { entityCode } from "../../base/entity_names.ts";

const CODE = "(`+)(?!`)[^\\n]*?(?<!`)\\1(?!`)";
const ENTITY = new RegExp(
  `${CODE}|&(?:#(\\d{1,8})|#[xX]([\\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,30}));`,
  "g",
);
/** What would mean something to markdown; behind a backslash, `[` and `(` would begin a formula. */
const MEANS = /[\\`*_~<>|#+\-.!$]/;
/** What may be code without a fence that begins so far left. */
const INDENTED = /^(?: {4}|\t)/;

/** Puts characters for the HTML entities of a line of markdown, but for those in code. */
export function tellEntities(line: string): string {
  if (!line.includes("&") || INDENTED.test(line)) return line;
  return line.replaceAll(ENTITY, (all, quoted, decimal, hex, name) => {
    if (quoted !== undefined) return all;
    const code = name !== undefined
      ? entityCode(name)
      : decimal === undefined
      ? parseInt(hex, 16)
      : Number(decimal);
    if (code === undefined) return all;
    const char = charOf(code);
    return MEANS.test(char) ? "\\" + char : char;
  });
}

function charOf(code: number): string {
  return code === 0 || code > 0x10ffff ? "\ufffd" : plainLine(String.fromCodePoint(code));
}

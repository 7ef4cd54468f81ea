/** The blocks of a markdown text, and the marks for bold that need help. */
import { Marked, type Token } from "@earendil-works/pi-tui";
import { plainLine } from "../../base/control_characters.ts";
import { entityCode } from "../../base/entity_names.ts";

/** Marks where CommonMark needs help; taken out again after rendering (`plain` removes all others). */
export const HELP = "\u200b";

/** Quotes and lists within one another, which would cost a parser too much stack. */
const DEEPEST = 20;
const DEEP = new RegExp(
  `^([ \\t]*)(?=(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]|$))){${DEEPEST}})`,
  "gm",
);

/** The blocks of a markdown text, whose `raw` together are the text; what stands within lines is not read. */
export type BlockLexer = (text: string) => readonly Token[];

/** Makes lines that begin with quotes and lists in one another without end begin a paragraph. */
export function flatten(markdown: string): string {
  return markdown.replace(DEEP, `$1${HELP}`);
}

export function createBlockLexer(): BlockLexer {
  const marked = new Marked();
  // A definition is shown as it stands (see helpBold), so it is text here too.
  marked.use({ tokenizer: { def: () => undefined } });
  return (text) => {
    const flat = flatten(text);
    const tokens = withOwnText(flat, new marked.Lexer(marked.defaults).blockTokens(flat, []));
    if (flat === text) return tokens;
    return JSON.parse(JSON.stringify(tokens).replaceAll(HELP, ""));
  };
}

/** A mark of a list with nothing behind its blank is told with a line end instead. */
function withOwnText(text: string, tokens: readonly Token[]): readonly Token[] {
  let at = 0;
  return tokens.map((token) => {
    const raw = text.slice(at, at += token.raw.length);
    return raw === token.raw ? token : { ...token, raw };
  });
}

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
function tellEntities(line: string): string {
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

/** A fence, also one in a list or a quote. */
export const FENCE = /^(?:[ >]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})([^\n]*)/;
/** A line, or a label's last, that would only say where a reference leads, and be left out. */
const REFERENCE = /^((?:[\s>]|[-*+] |\d{1,9}[.)] )*\[?(?:\\.|[^\\[\]\n]){0,999}\]):/;
/** Without any of these there is nothing to help. */
const HELPED = /\*\*|!\[|&|\]:/;
/** It would be left out as the underline of a heading whose text is a reference. */
const UNDERLINE = /^( {0,3})(?==+\s*$)/;

/**
 * Makes `**“重点”**内容` bold: CommonMark refuses `**` between a punctuation mark and a letter, which
 * Chinese text has all the time. An image, which cannot be seen, is its words and its address; a
 * reference is shown as it stands, an entity is its character. Code is left alone.
 */
export function helpBold(markdown: string, blocks: BlockLexer): string {
  if (!HELPED.test(markdown)) return markdown;
  return blocks(markdown).map(({ type, raw }) => type === "code" ? raw : helpBlock(raw)).join("");
}

function helpBlock(markdown: string): string {
  let out = "";
  let fence = "";
  let open = false;
  let isReference = false;
  for (const line of markdown.split(/(?<=\n)/)) {
    const [, mark, info = ""] = FENCE.exec(line) ?? [];
    const begins = fence === "" && mark !== undefined &&
      !(mark.startsWith("`") && info.includes("`"));
    if (begins || fence !== "" && mark?.startsWith(fence) && info.trim() === "") {
      fence = begins ? mark : "";
      open = false;
    } else if (fence === "") {
      if (line.trim() === "") open = false;
      const underlined = isReference && UNDERLINE.test(line);
      isReference = REFERENCE.test(line);
      const shown = underlined
        ? line.replace(UNDERLINE, "$1\\")
        : line.replace(REFERENCE, `$1${HELP}:`);
      const helped = helpLine(tellImages(tellEntities(shown)), open);
      out += helped.line;
      open = helped.open;
      continue;
    }
    out += line;
  }
  return out;
}

function tellImages(line: string): string {
  if (!line.includes("![")) return line;
  const image =
    /(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|!\[([^[\]\n]{0,300})\]\(<?([^\s()>]{1,1000})>?(?: [^)\n]{0,300})?\)/g;
  return line.replaceAll(image, (all, code, alt, address) => {
    if (code !== undefined) return all;
    return alt === "" ? address : `${alt} (${address})`;
  });
}

function helpLine(line: string, open: boolean): { line: string; open: boolean } {
  if (!line.includes("**")) return { line, open };
  let out = "";
  let at = 0;
  for (const match of line.matchAll(/\\.|(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|(?<!\*)\*\*(?!\*)/gsu)) {
    out += line.slice(at, match.index);
    at = match.index + match[0].length;
    if (match[0] !== "**") {
      out += match[0];
      continue;
    }
    // Two, since a character may take as many; the whole line for each would take its square.
    const before = line.slice(Math.max(0, match.index - 2), match.index);
    const after = line.slice(at, at + 2);
    if (!open && /^\S/u.test(after)) {
      open = true;
      out += /^[\p{P}\p{S}]/u.test(after) && /[^\s\p{P}\p{S}]$/u.test(before) ? "**" + HELP : "**";
    } else if (open && /\S$/u.test(before)) {
      open = false;
      out += /[\p{P}\p{S}]$/u.test(before) && /^[^\s\p{P}\p{S}]/u.test(after) ? HELP + "**" : "**";
    } else out += "**";
  }
  return { line: out + line.slice(at), open };
}

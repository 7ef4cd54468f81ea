/** What the words of a command will be when the shell has expanded them, as far as the text tells. */
import {
  evaluate,
  evaluateText,
  type Node,
  parseScript,
  type Part,
  TooComplexError,
  type WordNode,
} from "./syntax.ts";

// Brace expansion, which bash does before it looks at anything else in a word.

const MAX_WORDS = 64;
/** Characters read again, each brace makes the word be read anew. */
const MAX_READ = 300_000;

/** `a{b,c}` as the words `ab` and `ac`; the first of them where there are very many. */
function expandBraces(word: WordNode): WordNode[] {
  const done: WordNode[] = [];
  const waiting = [word];
  let read = 0;
  while (waiting.length > 0 && done.length < MAX_WORDS) {
    const next = waiting.pop()!;
    const brace = next.parts?.find((part) => part.type === "BraceExpansion");
    if (!brace) {
      done.push(next);
      continue;
    }
    read += next.text.length;
    if (read > MAX_READ) throw new TooComplexError("too many braces");
    const at = brace.pos - next.pos;
    const [before, after] = [next.text.slice(0, at), next.text.slice(at + brace.text.length)];
    const items = braceItems(brace.text.slice(1, -1)).slice(0, MAX_WORDS);
    waiting.push(...items.flatMap((item) => wordsIn(`${before}${item}${after}`)).reverse());
  }
  return done;
}

function wordsIn(text: string): WordNode[] {
  const command = parseScript(`: ${text}`).commands[0]?.command;
  return command?.type === "Command"
    ? command.suffix.filter((one): one is WordNode => one.type === "Word")
    : [];
}

function braceItems(body: string): string[] {
  const range = /^(-?\d+|[a-zA-Z])\.\.(-?\d+|[a-zA-Z])$/.exec(body);
  if (range) return rangeItems(range[1]!, range[2]!);
  const items = [""];
  let depth = 0;
  let quote = "";
  for (let i = 0; i < body.length; i++) {
    const char = body[i]!;
    if (char === "," && depth === 0 && quote === "") {
      items.push("");
      continue;
    }
    items[items.length - 1] += char;
    if (char === "\\" && quote !== "'") items[items.length - 1] += body[++i] ?? "";
    else if (quote) quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
  }
  return items;
}

function rangeItems(from: string, to: string): string[] {
  const letters = /[a-z]/i.test(from);
  const [a, b] = letters ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  const length = Math.min(Math.abs(b - a) + 1, MAX_WORDS);
  const step = b < a ? -1 : 1;
  return Array.from({ length }, (_, i) => a + i * step)
    .map((code) => letters ? String.fromCharCode(code) : String(code));
}

/** Stands for text that only the shell will know; no real argument can hold it. */
export const UNKNOWN = "\0";
/** An unquoted `*`. */
export const STAR = "\x01";
/** An unquoted `?` or `[…]`. */
export const ONE = "\x02";
/** Ends one field and begins the next. */
const BREAK = "\x03";
/** Keeps an empty quoted word alive. */
const EMPTY = "\x04";

const MAX_ALTERNATIVES = 64;
/** Longest word. */
const MAX_LENGTH = 1_000_000;
const MAX_SHIFTS = 8;
/** Elements of an array that are tried where the index is not known. */
const MAX_ELEMENTS = 16;
/** Longest value on which `${x%…}` and its kin are worked out. */
const MAX_CHANGED = 1000;

/** An expanded argument. `text` may hold UNKNOWN, STAR and ONE; `source` is how it was written. */
export interface Arg {
  readonly text: string;
  readonly source: string;
}

/** Whether part of the text is only known to the shell. */
export function hasMarks(text: string): boolean {
  return text.includes(UNKNOWN) || text.includes(STAR) || text.includes(ONE);
}

/** What the script itself says about its names; every value a name is ever given counts. */
export interface Names {
  readonly variables: Map<string, (string | readonly string[])[]>;
  /** `declare -n`: the name that a name stands for. */
  readonly references: Map<string, string>;
  /** `$1…`; undefined where the script does not tell. */
  readonly positional: readonly string[] | undefined;
  /** The script shifts its positional parameters. */
  readonly shifts: boolean;
  /** `$0`. */
  readonly self: string;
  /** Possible outputs of a substituted script. */
  outputs(script: Node, names: Names): readonly string[];
}

export function plainArg(text: string): Arg {
  return { text, source: text };
}

/** What no expansion and no quote changes. */
const PLAIN = /^[\w./:@%+-][\w./:@%+=-]*$/;

/** All readings of a list of words, each a list of fields. */
export function expandWords(words: readonly WordNode[], names: Names): Arg[][] {
  let rows: Arg[][] = [[]];
  for (const word of words) {
    if (!word.parts && word.text === word.value && PLAIN.test(word.value)) {
      for (const row of rows) row.push(plainArg(word.value));
      continue;
    }
    const readings = dedupe(expandBraces(word).flatMap((one) => expandWord(one, names)))
      .map((reading) => fields(reading, word.text));
    if (readings.length === 1) {
      for (const row of rows) row.push(...readings[0]!);
      continue;
    }
    rows = rows.flatMap((row) => readings.map((reading) => [...row, ...reading]));
    if (rows.length > MAX_ALTERNATIVES) throw new TooComplexError("too many readings");
  }
  return rows;
}

/** All readings of a word where the shell does not split it (assignments, here-strings). */
export function expandUnsplit(word: WordNode, names: Names): string[] {
  return dedupe(expandParts(word, names, true).map((text) => text.replaceAll(EMPTY, "")))
    .map((text) => text.replaceAll(BREAK, " "));
}

/** The readings of a here-document's body. */
export function expandBody(text: string, parts: readonly Part[] | undefined, names: Names) {
  if (!parts) return [text];
  return combine(parts.map((part) => expandPart(part, names, true)))
    .map((reading) => reading.replaceAll(BREAK, " ").replaceAll(EMPTY, ""));
}

/** Drops what the word splitting of unquoted text would drop and cuts at its blanks. */
export function splitFields(text: string): string[] {
  return text.split(/[ \t\n]+/).filter((field) => field !== "");
}

function fields(reading: string, source: string): Arg[] {
  if (!reading.includes(BREAK)) {
    return reading === "" ? [] : [{ text: reading.replaceAll(EMPTY, ""), source }];
  }
  const texts = reading.split(BREAK).filter((field) => field !== "");
  return texts.map((field) => ({
    text: field.replaceAll(EMPTY, ""),
    source: texts.length === 1 ? source : field.replaceAll(EMPTY, ""),
  }));
}

function expandWord(word: WordNode, names: Names): string[] {
  return expandParts(word, names, false);
}

function expandParts(word: WordNode, names: Names, quoted: boolean): string[] {
  const home = names.variables.get("HOME")?.[0];
  const tilde = /^~(?=$|\/)/.test(word.text);
  const readings = word.parts
    ? combine(word.parts.map((part) => expandPart(part, names, quoted)))
    : [word.value];
  if (!tilde) return readings;
  return readings.map((text) => (typeof home === "string" ? home : UNKNOWN) + text.slice(1));
}

function expandPart(part: Part, names: Names, quoted: boolean): string[] {
  switch (part.type) {
    case "Literal":
      return [part.value];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [EMPTY + part.value];
    case "DoubleQuoted":
    case "LocaleString":
      return combine(part.parts.map((inner) => expandPart(inner, names, true)))
        .map((text) => EMPTY + text);
    case "Glob":
      if (quoted) return [part.text];
      return [part.kind === "star" ? STAR : ONE];
    case "ExtendedGlob":
      return [quoted ? part.text : STAR];
    case "SimpleExpansion":
      return expandName(part.text.slice(1), names, quoted);
    case "ParameterExpansion":
      return expandParameter(part, names, quoted);
    case "CommandExpansion": {
      const outputs = part.script ? names.outputs(part.script, names) : [UNKNOWN];
      return outputs.map((text) => splitUnless(quoted, text.replace(/\n+$/, ""), names));
    }
    case "BraceExpansion":
      return [part.text];
    case "ArithmeticExpansion": {
      const value = evaluate(part.expression, numbers(names));
      return [value === undefined ? UNKNOWN : String(value)];
    }
    case "ProcessSubstitution":
      return [UNKNOWN];
  }
}

function expandName(name: string, names: Names, quoted: boolean): string[] {
  if (name === "@" || name === "*") {
    if (!names.positional) return [UNKNOWN];
    const texts = names.positional.map((text) =>
      quoted ? EMPTY + text : splitUnless(false, text, names)
    );
    const starts = names.shifts ? Math.min(texts.length, MAX_SHIFTS) : 0;
    return Array.from(
      { length: starts + 1 },
      (_, start) => texts.slice(start).join(name === "*" && quoted ? " " : BREAK),
    );
  }
  if (name === "0") return [names.self];
  if (/^\d+$/.test(name)) {
    if (!names.positional) return [UNKNOWN];
    const at = Number(name) - 1;
    const texts = names.shifts
      ? names.positional.slice(at, at + MAX_SHIFTS)
      : [names.positional[at] ?? ""];
    return dedupe([...texts, ...(texts.length === 0 ? [""] : [])])
      .map((text) => splitUnless(quoted, text, names));
  }
  const values = names.variables.get(names.references.get(name) ?? name);
  if (!values) return [UNKNOWN];
  return dedupe(
    values.map((value) =>
      splitUnless(quoted, typeof value === "string" ? value : value[0] ?? "", names)
    ),
  );
}

type Parameter = Extract<Part, { type: "ParameterExpansion" }>;

function expandParameter(part: Parameter, names: Names, quoted: boolean): string[] {
  if (part.prefix === "#") return [UNKNOWN];
  if (part.prefix === "!") {
    const targets = expandName(part.parameter, names, true).map((text) => clean(text));
    return dedupe(
      targets.flatMap((target) =>
        /^\w+$/.test(target) ? expandName(target, names, quoted) : [UNKNOWN]
      ),
    );
  }
  if (part.index) return expandElement(part.parameter, part.index.text, names, quoted);
  const operation = part.operation;
  const values = expandName(part.parameter, names, quoted);
  if (!operation) return values;
  if (operation.type === "Default") {
    const operand = expandParts(operation.operand, names, quoted);
    if (operation.operator.endsWith("+")) return dedupe(["", ...operand]);
    if (operation.operator.endsWith("?")) return values;
    return dedupe([...values.filter((text) => text !== "" && text !== UNKNOWN), ...operand]);
  }
  return values.map((value) =>
    value.includes(UNKNOWN) || value.length > MAX_CHANGED
      ? UNKNOWN
      : change(value, operation, names)
  );
}

function expandElement(name: string, index: string, names: Names, quoted: boolean): string[] {
  const values = names.variables.get(names.references.get(name) ?? name);
  if (!values) return [UNKNOWN];
  const at = index === "@" || index === "*" ? undefined : evaluateText(index, numbers(names));
  return dedupe(values.flatMap((value) => {
    const list = typeof value === "string" ? [value] : value;
    if (index === "@" || index === "*") {
      return list.map((text) => quoted ? EMPTY + text : splitUnless(false, text, names)).join(
        BREAK,
      );
    }
    // what was given to one element may stand at any index, or under any key
    if (typeof value === "string") return splitUnless(quoted, value, names);
    if (at !== undefined) return splitUnless(quoted, list.at(at) ?? "", names);
    return list.length > MAX_ELEMENTS
      ? UNKNOWN
      : list.map((text) => splitUnless(quoted, text, names));
  }));
}

/** The number a variable holds, where the script gives it no other value. */
function numbers(names: Names): (name: string) => number | undefined {
  return (name) => {
    const [value, ...more] = names.variables.get(name) ?? [];
    return more.length === 0 && typeof value === "string" && /^-?\d+$/.test(value)
      ? Number(value)
      : undefined;
  };
}

function change(
  value: string,
  operation: NonNullable<Parameter["operation"]>,
  names: Names,
): string {
  const known = (word: WordNode): string | undefined => {
    const [text, ...more] = expandUnsplit(word, names);
    return more.length === 0 && text !== undefined && !text.includes(UNKNOWN) ? text : undefined;
  };
  switch (operation.type) {
    case "Remove": {
      const pattern = known(operation.operand);
      if (pattern === undefined) return UNKNOWN;
      const lazy = operation.operator.length === 1;
      const body = globSource(pattern, lazy);
      if (operation.operator.startsWith("#")) return value.replace(new RegExp(`^${body}`, "s"), "");
      const cuts = Array.from({ length: value.length + 1 }, (_, at) => at);
      const whole = new RegExp(`^${body}$`, "s");
      const at = (lazy ? cuts.reverse() : cuts).find((start) => whole.test(value.slice(start)));
      return at === undefined ? value : value.slice(0, at);
    }
    case "Replace": {
      const pattern = known(operation.pattern);
      const replacement = known(operation.replacement);
      if (pattern === undefined || replacement === undefined) return UNKNOWN;
      const { operator } = operation;
      const [before, after] = [operator === "/#" ? "^" : "", operator === "/%" ? "$" : ""];
      const body = before + globSource(pattern, false) + after;
      return value.replace(new RegExp(body, operator === "//" ? "gs" : "s"), () => replacement);
    }
    case "Slice": {
      const number = (word: WordNode) => evaluateText(known(word) ?? "?", numbers(names));
      const start = number(operation.offset);
      const length = operation.length ? number(operation.length) : value.length;
      if (start === undefined || length === undefined) return UNKNOWN;
      const rest = value.slice(start);
      return length < 0 ? rest.slice(0, length) : rest.slice(0, length);
    }
    case "CaseModification": {
      if (operation.operand) return UNKNOWN;
      const turn = (text: string) =>
        operation.operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase();
      return operation.operator.length === 2
        ? turn(value)
        : value.replace(/[a-z]/i, (letter) => turn(letter));
    }
    default:
      return UNKNOWN;
  }
}

/** A regular expression for a wildcard pattern in either spelling, written or marked. */
export function globSource(pattern: string, lazy = false): string {
  return [...pattern].map((char) => {
    if (char === "*" || char === STAR || char === UNKNOWN) return lazy ? ".*?" : ".*";
    if (char === "?" || char === ONE) return ".";
    return char.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  }).join("");
}

function combine(choices: readonly (readonly string[])[]): string[] {
  const only = choices.length === 1 && choices[0]!.length === 1 ? choices[0]![0]! : undefined;
  if (only !== undefined && only.length <= MAX_LENGTH) return [only];
  let out = [""];
  for (const choice of choices) {
    out = out.flatMap((text) => choice.map((more) => text + more));
    if (out.length > MAX_ALTERNATIVES || out.some((text) => text.length > MAX_LENGTH)) {
      throw new TooComplexError("too many readings");
    }
  }
  return dedupe(out);
}

function splitUnless(quoted: boolean, text: string, names: Names): string {
  if (quoted) return text;
  const separators = (names.variables.get("IFS") ?? []).flat().join("");
  const split = text.replace(/[ \t\n]+/g, BREAK);
  if (/^[ \t\n]*$/.test(separators)) return split;
  return [...split].map((char) => separators.includes(char) ? BREAK : char).join("");
}

function clean(text: string): string {
  return text.replaceAll(EMPTY, "").replaceAll(BREAK, " ");
}

function dedupe(texts: readonly string[]): string[] {
  return texts.length < 2 ? [...texts] : [...new Set(texts)];
}

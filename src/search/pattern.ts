/** What to look for in a line of text. */
export interface PatternQuery {
  readonly pattern: string;
  /** The pattern is plain text. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  /** Matches may span lines; `.` then also matches line ends. */
  readonly multiline: boolean;
}

/** A compiled pattern. */
export interface Pattern {
  /** Not global, for one line at a time; with `multiline` global, for a whole text. */
  readonly regex: RegExp;
  /** Global; matches a text that every matching line must contain. Undefined when none is known. */
  readonly required: RegExp | undefined;
  /** The same as a plain string, when case counts. */
  readonly requiredText: string | undefined;
  /** True when a line that contains `requiredText` matches without further ado. */
  readonly plain: boolean;
}

/** Thrown for a regular expression that V8 rejects; the message is V8's own reason. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** Compiles a query; throws PatternError. Habits of other engines (`\<`, `(?i)`, `[[:alpha:]]`, `(?P<n>`) are understood. */
export function compilePattern(query: PatternQuery): Pattern {
  let ignoreCase = query.ignoreCase;
  let source = query.literal ? escapeRegex(query.pattern) : query.pattern;
  if (!query.literal) {
    const flags = /^\(\?([ismux]+)\)/.exec(source);
    if (flags && !flags[1]!.includes("x")) {
      source = source.slice(flags[0].length);
      if (flags[1]!.includes("i")) ignoreCase = true;
    }
    source = translate(source);
  }
  const plainPart = query.literal ? query.pattern : requiredLiteral(source);
  if (query.word) source = `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`;
  const flags = (query.multiline ? "gms" : "s") + (ignoreCase ? "i" : "");
  const { regex, unicode } = compile(source, flags);
  const required = plainPart && !plainPart.includes("\n") ? plainPart : undefined;
  const plain = required !== undefined && !ignoreCase && !query.word && !query.multiline &&
    source === escapeRegex(required);
  return {
    regex,
    required: required === undefined
      ? undefined
      : new RegExp(escapeRegex(required), "g" + (ignoreCase ? "i" : "") + (unicode ? "u" : "")),
    requiredText: ignoreCase ? undefined : required,
    plain,
  };
}

function compile(source: string, flags: string): { regex: RegExp; unicode: boolean } {
  try {
    return { regex: new RegExp(source, flags + "u"), unicode: true };
  } catch (strict) {
    try {
      if (/\\p\{/.test(source)) throw strict;
      return { regex: new RegExp(source, flags), unicode: false };
    } catch (error) {
      throw new PatternError(reason(error));
    }
  }
}

/** V8 says "Invalid regular expression: /x/flags: reason". */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(message.lastIndexOf(": ") + 2);
}

const POSIX: { readonly [name: string]: string } = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9a-fA-F",
  blank: " \\t",
  word: "\\w",
  cntrl: "\\x00-\\x1f\\x7f",
};

const SCRIPT =
  /^\\[pP]\{(?:Han|Hiragana|Katakana|Hangul|Latin|Greek|Cyrillic|Arabic|Hebrew|Thai)\}/;

/** Rewrites spellings of grep, PCRE and Python into JavaScript's. */
function translate(source: string): string {
  let out = "";
  let inSet = false;
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at, at + 16);
    const posix = inSet ? /^\[:(\w+):\]/.exec(rest) : null;
    if (posix && POSIX[posix[1]!]) {
      out += POSIX[posix[1]!];
      at += posix[0].length;
    } else if (SCRIPT.test(rest)) {
      out += rest[0]! + rest[1]! + "{sc=";
      at += 3;
    } else if (source[at] === "\\") {
      const pair = source.slice(at, at + 2);
      out += inSet ? pair : ({ "\\<": "\\b", "\\>": "\\b", "\\A": "^", "\\z": "$", "\\Z": "$" })[
        pair
      ] ?? pair;
      at += 2;
    } else if (inSet) {
      if (source[at] === "]") inSet = false;
      // `[[` is legal elsewhere and means a bracket in the set
      out += source[at] === "[" ? "\\[" : source[at];
      at++;
    } else if (source[at] === "[") {
      inSet = true;
      const open = /^\[\^?\]?/.exec(rest)![0];
      out += open.replace("]", "\\]");
      at += open.length;
    } else if (rest.startsWith("(?P<")) {
      out += "(?<";
      at += 4;
    } else {
      out += source[at];
      at++;
    }
  }
  return out;
}

/**
 * Finds a run of plain characters that every match contains: the longest one outside groups and
 * sets. Returns undefined where that is not easy to say.
 */
function requiredLiteral(source: string): string | undefined {
  const runs: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    runs.push(run.join(""));
    run = [];
  };
  for (let at = 0; at < source.length;) {
    const char = String.fromCodePoint(source.codePointAt(at)!);
    if (char === "|" || char === ")") return undefined;
    if (char === "(" || char === "[") {
      const end = skipGroup(source, at);
      if (end === undefined) return undefined;
      endRun();
      at = end;
    } else if (char === "\\") {
      const next = source[at + 1] ?? "";
      if (/[\dkpPuxc]/.test(next)) return undefined;
      if (/[a-zA-Z]/.test(next)) endRun();
      else run.push(next);
      at += 2;
    } else if (char === "*" || char === "?" || char === "{") {
      run.pop();
      endRun();
      at = char === "{" ? (source.indexOf("}", at) + 1 || source.length) : at + 1;
    } else {
      if ("+.^$".includes(char)) endRun();
      else run.push(char);
      at += char.length;
    }
  }
  endRun();
  const longest = runs.reduce((best, each) => each.length > best.length ? each : best, "");
  return longest === "" ? undefined : longest;
}

/** The index after the group or set that opens at `at`. */
function skipGroup(source: string, start: number): number | undefined {
  let depth = 0;
  let inSet = false;
  for (let at = start; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (inSet) inSet = char !== "]";
    else if (char === "[") inSet = true;
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    if (depth === 0 && !inSet) return at + 1;
  }
  return undefined;
}

function escapeRegex(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}

/** Where a text stops being JSON. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** What stands there, in backquotes; the end of the text is empty ones. */
  readonly near: string;
}

type Wanted = "value" | "first" | "key" | "first key" | "colon" | "next" | "nothing";

const NEAR_CHARS = 30;
const SPACE = /[ \t\n\r]*/y;
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Says where a text stops being JSON; undefined when it is JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const at = faultAt(text);
    const before = text.slice(0, at);
    const near = /^.*/.exec(text.slice(at, at + NEAR_CHARS))![0];
    return {
      line: before.split("\n").length,
      column: at - before.lastIndexOf("\n"),
      near: `\`${near.trimEnd().toWellFormed()}\``,
    };
  }
}

/** The offset of what does not fit; V8 tells it for some errors only. */
function faultAt(text: string): number {
  const open: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  for (let at = 0;;) {
    at = endOf(SPACE, text, at);
    const char = text[at];
    const inside = open.at(-1);
    const key: boolean = wanted === "key" || wanted === "first key";
    const closes = char === "}" && inside === "{" || char === "]" && inside === "[";
    if (char === undefined || wanted === "nothing") return at;
    if (closes && (wanted === "next" || wanted === "first" || wanted === "first key")) {
      open.pop();
      wanted = open.length > 0 ? "next" : "nothing";
      at++;
    } else if (wanted === "next") {
      if (char !== ",") return at;
      wanted = inside === "{" ? "key" : "value";
      at++;
    } else if (wanted === "colon") {
      if (char !== ":") return at;
      wanted = "value";
      at++;
    } else if (char === '"') {
      const end = stringEnd(text, at);
      if (end < 0) return -end;
      at = end;
      wanted = key ? "colon" : after(open);
    } else if (key) {
      return at;
    } else if (char === "{" || char === "[") {
      open.push(char);
      wanted = char === "{" ? "first key" : "first";
      at++;
    } else {
      const end = endOf(PLAIN, text, at);
      if (end === at) return at;
      at = end;
      wanted = after(open);
    }
  }
}

function after(open: readonly string[]): Wanted {
  return open.length > 0 ? "next" : "nothing";
}

/** The offset after the string that begins at `at`; that of what it may not hold, negative. */
function stringEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length;) {
    const char = text[next]!;
    if (char === '"') return next + 1;
    if (char < " ") return -next;
    if (char !== "\\") next++;
    else {
      const end = endOf(ESCAPE, text, next);
      if (end === next) return -next;
      next = end;
    }
  }
  return -text.length;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

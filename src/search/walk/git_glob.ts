/** Compiles the globs of git's ignore files. */
import { joinDeep, joinName, STAR } from "./wildcards.ts";

const SLASH = "\\/";

/** Returns `text` with each byte of its UTF-8 form as one character: git's wildcards know no others. */
export function bytesOf(text: string): string {
  // deno-lint-ignore no-control-regex -- all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Lowers the letters A to Z, the only ones git folds. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns the expression for one git glob, to be tested on `bytesOf` a path (with `fold`, on
 * `foldCase` of that); undefined when git would never match it.
 */
export function gitGlob(given: string, fold: boolean): RegExp | undefined {
  const glob = bytesOf(given);
  const plain = (char: string) => escapeRegex(fold ? foldCase(char) : char);
  const firstWild = glob.search(/[*?[\\]/);
  /** What stands between the `**`, name by name, unit by unit. */
  const parts: string[][][] = [[[]]];
  const add = (unit: string) => {
    const names = parts.at(-1)!;
    if (unit === SLASH) names.push([]);
    else names.at(-1)!.push(unit);
  };
  let at = 0;
  while (at < glob.length) {
    const char = glob[at]!;
    if (char === "*") {
      let end = at;
      while (glob[end] === "*") end++;
      // `**` is special only between slashes; git compares what precedes the first wildcard apart
      const whole = end - at >= 2 && (at === firstWild || glob[at - 1] === "/");
      if (whole && glob[end] === "/") {
        parts.push([[]]);
        end++;
      } else if (whole && end === glob.length) {
        add(".*");
      } else {
        add(STAR);
      }
      at = end;
    } else if (char === "?") {
      add("[^/]");
      at++;
    } else if (char === "[") {
      const set = bracket(glob, at, fold);
      if (!set) return undefined;
      add(set.source);
      at = set.end;
    } else if (char === "\\") {
      if (at + 1 >= glob.length) return undefined;
      add(plain(glob[at + 1]!));
      at += 2;
    } else {
      add(plain(char));
      at++;
    }
  }
  const sources = parts.map((names) => names.map(joinName).join(SLASH));
  return new RegExp(`^${joinDeep(sources, "(?:.*/)?", "[^/]*/")}$`, "s");
}

const CLASSES: { readonly [name: string]: string } = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "A-Za-z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\t-\\r ",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9A-Fa-f",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  print: "\\x20-\\x7e",
  graph: "\\x21-\\x7e",
};

/** Translates the bracket expression that begins at `start`. */
function bracket(
  glob: string,
  start: number,
  fold: boolean,
): { source: string; end: number } | undefined {
  let at = start + 1;
  const negated = glob[at] === "!" || glob[at] === "^";
  if (negated) at++;
  let body = "";
  for (let first = true;; first = false) {
    if (at >= glob.length) return undefined;
    if (glob[at] === "]" && !first) break;
    if (glob.startsWith("[:", at)) {
      const close = glob.indexOf("]", at);
      if (close < 0) return undefined;
      if (close > at + 2 && glob[close - 1] === ":") {
        const name = glob.slice(at + 2, close - 1);
        if (!Object.hasOwn(CLASSES, name)) return undefined;
        body += fold && name === "upper" ? "A-Za-z" : CLASSES[name];
        at = close + 1;
        continue;
      }
    }
    if (glob[at] === "\\") at++;
    if (at >= glob.length) return undefined;
    const low = glob.charCodeAt(at++);
    if (glob[at] !== "-" || glob[at + 1] === "]" || at + 1 >= glob.length) {
      body += inSet(low);
      continue;
    }
    at++;
    if (glob[at] === "\\") at++;
    if (at >= glob.length) return undefined;
    const high = glob.charCodeAt(at++);
    body += range(low, high);
    // git tries the capital letter too, but only against ranges
    if (fold) body += range(Math.max(low, 65), Math.min(high, 90), 32);
  }
  const source = negated ? `[^/${body}]` : body === "" ? "(?!)" : `(?!/)[${body}]`;
  return { source, end: at + 1 };
}

function range(low: number, high: number, shift = 0): string {
  return high < low ? "" : `${inSet(low + shift)}-${inSet(high + shift)}`;
}

function inSet(code: number): string {
  return "\\x" + code.toString(16).padStart(2, "0");
}

function escapeRegex(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}

/** The rules of git's ignore files, and how their globs are compiled. */
import { joinDeep, joinName, STAR } from "./path_text.ts";

const SLASH = "\\/";

/** Returns `text` with each byte of its UTF-8 form as one character: git's wildcards know no others. */
function bytesOf(text: string): string {
  // deno-lint-ignore no-control-regex -- all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Lowers the letters A to Z, the only ones git folds. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns the expression for one git glob, to be tested on `bytesOf` a path (with `fold`, on
 * `foldCase` of that); undefined when git would never match it.
 */
function gitGlob(given: string, fold: boolean): RegExp | undefined {
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

interface Rule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
}

/** A rule with wildcards. */
interface WildRule extends Rule {
  readonly place: number;
  /** Matches the last part of a path only; otherwise the whole path. */
  readonly nameOnly: boolean;
  readonly regex: RegExp;
}

/** The rules of one ignore file, in git's meaning: the last one that matches decides. */
export class IgnoreRules {
  readonly #fold: boolean;
  readonly #rules: Rule[] = [];
  /** Places of the rules that name one file, or one ending (`*.log`). */
  readonly #names = new Map<string, number[]>();
  readonly #endings = new Map<string, number[]>();
  /** Rules that name one path, under its last part. */
  readonly #paths = new Map<string, { readonly path: string; readonly place: number }[]>();
  readonly #wild: WildRule[] = [];

  /** `fold`: letters A to Z match in either case (git's core.ignoreCase). */
  constructor(text: string, fold = false) {
    this.#fold = fold;
    const lines = (text.startsWith("\ufeff") ? text.slice(1) : text).split("\n");
    for (const line of lines) this.#add(line.endsWith("\r") ? line.slice(0, -1) : line);
    this.#wild.reverse();
  }

  /**
   * True: ignored; false: taken back by a `!` rule; undefined: not mentioned. The path is `above`
   * (ending with `/`, or empty) and `name`, less its first `cut` characters.
   */
  decide(above: string, cut: number, name: string, isFolder: boolean): boolean | undefined {
    // most names are decided without putting the path together
    const path = () => this.#fold ? foldCase((above + name).slice(cut)) : (above + name).slice(cut);
    const key = this.#fold ? foldCase(name) : name;
    let best = this.#latest(this.#names.get(key), isFolder, -1);
    const paths = this.#paths.size > 0 ? this.#paths.get(key) : undefined;
    if (paths) {
      const same = paths.filter((each) => each.path === path());
      best = this.#latest(same.map(({ place }) => place), isFolder, best);
    }
    if (this.#endings.size > 0) {
      for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1)) {
        best = this.#latest(this.#endings.get(key.slice(dot)), isFolder, best);
      }
    }
    for (const rule of this.#wild) {
      if (rule.place < best) break;
      if (rule.folderOnly && !isFolder) continue;
      if (rule.regex.test(bytesOf(rule.nameOnly ? key : path()))) {
        best = rule.place;
        break;
      }
    }
    return best < 0 ? undefined : !this.#rules[best]!.negated;
  }

  #latest(places: readonly number[] | undefined, isFolder: boolean, best: number): number {
    if (!places) return best;
    for (const place of places) {
      if (place > best && (isFolder || !this.#rules[place]!.folderOnly)) best = place;
    }
    return best;
  }

  #add(line: string): void {
    let glob = stripTrailingSpaces(line);
    if (glob === "" || glob.startsWith("#")) return;
    const negated = glob.startsWith("!");
    if (negated) glob = glob.slice(1);
    const folderOnly = glob.endsWith("/");
    if (folderOnly) glob = glob.slice(0, -1);
    const nameOnly = !glob.includes("/");
    if (glob.startsWith("/")) glob = glob.slice(1);
    if (glob === "") return;
    const place = this.#rules.length;
    const plain = (text: string) => this.#fold ? foldCase(text) : text;
    const list = <T>(lists: Map<string, T[]>, key: string, one: T) => {
      const others = lists.get(key);
      if (others) others.push(one);
      else lists.set(key, [one]);
    };
    if (!/[*?[\\]/.test(glob)) {
      const path = plain(glob);
      if (nameOnly) list(this.#names, path, place);
      else list(this.#paths, path.slice(path.lastIndexOf("/") + 1), { path, place });
    } else if (nameOnly && glob.startsWith("*.") && !/[*?[\\]/.test(glob.slice(1))) {
      list(this.#endings, plain(glob.slice(1)), place);
    } else {
      const regex = gitGlob(glob, this.#fold);
      if (!regex) return;
      this.#wild.push({ place, negated, folderOnly, nameOnly, regex });
    }
    this.#rules.push({ negated, folderOnly });
  }
}

function stripTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0;
    while (line[end - 2 - slashes] === "\\") slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}

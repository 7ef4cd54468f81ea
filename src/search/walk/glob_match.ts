import { joinDeep, joinName, plainSteps, STAR } from "./path_text.ts";

/** Tests a path relative to the root, with `/`. */
export type PathTest = (path: string) => boolean;

const ALTERNATIVES_AT_MOST = 1000;
/** Spelled otherwise than in `*`, so that it is known where whole characters count. */
const ANY_CHARACTER = "(?:[^/])";

/**
 * Compiles globs: `**`, `{a,b}`, `{1..3}`, `{a..c}`, `[a-z]`, `[[:punct:]]`, `?`; `(a|b)` and `@(a|b)` are taken for braces,
 * other parentheses for themselves, and `[id]` matches a name `[id]` too. A pattern without `/`
 * matches a name at any depth; a leading `/` or `./` ties it to the root; a folder's name with a
 * `/` behind means what is in it; `!` in front excludes. A path passes when one pattern that is not
 * negated matches (or there is none) and no negated one does. Without `hidden` a wildcard does not
 * match a dot at the beginning of a name, except that a negated pattern always does.
 */
export function globTest(globs: readonly string[], hidden = true): PathTest {
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const isWanted = wanted.length === 0
    ? hidden ? undefined : (path: string) => !isHidden(path)
    : anyOf(wanted, hidden);
  const isUnwanted = unwanted.length === 0 ? undefined : anyOf(unwanted, true);
  if (!isUnwanted) return isWanted ?? (() => true);
  return (path) => (!isWanted || isWanted(path)) && !isUnwanted(path);
}

/** True when a part of the path begins with a dot. */
function isHidden(path: string): boolean {
  return path.charCodeAt(0) === 46 || path.includes("/.");
}

function anyOf(globs: readonly string[], hidden: boolean): PathTest {
  const endings: string[] = [];
  const names: string[] = [];
  const paths: string[] = [];
  for (const glob of globs.flatMap(alternatives).map(plainSteps)) {
    const name = /^(?:\*\*\/)*([^/]+)$/.exec(glob)?.[1];
    // by far the most frequent forms need no regular expression
    const ending = name === "**" ? "" : /^\*([^*?[\]\\{}]*)$/.exec(name ?? "")?.[1];
    if (ending !== undefined) endings.push(ending);
    else if (name !== undefined) names.push(partSource(name, hidden));
    else paths.push(pathSource(glob, hidden));
  }
  const tests: PathTest[] = [];
  if (endings.includes("")) tests.push(hidden ? () => true : (path) => !isHidden(path));
  else if (endings.length > 0) {
    tests.push((path) =>
      endings.some((ending) => path.endsWith(ending)) && (hidden || !isHidden(path))
    );
  }
  if (names.length > 0) {
    const regex = anySource(names);
    tests.push((path) => {
      const slash = path.lastIndexOf("/");
      return regex.test(path.slice(slash + 1)) &&
        (hidden || slash < 0 || !isHidden(path.slice(0, slash)));
    });
  }
  if (paths.length > 0) {
    const regex = anySource(paths);
    tests.push((path) => regex.test(path));
  }
  const [first, ...others] = tests;
  if (!first) return () => false;
  return others.length === 0 ? first : (path) => tests.some((test) => test(path));
}

/** Characters are taken for units where that is the same, which is faster. */
function anySource(sources: readonly string[]): RegExp {
  const flags = sources.some((source) => source.includes(ANY_CHARACTER)) ? "su" : "s";
  return new RegExp(`^(?:${sources.join("|")})$`, flags);
}

/** Writes braces out: `a{b,c{d,e}}` is `ab`, `acd`, `ace`. Beyond 1,000 the rest is left out. */
function alternatives(given: string): string[] {
  const glob = given.replace(/@?\(([^()]*\|[^()]*)\)/g, (_, inner) => `{${replaceBars(inner)}}`);
  const done: string[] = [];
  const todo = [glob];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const brace = firstBrace(next);
    if (!brace || done.length + todo.length > ALTERNATIVES_AT_MOST) {
      done.push(next);
      continue;
    }
    for (const option of brace.options.toReversed()) {
      todo.push(next.slice(0, brace.start) + option + next.slice(brace.end));
    }
  }
  return done;
}

function replaceBars(text: string): string {
  return text.replaceAll("|", ",");
}

/** The first brace that opens, closes and holds a comma or a range. */
function firstBrace(
  glob: string,
): { start: number; end: number; options: string[] } | undefined {
  for (let start = 0; start < glob.length; start++) {
    if (glob[start] === "\\") start++;
    else if (glob[start] === "{") {
      const brace = braceAt(glob, start);
      if (brace) return brace;
    }
  }
  return undefined;
}

function braceAt(glob: string, start: number) {
  const options: string[] = [];
  let depth = 0;
  let begin = start + 1;
  for (let at = start; at < glob.length; at++) {
    const char = glob[at];
    if (char === "\\") at++;
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      options.push(glob.slice(begin, at));
      begin = at + 1;
    } else if (char === "}" && --depth === 0) {
      options.push(glob.slice(begin, at));
      const range = options.length > 1 ? undefined : rangeOf(options[0]!);
      if (options.length === 1 && !range) return undefined;
      return { start, end: at + 1, options: range ?? options };
    }
  }
  return undefined;
}

/** What `1..3`, `01..10`, `a..e` or `1..9..2` stands for. */
function rangeOf(text: string): string[] | undefined {
  const [, from, to, by = "1"] = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/
    .exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const isNumber = /\d$/.test(from);
  if (isNumber !== /\d$/.test(to)) return undefined;
  const [first, last] = [from, to].map((end) => isNumber ? Number(end) : end.charCodeAt(0));
  const step = (Math.abs(Number(by)) || 1) * (first! <= last! ? 1 : -1);
  const steps = Math.floor((last! - first!) / step);
  if (steps > ALTERNATIVES_AT_MOST) return undefined;
  const width = [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: steps + 1 }, (_, i) => {
    const value = first! + i * step;
    if (!isNumber) return String.fromCharCode(value).replace(/[^A-Za-z]/, "\\$&");
    const digits = String(Math.abs(value));
    return value < 0 ? "-" + digits.padStart(width - 1, "0") : digits.padStart(width, "0");
  });
}

/** The regular expression for one glob without braces. */
function pathSource(glob: string, hidden: boolean): string {
  const name = "(?!\\.)[^/]+";
  const rooted = glob.replace(/^(?:\.?\/)+/, "");
  const parts = rooted.split("/");
  if (parts.at(-1) === "") parts.splice(-1, 1, "**");
  if (parts.length === 1 && rooted === glob) parts.unshift("**");
  const sources = [""];
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    if (part === "**" && !last) sources.push("");
    else if (part === "**") sources[sources.length - 1] += hidden ? ".+" : `(?:${name}/)*${name}`;
    else sources[sources.length - 1] += partSource(part, hidden) + (last ? "" : "/");
  }
  return hidden
    ? joinDeep(sources, "(?:.*/)?", "[^/]*/")
    : joinDeep(sources, `(?:${name}/)*`, `${name}/`);
}

function partSource(part: string, hidden: boolean): string {
  const units: string[] = [];
  for (let at = 0; at < part.length;) {
    const char = String.fromCodePoint(part.codePointAt(at)!);
    const set = char === "[" ? bracket(part, at) : undefined;
    if (char === "*") {
      while (part[at] === "*") at++;
      units.push(STAR);
      continue;
    }
    if (set) {
      units.push(set.source);
      at = set.end;
      continue;
    }
    const escaped = char === "\\" && at + 1 < part.length;
    const plain = escaped ? String.fromCodePoint(part.codePointAt(at + 1)!) : char;
    units.push(char === "?" ? ANY_CHARACTER : escapeRegex(plain));
    at += plain.length + (escaped ? 1 : 0);
  }
  const mayNotHide = hidden || !/^[*?[]/.test(part) ? "" : "(?!\\.)";
  return mayNotHide + (part === "*" ? "[^/]+" : joinName(units));
}

const SET = /^\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]/su;
const IN_SET = /\[:(\w+):\]|(\\.|[^\\])(?:-(\\.|[^\\]))?/gsu;

/** A set; it also matches its own spelling, as folders are called `[id]`. */
function bracket(part: string, start: number): { source: string; end: number } | undefined {
  const [spelled, negated = "", inner = ""] = SET.exec(part.slice(start)) ?? [];
  if (spelled === undefined || inner === "") return undefined;
  let body = "";
  for (const [, name, low, high] of inner.matchAll(IN_SET)) {
    // a class that nobody knows holds nothing
    if (name !== undefined) body += Object.hasOwn(CLASSES, name) ? CLASSES[name] : "";
    else body += rangeIn(low!, high ?? low!);
  }
  const set = `(?=${ANY_CHARACTER})[${negated && "^"}${body}]`;
  return { source: `(?:${set}|${escapeRegex(spelled)})`, end: start + spelled.length };
}

/** Each end is a character, perhaps behind a backslash. */
function rangeIn(from: string, to: string): string {
  const [low, high] = [from, to].map((end) => end.replace(/^\\(?=.)/su, "").codePointAt(0)!);
  return low! > high! ? "" : `${inSet(low!)}-${inSet(high!)}`;
}

const GRAPH = "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}";
const CLASSES: { readonly [name: string]: string } = {
  alpha: "\\p{L}",
  digit: "\\d",
  alnum: "\\p{L}\\d",
  upper: "\\p{Lu}",
  lower: "\\p{Ll}",
  space: "\\s",
  blank: "\\t\\p{Zs}",
  punct: "\\p{P}\\p{S}",
  cntrl: "\\p{Cc}",
  graph: GRAPH,
  print: GRAPH + "\\p{Zs}",
  ascii: "\\0-\\x7f",
  xdigit: "\\da-fA-F",
  word: "\\p{L}\\d_",
};

function inSet(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

function escapeRegex(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}

/** What a delete would hit, as a person can read it. */
import { basename, dirname, isAbsolute, join, normalize, relative, resolve } from "node:path";
import { type Arg, globSource, hasMarks, ONE, STAR, UNKNOWN } from "./words.ts";

/** Paths that one wildcard is shown as; the pattern itself stands for the rest. */
const MAX_MATCHES = 20;
/** Entries of one folder that are looked at. */
const MAX_ENTRIES = 5000;
/** Longest path that a system takes; nothing is there that has a longer one. */
const MAX_PATH = 4096;
/** What a terminal does not show, or shows as something else. */
const HIDDEN =
  // deno-lint-ignore no-control-regex -- these are what must be shown
  /[\0-\x1f\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

/** `text` with control characters, odd blanks and invisible characters written out. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    if (char === "\n") return "\\n";
    if (char === "\r") return "\\r";
    if (char === "\t") return "\\t";
    return `\\u{${char.codePointAt(0)!.toString(16)}}`;
  });
}

/**
 * The absolute paths an argument stands for, wildcards matched against the folders there are; as
 * written where more than that is not known, and empty where not even the text names it. Without
 * `look` no folder is read.
 */
export function targetsOf(
  arg: Arg,
  cwd: string | undefined,
  home: string | undefined,
  look = true,
): string[] {
  const text = written(arg);
  if (text === "" || hasMarks(text)) return [];
  if (/[\\$`:]/.test(text) || cwd === undefined) return [text];
  const path = text.startsWith("~") && home !== undefined
    ? join(home, text.slice(1))
    : isAbsolute(text)
    ? normalize(text)
    : resolve(cwd, text);
  if (!look || !hasMarks(arg.text)) return [path];
  const found = matches(path, MAX_MATCHES + 1);
  return found.length > MAX_MATCHES
    ? [...found.slice(0, MAX_MATCHES), path]
    : found.length > 0
    ? found
    : [path];
}

/** An argument with what is known of it: its variables, where only stars stand for more. */
function written({ text, source }: Arg): string {
  if (!hasMarks(text)) return text;
  const starred = !text.includes(UNKNOWN) && !text.includes(ONE) && !/[*?[]/.test(text) &&
    !source.includes("(");
  return starred ? text.replaceAll(STAR, "*") : source;
}

/** Whether a path lies outside a folder, links in the way to it followed; false where that is not known. */
export function isOutside(path: string, folder: string): boolean {
  if (!isAbsolute(path)) return false;
  // the last part itself is what goes, be it a link or not
  const way = relative(real(folder), join(real(dirname(path)), basename(path)));
  return way === ".." || way.startsWith("../") || way.startsWith("..\\") || isAbsolute(way);
}

function real(path: string): string {
  if (path.length > MAX_PATH) return path;
  try {
    return Deno.realPathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}

/** The paths that are there and match an absolute pattern, at most `limit`. */
export function matches(pattern: string, limit: number): string[] {
  // quotes and braces would need the shell
  if (pattern.length > MAX_PATH || /["'{}]/.test(pattern)) return [];
  let found = [pattern.startsWith("/") ? "/" : ""];
  for (const segment of pattern.split("/").filter((one) => one !== "")) {
    if (!/[*?[]/.test(segment)) {
      found = found.map((folder) => join(folder, segment)).filter(exists);
      continue;
    }
    const expression = segmentExpression(segment);
    if (!expression) return [];
    found = found.flatMap((folder) =>
      names(folder).filter((name) =>
        expression.test(name) && (!name.startsWith(".") || segment.startsWith("."))
      ).map((name) => join(folder, name))
    ).slice(0, limit);
  }
  return found;
}

function segmentExpression(segment: string): RegExp | undefined {
  const source = segment.split(/(\[[!^]?\]?[^\]]*\])/).map((part, i) =>
    i % 2 === 0 ? globSource(part) : part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\")
  ).join("");
  try {
    return new RegExp(`^${source}$`, "s");
  } catch {
    return undefined;
  }
}

function names(folder: string): string[] {
  const found: string[] = [];
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (found.push(name) >= MAX_ENTRIES) break;
    }
  } catch {
    return [];
  }
  return found.sort();
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** What a delete would hit, as a person can read it. */
import { basename, dirname, isAbsolute, join, relative, resolve } from "../../base/path.ts";
import { type Arg, globSource, hasMarks, ONE, STAR, UNKNOWN } from "./reader/words.ts";

/** Paths that one wildcard is shown as; the pattern itself stands for the rest. */
const MAX_MATCHES = 20;
/** Entries of one folder that are looked at for that. */
const MAX_LISTED = 5000;
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
 * `look` no folder is read, and a star or question mark that is only a name stands in brackets.
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
  // in quotes a tilde is a name
  const tilde = text.startsWith("~") && arg.source.startsWith("~");
  if (tilde && (home === undefined || !/^~(?:\/|$)/.test(text))) return [text];
  const path = tilde ? wayTo(home!, `.${text.slice(1)}`) : wayTo(cwd, text);
  if (!hasMarks(arg.text)) return [look ? path : path.replace(/[*?]/g, "[$&]")];
  if (!look) return [path];
  const { paths } = matches(path, MAX_MATCHES, MAX_LISTED);
  return paths.length === 0 ? [path] : paths.length < MAX_MATCHES ? paths : [...paths, path];
}

/** Where a path leads, as the system goes it: `..` leaves the folder that a link leads to. */
function wayTo(cwd: string, text: string): string {
  const path = isAbsolute(text) ? text : `${cwd}/${text}`;
  if (Deno.build.os === "windows" || !/(?:^|\/)\.\.(?:\/|$)/.test(path)) return resolve(cwd, text);
  return path.split("/").reduce((at, name) => {
    return name === ".." ? dirname(real(at)) : join(at, name);
  }, "/");
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

/** Paths of which it is looked up whether they are there. */
const MAX_SOUGHT = 5000;

/**
 * What is there, or may be, before what is not, and of that what lies or may lie outside first: who
 * reads no more than the beginning sees what matters.
 */
export function thereFirst(paths: readonly string[], workspace: string | undefined): string[] {
  const gone = new Set(
    paths.slice(0, MAX_SOUGHT)
      .filter((path) => isAbsolute(path) && !/[*?[]/.test(path) && !exists(path)),
  );
  const there = paths.filter((path) => !gone.has(path));
  const isInside = (path: string) =>
    workspace === undefined ||
    isAbsolute(path) && !/^\.\.(?:[/\\]|$)/.test(relative(workspace, path));
  return [
    ...there.toSorted((a, b) => Number(isInside(a)) - Number(isInside(b))),
    ...gone,
  ];
}

/** Where a path leads, as far as it is there. */
export function real(path: string): string {
  if (path.length > MAX_PATH) return path;
  try {
    return Deno.realPathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}

/** Folders at the top of a file system without which there is no system. */
const SYSTEM =
  /^(?:\/(?:bin|boot|dev|etc|home|lib\w*|media|mnt|opt|proc|root|run|s?bin|srv|sys|usr|var|System|Library|Applications|Users|Volumes|private)?|[a-z]:[\\/]*(?:windows|users|program\w*)?)$/i;
/** The home, where no more than its name is known. */
const HOME = /^(?:~|\$HOME|\$\{HOME\}|\$env:USERPROFILE|%USERPROFILE%)$/i;

/** Homes of others, by place or by name. */
const HOMES = /^(?:\/(?:home|Users)\/[^/]+|~[a-z_][\w.-]*)$/i;

/** Whether a target is the whole file system, a system folder at its top, or a home or what it lies in; wildcards for all in it count. */
export function isVital(target: string, home: string | undefined): boolean {
  const path = withoutWild(target.replaceAll('"', "")).replace(/(?<=.)[\\/]+$/, "");
  if (path === "") return false;
  return SYSTEM.test(path) || HOME.test(path) || HOMES.test(path) ||
    home !== undefined && `${home}/`.startsWith(`${path}/`);
}

/** A pattern without the segments at its end that hold no letter of a name. */
export function withoutWild(pattern: string): string {
  const parts = pattern.split("/");
  while (parts.length > 1 && isWild(parts.at(-1)!)) parts.pop();
  return parts.join("/") || (pattern.startsWith("/") ? "/" : "");
}

function isWild(name: string): boolean {
  // a star in brackets is only a name
  return name === "" || !/^\.{1,2}$/.test(name) && name.replace(/!\([^()]*\)/g, "*")
          .replace(/[?*+@]\(([^()]*)\)/g, "$1").replace(/\[(?![*?]\])[^\]]*\]/g, "*")
          .replace(/[*?.|]/g, "") === "";
}

/** What a pattern stands for; with `more` not all of it. */
export interface Matches {
  readonly paths: string[];
  readonly more: boolean;
}

/** The paths that are there and match an absolute pattern, at most `limit`; of a folder `listed` entries are looked at. */
export function matches(pattern: string, limit: number, listed: number): Matches {
  // quotes and braces would need the shell
  if (pattern.length > MAX_PATH || /["'{}]/.test(pattern)) return { paths: [], more: false };
  let found = [pattern.startsWith("/") ? "/" : ""];
  let more = false;
  const names = (folder: string) => {
    const all = namesIn(folder, listed + 1);
    if (all.length > listed) more = true;
    return all.slice(0, listed).sort();
  };
  for (const segment of pattern.split("/").filter((one) => one !== "")) {
    if (!/[*?[]/.test(segment)) {
      found = found.map((folder) => join(folder, segment)).filter(exists);
      continue;
    }
    const expression = segmentExpression(segment);
    if (!expression) return { paths: [], more: false };
    found = found.flatMap((folder) =>
      names(folder).filter((name) =>
        expression.test(name) && (!name.startsWith(".") || segment.startsWith("."))
      ).map((name) => join(folder, name))
    );
    if (found.length > limit) more = true;
    found = found.slice(0, limit);
  }
  return { paths: found, more };
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

function namesIn(folder: string, limit: number): string[] {
  const found: string[] = [];
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (found.push(name) >= limit) break;
    }
  } catch {
    return [];
  }
  return found;
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

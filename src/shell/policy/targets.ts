/**
 * What a delete would hit, as a person can read it, and what no delete may take without a person:
 * the system, a home, and what may turn out to be one.
 */
import { basename, dirname, isAbsolute, join, relative, resolve } from "../../base/path.ts";
import { mayBeEmpty } from "./reader/folders.ts";
import { type Invocation, readOptions } from "./reader/invocation.ts";
import { LANGUAGES } from "./reader/languages.ts";
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

/** Programs that take what they name and nothing else. */
const PLAIN = /^(?:rm|mv|rename|mmv|rmdir|unlink|shred|srm|truncate|find|bfs|)$/;
/** They take a link itself. */
const UNLINKERS = /^(?:rm|rmdir|unlink|mv|rename|mmv|)$/;
/** The home, as programs of other languages are told of it. */
const HOME_WORDS =
  /\bHOME\b(?!\}?[/\\]\w)|\b(?:user)?home(?:dir)?\s*\(|homedir|expanduser|expand_path|\bgetpw|user\.home|userprofile|Dir\.home|\bgetent\b|\b(?:cut|awk)\b[^;>]*\/etc\/passwd|\/etc\/passwd\s*\||\bwhoami\b/i;
/** Ways up to it. */
const UP_WORDS =
  /dirname|\b(?:realpath|readlink)\b[^;|&\n]*(?:~|HOME)|\.parents?\b|\bpardir\b|\bpath\.split\b|\bchdir\b|(?:\$\S*|[)`]["']?|~[-+])\/\.\.(?!\.)/i;
/** Code that is run from what cannot be read. */
const VEILED =
  /b\d\ddecode|fromhex|unhexlify|decompress|codecs|marshal|\[::-1\]|\batob\b|fromCharCode|Buffer\s*\.\s*from|decode_base64|\bpack\b/;
const FINDS = /^(?:find|bfs)$/;
const FOLLOWS = /^-(?:L|follow)$/;
const MAKES_LINKS = /symlink|os\.link|\bmklink\b|fs\.link/;
/** Links and mounts of one command that are followed. */
const MAX_LINKS = 50;
/** Targets whose way is followed on the disk. */
const MAX_FOLLOWED = 5000;

/** What is known of a whole command. */
export interface Sight {
  /**
   * Whether what is vital is or may be taken by what one invocation hits; `sure` without a doubt.
   * With `since` only what the command says before that word tells what it may be.
   */
  look(call: Invocation, hits: readonly Arg[], since?: RegExp): "sure" | "maybe" | undefined;
  /** The paths that a target is where the unknown in it is nothing, if they are vital. */
  emptied(call: Invocation, arg: Arg): readonly string[];
  /** The command, which cannot be read, says anything of a home or the way up to it. */
  readonly blind: boolean;
}

export function sightOf(
  command: string,
  calls: readonly Invocation[],
  cwd: string,
  home: string | undefined,
): Sight {
  let made: ReturnType<typeof linksOf> | undefined;
  const links = () => made ??= linksOf(calls, command);
  let followed = 0;
  let near: boolean | undefined;
  const ways = new Map<string, string>();
  const realOf = (path: string) => {
    let way = ways.get(path);
    if (way === undefined) {
      way = followed++ < MAX_FOLLOWED ? real(path) : path;
      ways.set(path, way);
    }
    return way;
  };
  let homes: readonly (string | undefined)[] | undefined;
  const isOne = (path: string) => {
    homes ??= home === undefined ? [undefined] : [...new Set([home, realOf(home)])];
    return homes.some((one) => isVital(path, one));
  };
  const leadsTo = (path: string, follows: boolean) => {
    if (isOne(path)) return true;
    if (!isAbsolute(path)) return false;
    return throughLinks(path, links().links).some((way) => {
      const bare = withoutWild(way);
      const whole = follows || bare !== way || way !== path;
      const end = whole ? realOf(bare) : join(realOf(dirname(way)), basename(way));
      return isOne(way) || isOne(end);
    });
  };
  // a word that is a home or the system itself, not what lies in it
  const mentions = (text: string) => {
    if (HOME_WORDS.test(text)) return true;
    const words = text.replace(/["'`]/g, "").split(/[\s()=,;|&<>[\]]+|:(?![-?=+])/)
      .map((word) => word.includes("$") ? word : word.replace(/^\{+|\}+$/g, ""));
    return [...new Set(words)].some((word) => {
      if (/^[/~]/.test(word)) return isOne(word.replace(/\/\.?$/, "") || "/");
      const bare = withoutWild(word);
      return /^[\w.][\w./-]*$/.test(bare) && leadsTo(resolve(cwd, bare), true);
    });
  };
  const isNear = () =>
    near ??= mentions(command) || isOne(cwd) ||
      calls.some((call) => call.cwd !== undefined && isOne(call.cwd));
  const emptied = (call: Invocation, { text, source }: Arg) => {
    if (!text.includes(UNKNOWN) || !mayBeEmpty(source)) return [];
    const rest = text.replaceAll(UNKNOWN, "");
    if (rest === "") return [];
    return targetsOf({ text: rest, source: rest }, call.cwd, home, false)
      .filter((path) => leadsTo(path, true));
  };
  return {
    emptied,
    get blind() {
      return /~|HOME/.test(command) || UP_WORDS.test(command) || isNear();
    },
    look(call, hits, since) {
      const plain = PLAIN.test(call.name) && !call.guessed && call.cwd !== undefined &&
        links().told;
      let known = true;
      // below a link that it follows anything may lie
      if (FINDS.test(call.name) && call.args.some(({ text }) => FOLLOWS.test(text))) return "maybe";
      for (const arg of hits) {
        const named = targetsOf(arg, call.cwd, home, false);
        const follows = !UNLINKERS.test(call.name) || arg.text.includes(UNKNOWN) ||
          /\/\.?$/.test(arg.text);
        if (named.some((path) => leadsTo(path, follows))) return "sure";
        const disguised = arg.source === UNKNOWN.repeat(2);
        if (disguised || emptied(call, arg).length > 0) return "maybe";
        known &&= named.length > 0 && named.every(isAbsolute);
      }
      if (hits.length === 0) {
        // what it is given then is not known here, or all of a work tree
        if (!isCode(call) && !/^(?:rm|rmdir|unlink|shred|git)$/.test(call.name)) return undefined;
        if (VEILED.test(codeText(call))) return "maybe";
        known = false;
      }
      if (since && hits.length > 0) {
        if (known) return undefined;
        const before = command.slice(0, Math.max(0, command.search(since)));
        const here = call.cwd !== undefined && isOne(call.cwd);
        return here || mentions(before) ? "maybe" : undefined;
      }
      if (known && plain) return undefined;
      return isNear() || !known && UP_WORDS.test(command) ? "maybe" : undefined;
    },
  };
}

/** Where a path may lead when the links that the command makes are there. */
function throughLinks(path: string, links: ReadonlyMap<string, string>): string[] {
  const ways = [path];
  for (const way of ways) {
    if (ways.length > MAX_LINKS) break;
    for (const [link, target] of links) {
      if (way !== link && !way.startsWith(`${link}/`)) continue;
      const further = join(target, way.slice(link.length));
      if (!ways.includes(further)) ways.push(further);
    }
  }
  return ways;
}

/** Links and mounts that the command makes; not all of them are `told`. */
function linksOf(calls: readonly Invocation[], command: string) {
  const links = new Map<string, string>();
  let told = !MAKES_LINKS.test(command);
  for (const { name, args, cwd } of calls) {
    if (!/^(?:ln|mount|bindfs|cp|mv)$/.test(name) || links.size > MAX_LINKS) continue;
    const { operands } = readOptions(args, "-t -S -o --target-directory --suffix --types");
    const [last, ...sources] = operands.map(({ text }) => text).toReversed();
    if (last === undefined) continue;
    if (cwd === undefined || operands.some(({ text }) => hasMarks(text))) told = false;
    else {
      for (const source of sources.length > 0 ? sources : [last]) {
        const target = resolve(cwd, source);
        const copies = /^(?:cp|mv)$/.test(name) &&
          !args.some(({ text }) => /^-\w*s|^--symbolic/.test(text));
        // a link that is copied still leads where it led
        if (copies && real(target) === join(real(dirname(target)), basename(target))) continue;
        if (sources.length > 0) links.set(resolve(cwd, last), target);
        links.set(resolve(cwd, sources.length > 0 ? last : ".", basename(source)), target);
      }
    }
  }
  return { links, told };
}

function isCode({ name }: Invocation): boolean {
  return LANGUAGES.some((one) => one.paths && one.programs.test(name));
}

function codeText({ args, stdin, files }: Invocation): string {
  return [...args.map(({ text }) => text), stdin ?? "", ...files].join("\n");
}

/** What no delete may take without a person: the system, a home, and what may turn out to be one. */
import { basename, dirname, isAbsolute, join, resolve } from "../../base/path.ts";
import { mayBeEmpty } from "./reader/folders.ts";
import { type Invocation, readOptions } from "./reader/invocation.ts";
import { LANGUAGES } from "./reader/languages.ts";
import { isVital, real, targetsOf, withoutWild } from "./targets.ts";
import { type Arg, hasMarks, UNKNOWN } from "./reader/words.ts";

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

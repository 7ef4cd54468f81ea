/** What a line names with `@` and `$`. */
import { editDistance } from "../../base/nearest.ts";

/** One `@path` of a line. */
export interface Mention {
  /** What it may name, the longest first: within Chinese nothing need separate a path from what follows. */
  readonly paths: readonly string[];
  /** What it names most likely, for people. */
  readonly name: string;
  /** It cannot but mean a file: quoted, with a slash or an ending, or a word of its own in a line that is no code. */
  readonly surely: boolean;
}

/** Not behind a word: that is an e-mail address. */
const MENTION = /(?<![\w.%+@/-])@(?:"((?:[^"\\\n]|\\["\\])+)"|([^\s"'`<>|@]+))/gu;
const ENDING = /[^\w./~-]/u;
const TAIL = /[^\p{L}\p{N}/~_]+$/u;
const FILE = /\/|\.[a-z]\w{0,7}$/i;
/** Up to its ending: Chinese may follow without a blank. */
const ENDED = /^.*\.[a-z]\w{0,7}(?![\w/-])/i;
const CLAUSE_END = /[，。！？；：、（）]/;
/** A name that Tab would have completed. */
const NAME = /^\p{L}[\p{L}\p{N}_-]*$/u;
/** Within this many of a line's mentions the files are looked for; text with more is no prompt. */
const MENTIONS_AT_MOST = 100;
const ENDS_AT_MOST = 32;

/** Returns the mentions of a text, each once. An e-mail address is none. */
export function mentionsIn(text: string): Mention[] {
  const found = new Map<string, Mention>();
  const oneLine = !text.trimEnd().includes("\n");
  for (const { 0: whole, 1: quoted, 2: bare, index } of text.matchAll(MENTION)) {
    if (found.size >= MENTIONS_AT_MOST) break;
    if (quoted !== undefined) {
      const name = quoted.replace(/\\(["\\])/g, "$1");
      found.set(whole, { paths: [name], name, surely: true });
    } else if (bare !== undefined) {
      const name = nameIn(bare);
      const alone = oneLine && NAME.test(name) && isProse(text.slice(0, index));
      found.set(whole, { paths: endsOf(bare), name, surely: alone || FILE.test(name) });
    }
  }
  return [...found.values()];
}

/** What of `URI` may stand in one; what ends a sentence behind it is none of it. */
const URI = /^[\w\-.~:/?#[\]@!$&'()*+,;=%{}]+/;
const URI_TAIL = /[.,;:!?)\]}']+$/;

/**
 * The resource a mention names, of a server of these names: one that is listed, the longest first,
 * else what can be an address.
 */
export function resourceIn(
  { paths }: Mention,
  servers: readonly string[],
  listed: () => readonly { readonly server: string; readonly uri: string }[],
): { readonly server: string; readonly uri: string } | undefined {
  const whole = paths[0] ?? "";
  const server = whole.slice(0, whole.indexOf(":"));
  if (server === "" || !servers.includes(server)) return undefined;
  const known = listed().filter((one) => one.server === server);
  const uris = paths.map((path) => path.slice(server.length + 1));
  const uri = uris.find((uri) => known.some((one) => one.uri === uri)) ??
    URI.exec(uris[0]!)?.[0].replace(URI_TAIL, "") ?? "";
  return uri === "" ? undefined : { server, uri };
}

/** What follows is a word of its own, and not between backticks. */
const isProse = (before: string) => /(?:^|\s)$/.test(before) && before.split("`").length % 2 === 1;

/** How `path` is written as a mention; undefined when it cannot be. */
export function mentionOf(path: string): string | undefined {
  if (/\p{Cc}/u.test(path)) return undefined;
  if (/^[\p{L}\p{N}\p{M}_./~+-]+$/u.test(path)) return `@${path}`;
  return `@"${path.replace(/["\\]/g, "\\$&")}"`;
}

function nameIn(bare: string): string {
  const clause = bare.split(CLAUSE_END, 1)[0]!;
  return ENDED.exec(clause)?.[0] ?? clause.replace(TAIL, "");
}

function endsOf(bare: string): string[] {
  const tail = bare.length - (TAIL.exec(bare)?.[0].length ?? 0);
  const ends: string[] = [];
  for (let end = bare.length; end > 0 && ends.length < ENDS_AT_MOST; end--) {
    if (end === bare.length || end >= tail || ENDING.test(bare[end]!)) {
      ends.push(bare.slice(0, end));
    }
  }
  return ends;
}

/** More than the longest name. */
const SKILL_CHARS = 80;
const SKILL_LINE = /^\s*\/skill\s+\$?(\S+)/;
const CODE_BLOCK = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^]*?(?:^ {0,3}\1|$(?![^]))/gm;

/**
 * Returns the names, of those given, that a line asks for: `$name` anywhere but in code, or
 * `/skill name`. Within Chinese nothing need separate a name from what follows.
 */
export function skillsIn(line: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const [whole = "", asked] = SKILL_LINE.exec(line) ?? [];
  if (asked !== undefined && names.includes(asked)) found.add(asked);
  // a number is a price
  const longestFirst = names.filter((name) => /\D/.test(name))
    .toSorted((a, b) => b.length - a.length);
  for (const rest of dollarsIn(line.slice(whole.length))) {
    const name = longestFirst.find((one) => rest.startsWith(one) && ends(rest.slice(one.length)));
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

/** A name that is written whole: nothing less tells it from a word behind it. */
const WRITTEN = /^[a-zA-Z][\w-]{3,}/;

/** The `$words` of a line that are one slip away from a name; a variable in capitals is none. */
export function slipsIn(line: string, names: readonly string[]): [word: string, near: string][] {
  const found = new Map<string, string>();
  for (const rest of names.length === 0 ? [] : dollarsIn(line)) {
    const word = WRITTEN.exec(rest)?.[0];
    if (word === undefined || word === word.toUpperCase() || names.includes(word)) continue;
    const near = names.find((name) => editDistance(word.toLowerCase(), name.toLowerCase(), 1) <= 1);
    if (near !== undefined && ends(rest.slice(word.length))) found.set(word, near);
  }
  return [...found];
}

/** What stands behind each `$` of a line that is no code. */
function dollarsIn(line: string): string[] {
  const prose = line.replace(CODE_BLOCK, "");
  return [...prose.matchAll(/(?<![\w$\\])\$(?=[\p{L}\p{N}])/gu)]
    .filter(({ index }) => !isCode(prose.slice(0, index)))
    .map(({ index }) => prose.slice(index + 1, index + 1 + SKILL_CHARS));
}

/** What follows does not go on with the name. */
const ends = (rest: string) => !/^(?:[\w-]|\.\w)/.test(rest);

/** An odd number of backticks stands before it in its line. */
const isCode = (before: string) =>
  before.slice(before.lastIndexOf("\n") + 1).split("`").length % 2 === 0;

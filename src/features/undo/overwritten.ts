/**
 * Finds the files in whose place a command has put another one: a file it has moved there, or what
 * is no version of them.
 */
import type { RunCommand } from "../../base/types.ts";
import { under } from "../../base/path.ts";
import { newLines, sharesLines, wordsOf } from "./restore/elsewhere.ts";
import type { Entry } from "./store/entries.ts";
import { contentOf, type Objects } from "./store/objects.ts";
import type { Gone, State } from "./types.ts";

/** Builds and tests; not what begins a project. */
const TOOLS = [
  "g?make|cmake|ninja|meson|scons|bazel|just|gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+|rustc|javac|kotlinc",
  "mvnw?|gradlew?|tsc|vite|webpack|rollup|esbuild|parcel|jest|vitest|pytest|tox|nox|coverage|latexmk|pdflatex",
  "python[\\d.]* -m (?:pytest|unittest|coverage|build)",
  "(?:npm|pnpm|yarn|bun) (?:run|test|t|build|start)",
  "cargo (?:build|test|run|check|bench|doc|clippy)",
  "go (?:build|test|run|generate|vet)",
  "deno (?:task|test|bench|compile|bundle)",
  "(?:dotnet|swift|zig) (?:build|test|run|publish)",
].join("|");
const BUILD = new RegExp(
  `(?:^|[;&|({\\n]|\\b(?:time|nice|npx|exec) )\\s*(?:\\w+=\\S*\\s+)*(?:[\\w./-]*/)?(?:${TOOLS})(?![\\w.-])`,
);
const CLONE = /(?:^|[;&|({\n])\s*git\b[^;&|\n]*\sclone\s/;
/** Reports of tests and builds. */
const REPORT =
  /(?:^|\/)(?:\.coverage(?:\.[^/]*)?|coverage\.(?:xml|json|out)|lcov\.info|junit[^/]*\.xml|build\.log|[^/]*\.tsbuildinfo)$/;

/** What is made anew: of a folder or with a name that says so. */
const PRODUCT =
  /(?:^|\/)(?:out|dist|build|target|bin|obj|public|_site|coverage|generated|vendor|te?mp|cache|\.[\w-]*cache)\/|\.(?:log|out|te?mp|stamp|pid|lock|map|o|a|so|pyc|class)$|(?:^|\/)version(?:\.txt)?$/i;

const isProduct = (path: string): boolean => PRODUCT.test(path) || isReport(path);
export const isBuild = (command: string): boolean => BUILD.test(command);
export const isClone = (command: string): boolean => CLONE.test(command);
export const isReport = (path: string): boolean => REPORT.test(path);

/** Scripts that a command leads to, and their bytes: what they name is looked for. */
const MOST_SCRIPTS = 20;
const SCRIPT_BYTES = 65_536;
const DEPTH = 2;
const BUILD_FILES = ["Makefile", "makefile", "GNUmakefile", "justfile", "package.json"];
/** Clocks of disks are coarse. */
const COARSE_MS = 2000;

const EXTRACTS =
  /\b(?:bsd)?tar\s+(?:-{0,2}\w*x|--extract|--get)|\bunzip\b|\b7z[az]?\s+[ex]\b|\bcpio\s+-\w*i/;
/** Where a command writes what a program prints: `> file`, `tee file`, `curl -o file`. */
const WRITES =
  /(?:^|[^>])>[|&]?(?!>)\s*["']?([^\s"';|&<>()]+)|\btee\s+(?!-a\b|--append)["']?([^\s"';|&<>()]+)|\b(?:curl|wget)\b[^;|&\n]*?\s(?:-[a-zA-Z]*[oO]|--output|--output-document)[\s=]*["']?([^\s"';|&<>()]+)/g;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"/g;

interface KnownVersions {
  readonly workspace: string;
  readonly held: ReadonlyMap<string, Entry>;
  readonly objects: Objects;
  readonly ran: readonly RunCommand[];
  /** Milliseconds since the epoch: what was written before was there before narnat. */
  readonly since: number;
}

/**
 * Those of `replaced` that hold what a command has unpacked or kept the time of, or has a program
 * print there, and that is no new version. Nobody may know but who has read the old one.
 */
export function replacedBlindly(
  replaced: readonly Gone[],
  { workspace, held, objects, ran, since }: KnownVersions,
): Gone[] {
  if (replaced.length === 0) return [];
  const unpacks = ran.some(({ command }) => EXTRACTS.test(command));
  const written = ran.flatMap((one) => isBuild(one.command) ? [] : writtenBy(one, workspace));
  return replaced.filter((one) => {
    const { path } = one;
    const isOld = (held.get(path)?.mtime ?? Infinity) < since - COARSE_MS;
    return (isOld || unpacks || written.includes(path)) && !isVersion(one, objects);
  });
}

/** Whether what stands there may be a new version, or made anew. */
export const isVersion = (one: Gone, objects: Objects): boolean =>
  isProduct(one.path) || sharesLines(one.before, one.after, objects);

/** Paths that a command has a program print into, and reads nowhere else. */
function writtenBy({ command, cwd }: RunCommand, workspace: string): string[] {
  const words = wordsOf(command);
  const unquoted = command.replaceAll(QUOTED, (text) => text.includes(">") ? " " : text);
  return [...unquoted.matchAll(WRITES)].flatMap(([, ...names]) => {
    const name = names.find((one) => one !== undefined)!;
    const last = name.slice(name.lastIndexOf("/") + 1);
    const isRead = words.filter((word) => word === last || word.endsWith(`/${last}`)).length > 1;
    if (isRead) return [];
    const folders = [cwd, ...foldersIn(words, cwd)];
    return folders.flatMap((folder) => inside(name, folder, workspace) ?? []);
  });
}

/** Where a command may have gone to. */
const foldersIn = (words: readonly string[], cwd: string): string[] =>
  words.flatMap((word, at) => word === "cd" && words[at + 1] ? [resolve(words[at + 1]!, cwd)] : []);

/** The commands, and the texts of the scripts in the workspace that they lead to. */
export function spokenBy(
  ran: readonly RunCommand[],
  { workspace, held, objects }: Pick<KnownVersions, "workspace" | "held" | "objects">,
): string[] {
  const texts: string[] = [];
  const known = new Set<string>();
  const read = (text: string, cwd: string, depth: number) => {
    texts.push(text);
    if (depth === 0) return;
    const words = wordsOf(text);
    const names = [...words, ...isBuild(text) ? BUILD_FILES : []];
    for (const folder of [cwd, ...foldersIn(words, cwd)]) {
      for (const name of names) {
        const path = name === "" ? undefined : inside(name, folder, workspace);
        const entry = path === undefined || known.has(path) ? undefined : held.get(path);
        const isScript = entry?.kind === "file" && entry.size <= SCRIPT_BYTES &&
          entry.texture !== "binary" && known.size < MOST_SCRIPTS;
        if (!isScript) continue;
        known.add(path!);
        read(new TextDecoder().decode(contentOf(entry.content, objects)), folder, depth - 1);
      }
    }
  };
  for (const { command, cwd } of ran) read(command, cwd, DEPTH);
  return texts;
}

function inside(name: string, folder: string, workspace: string): string | undefined {
  const absolute = resolve(name, folder);
  const top = under(workspace, "");
  return absolute.startsWith(top) ? absolute.slice(top.length) : undefined;
}

function resolve(name: string, folder: string): string {
  const parts: string[] = [];
  for (const part of (name.startsWith("/") ? name : `${folder}/${name}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Files that are compared line by line. */
const MOST_COMPARED = 50;
/** So small a content may be in two files by chance. */
const SMALL_BYTES = 32;

/** Where each file that stands in another's place was moved from, by its new path. */
export function moves(changes: readonly Gone[], ran: readonly RunCommand[]): Map<string, string> {
  const left = changes.filter(({ before }) => isFull(before));
  const from = new Map<string, string>();
  const goneLast = left.toSorted((a, b) => Number(a.after === null) - Number(b.after === null));
  const byContent = new Map(goneLast.map((one) => [hashOf(one.before), one]));
  const paths = new Set(left.flatMap(({ path, after }) => after === null ? [path] : []));
  const named = new Map(ran.flatMap(({ command }) => {
    const words = wordsOf(command);
    if (!words.includes("mv")) return [];
    return words.flatMap((word, at) => paths.has(word) ? [[words[at + 1], word] as const] : []);
  }));
  for (const { path, after } of changes) {
    if (!isFull(after)) continue;
    const source = byContent.get(hashOf(after));
    // it may have been copied, and written anew
    const isMoved = source?.after === null ||
      source !== undefined && nameOf(source.path) !== nameOf(path);
    const known = isMoved ? source.path : named.get(path);
    if (known !== undefined && known !== path) from.set(path, known);
  }
  return from;
}

/** Of the session's own: what it has made may be replaced, and what it makes is no file of the user's. */
export interface Own {
  /** What a path held when the turn began, where the turn has changed it. */
  foundAt(path: string): State | undefined;
  /** Whether an earlier turn has made it. */
  made(path: string): boolean;
  /** Whether an earlier turn has changed or made it. */
  changed(path: string): boolean;
  /** What a tool, or somebody else, has written there in this turn. */
  written(path: string): State | undefined;
  /** When it was first looked at all this; milliseconds since the epoch. */
  readonly since: number;
}

interface Known {
  readonly held: ReadonlyMap<string, Entry>;
  readonly own: Own;
  /** Whether commands, or scripts that they lead to, name all of it. */
  readonly name: (names: readonly string[]) => boolean;
  readonly isVersion: (one: Gone) => boolean;
}

/**
 * Those of `replaced` that hold what another file held before the turn, and so are no new version;
 * `unread` where they may be one for who has read the old.
 */
export function overwritten(
  replaced: readonly Gone[],
  from: ReadonlyMap<string, string>,
  { held, own, name, isVersion }: Known,
): { readonly sure: Gone[]; readonly unread: Gone[] } {
  const olds = replaced.filter(({ path }) => own.foundAt(path) !== null);
  const copies = copiesOf(olds.map(({ after }) => after), held);
  const [sure, unread]: [Gone[], Gone[]] = [[], []];
  const isWritten = (path: string, after: State) => {
    const state = own.written(path) ?? null;
    return state !== null && hashOf(state) === hashOf(after);
  };
  const judgeCopy = ({ path, after }: Gone, source: string) => {
    if (source === path || isKin(path, source)) return undefined;
    const was = own.foundAt(source);
    const wasThere = was === undefined || hashOf(was) === hashOf(after);
    // what is copied to the same name elsewhere may be delivered there
    if (nameOf(path) === nameOf(source)) {
      const isForeign = wasThere && !own.changed(source);
      return isForeign || isWritten(source, after) ? "unread" : undefined;
    }
    if (sizeOf(after) < SMALL_BYTES && !name([nameOf(path), nameOf(source)])) return undefined;
    return wasThere ? "sure" : isWritten(source, after) ? "unread" : undefined;
  };
  const judgeMoved = (after: State, source: string) => {
    // of what a command has made and moved nothing is left to be told
    const was = own.foundAt(source);
    const wasThere = held.has(source) ? was !== null : Boolean(was);
    return wasThere ? "sure" : isWritten(source, after) ? "unread" : undefined;
  };
  for (const one of olds) {
    const { path, after } = one;
    const source = from.get(path);
    const judged = source === undefined
      ? copies.get(hashOf(after))?.map((other) => judgeCopy(one, other)) ?? []
      : [isKin(path, source) ? undefined : judgeMoved(after, source)];
    if (judged.includes("sure")) sure.push(one);
    else if (judged.includes("unread") && !own.made(path) && !isVersion(one)) unread.push(one);
  }
  return { sure, unread };
}

/** The paths that hold the same as each of the files, by content. */
function copiesOf(
  states: readonly State[],
  held: ReadonlyMap<string, Entry>,
): Map<string, string[]> {
  const copies = new Map<string, string[]>();
  const wanted = new Set(states.map(hashOf));
  if (wanted.size === 0) return copies;
  for (const [path, { kind, content }] of held) {
    if (kind !== "file" || !wanted.has(content)) continue;
    const all = copies.get(content);
    if (all) all.push(path);
    else copies.set(content, [path]);
  }
  return copies;
}

/** Which of `created` hold what another file held before the turn. */
export function copied(
  created: readonly Gone[],
  changes: readonly Gone[],
  { held, own, name }: Pick<Known, "held" | "own" | "name">,
): ReadonlySet<string> {
  const copies = copiesOf(created.map(({ after }) => after), held);
  const all = created.filter(({ path, after }) => {
    const moved = changes.some((one) =>
      one.path !== path && isFull(one.before) && hashOf(one.before) === hashOf(after)
    );
    return moved || copies.get(hashOf(after))?.some((other) => {
      const was = own.foundAt(other);
      const wasThere = was === undefined || hashOf(was) === hashOf(after);
      return other !== path && wasThere &&
        (sizeOf(after) >= SMALL_BYTES || name([nameOf(path), nameOf(other)]));
    });
  });
  return new Set(all.map(({ path }) => path));
}

/** Which of `gone` have gone on, with other lines, in a file that was there: by its path. */
export function edited(
  gone: readonly Gone[],
  replaced: readonly Gone[],
  objects: Objects,
): Map<string, Gone> {
  const into = new Map<string, Gone>();
  for (const one of gone.slice(0, MOST_COMPARED)) {
    const other = replaced.slice(0, MOST_COMPARED).find((other) =>
      newLines(one.before, other, objects)
    );
    if (other) into.set(one.path, other);
  }
  return into;
}

/** A backup, an example or a new version of the other. */
function isKin(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short!) && /^[.~_-]/.test(long.slice(short!.length));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const isFull = (state: State) => state?.kind === "file" && state.size > 0 && state.hash !== "";
const hashOf = (state: State) => state?.kind === "file" ? state.hash : "";
const sizeOf = (state: State) => state?.kind === "file" ? state.size : 0;

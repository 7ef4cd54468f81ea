/** Finds the files that a command has replaced by what is no version of them. */
import type { RunCommand } from "../../base/types.ts";
import { under } from "../../base/under.ts";
import { isBuild, isProduct } from "./products.ts";
import { sharesLines, wordsOf } from "./restore/elsewhere.ts";
import type { Entry } from "./store/entries.ts";
import { contentOf, type Objects } from "./store/objects.ts";
import type { Gone } from "./types.ts";

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

interface Known {
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
  { workspace, held, objects, ran, since }: Known,
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
  { workspace, held, objects }: Pick<Known, "workspace" | "held" | "objects">,
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

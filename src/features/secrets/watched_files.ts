/** The files that hold secrets: read when they have changed. */
import { under } from "../../base/path.ts";
import { type NamedValue, ofEnvFile, ofJson, ofKeyFile, ofRcFile } from "./named_values.ts";

const MOST_BYTES = 512 * 1024;
/** What is looked through below the workspace. */
const MOST_FOLDERS = 400;
const MOST_FILES = 100;
/** More than any project has: they would cost time wherever a text is looked through. */
const MOST_VALUES = 3000;
const DEPTH = 4;
const MOST_ABOVE = 8;

/** `.env` and its like; what only shows how one is to be written is none. */
const ENV_FILE = /^(?:\.env(?:rc)?(?:[.-][\w.-]+)?|[\w-]+\.env|\.dev\.vars)$/;
const SAMPLE = /[.-](?:example|sample|template|tmpl|dist|defaults?)$|^(?:example|sample)\.env$/;
const KEY_FILE = /\.(?:pem|key|p8)$|^id_(?:rsa|dsa|ecdsa|ed25519)$/;
const RC_FILE = /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|[._]netrc)$/;
/** What others have written: large, and full of samples. */
const FOREIGN =
  /^(?:node_modules|bower_components|vendor|target|dist|build|out|coverage|__pycache__|site-packages|venv|\.(?!config$|github$|docker$|secrets$|ssh$).*)$/;

interface Watched {
  readonly stamp: string;
  readonly values: readonly NamedValue[];
}

export interface WatchedOptions {
  readonly workspace: string;
  /** Configuration in JSON, as absolute paths. */
  readonly configs: readonly string[];
  /** Whether a path may be read without asking. */
  readonly mayRead: (path: string) => boolean;
}

/** Makes the function that returns the values of all files there are; the same array while nothing changes. */
export function watchFiles(o: WatchedOptions): () => readonly NamedValue[] {
  let known = new Map<string, Watched>();
  const folders = new Map<string, Folder>();
  let all: readonly NamedValue[] = [];
  let above: readonly string[] | undefined;
  return () => {
    above ??= foldersAbove(o.workspace, o.mayRead);
    const found = [
      ...above.flatMap((path) => filesOf(path, folders)?.files ?? []),
      ...o.mayRead(o.workspace) ? secretFiles(o.workspace, folders) : [],
    ];
    const now = new Map<string, Watched>();
    let changed = false;
    for (const path of [...o.configs.filter(o.mayRead), ...found]) {
      const before = known.get(path);
      const next = readWatched(path, before, o.configs.includes(path) ? ofJson : readerOf(path));
      if (next) now.set(path, next);
      changed ||= next !== before;
    }
    changed ||= now.size !== known.size;
    known = now;
    if (changed) all = [...now.values()].flatMap(({ values }) => values).slice(0, MOST_VALUES);
    return all;
  };
}

const nameOf = (path: string) => path.slice(path.search(/[^/\\]*$/));

function readerOf(path: string): (text: string) => NamedValue[] {
  const name = nameOf(path);
  if (RC_FILE.test(name)) return ofRcFile;
  return KEY_FILE.test(name) ? (text) => ofKeyFile(name, text) : ofEnvFile;
}

function readWatched(
  path: string,
  before: Watched | undefined,
  read: (text: string) => NamedValue[],
): Watched | undefined {
  try {
    const info = Deno.statSync(path);
    if (!info.isFile || info.size > MOST_BYTES) return undefined;
    const stamp = stampOf(info);
    if (before?.stamp === stamp) return before;
    return { stamp, values: read(Deno.readTextFileSync(path)) };
  } catch {
    return undefined; // it is not there, or not ours
  }
}

/** What matters in a folder. */
interface Folder {
  readonly stamp: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Between a workspace and the top of its repository, that one too; none where it is the top itself, or in none. */
function foldersAbove(workspace: string, mayRead: (path: string) => boolean): string[] {
  const above: string[] = [];
  for (let path = workspace; above.length <= MOST_ABOVE && mayRead(path);) {
    try {
      Deno.lstatSync(under(path, ".git"));
      return above;
    } catch { /* it is not the top */ }
    const end = path.search(/[/\\][^/\\]*$/);
    if (end <= 0) return [];
    above.push(path = path.slice(0, end));
  }
  return [];
}

/** The files of a workspace that are likely to hold secrets; a folder is read again when it has changed. */
function secretFiles(workspace: string, known: Map<string, Folder>): string[] {
  const found: string[] = [];
  let folders: readonly string[] = [workspace];
  let seen = 0;
  for (let depth = 0; depth < DEPTH && folders.length > 0; depth++) {
    const next: string[] = [];
    for (const path of folders) {
      if (++seen > MOST_FOLDERS || found.length >= MOST_FILES) return found;
      const folder = filesOf(path, known);
      next.push(...folder?.folders ?? []);
      found.push(...folder?.files ?? []);
    }
    folders = next;
  }
  return found;
}

/** Undefined for a folder that cannot be read: it shows nothing to the model either. */
function filesOf(path: string, known: Map<string, Folder>): Folder | undefined {
  try {
    const folder = readFolder(path, known.get(path));
    known.set(path, folder);
    return folder;
  } catch {
    return undefined;
  }
}

function readFolder(path: string, before: Folder | undefined): Folder {
  const stamp = stampOf(Deno.statSync(path));
  if (before?.stamp === stamp) return before;
  const folders: string[] = [];
  const files: string[] = [];
  for (const { name, isDirectory } of Deno.readDirSync(path)) {
    if (isDirectory) {
      if (!FOREIGN.test(name)) folders.push(under(path, name));
    } else if (
      ENV_FILE.test(name) && !SAMPLE.test(name) || KEY_FILE.test(name) || RC_FILE.test(name)
    ) {
      files.push(under(path, name));
    }
  }
  return { stamp, folders, files };
}

/** Of two states of a file or folder; never the same while a clock may be too coarse to tell them apart. */
function stampOf({ size, mtime, ino }: Deno.FileInfo): string {
  const at = mtime?.getTime() ?? 0;
  return Date.now() - at > 2000 ? `${size} ${at} ${ino}` : `${size} ${at} ${ino} ${Date.now()}`;
}

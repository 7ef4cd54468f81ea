/** What is covered: all of a folder but what git's rules, or ours, leave out as a whole. */
import { FolderRules, isIgnored, type RuleFrame } from "../../search/walk/folder_rules.ts";
import type { GitPlaces } from "../../search/walk/git_settings.ts";
import { infoOf, type Stamp, stampOf, stillTrue } from "../../search/walk/known_files.ts";
import type { Uncovered } from "../../base/types.ts";
import { under } from "../../base/path.ts";

/** Folders that are made from other files, wherever they are. */
const MADE = new Set([
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".terraform",
  ".next",
  ".nuxt",
  ".svelte-kit",
  ".turbo",
  ".parcel-cache",
]);
/** Stands in folders that can be made again (bford.info/cachedir). */
const CACHE_TAG = "/CACHEDIR.TAGf/";
/** What of a `.narnat` is the user's; the rest is narnat's own. */
const OWN = ".narnat";
const USERS = new Set([
  "agents",
  "commands",
  "mcp.json",
  "narnat.json",
  "narnat.md",
  "rules",
  "skills",
]);
/** Content on its way to its place (workspace/atomic.ts, and restore_files.ts). */
const TEMPORARY = /^\..*\.\d+-[0-9a-f]{8}\.tmp$/;

/** One folder as it is covered. */
export interface CoveredFolder {
  /** Relative to the root; empty for the root itself. */
  readonly path: string;
  /** Paths of files, links and what else is no folder; the same strings from one walk to the next. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly left: readonly (readonly [path: string, why: Uncovered["why"]])[];
}

interface Known extends CoveredFolder {
  readonly stamp: Stamp;
  readonly readAt: number;
  readonly entries: string;
  readonly up: RuleFrame | undefined;
  readonly frame: RuleFrame | undefined;
  /** It can be made again. */
  readonly made: boolean;
}

/** Walks what is covered under `root`. Folders that have not changed since are not read again. */
export class Cover {
  readonly #root: string;
  readonly #rules: FolderRules;
  readonly #sameText: (path: string) => string;
  #known = new Map<string, Known>();

  /** `sameText` gives a path as someone else holds it already. */
  constructor(root: string, places: GitPlaces, sameText: (path: string) => string) {
    this.#root = root;
    this.#sameText = sameText;
    // what is not to be searched (`.ignore`) is not for that reason to be lost
    this.#rules = new FolderRules(root, { ...places, ignoreFiles: false });
  }

  /** Yields each folder, with what it is, before those in it; `leave` hears of a folder that is not entered. */
  *walk(
    leave: (path: string, why: Uncovered["why"]) => void,
  ): Generator<readonly [CoveredFolder, Deno.FileInfo]> {
    const { frame, full } = this.#rules.start();
    const visited = new Map<string, Known>();
    const stack: { path: string; up: RuleFrame | undefined }[] = [{ path: "", up: frame }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { path } = next;
      const absolute = path === "" ? this.#root : under(this.#root, path);
      const info = infoOf(absolute);
      if (!info?.isDirectory) continue;
      const folder = this.#folder(path, absolute, stampOf(info), full, next.up);
      if (!folder) {
        leave(path, "unreadable");
        continue;
      }
      visited.set(path, folder);
      if (folder.made && path !== "") {
        leave(path, "rule");
        continue;
      }
      yield [folder, info];
      for (let i = folder.folders.length - 1; i >= 0; i--) {
        stack.push({ path: folder.folders[i]!, up: folder.frame });
      }
    }
    this.#known = visited;
  }

  /** Undefined where it cannot be read. */
  #folder(
    path: string,
    absolute: string,
    stamp: Stamp,
    top: string,
    up: RuleFrame | undefined,
  ): Known | undefined {
    const before = this.#known.get(path);
    const same = before && stillTrue(before.stamp, before.readAt, stamp);
    const readAt = same ? before.readAt : Date.now();
    const entries = same ? before.entries : entriesOf(absolute);
    if (entries === undefined) return undefined;
    const full = top === "" || path === "" ? top + path : `${top}/${path}`;
    const frame = this.#rules.frame(absolute, full, entries, up);
    if (same && before.up === up && before.frame === frame) return before;
    const lists = sorted(entries, path, full, frame, this.#sameText);
    const made = `/${entries}/`.includes(CACHE_TAG);
    return { path, stamp, readAt, entries, up, frame, made, ...lists };
  }
}

function sorted(
  entries: string,
  path: string,
  full: string,
  frame: RuleFrame | undefined,
  sameText: (path: string) => string,
) {
  const files: string[] = [];
  const folders: string[] = [];
  const left: [string, Uncovered["why"]][] = [];
  const above = full === "" ? "" : full + "/";
  const before = path === "" ? "" : path + "/";
  const own = path === OWN || path.endsWith(`/${OWN}`);
  for (const entry of entries === "" ? [] : entries.split("/")) {
    const name = entry.slice(0, -1);
    const isFolder = entry.endsWith("d");
    if (own && !USERS.has(name)) continue;
    if (name === ".git") {
      left.push([before + name, "git"]);
      continue;
    }
    // what no UTF-8 names comes with a character that stands for it, by which nobody finds it
    if (name.includes("\ufffd")) left.push([before + name, "unnameable"]);
    else if (!isFolder) {
      if (!TEMPORARY.test(name)) files.push(sameText(before + name));
    } else if (MADE.has(name)) left.push([before + name, "rule"]);
    else if (isIgnored(frame, above, name, true)) left.push([before + name, "ignored"]);
    else folders.push(before + name);
  }
  return { files, folders: folders.sort(), left };
}

/** Names with a letter for their kind, separated by `/`; undefined when the folder cannot be listed. */
function entriesOf(absolute: string): string | undefined {
  const entries: string[] = [];
  try {
    for (const { name, isDirectory, isFile, isSymlink } of Deno.readDirSync(absolute)) {
      entries.push(name + (isDirectory ? "d" : isFile ? "f" : isSymlink ? "l" : "s"));
    }
  } catch {
    return undefined;
  }
  return entries.join("/");
}

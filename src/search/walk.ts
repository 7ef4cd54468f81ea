import { dirname, join, relative, resolve } from "node:path";
import { IgnoreRules } from "./ignore_rules.ts";

/** A file or symbolic link found by `walk`. */
export interface WalkEntry {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly name: string;
  /** A symbolic link; never followed. */
  readonly link: boolean;
}

/** What a walk could not or would not look at; filled while it runs. */
export interface WalkReport {
  /** Folders that could not be listed, relative to the root. */
  unreadable: string[];
  /** Names that are not valid text and so cannot be opened. */
  unnameable: number;
  /** `node_modules` folders left out because no git repository says what is ignored. */
  dependencies: number;
  /** True when the root lies in a place git ignores; the rules from above it were set aside. */
  rootIgnored: boolean;
}

/** Where an entry's rules come from: one frame per folder, linked upwards. */
interface Frame {
  readonly up: Frame | undefined;
  /** Characters of the folder's path (and its slash) to cut from an entry's full path. */
  readonly cut: number;
  readonly git: IgnoreRules | undefined;
  readonly own: IgnoreRules | undefined;
  readonly exclude: IgnoreRules | undefined;
  readonly repoTop: boolean;
  readonly inRepo: boolean;
}

interface Folder {
  readonly frame: Frame;
  /** Relative to the root. */
  readonly path: string;
  /** Relative to the top of the rules. */
  readonly full: string;
  readonly entries: readonly Deno.DirEntry[];
  next: number;
}

const PRIVATE = new Set(["logs", "sessions", "outputs", "checkpoints", "trash"]);

/** Returns an empty report to hand to `walk`. */
export function newWalkReport(): WalkReport {
  return { unreadable: [], unnameable: 0, dependencies: 0, rootIgnored: false };
}

/**
 * Yields the files under `root`, sorted by path, leaving out what git's rules ignore (`.gitignore`
 * at every level and above the root within its repository, `.git/info/exclude`, and `.ignore`,
 * which wins), `.git`, and narnat's own private folders. Symbolic links are yielded, not followed.
 * `enter` may refuse a folder (path relative to the root) and is called once for each. Reads
 * synchronously; never throws for a folder it cannot list, except that a missing root is reported
 * as unreadable `.`.
 */
export function* walk(
  root: string,
  report: WalkReport,
  enter: (folder: string) => boolean = () => true,
): Generator<WalkEntry> {
  const top = startFrame(root, report);
  const first = openFolder(root, "", top.full, top.frame, report);
  const stack = first ? [first] : [];
  for (let folder = stack.at(-1); folder; folder = stack.at(-1)) {
    const entry = folder.entries[folder.next++];
    if (!entry) {
      stack.pop();
      continue;
    }
    const { name } = entry;
    if (name === ".git") continue;
    const path = folder.path === "" ? name : `${folder.path}/${name}`;
    const full = folder.full === "" ? name : `${folder.full}/${name}`;
    if (isIgnored(folder.frame, full, name, entry.isDirectory)) continue;
    if (name.includes("\ufffd") && !exists(join(root, path))) {
      report.unnameable++;
    } else if (!entry.isDirectory) {
      if (entry.isFile || entry.isSymlink) yield { path, name, link: entry.isSymlink };
    } else if (isPrivate(folder.path, name)) {
      continue;
    } else if (name === "node_modules" && !folder.frame.inRepo) {
      report.dependencies++;
    } else if (enter(path)) {
      const below = openFolder(root, path, full, folder.frame, report);
      if (below) stack.push(below);
    }
  }
}

function isPrivate(parent: string, name: string): boolean {
  return PRIVATE.has(name) && (parent === ".narnat" || parent.endsWith("/.narnat"));
}

function openFolder(
  root: string,
  path: string,
  full: string,
  up: Frame | undefined,
  report: WalkReport,
): Folder | undefined {
  const absolute = join(root, path);
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(absolute)];
  } catch {
    report.unreadable.push(path || ".");
    return undefined;
  }
  entries.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return { frame: frameFor(absolute, full, entries, up), path, full, entries, next: 0 };
}

function frameFor(
  absolute: string,
  full: string,
  entries: readonly Deno.DirEntry[],
  up: Frame | undefined,
): Frame {
  let git: IgnoreRules | undefined;
  let own: IgnoreRules | undefined;
  let repoTop = false;
  for (const { name, isFile } of entries) {
    if (name === ".git") repoTop = true;
    else if (name === ".gitignore" && isFile) git = readRules(join(absolute, name));
    else if (name === ".ignore" && isFile) own = readRules(join(absolute, name));
  }
  if (up && !git && !own && !repoTop) return up;
  return {
    up,
    cut: full === "" ? 0 : full.length + 1,
    git,
    own,
    exclude: repoTop ? readRules(join(gitFolder(absolute), "info/exclude")) : undefined,
    repoTop,
    inRepo: repoTop || (up?.inRepo ?? false),
  };
}

/** The frames of the folders above the root, from the top of its repository down. */
function startFrame(root: string, report: WalkReport): { frame: Frame | undefined; full: string } {
  const top = repositoryTop(root);
  if (top === undefined || top === root) return { frame: undefined, full: "" };
  let frame: Frame | undefined;
  let full = "";
  let folder = top;
  for (const name of relative(top, root).split(/[\\/]/)) {
    frame = frameFor(folder, full, listOf(folder), frame);
    full = full === "" ? name : `${full}/${name}`;
    folder = join(folder, name);
    if (isIgnored(frame, full, name, true)) {
      report.rootIgnored = true;
      // someone asked for this folder by name: search it, within the repository but without the rules above
      const bare = { up: undefined, cut: 0, git: undefined, own: undefined, exclude: undefined };
      return { frame: { ...bare, repoTop: true, inRepo: true }, full: relative(top, root) };
    }
  }
  return { frame, full };
}

function repositoryTop(root: string): string | undefined {
  for (let folder = root;; folder = dirname(folder)) {
    if (exists(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The folder that holds `info/exclude`: also for a worktree or submodule, where `.git` is a file. */
function gitFolder(repo: string): string {
  const git = join(repo, ".git");
  const pointed = readText(git)?.match(/^gitdir: (.+)$/m)?.[1];
  if (pointed === undefined) return git;
  const folder = resolve(repo, pointed);
  const common = readText(join(folder, "commondir"))?.trim();
  return common === undefined ? folder : resolve(folder, common);
}

function isIgnored(
  from: Frame | undefined,
  full: string,
  name: string,
  isFolder: boolean,
): boolean {
  for (let frame = from; frame; frame = frame.up) {
    const decided = frame.own?.decide(full.slice(frame.cut), name, isFolder);
    if (decided !== undefined) return decided;
  }
  for (let frame = from; frame; frame = frame.up) {
    const decided = frame.git?.decide(full.slice(frame.cut), name, isFolder) ??
      frame.exclude?.decide(full.slice(frame.cut), name, isFolder);
    if (decided !== undefined) return decided;
    if (frame.repoTop) return false;
  }
  return false;
}

function listOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

function readRules(path: string): IgnoreRules | undefined {
  const text = readText(path);
  return text ? new IgnoreRules(text) : undefined;
}

function readText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  // above the root reading may not be allowed, and at a terminal Deno would ask
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return false;
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

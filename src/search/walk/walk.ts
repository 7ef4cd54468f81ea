import { FolderRules, isIgnored, type RuleFrame } from "./folder_rules.ts";
import { type GitPlaces, NO_PLACES } from "./git_settings.ts";
import { infoOf, type Stamp, stampOf, stillTrue } from "./known_files.ts";
import { pathIn, withSlash } from "./path_text.ts";
import type { WalkReport } from "../types.ts";

/** Paths in one string of a Listing. */
const BLOCK_PATHS = 64;
const PRIVATE = new Set(["logs", "sessions", "outputs", "checkpoints", "trash"]);

/** What one folder holds, as far as no rule leaves it out. Paths are relative to the root, with `/`. */
export interface Listing {
  /** Regular files: each string holds up to 64 paths, separated by NUL. */
  readonly files: readonly string[];
  /** Symbolic links; never followed. */
  readonly links: readonly string[];
}

/** What was last read of a folder, and what followed from it. */
interface Folder extends Listing {
  readonly stamp: Stamp;
  readonly readAt: number;
  /** Every entry's name followed by a letter for its kind; separated by `/`. */
  readonly entries: string;
  /** The folder may bring rules of its own, to be looked at each time. */
  readonly brings: boolean;
  /** The rules from above under which the rest was worked out, and the folder's own. */
  readonly up: RuleFrame | undefined;
  readonly frame: RuleFrame | undefined;
  /** Paths of the folders to go on with. */
  readonly folders: readonly string[];
  readonly unnameable: number;
  readonly dependencies: number;
}

/** Thrown where reading one folder would take long. */
export class TooWide extends Error {}

/** Returns an empty report to hand to a walk. */
export function newWalkReport(): WalkReport {
  return { unreadable: [], unnameable: 0, dependencies: 0, rootIgnored: false };
}

/** Yields the files and links under `root`, read afresh; what counts is told at FileList. */
export function* walk(root: string, report: WalkReport): Generator<string> {
  for (const { files, links } of new FileList(root).walk(report)) {
    for (const block of files) yield* block.split("\0");
    yield* links;
  }
}

/**
 * The files under a root, leaving out what git's rules ignore (`.gitignore` at every level and
 * above the root within its repository, `.git/info/exclude`, the user's excludes file) and
 * ripgrep's (`.ignore` and `.rgignore` here and in all folders above, which win), `.git`, and narnat's own private folders. Folders that have not changed
 * since the walk before are not read again, which one stat each tells.
 */
export class FileList {
  readonly #root: string;
  readonly #rootSlash: string;
  readonly #rules: FolderRules;
  readonly #folderBytes: number;
  #folders = new Map<string, Folder>();

  /** `root` is an absolute path. A folder of more than `folderBytes` ends a walk: TooWide is thrown. */
  constructor(root: string, places: GitPlaces = NO_PLACES, folderBytes = Infinity) {
    this.#root = root;
    this.#folderBytes = folderBytes;
    this.#rootSlash = withSlash(root);
    this.#rules = new FolderRules(root, places);
  }

  /**
   * Yields what each folder holds, folders in the order of their names. `enter` may refuse a folder
   * (path relative to the root). Reads synchronously; a folder it cannot list is reported, never
   * thrown, a missing root as `.`.
   */
  *walk(
    report: WalkReport,
    enter: (folder: string) => boolean = () => true,
  ): Generator<Listing> {
    const { frame, full, ignored } = this.#rules.start();
    report.rootIgnored ||= ignored;
    const visited = new Map<string, Folder>();
    let whole = true;
    const stack: { path: string; up: RuleFrame | undefined }[] = [{ path: "", up: frame }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const folder = this.#folder(next.path, full, next.up, report);
      if (!folder) continue;
      visited.set(next.path, folder);
      report.unnameable += folder.unnameable;
      report.dependencies += folder.dependencies;
      if (folder.files.length > 0 || folder.links.length > 0) yield folder;
      for (let i = folder.folders.length - 1; i >= 0; i--) {
        const path = folder.folders[i]!;
        if (enter(path)) stack.push({ path, up: folder.frame });
        else whole = false;
      }
    }
    // forget folders that are gone
    if (whole) this.#folders = visited;
  }

  #folder(
    path: string,
    top: string,
    up: RuleFrame | undefined,
    report: WalkReport,
  ): Folder | undefined {
    const absolute = path === "" ? this.#root : this.#rootSlash + path;
    const info = infoOf(absolute);
    if (!info?.isDirectory) {
      this.#folders.delete(path);
      // what went away since its parent was read is simply not there
      if (info ? path === "" : path === "" || !gone(absolute)) report.unreadable.push(path || ".");
      return undefined;
    }
    if (info.size > this.#folderBytes) throw new TooWide();
    const stamp = stampOf(info);
    const before = this.#folders.get(path);
    const same = before && stillTrue(before.stamp, before.readAt, stamp);
    const readAt = same ? before.readAt : Date.now();
    const entries = same ? before.entries : entriesOf(absolute);
    if (entries === undefined) {
      this.#folders.delete(path);
      if (path === "" || !gone(absolute)) report.unreadable.push(path || ".");
      return undefined;
    }
    const full = top === "" || path === "" ? top + path : `${top}/${path}`;
    const brings = same ? before.brings : this.#rules.mayBring(entries);
    const frame = brings ? this.#rules.frame(absolute, full, entries, up) : up;
    if (same && before.up === up && before.frame === frame) return before;
    const derived = before?.entries === entries && before.up === up && before.frame === frame
      ? before
      : derive(this.#root, path, full, entries, frame);
    const folder = { ...derived, stamp, readAt, entries, brings, up, frame };
    this.#folders.set(path, folder);
    return folder;
  }
}

function derive(
  root: string,
  path: string,
  full: string,
  entries: string,
  frame: RuleFrame | undefined,
) {
  const files: string[] = [];
  const links: string[] = [];
  const folders: string[] = [];
  let unnameable = 0;
  let dependencies = 0;
  const before = path === "" ? "" : path + "/";
  const above = full === "" ? "" : full + "/";
  for (const entry of entries === "" ? [] : entries.split("/")) {
    const kind = entry.at(-1);
    const name = entry.slice(0, -1);
    const isFolder = kind === "d";
    if (name === ".git" || isIgnored(frame, above, name, isFolder)) continue;
    if (name.includes("\ufffd") && !infoOf(pathIn(root, before + name))) unnameable++;
    else if (kind === "l") links.push(before + name);
    else if (!isFolder) files.push(before + name);
    else if (name === "node_modules" && !frame?.inRepository) dependencies++;
    else if (!isPrivate(path, name)) folders.push(before + name);
  }
  const blocks: string[] = [];
  for (let at = 0; at < files.length; at += BLOCK_PATHS) {
    blocks.push(files.slice(at, at + BLOCK_PATHS).join("\0"));
  }
  return { files: blocks, links, folders: folders.sort(), unnameable, dependencies };
}

function isPrivate(parent: string, name: string): boolean {
  return PRIVATE.has(name) && (parent === ".narnat" || parent.endsWith("/.narnat"));
}

/** Undefined when the folder cannot be listed. */
function entriesOf(absolute: string): string | undefined {
  const entries: string[] = [];
  try {
    for (const { name, isFile, isDirectory, isSymlink } of Deno.readDirSync(absolute)) {
      if (isFile) entries.push(name + "f");
      else if (isDirectory) entries.push(name + "d");
      else if (isSymlink) entries.push(name + "l");
    }
  } catch {
    return undefined;
  }
  return entries.join("/");
}

function gone(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

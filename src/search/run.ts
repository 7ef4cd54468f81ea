import { globDepth, globFolder } from "./walk/path_text.ts";
import type { GitPlaces } from "./walk/git_settings.ts";
import type { Part } from "./file_search.ts";
import type { SearchJob, WalkReport } from "./types.ts";
import { FileList } from "./walk/walk.ts";
import type { WorkList } from "./work_list.ts";

const ROOTS_KEPT = 8;
/** Characters of an entry of the work list; the first ones are short so that everybody soon has work. */
export const ENTRY_CHARS = 2000;
const FIRST_ENTRY_CHARS = 200;
const FIRST_ENTRIES = 8;

/** The lists of the roots searched last. */
export class FileLists {
  readonly #places: GitPlaces;
  readonly #folderBytes: number | undefined;
  readonly #lists = new Map<string, FileList>();

  /** `folderBytes`: see FileList. */
  constructor(places: GitPlaces, folderBytes?: number) {
    this.#places = places;
    this.#folderBytes = folderBytes;
  }

  /**
   * Yields blocks of paths (separated by NUL) of the files a job is about. Folders in which no match
   * can lie are not entered, and none once `stop` says so.
   */
  *blocks(job: SearchJob, report: WalkReport, stop: () => boolean): Generator<string> {
    if (job.kind === "grep" && !job.query.folder) return yield ".";
    const globs = job.kind === "glob"
      ? job.query.patterns
      : job.kind === "grep"
      ? job.query.globs
      : [];
    const mayHold = enterFor(globs);
    const enter = (folder: string) => !stop() && mayHold(folder);
    for (const { files, links } of this.#list(job.query.root).walk(report, enter)) {
      yield* files;
      if (job.kind !== "grep" && links.length > 0) yield links.join("\0");
    }
  }

  #list(root: string): FileList {
    const list = this.#lists.get(root) ?? new FileList(root, this.#places, this.#folderBytes);
    this.#lists.delete(root);
    this.#lists.set(root, list);
    for (const other of this.#lists.keys()) {
      if (this.#lists.size > ROOTS_KEPT) this.#lists.delete(other);
    }
    return list;
  }
}

/** Tells whether a match of the globs can lie in a folder. */
function enterFor(globs: readonly string[]): (folder: string) => boolean {
  const places = globs.filter((each) => !each.startsWith("!"))
    .map((glob) => ({ top: globFolder(glob), depth: globDepth(glob) }));
  const anywhere = places.some(({ top, depth }) => top === "" && depth === Infinity);
  if (places.length === 0 || anywhere) return () => true;
  return (folder) => {
    const level = folder.split("/").length;
    return places.some(({ top, depth }) =>
      level <= depth &&
      (top === "" || top === folder || top.startsWith(folder + "/") ||
        folder.startsWith(top + "/"))
    );
  };
}

/** Puts blocks into the work list; what finds no room there is searched at once. */
export function fill(
  blocks: Iterable<string>,
  list: WorkList,
  part: Part,
  stop: () => boolean,
): void {
  let entry = "";
  const offer = () => {
    if (entry !== "" && !list.offer(entry)) searchAll(entry, part);
    entry = "";
  };
  for (const block of blocks) {
    if (stop()) break;
    entry = entry === "" ? block : `${entry}\0${block}`;
    const enough = list.offered < FIRST_ENTRIES ? FIRST_ENTRY_CHARS : ENTRY_CHARS;
    if (entry.length >= enough) offer();
  }
  offer();
  list.end();
}

/** Takes entries until there are none; returns how many it took. */
export function drain(list: WorkList, part: Part, stop: () => boolean): number {
  for (let taken = 0;; taken++) {
    const entry = stop() ? undefined : list.take();
    if (entry === undefined) return taken;
    searchAll(entry, part);
  }
}

/** Goes through one entry without a look at the time: it is short, and long files look themselves. */
function searchAll(entry: string, part: Part): void {
  for (const path of entry.split("\0")) part.file(path);
}

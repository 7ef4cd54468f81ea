/** The files of the workspace, as far as they are known, for completion. */
import type { Searcher } from "../../search/mod.ts";

/** How well a name answers to what was typed: 0 begins with it … 3 has its letters in order; undefined: not at all. Both in lower case. */
export function fuzzyTier(typed: string, name: string, base = 0): number | undefined {
  const at = name.indexOf(typed, base);
  if (at === base) return 0;
  if (at > base) return 1;
  if (base > 0 && name.includes(typed)) return 2;
  let from = 0;
  for (const char of typed) {
    const found = name.indexOf(char, from);
    if (found < 0) return undefined;
    from = found + char.length;
  }
  return 3;
}

const NEWEST = 1000;
const NEWEST_WITHIN_MS = 3000;
/** A list that is older is made anew; what is known serves meanwhile. */
const FRESH_MS = 5000;
/** A key is answered between two slices. */
const SLICE_MS = 5;
const SLICE_PATHS = 256;
/** A search shall come to its end before it is worth another. */
const MORE_MS = 150;

/** Paths relative to the root, folders with a slash at their end. */
class PathList {
  readonly paths: string[] = [];
  readonly lower: string[] = [];
  readonly #folders = new Set<string>();

  add(files: readonly string[]): void {
    let parent = "";
    for (const file of files) {
      const folder = file.slice(0, file.lastIndexOf("/") + 1);
      if (folder !== parent) this.#addFolder(parent = folder);
      this.#push(file);
    }
  }

  #addFolder(folder: string): void {
    if (folder === "" || this.#folders.has(folder)) return;
    this.#folders.add(folder);
    this.#addFolder(folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1));
    this.#push(folder);
  }

  #push(path: string): void {
    this.paths.push(path);
    this.lower.push(path.toLowerCase());
  }
}

/** Knows the files under a root from a walk that begins with the first question. */
export class FileIndex {
  readonly #searcher: Pick<Searcher, "walk" | "glob">;
  readonly #root: string;
  readonly #now: () => number;
  readonly #over = new AbortController();
  #list = new PathList();
  /** How new a file is: 0 is the newest. */
  #ranks = new Map<string, number>();
  #walking = false;
  #walkedAt: number | undefined;
  #toldAt = -Infinity;
  /** Called when more is known than before. */
  onMore: () => void = () => {};

  constructor(searcher: Pick<Searcher, "walk" | "glob">, root: string, now: () => number) {
    this.#searcher = searcher;
    this.#root = root;
    this.#now = now;
  }

  /** Looks for files again, unless it has just done so. */
  refresh(): void {
    const age = this.#now() - (this.#walkedAt ?? -Infinity);
    if (this.#walking || age < FRESH_MS) return;
    this.#walking = true;
    void Promise.allSettled([this.#walk(), this.#rank()]).then(() => {
      this.#walking = false;
      this.#walkedAt = this.#now();
      this.onMore();
    });
  }

  /**
   * Resolves with the known paths that answer best to what was typed, the best first, of equal
   * ones the newest. Works in slices of some milliseconds; throws `signal.reason` when aborted.
   */
  async find(typed: string, limit: number, signal: AbortSignal): Promise<string[]> {
    const { paths, lower } = this.#list;
    const wanted = typed.toLowerCase();
    const best: { readonly path: string; readonly score: number }[] = [];
    const breathe = this.#breather();
    for (let i = 0; i < paths.length; i++) {
      if (i % SLICE_PATHS === 0 && await breathe()) signal.throwIfAborted();
      const score = this.#score(wanted, paths[i]!, lower[i]!);
      if (score >= (best.length < limit ? Infinity : best.at(-1)!.score)) continue;
      const at = best.findLastIndex((one) => one.score <= score) + 1;
      best.splice(at, 0, { path: paths[i]!, score });
      if (best.length > limit) best.pop();
    }
    return best.map(({ path }) => path);
  }

  close(): void {
    this.#over.abort();
  }

  #score(wanted: string, path: string, lower: string): number {
    // Within a folder its own files come first.
    const base = wanted.includes("/") ? 0 : lower.lastIndexOf("/", lower.length - 2) + 1;
    const tier = wanted === "" ? 0 : fuzzyTier(wanted, lower, base);
    if (tier === undefined || lower === wanted) return Infinity;
    const rank = this.#ranks.get(path) ?? NEWEST;
    return (tier * 10_000 + rank) * 10_000 + Math.min(path.length, 9999);
  }

  async #walk(): Promise<void> {
    const known = this.#list.paths.length > 0;
    const list = known ? new PathList() : this.#list;
    const breathe = this.#breather();
    for await (const files of this.#searcher.walk(this.#root, this.#over.signal)) {
      for (let at = 0; at < files.length; at += SLICE_PATHS) {
        list.add(files.slice(at, at + SLICE_PATHS));
        await breathe();
      }
      if (!known) this.#more();
    }
    this.#list = list;
  }

  async #rank(): Promise<void> {
    const { files } = await this.#searcher.glob({
      root: this.#root,
      patterns: ["**"],
      hidden: true,
      limit: NEWEST,
      deadlineMs: NEWEST_WITHIN_MS,
    }, this.#over.signal);
    this.#ranks = new Map(files.map((file, rank) => [file, rank]));
    this.#more();
  }

  #more(): void {
    if (this.#now() < this.#toldAt + MORE_MS) return;
    this.#toldAt = this.#now();
    this.onMore();
  }

  /** Lets others have their turn when a slice is over, and says whether it was. */
  #breather(): () => Promise<boolean> | false {
    let until = this.#now() + SLICE_MS;
    return () =>
      this.#now() > until && (async () => {
        await new Promise((resolve) => setTimeout(resolve));
        until = this.#now() + SLICE_MS;
        return true;
      })();
  }
}

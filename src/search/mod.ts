import { type GitPlaces, NO_PLACES } from "./git_settings.ts";
import { mergeFound } from "./merge.ts";
import { Pool } from "./pool.ts";
import type { GlobFound, GlobQuery, GrepFound, GrepQuery, SearchJob } from "./types.ts";

const WORKERS_AT_MOST = 4;
const WARM_MS = 1000;

/** Looks for files and text, in worker threads kept warm; several searches may be asked for at a time. */
export interface Searcher {
  /** Rejects with `signal.reason` when aborted. */
  glob(query: GlobQuery, signal: AbortSignal): Promise<GlobFound>;
  /** Rejects with PatternError for a bad regular expression, `signal.reason` when aborted. */
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepFound>;
  /**
   * Yields the paths of all files and links under a folder that no rule leaves out, relative to it,
   * some thousand at a time as they are found. Throws `signal.reason` when aborted.
   */
  walk(root: string, signal: AbortSignal): AsyncGenerator<readonly string[]>;
  /** Starts the workers, one at a time; each takes this thread some 15 ms. */
  start(): void;
  /** A search in this folder is likely soon: starts the workers and lets them look at some files. */
  warm(root: string): void;
  /** Ends the workers; searches under way are rejected. */
  close(): void;
}

/** How to make a Searcher. */
export interface SearcherOptions {
  /**
   * The module a worker starts with, by default the main module: it must call `start` of worker.ts
   * when it finds itself in a worker, as main.ts does.
   */
  readonly entry?: string;
  /** Where git's settings beyond a repository lie, by default nowhere. */
  readonly places?: GitPlaces;
  /** By default as many as there are processors, at most four. */
  readonly workers?: number;
}

/**
 * Makes a Searcher. Where no worker can be had, or one crashes, the search runs in this thread in
 * short slices.
 */
export function createSearcher(options: SearcherOptions = {}): Searcher {
  return new PoolSearcher(options);
}

class PoolSearcher implements Searcher {
  readonly #pool: Pool;
  readonly #places: GitPlaces;
  #here: Promise<ReturnType<typeof import("./here.ts").searchHere>> | undefined;
  #warming: AbortController | undefined;

  constructor({ entry, places = NO_PLACES, workers }: SearcherOptions) {
    const count = workers ?? Math.min(navigator.hardwareConcurrency, WORKERS_AT_MOST);
    this.#places = places;
    this.#pool = new Pool(entry ?? Deno.mainModule, count, places);
  }

  async glob(query: GlobQuery, signal: AbortSignal): Promise<GlobFound> {
    return await this.#run({ kind: "glob", query }, signal) as GlobFound;
  }

  async grep(query: GrepQuery, signal: AbortSignal): Promise<GrepFound> {
    return await this.#run({ kind: "grep", query }, signal) as GrepFound;
  }

  async *walk(root: string, signal: AbortSignal): AsyncGenerator<readonly string[]> {
    const left = new AbortController();
    const batches: string[] = [];
    let wake = Promise.withResolvers<void>();
    let done = false;
    const ended = this.#run(
      { kind: "walk", query: { root } },
      AbortSignal.any([signal, left.signal]),
      (paths) => {
        batches.push(paths);
        wake.resolve();
      },
    ).finally(() => {
      done = true;
      wake.resolve();
    });
    ended.catch(() => {});
    try {
      while (!done || batches.length > 0) {
        const batch = batches.shift();
        if (batch !== undefined) yield batch.split("\0");
        else {
          await wake.promise;
          wake = Promise.withResolvers();
        }
      }
      await ended;
    } finally {
      left.abort();
    }
  }

  start(): void {
    this.#pool.start();
  }

  warm(root: string): void {
    if (this.#warming) return;
    this.#warming = new AbortController();
    void this.#warmUp(root, this.#warming.signal).catch(() => {});
  }

  close(): void {
    this.#pool.close();
  }

  async #warmUp(root: string, signal: AbortSignal): Promise<void> {
    const query: GrepQuery = {
      patterns: ["nobody_wrote_this", "\\w{7}\\d[a-f]{3}q"],
      literal: false,
      ignoreCase: false,
      word: false,
      multiline: false,
      root,
      folder: true,
      mode: "files",
      globs: [],
      types: [],
      before: 0,
      after: 0,
      limit: 1,
      offset: 0,
      deadlineMs: WARM_MS,
    };
    await this.#pool.run({ kind: "grep", query }, signal);
  }

  async #run(
    job: SearchJob,
    signal: AbortSignal,
    onPaths: (paths: string) => void = () => {},
  ): Promise<GlobFound | GrepFound | undefined> {
    signal.throwIfAborted();
    this.#warming?.abort();
    let handedOn = false;
    const shares = await this.#pool.run(job, signal, (paths) => {
      handedOn = true;
      onPaths(paths);
    });
    if (this.#pool.closed) throw new Error("Cannot search: the searcher is closed");
    if (shares === "crashed" && handedOn) throw new Error("Cannot walk: a search worker crashed");
    if (shares !== "crashed") {
      return mergeFound(job, shares.parts, shares.report, shares.stopped);
    }
    this.#here ??= import("./here.ts").then(({ searchHere }) => searchHere(this.#places));
    return await (await this.#here)(job, signal, onPaths);
  }
}

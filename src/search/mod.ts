import { type GitPlaces, NO_PLACES } from "./walk/git_settings.ts";
import type { SearchesHere, SearchHere } from "./here.ts";
import { mergeFound, type PartFound } from "./found.ts";
import { Pool } from "./pool.ts";
import type { GlobFound, GlobQuery, GrepFound, GrepQuery, SearchJob } from "./types.ts";
import type { WorkList } from "./work_list.ts";

const WORKERS_AT_MOST = 4;
const WARM_MS = 1000;
/** A worker takes 12 ms of this thread, 15 more until it is up, and 13 MB: it comes to a search that lasts. */
const HERE_MS = 30;
/** Over so few files a search soon ends without, unless the files are large: then it takes many times as long. */
const FEW_FILES = 4000;
const TIMES = 10;
/** More files are worth workers before the next search. */
const MANY_FILES = 1000;
const FILES_TRIED = 200;
/** Before that long the search itself may come, or what follows it: a worker's start holds this thread up. */
const WARM_AFTER_MS = 15;
const WARM_SLICE_MS = 4;

/**
 * Looks for files and text; several searches may be asked for at a time. What is soon over is done
 * in this thread, in slices of a few milliseconds; the rest in worker threads kept warm.
 */
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
  /** Loads what a search needs, in some milliseconds of this thread. */
  start(): void;
  /** A search in this folder is likely soon: looks at its files, in workers where there are many. */
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
  /** How long a search runs in this thread before workers come to it; 0 for not at all. */
  readonly hereMs?: number;
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
  readonly #hereMs: number;
  #here: Promise<SearchesHere> | undefined;
  #warming: AbortController | undefined;
  /** No search has lasted so far. */
  #quick: boolean;

  constructor({ entry, places = NO_PLACES, workers, hereMs = HERE_MS }: SearcherOptions) {
    const count = workers ?? Math.min(navigator.hardwareConcurrency, WORKERS_AT_MOST);
    this.#places = places;
    this.#hereMs = hereMs;
    this.#quick = hereMs > 0;
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
    if (this.#quick) void this.#open().catch(() => {});
    else this.#pool.start();
  }

  warm(root: string): void {
    if (this.#warming) return;
    this.#warming = new AbortController();
    void this.#warm(root, this.#warming.signal).catch(() => {});
  }

  close(): void {
    this.#pool.close();
  }

  async #warm(root: string, signal: AbortSignal): Promise<void> {
    const job: SearchJob = { kind: "grep", query: warmQuery(root) };
    const here = this.#quick ? await this.#open() : undefined;
    await later(WARM_AFTER_MS);
    if (signal.aborted) return;
    if (here) {
      const walked = await lookAt(
        here.begin({ kind: "walk", query: { root } }),
        MANY_FILES,
        signal,
      );
      if (walked) return void await lookAt(here.begin(job), FILES_TRIED, signal);
      if (signal.aborted) return;
      this.#quick = false;
    }
    await this.#pool.run(job, signal);
  }

  async #run(
    job: SearchJob,
    signal: AbortSignal,
    onPaths: (paths: string) => void = () => {},
  ): Promise<GlobFound | GrepFound | undefined> {
    signal.throwIfAborted();
    this.#warming?.abort();
    const search = this.#quick ? (await this.#open()).begin(job) : undefined;
    if (!search) return await this.#inWorkers(job, signal, onPaths);
    try {
      signal.throwIfAborted();
      await this.#whileShort(search, job, signal);
      if (search.complete) {
        for (const paths of search.takeFound()) onPaths(paths);
        if (search.files > MANY_FILES) this.#goOnInWorkers(job.query.root);
        return search.result();
      }
      this.#quick = false;
      const found = job.kind === "walk" ? undefined : await this.#withOthers(search, signal);
      if (search.files > MANY_FILES) this.#goOnInWorkers(job.query.root);
      return found ?? await this.#inWorkers(job, signal, onPaths);
    } finally {
      search.end();
    }
  }

  /** Goes on with a search in this thread until a worker is there for the rest. */
  async #whileShort(search: SearchHere, job: SearchJob, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    let up = false;
    let called: Promise<void> | undefined;
    while (!search.slice() && !up) {
      await pause();
      signal.throwIfAborted();
      this.#mustBeOpen();
      const ms = performance.now() - began;
      // what a walk has found cannot be shared out
      if (job.kind === "walk" && ms > this.#hereMs) return;
      if (ms < this.#hereMs * (search.files > FEW_FILES ? 1 : TIMES)) continue;
      called ??= this.#pool.ready().then((ready) => void (up = ready));
    }
  }

  /** Shares out what is left of a search; undefined when it must be made anew. */
  async #withOthers(
    search: SearchHere,
    signal: AbortSignal,
  ): Promise<GlobFound | GrepFound | undefined> {
    const parts: PartFound[] = [];
    const fill = async (list: WorkList) => {
      while (!list.stopped && !search.deal(list)) await pause();
    };
    for (;;) {
      const shares = await this.#pool.run(search.rest, signal, { fill });
      this.#mustBeOpen();
      if (shares === "crashed" || search.refused) return undefined;
      parts.push(...shares.parts);
      if (search.complete || shares.stopped) return search.result(parts, shares.stopped);
    }
  }

  /** The next search in this folder shall find workers that know it. */
  #goOnInWorkers(root: string): void {
    this.#quick = false;
    this.#here = undefined;
    this.#warming = new AbortController();
    void this.#warm(root, this.#warming.signal).catch(() => {});
  }

  async #inWorkers(
    job: SearchJob,
    signal: AbortSignal,
    onPaths: (paths: string) => void,
  ): Promise<GlobFound | GrepFound | undefined> {
    let handedOn = false;
    const shares = await this.#pool.run(job, signal, {
      onPaths(paths) {
        handedOn = true;
        onPaths(paths);
      },
    });
    this.#mustBeOpen();
    if (shares === "crashed" && handedOn) throw new Error("Cannot walk: a search worker crashed");
    if (shares !== "crashed") {
      return mergeFound(job, shares.parts, shares.report, shares.stopped);
    }
    const search = (await this.#open()).beginAlone(job);
    for (let ended = false; !ended;) {
      ended = search.slice();
      for (const paths of search.takeFound()) onPaths(paths);
      if (!ended) await pause();
      signal.throwIfAborted();
    }
    return search.result();
  }

  #open(): Promise<SearchesHere> {
    return this.#here ??= import("./here.ts").then(({ SearchesHere }) =>
      new SearchesHere(this.#places)
    );
  }

  #mustBeOpen(): void {
    if (this.#pool.closed) throw new Error("Cannot search: the searcher is closed");
  }
}

/** Lets others have their turn; setTimeout would take 2 ms each time, and 8 more at its first use. */
function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Keeps no process running. */
function later(ms: number): Promise<unknown> {
  return new Promise((resolve) => AbortSignal.timeout(ms).addEventListener("abort", resolve));
}

/** Goes on with a search, of so many files at most, until it is aborted; true when it has ended. */
async function lookAt(
  search: SearchHere | undefined,
  files: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = () => search?.end();
  // the search that this is for takes over what it has used
  signal.addEventListener("abort", end, { once: true });
  while (search && !signal.aborted && !search.slice(WARM_SLICE_MS) && search.files <= files) {
    await pause();
  }
  end();
  return search?.ended ?? false;
}

function warmQuery(root: string): GrepQuery {
  return {
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
}

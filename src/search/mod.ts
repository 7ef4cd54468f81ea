import { PatternError } from "./pattern.ts";
import type {
  GlobFound,
  GlobQuery,
  GrepFound,
  GrepQuery,
  SearchJob,
  SearchReply,
  SearchRequest,
} from "./types.ts";

const START_MS = 5000;
const SLICE_MS = 15;
/** How long a worker may take to notice that its search is no longer wanted. */
const CANCEL_MS = 50;
const STARTS_AT_MOST = 3;

/** Looks for files and text. Searches run one after another in a worker thread kept warm. */
export interface Searcher {
  /** Rejects with `signal.reason` when aborted. */
  glob(query: GlobQuery, signal: AbortSignal): Promise<GlobFound>;
  /** Rejects with PatternError for a bad regular expression, `signal.reason` when aborted. */
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepFound>;
  /** Ends the worker; searches under way are rejected. */
  close(): void;
}

/**
 * Makes a Searcher. `entry` is the module a worker starts with: it must call `start` of
 * `search_worker.ts` when it finds itself in a worker, as main.ts does. Where no worker can be
 * had, or it crashes, the search runs in this thread in short slices.
 */
export function createSearcher(options: { readonly entry?: string } = {}): Searcher {
  return new WorkerSearcher(options.entry ?? Deno.mainModule);
}

/** A job the worker has not answered yet. */
interface Waiting {
  /** 1 when nobody waits for the answer any more. */
  readonly cancel: Int32Array<SharedArrayBuffer>;
  settle(reply: SearchReply | "crashed"): void;
}

interface Running {
  readonly thread: Worker;
  /** False when the worker could not start. */
  readonly ready: Promise<boolean>;
  end(): void;
}

class WorkerSearcher implements Searcher {
  readonly #entry: string;
  #worker: Running | undefined;
  #starts = 0;
  #closed = false;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(entry: string) {
    this.#entry = entry;
  }

  async glob(query: GlobQuery, signal: AbortSignal): Promise<GlobFound> {
    return await this.#run({ kind: "glob", query }, signal) as GlobFound;
  }

  async grep(query: GrepQuery, signal: AbortSignal): Promise<GrepFound> {
    return await this.#run({ kind: "grep", query }, signal) as GrepFound;
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  async #run(job: SearchJob, signal: AbortSignal): Promise<GlobFound | GrepFound> {
    signal.throwIfAborted();
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    const onAbort = () => {
      Atomics.store(cancel, 0, 1);
      aborted.reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([this.#search(job, cancel), aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #search(
    job: SearchJob,
    cancel: Int32Array<SharedArrayBuffer>,
  ): Promise<GlobFound | GrepFound> {
    const thread = await this.#thread();
    const reply = thread ? await this.#ask(thread, job, cancel) : "crashed";
    if (this.#closed) throw new Error("Cannot search: the searcher is closed");
    if (reply === "crashed") return await searchHere(job, () => Atomics.load(cancel, 0) === 1);
    if ("found" in reply) return reply.found;
    if ("pattern" in reply) throw new PatternError(reply.pattern);
    throw new Error("failed" in reply ? reply.failed : "Cannot search: unexpected reply");
  }

  /** The worker, when it can be had and is not stuck in a search nobody waits for. */
  async #thread(): Promise<Worker | undefined> {
    if (this.#stuck()) {
      await new Promise((resolve) => setTimeout(resolve, CANCEL_MS));
      if (this.#stuck()) {
        // V8 frees the old thread at that search's deadline
        this.#drop();
        this.#starts--;
      }
    }
    const worker = this.#start();
    return worker && await worker.ready ? worker.thread : undefined;
  }

  #stuck(): boolean {
    return [...this.#waiting.values()].some((each) => Atomics.load(each.cancel, 0) === 1);
  }

  #start(): Running | undefined {
    if (this.#worker || this.#closed || this.#starts >= STARTS_AT_MOST) return this.#worker;
    this.#starts++;
    if (!mayLoad(this.#entry)) return undefined;
    let thread: Worker;
    try {
      thread = new Worker(this.#entry, { type: "module" });
    } catch {
      return undefined;
    }
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const end = () => {
      clearTimeout(timer);
      resolve(false);
      thread.terminate();
      if (this.#worker === worker) this.#drop();
    };
    const timer = setTimeout(end, START_MS);
    const worker: Running = { thread, ready, end };
    thread.onmessage = (event: MessageEvent<SearchReply>) => {
      if ("ready" in event.data) {
        clearTimeout(timer);
        resolve(true);
      } else {
        this.#waiting.get(event.data.id)?.settle(event.data);
      }
    };
    thread.onerror = (event) => {
      event.preventDefault();
      end();
    };
    this.#worker = worker;
    return worker;
  }

  /** Ends the worker; what it has not answered counts as crashed. */
  #drop(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.end();
    for (const each of [...this.#waiting.values()]) each.settle("crashed");
  }

  #ask(
    thread: Worker,
    job: SearchJob,
    cancel: Int32Array<SharedArrayBuffer>,
  ): Promise<SearchReply | "crashed"> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const settle = (reply: SearchReply | "crashed") => {
        this.#waiting.delete(id);
        resolve(reply);
      };
      this.#waiting.set(id, { cancel, settle });
      const request: SearchRequest = { id, job, cancel: cancel.buffer };
      thread.postMessage(request);
    });
  }
}

/** A worker that may not read its own module would complain past us on stderr. */
function mayLoad(entry: string): boolean {
  if (!entry.startsWith("file:")) return true;
  return Deno.permissions.querySync({ name: "read", path: new URL(entry) }).state === "granted";
}

/** Searches in this thread, letting others have a turn every few milliseconds. */
async function searchHere(
  job: SearchJob,
  aborted: () => boolean,
): Promise<GlobFound | GrepFound> {
  const { startSearch } = await import("./engine.ts");
  const search = startSearch(job, aborted);
  while (search.step(SLICE_MS)) await new Promise((resolve) => setTimeout(resolve));
  return search.result();
}

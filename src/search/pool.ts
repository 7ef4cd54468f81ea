import type { GitPlaces } from "./walk/git_settings.ts";
import type { PartFound } from "./found.ts";
import { PatternError } from "./regex/syntax.ts";
import type { SearchJob, SearchRequest, Stopped, WalkReport } from "./types.ts";
import type { WorkerReply } from "./worker.ts";
import { WorkList, workListMemory } from "./work_list.ts";

const START_MS = 5000;
/** A worker more takes 12 ms of this thread and 12 MB: it comes when a search with one takes long. */
const MORE_MS = 30;
/** A search that took so long is worth another worker before the next one. */
const LONG_MS = 12;
const STARTS_AT_MOST = 3;
/** How long beyond a job's deadline a worker may take to notice it. */
const GRACE_MS = 1500;
/** How long a search waits for the worker of an aborted one before it takes new workers. */
const PATIENCE_MS = 50;

const NOTHING_WALKED: WalkReport = {
  unreadable: [],
  unnameable: 0,
  dependencies: 0,
  rootIgnored: false,
};

/** What the workers made of a job, each its share. */
export interface Shares {
  readonly parts: readonly PartFound[];
  readonly report: WalkReport;
  readonly stopped: Stopped;
}

/** How a job runs. */
export interface RunOptions {
  readonly onPaths?: (paths: string) => void;
  /** Puts the files into the list in place of a worker. */
  readonly fill?: (list: WorkList) => Promise<void>;
}

interface Running {
  readonly thread: Worker;
  /** False when the worker could not start. */
  readonly ready: Promise<boolean>;
  end(): void;
}

/** A job that some worker has not answered yet. */
interface Open {
  readonly list: WorkList;
  readonly memory: SharedArrayBuffer;
  readonly parts: PartFound[];
  readonly onPaths: (paths: string) => void;
  report: WalkReport | undefined;
  /** Entries of the list that are in `parts`. */
  taken: number;
  asked: number;
  answered: number;
  settled: boolean;
  aborted: boolean;
  /** When all who were asked have answered. */
  readonly done: PromiseWithResolvers<void>;
  /** Lets a further worker take part as soon as it is up. */
  share(worker: Running): void;
  settle(shares: Shares | "crashed" | Error): void;
}

/** A few workers that share each job. They start with the first job, or when told to. */
export class Pool {
  readonly #entry: string;
  readonly #size: number;
  readonly #places: GitPlaces;
  #workers: Running[] = [];
  #starts = 0;
  #closed = false;
  #lastId = 0;
  readonly #open = new Map<number, Open>();
  /** Memory of finished jobs. */
  readonly #spare: SharedArrayBuffer[] = [];

  /** `entry` is the module a worker starts with. */
  constructor(entry: string, size: number, places: GitPlaces) {
    this.#entry = entry;
    this.#size = size;
    this.#places = places;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Resolves when a worker is up; to false when none can be had. */
  async ready(): Promise<boolean> {
    this.start();
    return await this.#workers[0]?.ready ?? false;
  }

  /** Starts a worker unless one runs, or they have crashed too often. */
  start(): void {
    if (this.#workers.length > 0 || this.#closed || this.#starts >= STARTS_AT_MOST) return;
    this.#starts++;
    if (!mayLoad(this.#entry)) return;
    const first = this.#spawn();
    if (!first) return;
    this.#workers.push(first);
  }

  /** Starts the other workers one after another: each takes this thread some 15 ms. */
  #startMore(): void {
    const { length } = this.#workers;
    if (length === 0 || length >= this.#size || this.#closed) return;
    const worker = this.#spawn();
    if (!worker) return;
    this.#workers.push(worker);
    for (const open of this.#open.values()) open.share(worker);
    setTimeout(() => this.#startMore());
  }

  /** Ends the workers; what they have not answered counts as crashed. */
  close(): void {
    this.#closed = true;
    this.#drop();
  }

  /**
   * Runs a job, handing on the paths of a walk as they come. With `fill` its files are those that
   * `fill` puts into the list. `crashed`: there is no worker, or one broke. Rejects with
   * PatternError, or `signal.reason` when aborted.
   */
  async run(
    job: SearchJob,
    signal: AbortSignal,
    { onPaths = () => {}, fill }: RunOptions = {},
  ): Promise<Shares | "crashed"> {
    await this.#leaveStuck();
    this.start();
    const [first, ...others] = this.#workers;
    if (!first || !await untilAbort(first.ready, signal)) return "crashed";
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Shares | "crashed">();
    const id = ++this.#lastId;
    const memory = this.#spare.pop() ?? workListMemory();
    const list = new WorkList(memory);
    list.reset();
    const ask = (worker: Running, fills: boolean) => {
      const request: SearchRequest = { id, job, places: this.#places, memory, fills };
      open.asked++;
      worker.thread.postMessage(request);
    };
    const open: Open = {
      list,
      memory,
      parts: [],
      onPaths,
      report: undefined,
      taken: 0,
      asked: 0,
      answered: 0,
      settled: false,
      aborted: false,
      done: Promise.withResolvers(),
      share(worker) {
        if (job.kind === "walk") return;
        worker.ready.then((ok) => {
          if (ok && !open.settled) ask(worker, false);
        });
      },
      settle(result) {
        open.settled = true;
        if (result instanceof Error) reject(result);
        else resolve(result);
      },
    };
    this.#open.set(id, open);
    const onAbort = () => {
      list.stop("aborted");
      open.settled = open.aborted = true;
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    // a worker that hangs in a system call notices no deadline
    const backstop = "deadlineMs" in job.query
      ? setTimeout(() => this.#giveUp(open), job.query.deadlineMs + GRACE_MS)
      : undefined;
    const began = performance.now();
    ask(first, fill === undefined);
    for (const other of others) open.share(other);
    const more = setTimeout(() => this.#startMore(), MORE_MS);
    if (fill) {
      open.report = NOTHING_WALKED;
      void fill(list).then(() => list.end(), (error) => {
        list.stop("aborted");
        open.settle(error);
      });
    }
    try {
      const shares = await promise;
      if (performance.now() - began > LONG_MS) setTimeout(() => this.#startMore());
      return shares;
    } finally {
      clearTimeout(more);
      clearTimeout(backstop);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #spawn(): Running | undefined {
    let thread: Worker;
    try {
      thread = new Worker(this.#entry, { type: "module" });
    } catch {
      return undefined;
    }
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const crash = () => {
      worker.end();
      if (this.#workers.includes(worker)) this.#drop();
    };
    const timer = setTimeout(crash, START_MS);
    const worker: Running = {
      thread,
      ready,
      end() {
        clearTimeout(timer);
        resolve(false);
        thread.terminate();
      },
    };
    thread.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      if ("ready" in data) {
        clearTimeout(timer);
        resolve(true);
      } else {
        this.#hear(data);
      }
    };
    thread.onerror = (event) => {
      event.preventDefault();
      crash();
    };
    return worker;
  }

  #hear(reply: Exclude<WorkerReply, { ready: true }>): void {
    const open = this.#open.get(reply.id);
    if (!open) return;
    if ("paths" in reply) {
      if (!open.settled) open.onPaths(reply.paths);
      return;
    }
    open.answered++;
    if ("found" in reply) {
      open.parts.push(reply.found);
      open.taken += reply.taken;
      open.report ??= reply.report;
    } else if (!open.settled) {
      open.list.stop("aborted");
      open.settle(errorOf(reply));
    }
    const { stopped, offered, joined } = open.list;
    const complete = stopped ? open.answered >= joined : open.taken === offered;
    if (open.report && complete && !open.settled) {
      open.settle({ parts: open.parts, report: open.report, stopped });
    }
    if (open.answered < open.asked) return;
    this.#open.delete(reply.id);
    open.done.resolve();
    if (open.settled) this.#spare.push(open.memory);
  }

  /** V8 may hold the workers of an aborted job for up to a second: they are left behind. */
  async #leaveStuck(): Promise<void> {
    const aborted = [...this.#open.values()].filter((open) => open.aborted);
    if (aborted.length === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise((resolve) => timer = setTimeout(resolve, PATIENCE_MS));
    await Promise.race([patience, Promise.all(aborted.map((open) => open.done.promise))]);
    clearTimeout(timer);
    const open = [...this.#open.values()];
    // others that are still under way keep their workers
    if (!open.some((each) => each.aborted) || !open.every((each) => each.settled)) return;
    this.#starts--;
    this.#drop();
  }

  /** Answers with what there is and starts anew with the next job. */
  #giveUp(open: Open): void {
    const { parts } = open;
    const report = open.report ?? NOTHING_WALKED;
    open.settle({ parts, report, stopped: "deadline" });
    this.#starts--;
    this.#drop();
  }

  #drop(): void {
    const workers = this.#workers;
    this.#workers = [];
    for (const worker of workers) worker.end();
    for (const open of this.#open.values()) {
      open.list.stop("aborted");
      if (!open.settled) open.settle("crashed");
    }
    this.#open.clear();
  }
}

/** Rejects with `signal.reason` when that comes first. */
async function untilAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function errorOf(reply: Extract<WorkerReply, { bad: unknown } | { failed: string }>): Error {
  if ("failed" in reply) return new Error(reply.failed);
  const { reason, pattern, at, found } = reply.bad;
  return new PatternError(reason, pattern, at, found);
}

/** A worker that may not read its own module would complain past us on stderr. */
export function mayLoad(entry: string): boolean {
  if (!entry.startsWith("file:")) return true;
  return Deno.permissions.querySync({ name: "read", path: new URL(entry) }).state === "granted";
}

/** Runs one shell command to its end, to a timeout or to a stop. */
import type { Output } from "./output.ts";
import { type Running, startCommand, type StartOptions } from "./start.ts";
import { type Wait, Watchdog, within } from "../../base/watchdog.ts";

export interface RunOptions extends StartOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The last lines so far, at most every 100 ms. */
  onProgress?(text: string): void;
  /** The process group of the command, as soon as it runs. */
  onStart?(pid: number): void;
  /** Shared by commands: an alarm of its own for each would be left to ring. */
  readonly watchdog?: Watchdog;
}

export interface RunResult {
  readonly pid: number;
  readonly output: Output;
  /** Null when a signal ended it, or it was stopped before it ended. */
  readonly exit: number | null;
  readonly signal: string | undefined;
  readonly stopped: "timeout" | "abort" | undefined;
  readonly ms: number;
  /** Folder in which the command ended; undefined when it did not say. */
  readonly cwd: string | undefined;
  /** Set when something the command started lives on; whoever asked either keeps or releases it. */
  readonly left: Running | undefined;
  /** Resolves when nothing of a stopped command is left. */
  readonly gone: Promise<void>;
}

const PROGRESS_MS = 100;
const PROGRESS_LINES = 5;
/** What a command that runs longer has written is on disk, should narnat be killed. */
const EARLY_MS = 1000;
/** How long to go on reading after the command itself has ended. */
const DRAIN_MS = 250;
const GRACE_MS = { timeout: 1000, abort: 300 };
/** How long a stopped command's last words are waited for. */
const LAST_WORDS_MS = 20;

/**
 * Runs `command` as `startCommand` does. On timeout and on abort the whole tree is stopped, also
 * what left the group; an abort is answered at once, `gone` tells when the tree has ended. A
 * background process delays the answer by no more than 250 ms. Throws when no shell can be started.
 */
export async function runCommand(options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const running = startCommand(options);
  options.onStart?.(running.pid);
  const { watchdog = new Watchdog() } = options;
  const progress = new Progress(running, options.onProgress, watchdog);
  running.onOutput = () => progress.changed();
  const early = watchdog.begin(EARLY_MS, () => running.output.writeEarly());
  const { stopped, status, gone } = await waitOrStop(running, options, watchdog);
  const finished = await within(running.drained, stopped ? LAST_WORDS_MS : DRAIN_MS, watchdog);
  early.end();
  progress.stop();
  running.onOutput = undefined;
  const left = !stopped && !finished;
  running.settle();
  if (stopped && !finished) await running.release();
  if (left) running.output.keepFile();
  const output = left ? running.output.take() : running.output.finish();
  return {
    pid: running.pid,
    output,
    exit: status && !status.signal ? status.code : null,
    signal: status?.signal ?? undefined,
    stopped,
    ms: performance.now() - started,
    cwd: running.folder(),
    left: left ? running : undefined,
    gone,
  };
}

interface Ending {
  readonly stopped: "timeout" | "abort" | undefined;
  readonly status: Deno.CommandStatus | undefined;
  readonly gone: Promise<void>;
}

async function waitOrStop(
  running: Running,
  options: RunOptions,
  watchdog: Watchdog,
): Promise<Ending> {
  const { promise: stop, resolve } = Promise.withResolvers<"timeout" | "abort">();
  const onAbort = () => resolve("abort");
  const wait = watchdog.begin(options.timeoutMs, () => resolve("timeout"));
  options.signal.addEventListener("abort", onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    const ended = await Promise.race([stop, running.status]);
    if (typeof ended !== "string") {
      return { stopped: undefined, status: ended, gone: Promise.resolve() };
    }
    const gone = Promise.all([running.stop(GRACE_MS[ended]), running.status]).then(() => {});
    if (ended === "abort") return { stopped: ended, status: undefined, gone };
    await gone;
    return { stopped: ended, status: await running.status, gone };
  } finally {
    wait.end();
    options.signal.removeEventListener("abort", onAbort);
  }
}

class Progress {
  readonly #running: Running;
  readonly #tell: ((text: string) => void) | undefined;
  readonly #watchdog: Watchdog;
  #wait: Wait | undefined;
  /** Of what is over at once the end is told, and nothing before it. */
  #last = performance.now();

  constructor(
    running: Running,
    tell: ((text: string) => void) | undefined,
    watchdog: Watchdog,
  ) {
    this.#running = running;
    this.#tell = tell;
    this.#watchdog = watchdog;
  }

  changed(): void {
    if (!this.#tell || this.#wait !== undefined) return;
    const ms = Math.max(0, this.#last + PROGRESS_MS - performance.now());
    this.#wait = this.#watchdog.begin(ms, () => {
      this.#wait = undefined;
      this.#last = performance.now();
      this.#tell?.(this.#running.output.lastLines(PROGRESS_LINES));
    });
  }

  stop(): void {
    this.#wait?.end();
  }
}

/** Runs one shell command: no terminal, bounded output, and nothing left of it when it is stopped. */
import { type Output, OutputKeeper } from "./output.ts";
import { stopTree } from "./stop_tree.ts";

export interface RunOptions {
  readonly command: string;
  /** Existing folder, absolute. */
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: { readonly [name: string]: string };
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Where all of a long output goes; made when needed. */
  readonly outputPath: string;
  /** The last lines so far, at most every 100 ms. */
  onProgress?(text: string): void;
}

export interface RunResult {
  readonly output: Output;
  /** Null when a signal ended it, or it was stopped before it ended. */
  readonly exit: number | null;
  readonly signal: string | undefined;
  readonly stopped: "timeout" | "abort" | undefined;
  readonly ms: number;
  /** Folder in which the command ended; undefined when it did not say. */
  readonly cwd: string | undefined;
  /** A background process still holds the output. */
  readonly leftRunning: boolean;
  /** Resolves when nothing of a stopped command is left. */
  readonly gone: Promise<void>;
}

const FOLDER_MARK = "narnat-folder:";
const PROGRESS_MS = 100;
const PROGRESS_LINES = 5;
/** How long to go on reading after the command itself has ended. */
const DRAIN_MS = 250;
const GRACE_MS = { timeout: 1000, abort: 300 };
/** How long a stopped command's last words are waited for. */
const LAST_WORDS_MS = 20;

/**
 * Runs `command` with bash (or sh) in its own process group and session, stdin empty, stderr in
 * stdout. On timeout and on abort the whole tree is stopped, also what left the group; an abort is
 * answered at once, `gone` tells when the tree has ended. A background process delays the answer by
 * no more than 250 ms. Throws when no shell can be started.
 */
export async function runCommand(options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const mark = crypto.randomUUID();
  const child = spawnShell(options, mark);
  const keeper = new OutputKeeper(options.outputPath);
  const progress = new Progress(keeper, options.onProgress);
  const folder = readAll(child.stderr);
  const reader = child.stdout.getReader();
  const reading = pump(reader, keeper, progress);
  const { stopped, status, gone } = await waitOrStop(child, options, mark);

  const waitMs = stopped ? LAST_WORDS_MS : DRAIN_MS;
  const [finished] = await Promise.all([within(reading, waitMs), within(folder.done, waitMs)]);
  if (!finished) await reader.cancel().catch(() => {});
  await reading;
  folder.cancel();
  progress.stop();
  const [complaint, said] = splitFolder(folder.text());
  if (complaint !== "") await keeper.push(new TextEncoder().encode(complaint));
  return {
    output: await keeper.finish(),
    exit: status && !status.signal ? status.code : null,
    signal: status?.signal ?? undefined,
    stopped,
    ms: performance.now() - started,
    cwd: said,
    leftRunning: !stopped && !finished,
    gone,
  };
}

/** What the shell complained of before it ran anything (a syntax error), and the folder it ended in. */
function splitFolder(text: string): [string, string | undefined] {
  const at = text.lastIndexOf(FOLDER_MARK);
  if (at < 0) return [text, undefined];
  return [text.slice(0, at), text.slice(at + FOLDER_MARK.length).replace(/\n$/, "") || undefined];
}

interface Ending {
  readonly stopped: "timeout" | "abort" | undefined;
  readonly status: Deno.CommandStatus | undefined;
  readonly gone: Promise<void>;
}

async function waitOrStop(
  child: Deno.ChildProcess,
  options: RunOptions,
  mark: string,
): Promise<Ending> {
  const { promise: stop, resolve } = Promise.withResolvers<"timeout" | "abort">();
  const onAbort = () => resolve("abort");
  const timer = setTimeout(() => resolve("timeout"), options.timeoutMs);
  options.signal.addEventListener("abort", onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    const ended = await Promise.race([stop, child.status]);
    if (typeof ended !== "string") {
      return { stopped: undefined, status: ended, gone: Promise.resolve() };
    }
    const tree = stopTree(child.pid, mark, GRACE_MS[ended]);
    const gone = Promise.all([tree, child.status]).then(() => {});
    if (ended === "abort") return { stopped: ended, status: undefined, gone };
    await gone;
    return { stopped: ended, status: await child.status, gone };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", onAbort);
  }
}

function spawnShell(options: RunOptions, mark: string): Deno.ChildProcess {
  const env = { ...options.env, NARNAT_JOB: mark };
  const start = (program: string, args: string[]) =>
    new Deno.Command(program, {
      args,
      cwd: options.cwd,
      env,
      clearEnv: true,
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  if (Deno.build.os === "windows") {
    return start("powershell", ["-NoProfile", "-NonInteractive", "-Command", options.command]);
  }
  const shells = [["bash", 199], ["/bin/bash", 199], ["sh", 9], ["/bin/sh", 9]] as const;
  for (const [program, fd] of shells) {
    // The real stderr carries the last working folder; the command's own goes to stdout.
    const say = `{ printf ${FOLDER_MARK}; pwd -P; } >&${fd} 2>/dev/null`;
    const prefix = `exec ${fd}>&2 2>&1; trap '${say}' EXIT; `;
    try {
      return start(program, ["-c", prefix + options.command]);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Deno.errors.NotFound("neither bash nor sh was found");
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  keeper: OutputKeeper,
  progress: Progress,
): Promise<void> {
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    await keeper.push(value);
    progress.changed();
  }
}

/** Reads a short stream; `cancel` gives up on it. */
function readAll(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const done = (async () => {
    while (true) {
      const chunk = await reader.read();
      if (chunk.done) return;
      text = (text + decoder.decode(chunk.value, { stream: true })).slice(-8192);
    }
  })();
  return {
    done,
    text: () => text,
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

/** Whether `work` ends within `ms`. */
async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), ms));
  const ended = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

class Progress {
  readonly #keeper: OutputKeeper;
  readonly #tell: ((text: string) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;

  constructor(keeper: OutputKeeper, tell: ((text: string) => void) | undefined) {
    this.#keeper = keeper;
    this.#tell = tell;
  }

  changed(): void {
    if (!this.#tell || this.#timer !== undefined) return;
    const wait = Math.max(0, this.#last + PROGRESS_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#last = performance.now();
      this.#tell?.(this.#keeper.lastLines(PROGRESS_LINES));
    }, wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Starts one shell command (no terminal, its own process group, bounded output, a mark to find it
 * by), and runs it to its end, to a timeout or to a stop.
 */
import { dirname } from "../../base/path.ts";
import type { StreamRedactor } from "../../base/types.ts";
import { type Wait, Watchdog, within } from "../../base/watchdog.ts";
import { feed, inOwnGroup, MARK_NAME, stopTree } from "./stop_tree.ts";
import { type Output, OutputKeeper, Pipe } from "./output.ts";
import type { Box } from "./sandbox.ts";

export interface StartOptions {
  readonly command: string;
  /** Existing folder, absolute. */
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: { readonly [name: string]: string };
  /** Where all of a long output goes; made when needed. */
  readonly outputPath: string;
  /** Characters of the output that are shown at most; as many as ever when left out. */
  readonly outputChars?: number | undefined;
  /** What its processes are found by; no other command has it. */
  readonly mark: string;
  /** Made for each command; what the command writes to `outputPath` itself is not hidden there. */
  readonly redactor?: (() => StreamRedactor<Uint8Array, readonly Uint8Array[]>) | undefined;
  /** Writes to `outputPath` itself, so that it can outlive narnat. */
  readonly direct?: boolean;
  /** Bash is started in it, and no other shell. */
  readonly box?: Box | undefined;
}

/** A command that has been started. */
export interface Running {
  readonly pid: number;
  readonly mark: string;
  readonly output: OutputKeeper;
  /** Resolves when the shell itself has ended. */
  readonly status: Promise<Deno.CommandStatus>;
  /** Resolves when the shell has ended and nobody holds its output any more; rejects on a bug of ours. */
  readonly drained: Promise<void>;
  /** Called after each piece of output; a promise it returns holds the command up. */
  onOutput: ((chunk: Uint8Array) => Promise<void> | void) | undefined;
  /** Folder in which the shell ended; undefined when it did not say. */
  folder(): string | undefined;
  /** Ends the whole tree: SIGTERM, after `graceMs` SIGKILL. Resolves when nothing is left. */
  stop(graceMs: number): Promise<void>;
  /** What is held back because more may follow counts as it stands. */
  settle(): void;
  /** Stops reading what processes that are left may still write. */
  release(): Promise<void>;
}

const FOLDER_MARK = "narnat-folder:";
/** What the shell runs, and the text that this then runs; neither reaches the command's own processes. */
const SETUP_NAME = "NARNAT_SETUP";
const COMMAND_NAME = "NARNAT_COMMAND";
/** How often a file that the command writes itself is looked at. */
const FOLLOW_MS = 200;

/**
 * Starts `command` with bash (or sh; on Windows PowerShell or cmd), stdin empty, stderr in stdout.
 * Throws when no shell can be started.
 */
export function startCommand(options: StartOptions): Running {
  if (options.direct) createFile(options.outputPath);
  const child = spawnShell(options);
  const output = new OutputKeeper(options.outputPath, options.direct, options.outputChars);
  let saying = "";
  const words = new TextDecoder();
  const redactor = options.redactor?.();
  const take = async (chunk: Uint8Array) => {
    for (const told of redactor?.push(chunk) ?? [chunk]) output.push(told);
    await running.onOutput?.(chunk);
  };
  const settle = () => {
    for (const told of redactor?.end() ?? []) output.push(told);
  };
  const stdout = new Pipe(child.stdout, take);
  // On Windows it is the command's own; elsewhere it carries the shell's complaints and its last folder.
  const stderr = new Pipe(
    child.stderr,
    Deno.build.os === "windows"
      ? take
      : (chunk) => void (saying = (saying + words.decode(chunk, { stream: true })).slice(-8192)),
  );
  const follower = options.direct ? new Follower(options.outputPath, take) : undefined;
  const running: Running = {
    pid: child.pid,
    mark: options.mark,
    output,
    status: child.status,
    drained: Promise.all([child.status, stdout.ended, stderr.ended])
      .then(() => follower?.finish())
      .then(() => {
        // A shell that could not set up says so on its own stderr.
        const complaint = splitFolder(saying)[0];
        if (complaint !== "") return take(new TextEncoder().encode(complaint));
      })
      .then(settle),
    settle,
    onOutput: undefined,
    folder: () => splitFolder(saying)[1],
    stop: (graceMs) => stopTree(child.pid, options.mark, graceMs),
    async release() {
      follower?.stop();
      await Promise.all([stdout.cancel(), stderr.cancel()]);
    },
  };
  // Whoever waits for it hears of a failure; until then it is nobody's unhandled one.
  running.drained.catch(() => {});
  return running;
}

function splitFolder(text: string): [string, string | undefined] {
  const at = text.lastIndexOf(FOLDER_MARK);
  if (at < 0) return [text, undefined];
  return [text.slice(0, at), text.slice(at + FOLDER_MARK.length).replace(/\n$/, "") || undefined];
}

interface Shell {
  readonly program: string;
  readonly args: string[];
  readonly env?: { readonly [name: string]: string };
  readonly input?: Uint8Array<ArrayBuffer> | undefined;
}

/** Shells to try in turn. */
function shells(options: StartOptions): Shell[] {
  const { command } = options;
  if (Deno.build.os === "windows") {
    const args = ["-NoProfile", "-NonInteractive", "-Command", command];
    const cmd = ["/d", "/s", "/c", `"${command}"`];
    return [
      { program: "pwsh", args },
      { program: "powershell", args },
      { program: "cmd", args: cmd },
    ];
  }
  // The command is not among the arguments: `pkill -f` of what it starts must not find its shell.
  const args = ["-c", `eval "$${SETUP_NAME}"`];
  const envWith = (fd: number) => ({ [SETUP_NAME]: setup(options, fd), [COMMAND_NAME]: command });
  if (options.box) {
    const box = options.box(["bash", ...args]);
    return [{ ...box, args: [...box.args], env: envWith(199) }];
  }
  const candidates = [["bash", 199], ["/bin/bash", 199], ["sh", 9], ["/bin/sh", 9]] as const;
  return candidates.map(([program, fd]) => ({
    program,
    args,
    env: envWith(fd),
  }));
}

/**
 * Shell text that evaluates the command on its own, so that a syntax error in it is only its own.
 * The real stderr, as `fd`, carries the last working folder; the command's stderr goes to stdout.
 */
function setup({ direct, outputPath }: StartOptions, fd: number): string {
  const out = direct ? `>>'${outputPath.replaceAll("'", "'\\''")}'` : "";
  return [
    `exec ${fd}>&2 ${out} 2>&1`,
    `trap '{ printf ${FOLDER_MARK}; pwd -P; } >&${fd} 2>/dev/null' EXIT`,
    `_narnat=$${COMMAND_NAME}`,
    `unset ${SETUP_NAME} ${COMMAND_NAME}`,
    `eval "$_narnat"`,
  ].join("; ");
}

function createFile(path: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
}

function spawnShell(options: StartOptions): Deno.ChildProcess {
  for (const { program, args, env, input } of shells(options)) {
    try {
      const child = inOwnGroup(program, {
        args,
        cwd: options.cwd,
        env: { ...options.env, ...env, [MARK_NAME]: options.mark },
        clearEnv: true,
        // cmd does not read quotes as other programs do.
        windowsRawArguments: program === "cmd",
        stdin: input ? "piped" : "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      if (input) void feed(child.stdin, input);
      return child;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Deno.errors.NotFound("no shell was found");
}

/** Reads what is appended to a file. */
class Follower {
  readonly #path: string;
  readonly #take: (chunk: Uint8Array) => Promise<void>;
  readonly #timer: ReturnType<typeof setInterval>;
  #at = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(path: string, take: (chunk: Uint8Array) => Promise<void>) {
    this.#path = path;
    this.#take = take;
    this.#timer = setInterval(() => this.#work = this.#work.then(() => this.#look()), FOLLOW_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async finish(): Promise<void> {
    this.stop();
    await this.#work;
    await this.#look();
  }

  async #look(): Promise<void> {
    try {
      using file = await Deno.open(this.#path);
      await file.seek(this.#at, Deno.SeekMode.Start);
      const buffer = new Uint8Array(64 * 1024);
      for (let read = await file.read(buffer); read; read = await file.read(buffer)) {
        this.#at += read;
        await this.#take(buffer.slice(0, read));
      }
    } catch { /* not there yet, or removed */ }
  }
}

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

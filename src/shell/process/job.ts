/** One command in the background: what it writes, how it ends, what it is waited for. */
import type { Output } from "./output.ts";
import { decodeOutput, joinBytes, plainText } from "./plain.ts";
import { within } from "../../base/watchdog.ts";
import type { Running } from "./run.ts";

/** A command in the background. */
export interface Job {
  /** 1, 2, 3… */
  readonly id: string;
  /** From its command, unique: `deno-task-dev`, `deno-task-dev-2`. */
  readonly name: string;
  readonly command: string;
  readonly pid: number;
  /** What its processes are found by. */
  readonly mark: string;
  readonly cwd: string;
  /** Outlives narnat. */
  readonly kept: boolean;
  /** It was left over by a command that itself has ended. */
  readonly left: boolean;
  /** Full copy of its output; undefined when it could not be written. */
  readonly path: string | undefined;
  readonly state: "running" | "ended" | "killed";
  /** Exit code of the shell; null while it runs, or when a signal ended it. */
  readonly exit: number | null;
  readonly signal: string | undefined;
  /** Milliseconds it has run. */
  readonly ms: number;
  /** Bytes that nobody has read yet. */
  readonly unread: number;
  /** It has written nothing since it began. */
  readonly silent: boolean;
  /** Resolves when nothing writes for it any more. */
  readonly ended: Promise<void>;
  /** What it has written since the last `read`. */
  read(): Output;
  /**
   * Waits for its end, or until `matches` is true of lines (the unfinished one too) among what is
   * unread, at most `ms`. Rejects with the signal's reason or what `matches` throws; the job goes on.
   */
  wait(
    ms: number,
    signal: AbortSignal,
    matches?: (lines: readonly string[]) => boolean,
  ): Promise<"ended" | "matched" | "late">;
  /** Ends its whole tree; resolves when nothing is left. */
  kill(): Promise<void>;
}

const KILL_GRACE_MS = 2000;
/** A job may write this much in PACE_MS; then it waits, so that a flood leaves narnat a processor. */
const PACE_BYTES = 4 * 1024 * 1024;
const PACE_MS = 100;
/** Longest piece of a line that is matched. */
const MAX_MATCHED = 2000;
/** Bytes of unread output that a later wait still looks at. */
const MAX_UNREAD = 64 * 1024;

/** A job over a running command. */
export class BackgroundJob implements Job {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly cwd: string;
  readonly kept: boolean;
  readonly left: boolean;
  readonly #running: Running;
  readonly #began = performance.now();
  readonly ended: Promise<void>;
  readonly #lines = new LineWatch();
  #status: Deno.CommandStatus | undefined;
  #silent = true;
  #over = false;
  #killed = false;
  #endedAt: number | undefined;
  #paceFrom = 0;
  #paceBytes = 0;

  constructor(
    running: Running,
    about: Pick<Job, "id" | "name" | "command" | "cwd" | "kept" | "left">,
  ) {
    this.id = about.id;
    this.name = about.name;
    this.command = about.command;
    this.cwd = about.cwd;
    this.kept = about.kept;
    this.left = about.left;
    this.#running = running;
    running.onOutput = (chunk) => this.#take(chunk);
    void running.status.then((status) => this.#status = status);
    this.ended = running.drained.catch(() => running.stop(KILL_GRACE_MS)).then(() => {
      this.#over = true;
      this.#endedAt = performance.now();
      running.output.close();
    });
  }

  get pid(): number {
    return this.#running.pid;
  }

  get mark(): string {
    return this.#running.mark;
  }

  get path(): string | undefined {
    return this.#running.output.path;
  }

  get state(): Job["state"] {
    return !this.#over ? "running" : this.#killed ? "killed" : "ended";
  }

  get exit(): number | null {
    return this.#status && !this.#status.signal ? this.#status.code : null;
  }

  get signal(): string | undefined {
    return this.#status?.signal ?? undefined;
  }

  get ms(): number {
    return (this.#endedAt ?? performance.now()) - this.#began;
  }

  get unread(): number {
    return this.#running.output.bytes;
  }

  get silent(): boolean {
    return this.#silent;
  }

  read(): Output {
    this.#lines.forget();
    this.#running.settle();
    return this.#running.output.take();
  }

  async wait(
    ms: number,
    signal: AbortSignal,
    matches?: (lines: readonly string[]) => boolean,
  ): Promise<"ended" | "matched" | "late"> {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const matched = matches ? this.#lines.until(matches) : new Promise<void>(() => {});
    try {
      let seen = false;
      const end = Promise.race([matched.then(() => void (seen = true)), this.ended, aborted]);
      const inTime = await within(end, ms);
      return seen ? "matched" : inTime ? "ended" : "late";
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#lines.giveUp();
    }
  }

  async kill(): Promise<void> {
    if (this.#over) return;
    this.#killed = true;
    await this.#running.stop(KILL_GRACE_MS);
    if (!await within(this.ended, 500)) await this.abandon();
    await this.ended;
  }

  /** Waits for it no longer. */
  async abandon(): Promise<void> {
    await this.#running.release();
    this.#running.output.close();
  }

  async #take(chunk: Uint8Array): Promise<void> {
    this.#silent = false;
    this.#lines.push(chunk);
    const now = performance.now();
    if (now - this.#paceFrom > PACE_MS) {
      this.#paceFrom = now;
      this.#paceBytes = 0;
    }
    this.#paceBytes += chunk.length;
    if (this.#paceBytes < PACE_BYTES) return;
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
}

/** Tells when a line among what is unread matches. */
class LineWatch {
  /** What is unread, or its end; while a watch lasts only what has not been looked at. */
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #matches: ((lines: readonly string[]) => boolean) | undefined;
  #watch: PromiseWithResolvers<void> | undefined;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#matches) this.#look();
    else if (this.#bytes > MAX_UNREAD || this.#chunks.length > 100) this.#keep(MAX_UNREAD / 2);
  }

  until(matches: (lines: readonly string[]) => boolean): Promise<void> {
    this.#watch = Promise.withResolvers<void>();
    this.#matches = matches;
    this.#look();
    return this.#watch.promise;
  }

  giveUp(): void {
    this.#matches = undefined;
    this.#watch = undefined;
  }

  forget(): void {
    this.#keep(0);
  }

  #look(): void {
    const bytes = joinBytes(this.#chunks);
    try {
      if (this.#matches?.(plainLines(bytes))) return this.#watch?.resolve();
    } catch (error) {
      return this.#watch?.reject(error);
    }
    this.#keep(Math.min(bytes.length - bytes.lastIndexOf(10) - 1, MAX_MATCHED));
  }

  #keep(bytes: number): void {
    const rest = bytes === 0 ? [] : [joinBytes(this.#chunks).slice(-bytes)];
    this.#chunks = rest;
    this.#bytes = rest[0]?.length ?? 0;
  }
}

function plainLines(bytes: Uint8Array): string[] {
  return decodeOutput(bytes).text.split(/[\r\n]/).map((line) =>
    plainText(line).slice(0, MAX_MATCHED)
  );
}

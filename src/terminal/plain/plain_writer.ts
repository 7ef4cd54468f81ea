import { plain, PlainStream } from "../../base/control_characters.ts";
import { duration } from "../../base/figures.ts";
import type { T } from "../../base/t.ts";
import type { AgentEvent } from "../../base/types.ts";
import { isTerminalGone } from "../device/tty.ts";
import { callText, toolEndRows } from "../transcript/calls.ts";
import { lineOf, type Look, type Row, wrapped } from "../transcript/rows.ts";
import { noticeRows, todoRows } from "../transcript/turn_rows.ts";

type EventOf<V extends AgentEvent["type"]> = Extract<AgentEvent, { type: V }>;

/** The outcome of a call; of a command of the user's own all of its output, which was what it was for. */
export function plainToolEndRows(event: EventOf<"tool_end">, look: Look): Row[] {
  const rows = toolEndRows(event, { text: callText(event.name, null, look), about: "" }, look);
  const { detail } = event;
  if (event.turn === 0 && detail?.kind === "command") {
    const output = plain([detail.output, detail.note].filter(Boolean).join("\n")).trimEnd();
    return [...rows.slice(0, 1), ...output === "" ? [] : [wrapped(output)]];
  }
  const todos = event.ok && detail?.kind === "todos" ? detail.todos : [];
  return [...rows, ...todoRows(todos, look, Infinity)];
}

/** A notice, and of a retry how long it waits. */
export function plainNoticeRows(event: EventOf<"notice">, look: Look): Row[] {
  const rows = noticeRows(event, look);
  if (!event.retryMs) return rows;
  const seconds = Math.ceil(event.retryMs / 1000);
  return [...rows, wrapped(look.t("Retrying in {seconds} s", { seconds }))];
}

/** Who is told of what has been written. */
export interface WriterHost {
  written(): void;
  /** Nobody reads any more. */
  gone(): void;
}

/** Writes lines below one another, and an answer as it comes. */
export class PlainWriter {
  readonly #write: (text: string) => void;
  readonly #host: WriterHost;
  readonly #answer = new PlainStream();
  #atLineStart = true;

  constructor(write: (text: string) => void, host: WriterHost) {
    this.#write = write;
    this.#host = host;
  }

  get atLineStart(): boolean {
    return this.#atLineStart;
  }

  /** A person has ended the line by entering one. */
  entered(): void {
    this.#atLineStart = true;
  }

  answer(delta: string): void {
    this.print(this.#answer.push(delta));
  }

  rows(rows: readonly Row[]): void {
    for (const row of rows) this.line(lineOf(row));
  }

  /** Writes a line of its own. */
  line(text: string): void {
    this.print(this.#answer.end());
    const lead = this.#atLineStart ? "" : "\n";
    this.print(text === "" ? lead : `${lead}${text}\n`);
  }

  /** Ends a line that is open. */
  endLine(): void {
    this.line("");
  }

  print(text: string): void {
    if (text === "") return;
    this.#host.written();
    try {
      this.#write(text);
      this.#atLineStart = text.endsWith("\n");
    } catch (error) {
      this.#host.gone();
      if (!(error instanceof Deno.errors.BrokenPipe || isTerminalGone())) throw error;
    }
  }
}

/** Writes to standard output; throws `Deno.errors.BrokenPipe` when nobody reads any more. */
export function writeStdout(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) {
    try {
      done += Deno.stdout.writeSync(bytes.subarray(done));
    } catch (error) {
      // A serial line that is slow for the moment has not gone away.
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const PROGRESS_CHARS = 100;

/** Says what is being done when nothing has been said for a while. */
export class Silence {
  readonly #t: T;
  readonly #ms: number;
  readonly #tell: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #began = 0;
  #doing = "";
  #progress = "";

  constructor(t: T, ms: number, tell: (text: string) => void) {
    this.#t = t;
    this.#ms = ms;
    this.#tell = tell;
  }

  /** What the running call is. */
  get doing(): string {
    return this.#doing;
  }

  set doing(text: string) {
    this.#doing = text;
    this.#progress = "";
  }

  /** How far the running call says it is. */
  set progress(text: string) {
    this.#progress = plain(text).trimEnd().split("\n").at(-1)!.slice(-PROGRESS_CHARS);
  }

  /** What is timed begins now. */
  begin(): void {
    this.#began = performance.now();
  }

  /** Something has been said; while something is `busy` the next silence begins. */
  broken(busy: boolean): void {
    clearTimeout(this.#timer);
    if (!busy) return;
    this.#timer = setTimeout(() => {
      this.#tell(`… ${this.#whereabouts()}`);
      this.broken(true);
    }, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #whereabouts(): string {
    const what = this.#doing || this.#t("Working");
    const elapsed = duration(performance.now() - this.#began);
    return [what, elapsed, this.#progress].filter((part) => part !== "").join(" · ");
  }
}

import { say } from "../text.ts";
import type { AgentEvent, Usage } from "../types.ts";
import { plain, PlainStream } from "./clean.ts";
import { LANE, SIGNAL_CODES, type TerminalOptions } from "./options.ts";
import { OpenLine, readLines } from "./plain_lines.ts";
import {
  addUsage,
  callText,
  duration,
  errorRows,
  noticeRows,
  todoRows,
  toolEndRows,
  turnEndRows,
  userRows,
} from "./render.ts";
import { lineOf, type Look, type Row } from "./rows.ts";
import { questionRows } from "./question_rows.ts";
import { recapRows } from "./recap.ts";
import { createStyle } from "./style.ts";
import { welcomeRows } from "./welcome.ts";

const YES = /^\s*(y|yes|是|好)\s*$/i;
/** After so much silence a line says what is being done. */
const SILENCE_MS = 20_000;
const PROGRESS_CHARS = 100;

export interface PlainOptions extends TerminalOptions {
  /** Standard input when left out. */
  readonly input?: ReadableStream<Uint8Array>;
  /** Standard output when left out; throws `Deno.errors.BrokenPipe` when nobody reads any more. */
  write?(text: string): void;
  /** A person sits at the input: it is prompted, and a question waits for a line typed after it. */
  readonly interactive?: boolean;
  /** Milliseconds of silence after which a line says what is being done. */
  readonly silenceMs?: number;
}

/**
 * The session line by line, with no redraw and no escape sequence, for pipes, screen readers,
 * serial lines and TERM=dumb. Each input line is one turn, with a backslash at its end it goes on in
 * the next; a person's line typed meanwhile joins the running turn, a script's waits for its end. A
 * question takes one y/N line of a person's, and is No without one; the end of the input ends the
 * session when the last turn has.
 * Resolves as startTerminal does.
 */
export async function startPlain(options: PlainOptions): Promise<number> {
  const session = new PlainSession(options);
  const handlers = Object.entries(SIGNAL_CODES).map(([name, code]) => {
    const signal = name as Deno.Signal;
    const handler = () => session.signal(code);
    return { signal, handler };
  }).filter(({ signal }) => Deno.build.os !== "windows" || signal === "SIGINT");
  for (const { signal, handler } of handlers) Deno.addSignalListener(signal, handler);
  try {
    return await session.run();
  } finally {
    for (const { signal, handler } of handlers) Deno.removeSignalListener(signal, handler);
  }
}

function writeStdout(text: string): void {
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

type Ask = Extract<AgentEvent, { type: "ask" }>;

class PlainSession {
  readonly #options: PlainOptions;
  readonly #look: Look;
  readonly #interactive: boolean;
  readonly #quit = Promise.withResolvers<number>();
  readonly #answer = new PlainStream();
  /** A script's lines, until their turn comes. */
  readonly #lines: string[] = [];
  /** A person's lines that were sent while a turn ran and have not begun. */
  readonly #waiting: string[] = [];
  readonly #open = new OpenLine();
  readonly #questions: Ask[] = [];
  /** Id of the session of which the last exchange has been shown. */
  #session: string | undefined;
  #usage: Usage | undefined;
  #busy = false;
  /** The line that is worked on. */
  #current: string | undefined;
  /** What the running call is, and how far it says it is. */
  #doing = "";
  #progress = "";
  #began = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #copying: Promise<void> = Promise.resolve();
  #stopped = false;
  #inputEnded = false;
  #atLineStart = true;

  constructor(options: PlainOptions) {
    this.#options = options;
    this.#interactive = options.interactive ?? Deno.stdin.isTerminal();
    const { lang, workspace } = options;
    this.#look = { style: createStyle("none"), lang, workspace };
  }

  async run(): Promise<number> {
    const { bus, version, model, lang, firstPrompt, ended } = this.#options;
    const reader = (this.#options.input ?? Deno.stdin.readable).getReader();
    const unsubscribe = bus.subscribe((event) => this.#onEvent(event), LANE);
    const leave = () => this.#quit.resolve(0);
    ended?.addEventListener("abort", leave, { once: true });
    if (ended?.aborted) leave();
    this.#rows(welcomeRows(version, model, this.#look).slice(0, 2));
    if (this.#interactive) this.#line(say(lang, "screen.plain_keys"));
    this.#recap();
    if (firstPrompt !== undefined && firstPrompt.trim() !== "") this.#lines.push(firstPrompt);
    this.#next();
    void this.#read(reader);
    try {
      return await this.#quit.promise;
    } finally {
      unsubscribe();
      clearTimeout(this.#silence);
      ended?.removeEventListener("abort", leave);
      if (!this.#atLineStart) this.#print("\n");
      await reader.cancel().catch(() => {});
    }
  }

  /** SIGINT drops a line that is still open, or stops a running turn; every other signal ends the session. */
  signal(code: number): void {
    const interrupt = code === SIGNAL_CODES.SIGINT;
    if (interrupt && !this.#busy && this.#open.end() !== undefined) return this.#next();
    const stopping = this.#busy && !this.#stopped;
    if (stopping) {
      this.#stopped = true;
      this.#takeBack();
      this.#options.bus.send({ type: "stop", session: LANE });
    }
    if (!stopping || !interrupt) this.#quit.resolve(code);
  }

  // ------------------------------------------------------------- in

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const chunks = async function* () {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    };
    try {
      for await (const line of readLines(chunks())) this.#onLine(line);
    } catch (error) {
      this.#print(`${plain(String(error))}\n`);
    }
    const open = this.#open.end();
    if (open !== undefined) this.#submit(open);
    this.#inputEnded = true;
    this.#settleQuestion();
    this.#next();
  }

  #onLine(line: string): void {
    this.#atLineStart ||= this.#interactive;
    if (this.#interactive && this.#questions.length > 0) return this.#reply(YES.test(line));
    const whole = this.#open.push(line);
    if (whole !== undefined) this.#submit(whole);
    else if (this.#interactive) this.#print("… ");
  }

  #submit(text: string): void {
    if (this.#interactive && this.#busy) {
      if (text.trim() === "") return;
      this.#waiting.push(text);
      this.#options.bus.send({ type: "line", session: LANE, watched: true, text });
      if (this.#waiting.includes(text)) this.#line(`(${say(this.#options.lang, "screen.queued")})`);
      return;
    }
    this.#lines.push(text);
    this.#next();
  }

  /** Sends the next line when nothing runs; at the end of the input, ends. */
  #next(): void {
    if (this.#busy) return;
    while (this.#lines[0]?.trim() === "") this.#lines.shift();
    const text = this.#lines.shift();
    if (text !== undefined) {
      if (!this.#interactive) this.#rows(userRows(text, this.#look));
      this.#begin(text);
      this.#options.bus.send({ type: "line", session: LANE, text });
    } else if (this.#inputEnded) void this.#copying.then(() => this.#quit.resolve(0));
    else if (this.#interactive) this.#print("❯ ");
  }

  #begin(text: string): void {
    if (!this.#busy) this.#began = performance.now();
    this.#busy = true;
    this.#current = text;
    this.#stopped = false;
    this.#hush();
  }

  /** A script's lines were written before the question: they answer none. */
  #settleQuestion(): void {
    const answered = this.#questions[0]?.answered;
    if (answered !== undefined || !this.#interactive || this.#inputEnded) {
      this.#reply(answered === true);
    }
  }

  #reply(value: boolean): void {
    const question = this.#questions.shift();
    if (question === undefined) return;
    const { bus, lang } = this.#options;
    this.#line(`→ ${say(lang, value ? "screen.yes" : "screen.no")}`);
    bus.send({ type: "answer", session: LANE, id: question.id, value });
    this.#askNext();
  }

  #askNext(): void {
    const question = this.#questions[0];
    if (question === undefined) return;
    this.#line("");
    this.#print("\n");
    this.#rows(questionRows(question, this.#look));
    this.#print(say(this.#options.lang, "screen.yes_no") + " ");
    this.#settleQuestion();
  }

  // ------------------------------------------------------------- out

  #onEvent(event: AgentEvent): void {
    const look = this.#look;
    switch (event.type) {
      case "turn_start":
        this.#usage = undefined;
        this.#unqueue(event.text);
        this.#began = performance.now();
        this.#begin(event.text);
        break;
      case "text":
        this.#print(this.#answer.push(event.delta));
        break;
      case "tool_start":
        this.#doing = callText(event.name, event.input, look);
        this.#progress = "";
        this.#line(`● ${this.#doing}`);
        break;
      case "tool_progress":
        this.#progress = plain(event.text).trimEnd().split("\n").at(-1)!.slice(-PROGRESS_CHARS);
        break;
      case "tool_end":
        this.#onToolEnd(event);
        break;
      case "ask":
        this.#questions.push(event);
        if (this.#questions.length === 1) this.#askNext();
        break;
      case "unqueued":
        this.#waiting.splice(this.#waiting.lastIndexOf(event.text), 1);
        break;
      case "notice":
        this.#onNotice(event);
        break;
      case "usage":
        this.#usage = addUsage(this.#usage, event);
        break;
      case "error":
        this.#rows(errorRows(event, look));
        break;
      case "copy":
        this.#copying = this.#copy(event.text);
        break;
      case "compress_start":
        this.#line(say(look.lang, "screen.compressing"));
        break;
      case "compress_end":
        this.#line(say(look.lang, event.ok ? "screen.compressed" : "screen.compress_failed"));
        break;
      case "turn_end":
        this.#onTurnEnd(event);
        break;
    }
  }

  #onToolEnd(event: Extract<AgentEvent, { type: "tool_end" }>): void {
    const look = this.#look;
    this.#doing = this.#progress = "";
    const rows = toolEndRows(event, { text: callText(event.name, null, look), about: "" }, look);
    const { detail } = event;
    // A command of the user's own: all of its output is what was asked for.
    if (event.turn === 0 && detail?.kind === "command") {
      this.#rows(rows.slice(0, 1));
      const output = plain(detail.output ?? "").trimEnd();
      if (output !== "") this.#line(output);
      return;
    }
    this.#rows(rows);
    if (event.ok && detail?.kind === "todos") this.#rows(todoRows(detail.todos, look, Infinity));
  }

  #onNotice(event: Extract<AgentEvent, { type: "notice" }>): void {
    const { lang } = this.#look;
    if (event.joined !== undefined) this.#unqueue(event.joined);
    if (event.retryMs !== undefined && !this.#atLineStart) {
      this.#line("");
      this.#line(say(lang, "screen.void"));
    }
    this.#rows(noticeRows(event, this.#look));
    if (event.retryMs !== undefined) {
      this.#line(say(lang, "screen.retry_in", { seconds: Math.ceil(event.retryMs / 1000) }));
    }
  }

  #onTurnEnd(event: Extract<AgentEvent, { type: "turn_end" }>): void {
    this.#questions.length = 0;
    if (event.reason === "command") {
      // A slash line begins without a turn_start.
      if (this.#current === undefined) this.#waiting.shift();
      this.#recap();
      if (event.prompt !== undefined) {
        this.#line(say(this.#look.lang, "screen.to_edit"));
        this.#rows(userRows(event.prompt, this.#look));
      }
    }
    this.#rows(turnEndRows(event, this.#usage, this.#look));
    if (!this.#atLineStart) this.#line("");
    this.#usage = undefined;
    this.#current = undefined;
    this.#doing = this.#progress = "";
    this.#stopped = false;
    this.#busy = this.#waiting.length > 0;
    this.#hush();
    // Not within the event: the agent is still in its own turn_end.
    void this.#copying.then(() => this.#next());
  }

  /** What waits behind a turn that is stopped does not run. */
  #takeBack(): void {
    const { bus, lang } = this.#options;
    const before = this.#waiting.length;
    for (const text of this.#waiting.toReversed()) {
      bus.send({ type: "unqueue", session: LANE, text });
    }
    const count = before - this.#waiting.length;
    if (count > 0) this.#line(say(lang, "screen.not_run", { count, s: count === 1 ? "" : "s" }));
  }

  /** The time of a waiting line has come. */
  #unqueue(text: string): void {
    const at = this.#waiting.indexOf(text);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#rows(userRows(text, this.#look));
  }

  async #copy(text: string): Promise<void> {
    const { copyText } = await import("./copy.ts");
    const notice = await copyText(text, this.#options);
    this.#line(notice.text);
  }

  /** Says what a session that was just entered was about. */
  #recap(): void {
    const session = this.#options.desk.current();
    if (session.id !== this.#session) this.#rows(recapRows(session, this.#look));
    this.#session = session.id;
  }

  /** Something has been said; the next silence begins. */
  #hush(): void {
    clearTimeout(this.#silence);
    if (!this.#busy) return;
    this.#silence = setTimeout(() => {
      if (this.#questions.length === 0) this.#line(`… ${this.#whereabouts()}`);
      this.#hush();
    }, this.#options.silenceMs ?? SILENCE_MS);
  }

  #whereabouts(): string {
    const what = this.#doing || say(this.#look.lang, "screen.working");
    const elapsed = duration(performance.now() - this.#began);
    return [what, elapsed, this.#progress].filter((part) => part !== "").join(" · ");
  }

  #rows(rows: readonly Row[]): void {
    for (const row of rows) this.#line(lineOf(row));
  }

  /** Prints a line of its own. */
  #line(text: string): void {
    const rest = this.#answer.end();
    if (rest !== "") this.#print(rest);
    const lead = this.#atLineStart ? "" : "\n";
    this.#print(text === "" ? lead : `${lead}${text}\n`);
  }

  #print(text: string): void {
    if (text === "") return;
    this.#hush();
    try {
      (this.#options.write ?? writeStdout)(text);
      this.#atLineStart = text.endsWith("\n");
    } catch (error) {
      this.#quit.resolve(0);
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  }
}

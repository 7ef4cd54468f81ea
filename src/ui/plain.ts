import { say } from "../text.ts";
import type { AgentEvent, Usage } from "../types.ts";
import { plain, PlainStream } from "./clean.ts";
import { LANE, SIGNAL_CODES, type TerminalOptions } from "./options.ts";
import {
  addUsage,
  callText,
  errorRows,
  lineOf,
  type Look,
  noticeRows,
  type Row,
  todoRows,
  toolEndRows,
  turnEndRows,
  welcomeRows,
} from "./render.ts";
import { questionRows, type ShownCall } from "./question_rows.ts";
import { recapRows } from "./recap.ts";
import { createStyle } from "./style.ts";

const YES = /^\s*(y|yes|是|好)\s*$/i;
const NO = /^\s*(n|no|否|不)?\s*$/i;

export interface PlainOptions extends TerminalOptions {
  /** Standard input when left out. */
  readonly input?: ReadableStream<Uint8Array>;
  /** Standard output when left out; throws `Deno.errors.BrokenPipe` when nobody reads any more. */
  write?(text: string): void;
  /** A person sits at the input: it is prompted, and a question waits for a line typed after it. */
  readonly interactive?: boolean;
}

/**
 * The session line by line, with no redraw and no escape sequence, for pipes, screen readers,
 * serial lines and TERM=dumb. Each input line is one turn, a question takes one y/N line, the end
 * of the input ends the session when the last turn has. Resolves as startTerminal does.
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

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = "";
  for await (const chunk of chunks) {
    const parts = (open + decoder.decode(chunk, { stream: true })).split("\n");
    open = parts.pop()!;
    for (const part of parts) yield part.replace(/\r$/, "");
  }
  open += decoder.decode();
  if (open !== "") yield open;
}

function writeStdout(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
}

type Ask = Extract<AgentEvent, { type: "ask" }>;

class PlainSession {
  readonly #options: PlainOptions;
  readonly #look: Look;
  readonly #interactive: boolean;
  readonly #quit = Promise.withResolvers<number>();
  readonly #answer = new PlainStream();
  readonly #lines: string[] = [];
  readonly #questions: Ask[] = [];
  /** Id of the session of which the last exchange has been shown. */
  #session: string | undefined;
  #usage: Usage | undefined;
  /** The call that was begun last. */
  #call: ShownCall | undefined;
  #busy = false;
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
      ended?.removeEventListener("abort", leave);
      if (!this.#atLineStart) this.#print("\n");
      await reader.cancel().catch(() => {});
    }
  }

  /** The first SIGINT stops a running turn; every other signal ends the session. */
  signal(code: number): void {
    const stopping = this.#busy && !this.#stopped;
    if (stopping) {
      this.#stopped = true;
      this.#options.bus.send({ type: "stop", session: LANE });
    }
    if (!stopping || code !== SIGNAL_CODES.SIGINT) this.#quit.resolve(code);
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
    this.#inputEnded = true;
    this.#settleQuestion();
    this.#next();
  }

  #onLine(line: string): void {
    this.#atLineStart ||= this.#interactive;
    if (this.#interactive && this.#questions.length > 0) {
      this.#reply(YES.test(line));
      return;
    }
    this.#lines.push(line);
    this.#settleQuestion();
    this.#next();
  }

  /** Sends the next line when nothing runs; at the end of the input, ends. */
  #next(): void {
    if (this.#busy) return;
    while (this.#lines[0]?.trim() === "") this.#lines.shift();
    const line = this.#lines.shift();
    if (line !== undefined) {
      if (!this.#interactive) this.#print(`❯ ${plain(line)}\n`);
      this.#busy = true;
      this.#stopped = false;
      this.#options.bus.send({ type: "line", session: LANE, text: line });
    } else if (this.#inputEnded) this.#quit.resolve(0);
    else if (this.#interactive) this.#print("❯ ");
  }

  /** Answers a question from the piped lines; a line that is no answer means No and stays a line. */
  #settleQuestion(): void {
    if (this.#questions.length === 0) return;
    const line = this.#interactive ? undefined : this.#lines[0];
    if (line === undefined) {
      if (this.#inputEnded) this.#reply(false);
      return;
    }
    if (YES.test(line) || NO.test(line)) this.#lines.shift();
    this.#reply(YES.test(line));
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
    this.#rows(questionRows(question, this.#look, this.#call));
    this.#print(say(this.#options.lang, "screen.yes_no") + " ");
    this.#settleQuestion();
  }

  // ------------------------------------------------------------- out

  #onEvent(event: AgentEvent): void {
    const look = this.#look;
    switch (event.type) {
      case "turn_start":
        this.#usage = undefined;
        break;
      case "text":
        this.#print(this.#answer.push(event.delta));
        break;
      case "tool_start":
        this.#call = event;
        this.#line(`● ${callText(event.name, event.input, look)}`);
        break;
      case "tool_end":
        this.#rows(toolEndRows(event, callText(event.name, null, look), look));
        if (event.ok && event.detail?.kind === "todos") {
          this.#rows(todoRows(event.detail.todos, look, Infinity));
        }
        break;
      case "ask":
        this.#questions.push(event);
        if (this.#questions.length === 1) this.#askNext();
        break;
      case "notice":
        if (event.retryMs !== undefined && !this.#atLineStart) {
          this.#line("");
          this.#line(say(look.lang, "screen.void"));
        }
        this.#rows(noticeRows(event, look));
        if (event.retryMs !== undefined) {
          const seconds = Math.ceil(event.retryMs / 1000);
          this.#line(say(look.lang, "screen.retry_in", { seconds }));
        }
        break;
      case "usage":
        this.#usage = addUsage(this.#usage, event);
        break;
      case "error":
        this.#rows(errorRows(event, look));
        break;
      case "compress_start":
        this.#line(say(look.lang, "screen.compressing"));
        break;
      case "compress_end":
        this.#line(say(look.lang, event.ok ? "screen.compressed" : "screen.compress_failed"));
        break;
      case "turn_end":
        this.#questions.length = 0;
        if (event.reason === "command") this.#recap();
        this.#rows(turnEndRows(event, this.#usage, look));
        if (!this.#atLineStart) this.#line("");
        this.#usage = undefined;
        this.#busy = false;
        // Not within the event: the agent is still in its own turn_end.
        queueMicrotask(() => this.#next());
        break;
    }
  }

  /** Says what a session that was just entered was about. */
  #recap(): void {
    const session = this.#options.desk.current();
    if (session.id !== this.#session) this.#rows(recapRows(session, this.#look));
    this.#session = session.id;
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
    try {
      (this.#options.write ?? writeStdout)(text);
      this.#atLineStart = text.endsWith("\n");
    } catch (error) {
      this.#quit.resolve(0);
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  }
}

import { plain } from "../../base/control_characters.ts";
import { addUsage, NO_USAGE } from "../../base/figures.ts";
import type { AgentEvent, Usage } from "../../base/types.ts";
import { isTerminalGone } from "../device/tty.ts";
import { LANE, SIGNAL_CODES, type TerminalOptions } from "../panels/options.ts";
import { createStyle } from "../style.ts";
import { agentEndRow, isAtWork, sentRows } from "../transcript/agent_rows.ts";
import { callText } from "../transcript/calls.ts";
import { type Look, welcomeRows } from "../transcript/rows.ts";
import { errorRows, recapRows, turnEndRows, userRows } from "../transcript/turn_rows.ts";
import { PlainQuestions } from "./plain_questions.ts";
import {
  plainNoticeRows,
  plainToolEndRows,
  PlainWriter,
  Silence,
  writeStdout,
} from "./plain_writer.ts";

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

/** Splits at line ends, CRLF among them; a last line without one counts too. */
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

/** Puts together what a backslash at the end of a line holds open; two backslashes are one of the text's own. */
class OpenLine {
  #parts: string[] = [];

  get begun(): boolean {
    return this.#parts.length > 0;
  }

  /** Returns the whole input, or undefined while there is more to come. */
  push(line: string): string | undefined {
    const slashes = /\\*$/.exec(line)![0].length;
    const goesOn = slashes % 2 === 1;
    this.#parts.push(slashes > 0 ? line.slice(0, -Math.ceil(slashes / 2)) : line);
    return goesOn ? undefined : this.end();
  }

  /** What has been held open so far; undefined when nothing was. */
  end(): string | undefined {
    if (!this.begun) return undefined;
    const whole = this.#parts.join("\n");
    this.#parts = [];
    return whole;
  }
}

/** After so much silence a line says what is being done. */
const SILENCE_MS = 20_000;

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

/** See startPlain. */
export class PlainSession {
  readonly #options: PlainOptions;
  readonly #look: Look;
  readonly #interactive: boolean;
  readonly #quit = Promise.withResolvers<number>();
  readonly #writer: PlainWriter;
  readonly #silence: Silence;
  /** A script's lines, until their turn comes. */
  readonly #lines: string[] = [];
  /** A person's lines that were sent while a turn ran and have not begun. */
  readonly #waiting: string[] = [];
  /** Ids of the agents at work: their answers are still to come. */
  readonly #agents = new Set<string>();
  readonly #open = new OpenLine();
  readonly #questions: PlainQuestions;
  /** Id of the session of which the last exchange has been shown. */
  #session: string | undefined;
  #usage: Usage | undefined;
  #busy = false;
  /** The line that is worked on. */
  #current: string | undefined;
  #copying: Promise<void> = Promise.resolve();
  #stopped = false;
  #inputEnded = false;

  constructor(options: PlainOptions) {
    this.#options = options;
    this.#interactive = options.interactive ?? Deno.stdin.isTerminal();
    const { t, workspace } = options;
    const servers = () => options.controller.servers.list().map(({ name }) => name);
    this.#look = { style: createStyle("none"), t, workspace, servers };
    this.#silence = new Silence(t, options.silenceMs ?? SILENCE_MS, (text) => {
      if (!this.#questions.open) this.#writer.line(text);
    });
    this.#writer = new PlainWriter(options.write ?? writeStdout, {
      written: () => this.#silence.broken(this.#busy),
      gone: () => isTerminalGone() ? this.signal(SIGNAL_CODES.SIGHUP) : this.#quit.resolve(0),
    });
    this.#questions = new PlainQuestions(
      options.bus,
      this.#look,
      this.#writer,
      !this.#interactive,
    );
  }

  async run(): Promise<number> {
    const { bus, version, model, t, firstPrompt, ended } = this.#options;
    const reader = (this.#options.input ?? Deno.stdin.readable).getReader();
    const unsubscribe = bus.subscribe((event) => this.#onEvent(event), LANE);
    const leave = () => this.#quit.resolve(0);
    ended?.addEventListener("abort", leave, { once: true });
    if (ended?.aborted) leave();
    this.#writer.rows(welcomeRows(version, model, this.#look).slice(0, 2));
    if (this.#interactive) {
      this.#writer.line(
        t("/help lists the commands · \\ at a line's end goes on · ctrl-c interrupt · ctrl-d quit"),
      );
    }
    this.#recap();
    if (firstPrompt !== undefined && firstPrompt.trim() !== "") this.#lines.push(firstPrompt);
    this.#next();
    this.#options.begun?.();
    void this.#read(reader);
    try {
      return await this.#quit.promise;
    } finally {
      unsubscribe();
      this.#silence.end();
      ended?.removeEventListener("abort", leave);
      this.#writer.endLine();
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
      this.#options.bus.send({
        type: "stop",
        lane: LANE,
        ...!interrupt && { leaving: true },
      });
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
      this.#writer.print(`${plain(String(error))}\n`);
    }
    const open = this.#open.end();
    if (open !== undefined) this.#submit(open);
    this.#inputEnded = this.#questions.unattended = true;
    this.#questions.settle();
    this.#next();
  }

  #onLine(line: string): void {
    if (this.#interactive) this.#writer.entered();
    if (this.#interactive && this.#questions.open) return this.#questions.enter(line);
    const whole = this.#open.push(line);
    if (whole !== undefined) this.#submit(whole);
    else if (this.#interactive) this.#writer.print("… ");
  }

  #submit(text: string): void {
    if (this.#interactive && this.#busy) {
      if (text.trim() === "") return;
      this.#waiting.push(text);
      this.#options.bus.send({ type: "line", lane: LANE, watched: true, text });
      if (this.#waiting.includes(text)) {
        this.#writer.line(`(${this.#options.t("queued")})`);
      }
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
      if (!this.#interactive) this.#writer.rows(userRows(this.#told(text), this.#look));
      this.#begin(text);
      this.#options.bus.send({ type: "line", lane: LANE, text });
    } else if (this.#inputEnded && this.#agents.size > 0) return;
    else if (this.#inputEnded) void this.#copying.then(() => this.#quit.resolve(0));
    else if (this.#interactive) this.#writer.print("❯ ");
  }

  #begin(text: string): void {
    if (!this.#busy) this.#silence.begin();
    this.#busy = true;
    this.#current = text;
    this.#stopped = false;
    this.#silence.broken(true);
  }

  // ------------------------------------------------------------- out

  #onEvent(event: AgentEvent): void {
    const look = this.#look;
    switch (event.type) {
      case "turn_start":
        this.#usage = undefined;
        if (event.from !== undefined) this.#showSent(event.text, event.from);
        else this.#unqueue(event.text);
        this.#silence.begin();
        this.#begin(event.text);
        break;
      case "text":
        this.#writer.answer(event.delta);
        break;
      case "tool_start":
        this.#silence.doing = callText(event.name, event.input, look);
        this.#writer.line(`● ${this.#silence.doing}`);
        break;
      case "tool_progress":
        this.#silence.progress = event.text;
        break;
      case "tool_end":
        this.#silence.doing = "";
        this.#writer.rows(plainToolEndRows(event, look));
        break;
      case "ask":
        this.#questions.ask(event);
        break;
      case "unqueued":
        this.#waiting.splice(
          this.#waiting.findLastIndex((text) => this.#told(text) === event.text),
          1,
        );
        break;
      case "notice":
        this.#onNotice(event);
        break;
      case "usage":
        this.#usage = addUsage(this.#usage ?? NO_USAGE, event);
        break;
      case "error":
        this.#writer.rows(errorRows(event, look));
        break;
      case "agent":
        this.#onAgent(event);
        break;
      case "copy":
        this.#copying = this.#copy(event.text);
        break;
      case "edit":
        this.#writer.line(
          look.t(
            "Open {path} in an editor; a session that has begun sees changes from the next one on",
            { path: event.path },
          ),
        );
        break;
      case "hook":
        this.#silence.doing = look.t("running {event} hooks", { event: event.event });
        break;
      case "compress_start":
        this.#writer.line(look.t("Compressing…"));
        break;
      case "compress_end":
        if (!event.ok) break;
        this.#writer.line(look.t("Compressed"));
        this.#session = this.#options.controller.current().id;
        break;
      case "turn_end":
        this.#onTurnEnd(event);
        break;
    }
  }

  /** Tells of one that has ended. */
  #onAgent(event: Extract<AgentEvent, { type: "agent" }>): void {
    if (isAtWork(event)) return void this.#agents.add(event.id);
    if (!this.#agents.delete(event.id)) return;
    this.#writer.rows([agentEndRow(event, this.#look)]);
    // what it answers begins a turn first
    if (this.#inputEnded) queueMicrotask(() => this.#next());
  }

  #showSent(text: string, from: string): void {
    const agents = this.#options.controller.agents.list(LANE);
    this.#writer.rows(sentRows({ text, from }, agents, this.#look).rows);
  }

  #onNotice(event: Extract<AgentEvent, { type: "notice" }>): void {
    if (event.joined !== undefined) this.#unqueue(event.joined);
    if (event.retryMs !== undefined && !this.#writer.atLineStart) {
      this.#writer.line("");
      this.#writer.line(this.#look.t("(the unfinished answer above is void; it starts over)"));
    }
    this.#writer.rows(plainNoticeRows(event, this.#look));
  }

  #onTurnEnd(event: Extract<AgentEvent, { type: "turn_end" }>): void {
    this.#questions.clear();
    if (event.reason === "command") {
      // A slash line begins without a turn_start.
      if (this.#current === undefined) this.#waiting.shift();
      this.#recap();
      this.#giveBack(event.prompt);
    }
    this.#writer.rows(turnEndRows(event, this.#usage, this.#look));
    this.#writer.endLine();
    this.#usage = undefined;
    this.#current = undefined;
    this.#silence.doing = "";
    this.#stopped = false;
    this.#busy = this.#waiting.length > 0;
    this.#silence.broken(this.#busy);
    // Not within the event: the agent is still in its own turn_end.
    void this.#copying.then(() => this.#next());
  }

  /** What waits behind a turn that is stopped does not run. */
  #takeBack(): void {
    const { bus, t } = this.#options;
    const before = this.#waiting.length;
    for (const text of this.#waiting.toReversed()) {
      bus.send({ type: "unqueue", lane: LANE, text });
    }
    const count = before - this.#waiting.length;
    if (count > 0) {
      this.#writer.line(t("{count} queued line{s} not run", { count, s: count === 1 ? "" : "s" }));
    }
  }

  /** A text as events tell it. */
  #told(text: string): string {
    return this.#options.redact?.(text) ?? text;
  }

  /** The time of a waiting line has come. */
  #unqueue(text: string): void {
    const at = this.#waiting.findIndex((one) => this.#told(one) === text);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#writer.rows(userRows(text, this.#look));
  }

  async #copy(text: string): Promise<void> {
    const { copyText } = await import("../input/copy.ts");
    const notice = await copyText(text, this.#options);
    this.#writer.line(notice.text);
  }

  /** Says what a session that was just entered was about. */
  #recap(): void {
    const session = this.#options.controller.current();
    if (session.id === this.#session) return;
    this.#session = session.id;
    this.#writer.rows(recapRows(session, this.#look));
    this.#giveBack(session.held?.text);
  }

  /** A line that is the user's to send. */
  #giveBack(prompt: string | undefined): void {
    if (prompt === undefined) return;
    this.#writer.line(this.#look.t("Back at this prompt:"));
    this.#writer.rows(userRows(prompt, this.#look));
  }
}

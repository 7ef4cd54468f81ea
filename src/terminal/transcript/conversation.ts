import type { AgentEvent, Session, Usage } from "../../base/types.ts";
import { addUsage, NO_USAGE } from "../../base/figures.ts";
import { agentEndRow, sentRows } from "./agent_rows.ts";
import type { BackList } from "../panels/back_list.ts";
import { type Folds, toolEndRows } from "./calls.ts";
import { plain } from "../../base/control_characters.ts";
import type { Input } from "../input/input.ts";
import type { LiveScreen } from "../live.ts";
import { LANE, type TerminalOptions } from "../panels/options.ts";
import type { Panel } from "../panels/panel.ts";
import { shownEntry } from "../input/history.ts";
import type { Questions } from "../panels/questions.ts";
import type { Sent } from "../input/queue.ts";
import {
  dimRow,
  errorRows,
  interruptedRow,
  noticeRows,
  openTodos,
  recapRows,
  todoRows,
  turnEndRows,
  userRows,
} from "./turn_rows.ts";
import type { Look } from "./rows.ts";
import type { Spinner, Thoughts } from "./working.ts";
import type { StatusLine } from "./status_line.ts";
import { styleKind } from "../style.ts";
import type { Transcript } from "./transcript.ts";
import type { Window } from "../device/window.ts";

type EventOf<V extends AgentEvent["type"]> = Extract<AgentEvent, { type: V }>;

/** What the user waits for. */
const AT_ONCE: readonly AgentEvent["type"][] = ["ask", "error", "turn_end"];

/** The parts of the screen that tell of it. */
export interface Parts {
  readonly options: TerminalOptions;
  readonly look: Look;
  readonly live: LiveScreen;
  readonly transcript: Transcript;
  readonly panel: Panel;
  readonly thoughts: Thoughts;
  readonly folds: Folds;
  readonly status: StatusLine;
  readonly questions: Questions;
  readonly back: BackList;
  readonly spinner: Spinner;
  readonly window: Window;
  readonly input: Input;
}

/** What is said between the user and the agent: lines go out as Inbounds, AgentEvents come in. */
export class Conversation {
  readonly #parts: Parts;
  /** Id of the session that is shown. */
  #session: string | undefined;
  #usage: Usage | undefined;
  /** Lines of ours are being worked on. */
  #busy = false;
  /** A turn or a compression is at work: to leave now cuts it off. */
  #working = false;
  /** The line being worked on, once it stands in the transcript. */
  #shown: Sent | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Of the turn so far. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Sends a line; it stands in the transcript, or in the queue while another is worked on. */
  submit(line: Sent): void {
    const { live, options, panel, spinner } = this.#parts;
    if (this.#busy) panel.queue.push(line);
    else {
      this.#busy = true;
      spinner.start();
      this.#show(line);
    }
    live.requestRender();
    const { entry: _, ...said } = line;
    options.bus.send({ type: "line", lane: LANE, watched: true, ...said });
  }

  /** Stops the turn; what waits behind it comes back and does not run. `leaving`: the user goes. */
  stop(leaving?: "leaving"): void {
    const { input, live, options, spinner } = this.#parts;
    input.takeBackAll();
    if (spinner.doing === "stopping") return;
    spinner.doing = "stopping";
    live.requestRender();
    options.bus.send({ type: "stop", lane: LANE, ...leaving && { leaving: true } });
  }

  /** Stops the agents that work while nobody is answered. */
  stopAgents(): void {
    const { look, options, panel, transcript } = this.#parts;
    const text = look.t(
      "{n} {n:agent|agents} stopped; reported to the model with your next message",
      { n: panel.agents },
    );
    transcript.sayBeside("notice", [{ text, fit: "wrap" }]);
    options.bus.send({ type: "stop", lane: LANE });
  }

  /** Shows what is told. */
  hear(event: AgentEvent): void {
    const { input, live, look, options, panel, spinner, thoughts, transcript } = this.#parts;
    // what others do says nothing of the model
    if (event.type !== "agent") spinner.heard(event.type === "writing" ? event : undefined);
    if (event.type === "notice" && event.retryMs !== undefined) thoughts.drop();
    else if (!["agent", "thinking", "usage"].includes(event.type)) thoughts.end();
    switch (event.type) {
      case "turn_start":
        this.#onTurnStart(event);
        break;
      case "text":
        if (spinner.doing === "thinking") spinner.doing = "working";
        transcript.push(event.delta);
        break;
      case "thinking":
        if (spinner.doing === "working") spinner.doing = "thinking";
        if (!transcript.broken) transcript.endAnswer();
        thoughts.push(event.delta);
        break;
      case "tool_start":
        transcript.endAnswer();
        panel.begin(event.id, event.name, event.input);
        break;
      case "tool_progress":
        panel.progress(event.id, event.text);
        break;
      case "tool_end":
        this.#onToolEnd(event);
        break;
      case "unqueued":
        input.onUnqueued(event.text);
        break;
      case "ask":
        this.#onAsk(event);
        break;
      case "notice":
        this.#onNotice(event);
        break;
      case "usage":
        // A request has been answered.
        transcript.endAnswer();
        this.#usage = addUsage(this.#usage ?? NO_USAGE, event);
        break;
      case "error":
        transcript.say("notice", errorRows(event, look));
        break;
      case "copy":
        void this.#copy(event.text);
        break;
      case "edit":
        void this.#parts.input.editFile(event.path);
        break;
      case "theme":
        look.style.use(styleKind(event.theme, options.env));
        break;
      case "agent":
        if (panel.takeAgent(event)) transcript.sayBeside("agents", [agentEndRow(event, look)]);
        break;
      case "hook":
        transcript.endAnswer();
        if (spinner.doing !== "stopping") spinner.doing = "hook";
        break;
      case "compress_start":
        this.#unqueueCommand();
        this.#working = true;
        spinner.start();
        spinner.doing = "compressing";
        break;
      case "compress_end":
        this.#onCompressed(event.ok);
        break;
      case "turn_end":
        this.#onTurnEnd(event);
        break;
    }
    if (AT_ONCE.includes(event.type)) live.soon();
    else live.requestRender();
  }

  async #copy(text: string): Promise<void> {
    const { live, look, options, transcript } = this.#parts;
    const { copyText } = await import("../input/copy.ts");
    const { t, env, childEnv = undefined } = options;
    const send = (sequence: string) => live.terminal.write(sequence);
    const notice = await copyText(text, { t, env, send, ...childEnv && { childEnv } });
    const paint = notice.level === "warn" ? look.style.yellow : plain;
    transcript.sayBeside("notice", [{ text: paint(plain(notice.text)), fit: "wrap" }]);
    live.requestRender();
  }

  #onTurnStart({ text, from }: EventOf<"turn_start">): void {
    const { back, spinner, thoughts } = this.#parts;
    back.close();
    thoughts.newTurn();
    this.#usage = undefined;
    this.#busy = this.#working = true;
    spinner.start();
    if (from !== undefined) this.#showSent(text, from);
    else if (!this.#isShown(text)) this.#unqueue(text);
  }

  #onAsk(event: EventOf<"ask">): void {
    const { questions, window } = this.#parts;
    // who has just sent a command is there, and so is who is answering
    const there = questions.open || this.#busy && !this.#working;
    questions.ask(event);
    if (!there) window.asked();
  }

  #onToolEnd(event: EventOf<"tool_end">): void {
    const { folds, look, panel, transcript } = this.#parts;
    const call = panel.end(event.id, event.name);
    if (event.ok && event.detail?.kind === "todos") panel.todos = event.detail.todos;
    folds.keep(event, call);
    transcript.say("tools", toolEndRows(event, call, look));
  }

  #onNotice(event: EventOf<"notice">): void {
    const { look, spinner, transcript } = this.#parts;
    if (event.joined !== undefined) return this.#unqueue(event.joined);
    this.#unqueueCommand();
    if (event.retryMs !== undefined) {
      spinner.countDown(event.retryMs);
      return transcript.breakOff(noticeRows(event, look));
    }
    const rows = noticeRows(event, look);
    // what the turn warns of comes behind what was said; what is beside it, amid that
    if (event.level === "warn" && event.turn > 0) transcript.say("notice", rows);
    else transcript.sayBeside("notice", rows);
  }

  #onCompressed(ok: boolean): void {
    const { look, spinner, status, transcript } = this.#parts;
    spinner.doing = "working";
    if (!this.#busy) spinner.stop();
    // what follows a failure says it, and why
    if (!ok) return;
    transcript.say("notice", [dimRow("Compressed", look)]);
    void status.refresh();
    this.#enter();
  }

  #onTurnEnd(event: EventOf<"turn_end">): void {
    const { input, look, panel, questions, spinner, status, transcript, window } = this.#parts;
    transcript.endAnswer();
    panel.clear();
    questions.clear();
    if (event.reason === "command") {
      this.#unqueueCommand();
      this.takeUp();
    }
    const { todos, queue } = panel;
    panel.todos = openTodos(todos);
    if (panel.todos.length === 0) transcript.say("todos", todoRows(todos, look, Infinity));
    transcript.say("end", turnEndRows(event, this.#usage, look));
    void status.refresh();
    window.turnEnded(event);
    this.#usage = undefined;
    const { prompt } = event;
    if (prompt !== undefined) {
      input.editor.putAbove(this.#isShown(prompt) ? this.#shown!.entry : { text: prompt });
    }
    this.#shown = undefined;
    this.#working = false;
    this.#busy = queue.length > 0;
    if (this.#busy) spinner.start();
    else spinner.stop();
  }

  /** Nothing more will be heard: what is running is shown as cut off. */
  end(): void {
    const { look, panel, transcript } = this.#parts;
    transcript.endAnswer();
    if (!this.#working) return;
    transcript.say("tools", panel.cutOffRows());
    transcript.say("end", [interruptedRow(look)]);
    panel.clear();
    this.#busy = this.#working = false;
  }

  /** Says what a session that was just entered was about. */
  takeUp(): void {
    const { input, look, transcript } = this.#parts;
    const session = this.#enter();
    if (!session) return;
    transcript.say("recap", recapRows(session, look));
    if (session.held) input.editor.putAbove({ text: session.held.text });
  }

  /** The session that is shown from now on; undefined when it is the same. */
  #enter(): Session | undefined {
    const { options, panel } = this.#parts;
    const session = options.controller.current();
    if (session.id === this.#session) return undefined;
    this.#session = session.id;
    panel.todos = openTodos(session.todos);
    return session;
  }

  /** Shows what began a turn though nobody has typed it. */
  #showSent(text: string, from: string): void {
    const { folds, look, options, transcript } = this.#parts;
    const { rows, folded } = sentRows({ text, from }, options.controller.agents.list(LANE), look);
    folds.keepRows(folded);
    transcript.say("user", rows);
  }

  #show(line: Sent): void {
    const { look, transcript } = this.#parts;
    this.#shown = line;
    transcript.sayBeside("user", userRows(this.#told(shownEntry(line.entry, look.t)), look));
  }

  /** A text as events tell it. */
  #told(text: string): string {
    return this.#parts.options.redact?.(text) ?? text;
  }

  #isShown(told: string): boolean {
    return this.#shown !== undefined && this.#told(this.#shown.text) === told;
  }

  /** The time of a queued line (or of one from elsewhere) has come. */
  #unqueue(text: string): void {
    this.#show(this.#parts.panel.queue.take(text) ?? { text, entry: { text } });
  }

  /** A queued slash line begins without a turn_start: the first that is heard of it says so. */
  #unqueueCommand(): void {
    const next = this.#parts.panel.queue.oldest;
    if (this.#shown === undefined && next !== undefined) this.#unqueue(this.#told(next.text));
  }
}

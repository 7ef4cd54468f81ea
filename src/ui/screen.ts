import { type Component, isKeyRelease, matchesKey, type Terminal } from "@earendil-works/pi-tui";
import { say, type TextKey } from "../text.ts";
import type { AgentEvent, Inbound, Usage } from "../types.ts";
import type { PromptEditor } from "./editor.ts";
import { Input } from "./input.ts";
import { BackList } from "./back_list.ts";
import { capabilitiesFrom } from "./capabilities.ts";
import { layRows } from "./lay.ts";
import { plain } from "./clean.ts";
import { LiveScreen } from "./live.ts";
import { Panel } from "./panel.ts";
import { Questions } from "./questions.ts";
import {
  addUsage,
  errorRows,
  noticeRows,
  openTodos,
  todoRows,
  toolEndRows,
  turnEndRows,
  userRows,
} from "./render.ts";
import type { Look, Row } from "./rows.ts";
import { guardTerminal } from "./restore.ts";
import { recapRows } from "./recap.ts";
import { Folds } from "./folds.ts";
import { Spinner } from "./spinner.ts";
import { StatusLine } from "./status_line.ts";
import { Thoughts } from "./thoughts.ts";
import { shownEntry } from "./paste_markers.ts";
import type { Sent } from "./queue.ts";
import { createStyle, styleKind } from "./style.ts";
import { LANE, type TerminalOptions } from "./options.ts";
import { Transcript } from "./transcript.ts";
import { welcomeRows } from "./welcome.ts";
import { Window } from "./window.ts";

const QUIT_MS = 2000;

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** Runs the live screen on `terminal` (the process's own when left out); see startTerminal. */
export async function runScreen(options: TerminalOptions, terminal?: Terminal): Promise<number> {
  const below = options.firstFrame?.handOver();
  const screen = new Screen(options, terminal, below, () => guard?.suspend());
  const guard = terminal === undefined
    ? guardTerminal({
      close: () => screen.close(),
      suspend: () => screen.suspend(),
      resume: () => screen.resume(),
      onSignal: (code) => screen.quit(code),
      lent: () => screen.lent,
    })
    : undefined;
  try {
    screen.start();
    const code = await screen.ended;
    await screen.settle();
    return code;
  } finally {
    screen.close();
    guard?.end();
  }
}

/** Joins the parts: keys become Inbounds, AgentEvents become transcript and panel. */
class Screen {
  readonly #options: TerminalOptions;
  readonly #stopProcess: () => void;
  readonly #look: Look;
  readonly #live: LiveScreen;
  readonly #window: Window;
  readonly #input: Input;
  readonly #editor: PromptEditor;
  readonly #transcript: Transcript;
  readonly #panel: Panel;
  readonly #thoughts: Thoughts;
  readonly #folds: Folds;
  readonly #status: StatusLine;
  readonly #questions: Questions;
  readonly #back: BackList;
  readonly #spinner: Spinner;
  readonly #quit = Promise.withResolvers<number>();
  #unsubscribe: (() => void) | undefined;
  /** Id of the session that is shown. */
  #session: string | undefined;
  #usage: Usage | undefined;
  /** Lines of ours are being worked on. */
  #busy = false;
  /** The line being worked on, once it stands in the transcript. */
  #shown: Sent | undefined;
  #quitUntil = 0;

  constructor(
    options: TerminalOptions,
    terminal: Terminal | undefined,
    below: number | undefined,
    stopProcess: () => void,
  ) {
    const style = createStyle(styleKind(options.theme ?? "auto", options.env));
    const look = { style, lang: options.lang, workspace: options.workspace, keys: true };
    const capabilities = capabilitiesFrom(options.env);
    const live = new LiveScreen(terminal, below, capabilities.links);
    this.#options = options;
    this.#stopProcess = stopProcess;
    this.#look = look;
    this.#live = live;
    this.#window = new Window({
      workspace: options.workspace,
      lang: options.lang,
      capabilities,
      notify: options.notify ?? true,
      write: (sequence) => live.terminal.write(sequence),
    });
    const now = () => performance.now();
    this.#spinner = new Spinner(() => live.requestRender(), now);
    this.#transcript = new Transcript(live, look);
    this.#thoughts = new Thoughts(look, now, (rows) => this.#transcript.say("thought", rows));
    this.#panel = new Panel(look, () => live.terminal.rows, now, this.#thoughts);
    this.#folds = new Folds(look);
    this.#status = new StatusLine(options.desk, look, () => live.requestRender());
    this.#input = new Input({
      options,
      live,
      look,
      queue: this.#panel.queue,
      submit: (line) => this.#submit(line),
      warn: (text) =>
        this.#transcript.say("notice", [{ text: style.yellow(plain(text)), fit: "wrap" }]),
    });
    this.#editor = this.#input.editor;
    this.#questions = new Questions(
      live,
      this.#transcript,
      look,
      this.#editor,
      (id, value) => this.#send({ type: "answer", session: LANE, id, value }),
      () => performance.now(),
    );
    this.#back = new BackList({
      live,
      look,
      home: this.#editor,
      prompts: () => options.desk.current().prompts,
      goBack: (n) => this.#submit({ text: `/back ${n}`, entry: { text: `/back ${n}` } }),
      now: () => performance.now(),
    });
    const part = (render: (width: number) => string[]): Component => ({ render, invalidate() {} });
    live.tail = (width) => this.#transcript.renderAnswer(width);
    live.addChild(part((width) => this.#questions.open ? [] : this.#panel.render(width)));
    live.addChild(this.#questions);
    live.addChild(part((width) => this.#renderSpinner(width)));
    const covered = () => this.#questions.open || this.#back.open;
    live.addChild(part((width) => covered() ? [] : this.#editor.render(width)));
    live.addChild(this.#back);
    live.addChild(part((width) => covered() ? [] : this.#renderFoot(width)));
    live.onFrame = () => {
      this.#transcript.settle({ width: live.terminal.columns, rows: live.tailRoom });
      this.#window.show(this.#busy);
    };
    live.addInputListener((data) => this.#onKey(data) ? { consume: true } : undefined);
  }

  get ended(): Promise<number> {
    return this.#quit.promise;
  }

  start(): void {
    const { bus, version, model, firstPrompt, ended } = this.#options;
    this.#unsubscribe = bus.subscribe((event) => this.#onEvent(event), LANE);
    ended?.addEventListener("abort", () => this.quit(0), { once: true });
    this.#live.setFocus(this.#editor);
    this.#live.start();
    this.#transcript.say("welcome", welcomeRows(version, model, this.#look));
    this.#takeUp();
    this.#input.start();
    void this.#status.refresh();
    const text = firstPrompt?.trim() ?? "";
    if (text !== "") this.#submit({ text, entry: { text } });
    if (ended?.aborted) this.quit(0);
  }

  /** Stops what runs and ends with `code`. */
  quit(code: number): void {
    if (this.#busy) this.#stop();
    this.#quit.resolve(code);
  }

  /** Waits until the terminal can be given back. */
  settle(): Promise<void> {
    return this.#live.settle();
  }

  /** The external editor has the terminal. */
  get lent(): boolean {
    return this.#input.away;
  }

  /** Gives the terminal back until `resume`; what runs goes on. */
  async suspend(): Promise<void> {
    await this.settle();
    this.#live.suspend();
    this.#window.restore();
  }

  resume(): void {
    if (this.lent) return;
    this.#questions.repeat();
    this.#live.resume();
  }

  /** Gives the terminal back; the transcript stays. */
  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#spinner.stop();
    this.#input.close();
    this.#back.close();
    this.#transcript.endAnswer();
    this.#live.close();
    this.#window.restore();
  }

  // ------------------------------------------------------------- keys in

  #send(inbound: Inbound): void {
    this.#options.bus.send(inbound);
  }

  #submit(line: Sent): void {
    if (this.#busy) this.#panel.queue.push(line);
    else {
      this.#busy = true;
      this.#spinner.start();
      this.#show(line);
    }
    this.#live.requestRender();
    const { entry: _, ...said } = line;
    this.#send({ type: "line", session: LANE, watched: true, ...said });
  }

  /** Stops the turn; what waits behind it comes back and does not run. */
  #stop(): void {
    this.#input.takeBackAll();
    if (this.#spinner.doing === "stopping") return;
    this.#spinner.doing = "stopping";
    this.#live.requestRender();
    this.#send({ type: "stop", session: LANE });
  }

  /** Returns true when the key has been dealt with. */
  #onKey(data: string): boolean {
    if (isKeyRelease(data)) return false;
    if (this.#editor.searching && !this.#questions.open) return false;
    if (matchesKey(data, "ctrl+c")) {
      this.#onCtrlC();
      return true;
    }
    if (matchesKey(data, "ctrl+z")) {
      this.#stopProcess();
      return true;
    }
    if (this.#quitUntil > 0) this.#live.requestRender();
    this.#quitUntil = 0;
    if (this.#questions.takes(data)) return true;
    if (this.#questions.open) return false;
    if (this.#back.takes(data, !this.#busy && this.#editor.empty)) return true;
    if (this.#back.open) return false;
    if (this.#input.takes(data)) return true;
    if (matchesKey(data, "ctrl+t")) {
      this.#thoughts.toggle();
      this.#live.requestRender();
      return true;
    }
    if (matchesKey(data, "ctrl+o")) {
      const rows = this.#folds.open() ?? [this.#dim("screen.nothing_folded")];
      this.#transcript.say("unfolded", rows);
      return true;
    }
    if (matchesKey(data, "escape") && this.#busy && !this.#editor.isShowingAutocomplete()) {
      this.#stop();
      return true;
    }
    if (matchesKey(data, "ctrl+d") && this.#editor.getText() === "") {
      this.quit(0);
      return true;
    }
    return false;
  }

  #onCtrlC(): void {
    const asked = this.#questions.open;
    if (asked) this.#questions.answer(false);
    if (this.#back.open) return this.#back.close();
    if (!asked && !this.#editor.empty) this.#editor.put("");
    else if (this.#busy && this.#spinner.doing !== "stopping") this.#stop();
    else if (performance.now() < this.#quitUntil) this.quit(0);
    else this.#quitUntil = performance.now() + QUIT_MS;
    this.#live.requestRender();
  }

  // ------------------------------------------------------------- events out

  #onEvent(event: AgentEvent): void {
    this.#spinner.heard(event.type === "writing" ? event : undefined);
    if (event.type !== "thinking" && event.type !== "usage") this.#thoughts.end();
    switch (event.type) {
      case "turn_start":
        this.#onTurnStart(event.text);
        break;
      case "text":
        if (this.#spinner.doing === "thinking") this.#spinner.doing = "working";
        this.#transcript.push(event.delta);
        break;
      case "thinking":
        if (this.#spinner.doing === "working") this.#spinner.doing = "thinking";
        this.#thoughts.push(event.delta);
        break;
      case "tool_start":
        this.#transcript.endAnswer();
        this.#panel.begin(event.id, event.name, event.input);
        break;
      case "tool_progress":
        this.#panel.progress(event.id, event.text);
        break;
      case "tool_end":
        this.#onToolEnd(event);
        break;
      case "unqueued":
        this.#input.onUnqueued(event.text);
        break;
      case "ask":
        this.#questions.ask(event);
        break;
      case "notice":
        this.#onNotice(event);
        break;
      case "usage":
        this.#usage = addUsage(this.#usage, event);
        break;
      case "error":
        this.#transcript.say("notice", errorRows(event, this.#look));
        break;
      case "copy":
        void this.#copy(event.text);
        break;
      case "theme":
        this.#look.style.use(styleKind(event.theme, this.#options.env));
        break;
      case "compress_start":
        this.#spinner.start();
        this.#spinner.doing = "compressing";
        break;
      case "compress_end":
        this.#onCompressed(event.ok);
        break;
      case "turn_end":
        this.#onTurnEnd(event);
        break;
    }
    this.#live.requestRender();
  }

  async #copy(text: string): Promise<void> {
    const { copyText } = await import("./copy.ts");
    const { lang, env } = this.#options;
    const send = (sequence: string) => this.#live.terminal.write(sequence);
    const notice = await copyText(text, { lang, env, send });
    const paint = notice.level === "warn" ? this.#look.style.yellow : plain;
    this.#transcript.say("notice", [{ text: paint(plain(notice.text)), fit: "wrap" }]);
    this.#live.requestRender();
  }

  #onTurnStart(text: string): void {
    this.#back.close();
    this.#thoughts.newTurn();
    this.#usage = undefined;
    this.#busy = true;
    this.#spinner.start();
    if (this.#shown?.text !== text) this.#unqueue(text);
  }

  #onToolEnd(event: EventOf<"tool_end">): void {
    const call = this.#panel.end(event.id, event.name);
    if (event.ok && event.detail?.kind === "todos") this.#panel.todos = event.detail.todos;
    this.#folds.keep(event, call);
    this.#transcript.say("tools", toolEndRows(event, call, this.#look));
  }

  #onNotice(event: EventOf<"notice">): void {
    if (event.joined !== undefined) return this.#unqueue(event.joined);
    this.#unqueueCommand();
    if (event.retryMs !== undefined) {
      this.#spinner.countDown(event.retryMs);
      if (this.#transcript.dropAnswer()) {
        this.#transcript.say("notice", [this.#dim("screen.void")]);
      }
    }
    this.#transcript.say("notice", noticeRows(event, this.#look));
  }

  #onCompressed(ok: boolean): void {
    this.#spinner.doing = "working";
    if (!this.#busy) this.#spinner.stop();
    this.#transcript.say(
      "notice",
      ok ? [this.#dim("screen.compressed")] : [{
        text: this.#look.style.red(say(this.#look.lang, "screen.compress_failed")),
        fit: "wrap",
      }],
    );
  }

  #onTurnEnd(event: EventOf<"turn_end">): void {
    this.#transcript.endAnswer();
    this.#panel.clear();
    this.#questions.clear();
    if (event.reason === "command") {
      this.#unqueueCommand();
      this.#takeUp();
    }
    const { todos, queue } = this.#panel;
    this.#panel.todos = openTodos(todos);
    if (this.#panel.todos.length === 0) {
      this.#transcript.say("todos", todoRows(todos, this.#look, Infinity));
    }
    this.#transcript.say("end", turnEndRows(event, this.#usage, this.#look));
    void this.#status.refresh();
    this.#window.turnEnded(event.ms);
    this.#usage = undefined;
    const { prompt } = event;
    if (prompt !== undefined && this.#editor.empty) {
      this.#editor.put(this.#shown?.text === prompt ? this.#shown.entry : prompt);
    }
    this.#shown = undefined;
    this.#busy = queue.length > 0;
    if (this.#busy) this.#spinner.start();
    else this.#spinner.stop();
  }

  // ------------------------------------------------------------- lines in the transcript

  /** Says what a session that was just entered was about. */
  #takeUp(): void {
    const session = this.#options.desk.current();
    if (session.id === this.#session) return;
    this.#session = session.id;
    this.#panel.todos = openTodos(session.todos);
    this.#transcript.say("recap", recapRows(session, this.#look));
  }

  #show(line: Sent): void {
    this.#shown = line;
    this.#transcript.say("user", userRows(shownEntry(line.entry, this.#look.lang), this.#look));
  }

  /** The time of a queued line (or of one from elsewhere) has come. */
  #unqueue(text: string): void {
    this.#show(this.#panel.queue.take(text) ?? { text, entry: { text } });
  }

  /** A queued slash line begins without a turn_start: the first that is heard of it is its result. */
  #unqueueCommand(): void {
    const next = this.#panel.queue.oldest;
    if (this.#shown === undefined && next !== undefined) this.#unqueue(next.text);
  }

  // ------------------------------------------------------------- drawing

  #dim(key: TextKey): Row {
    return { text: this.#look.style.dim(say(this.#look.lang, key)), fit: "wrap" };
  }

  #renderSpinner(width: number): string[] {
    if (!this.#spinner.running || this.#questions.open) return [""];
    const facts = { usage: this.#usage, waiting: this.#panel.calling };
    const row: Row = { text: this.#spinner.line(this.#look, facts), fit: "cut" };
    return ["", ...layRows([row], width), ""];
  }

  #renderFoot(width: number): string[] {
    if (performance.now() >= this.#quitUntil) return this.#status.render(width);
    return layRows([this.#dim("screen.quit_again")], width);
  }
}

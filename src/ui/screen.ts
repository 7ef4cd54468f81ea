import { type Component, isKeyRelease, matchesKey, type Terminal } from "@earendil-works/pi-tui";
import { say, type TextKey } from "../text.ts";
import type { AgentEvent, Inbound, Usage } from "../types.ts";
import { CommandCompletion, PromptEditor } from "./editor.ts";
import { layRows } from "./lay.ts";
import { LiveScreen } from "./live.ts";
import { Panel } from "./panel.ts";
import { Questions } from "./questions.ts";
import {
  addUsage,
  errorRows,
  type Look,
  noticeRows,
  openTodos,
  type Row,
  todoRows,
  toolEndRows,
  turnEndRows,
  userRows,
  welcomeRows,
} from "./render.ts";
import { guardTerminal } from "./restore.ts";
import { recapRows } from "./recap.ts";
import { Spinner } from "./spinner.ts";
import { createStyle, editorTheme } from "./style.ts";
import { LANE, type TerminalOptions } from "./options.ts";
import { Transcript } from "./transcript.ts";

const QUIT_MS = 2000;

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** Runs the live screen on `terminal` (the process's own when left out); see startTerminal. */
export async function runScreen(options: TerminalOptions, terminal?: Terminal): Promise<number> {
  const screen = new Screen(options, terminal);
  const unguard = terminal === undefined
    ? guardTerminal(() => screen.close(), (code) => screen.quit(code))
    : () => {};
  try {
    screen.start();
    return await screen.ended;
  } finally {
    screen.close();
    unguard();
  }
}

/** Joins the parts: keys become Inbounds, AgentEvents become transcript and panel. */
class Screen {
  readonly #options: TerminalOptions;
  readonly #look: Look;
  readonly #live: LiveScreen;
  readonly #editor: PromptEditor;
  readonly #transcript: Transcript;
  readonly #panel: Panel;
  readonly #questions: Questions;
  readonly #spinner: Spinner;
  readonly #quit = Promise.withResolvers<number>();
  #unsubscribe: (() => void) | undefined;
  /** Id of the session that is shown. */
  #session: string | undefined;
  #usage: Usage | undefined;
  /** Lines of ours are being worked on. */
  #busy = false;
  /** The line being worked on, once it stands in the transcript. */
  #shown: string | undefined;
  #quitUntil = 0;

  constructor(options: TerminalOptions, terminal: Terminal | undefined) {
    const mono = options.noColor === true || (options.env("NO_COLOR") ?? "") !== "";
    const style = createStyle(mono ? "mono" : "color");
    const look = { style, lang: options.lang, workspace: options.workspace };
    const live = new LiveScreen(terminal);
    this.#options = options;
    this.#look = look;
    this.#live = live;
    this.#spinner = new Spinner(() => live.requestRender(), () => performance.now());
    this.#transcript = new Transcript(live, look);
    this.#panel = new Panel(look, () => live.terminal.rows);
    this.#editor = new PromptEditor(live, editorTheme(style), style);
    this.#editor.setAutocompleteProvider(new CommandCompletion(options.commands, options.lang));
    this.#editor.onLine = (text) => this.#submit(text);
    this.#questions = new Questions(
      live,
      this.#transcript,
      look,
      this.#editor,
      (id, value) => this.#send({ type: "answer", session: LANE, id, value }),
      () => performance.now(),
    );
    const part = (render: (width: number) => string[]): Component => ({ render, invalidate() {} });
    live.addChild(
      part((width) => [...this.#transcript.renderAnswer(width, live.terminal.rows - 10)]),
    );
    live.addChild(part((width) => this.#questions.open ? [] : this.#panel.render(width)));
    live.addChild(this.#questions);
    live.addChild(part((width) => this.#renderStatus(width)));
    live.addChild(part((width) => this.#questions.open ? [] : this.#editor.render(width)));
    live.addChild(part((width) => this.#renderHint(width)));
    live.onFrame = () => this.#transcript.settle();
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
    if (firstPrompt !== undefined) this.#submit(firstPrompt.trim());
    if (ended?.aborted) this.quit(0);
  }

  /** Stops what runs and ends with `code`. */
  quit(code: number): void {
    if (this.#busy) this.#send({ type: "stop", session: LANE });
    this.#quit.resolve(code);
  }

  /** Gives the terminal back; the transcript stays. */
  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#spinner.stop();
    this.#transcript.endAnswer();
    this.#live.close();
  }

  // ------------------------------------------------------------- keys in

  #send(inbound: Inbound): void {
    this.#options.bus.send(inbound);
  }

  #submit(text: string): void {
    if (text === "") return;
    this.#editor.remember(text);
    if (this.#busy) this.#panel.queue.push(text);
    else {
      this.#busy = true;
      this.#spinner.start();
      this.#show(text);
    }
    this.#live.requestRender();
    this.#send({ type: "line", session: LANE, text });
  }

  #stop(): void {
    if (this.#spinner.doing === "stopping") return;
    this.#spinner.doing = "stopping";
    this.#live.requestRender();
    this.#send({ type: "stop", session: LANE });
  }

  /** Returns true when the key has been dealt with. */
  #onKey(data: string): boolean {
    if (isKeyRelease(data)) return false;
    if (matchesKey(data, "ctrl+c")) {
      this.#onCtrlC();
      return true;
    }
    if (this.#quitUntil > 0) this.#live.requestRender();
    this.#quitUntil = 0;
    if (this.#questions.takes(data)) return true;
    if (this.#questions.open) return false;
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
    if (this.#questions.open) this.#questions.answer(false);
    if (this.#busy && this.#spinner.doing !== "stopping") return this.#stop();
    if (this.#editor.getText() !== "") this.#editor.put("");
    else if (performance.now() < this.#quitUntil) this.quit(0);
    else this.#quitUntil = performance.now() + QUIT_MS;
    this.#live.requestRender();
  }

  // ------------------------------------------------------------- events out

  #onEvent(event: AgentEvent): void {
    switch (event.type) {
      case "turn_start":
        this.#onTurnStart(event.text);
        break;
      case "text":
        this.#panel.endThought();
        if (this.#spinner.doing === "thinking") this.#spinner.doing = "working";
        this.#transcript.push(event.delta);
        break;
      case "thinking":
        if (this.#spinner.doing === "working") this.#spinner.doing = "thinking";
        this.#panel.think(event.delta);
        break;
      case "tool_start":
        this.#transcript.endAnswer();
        this.#panel.endThought();
        this.#panel.begin(event.id, event.name, event.input);
        break;
      case "tool_progress":
        this.#panel.progress(event.id, event.text);
        break;
      case "tool_end":
        this.#onToolEnd(event);
        break;
      case "ask":
        this.#questions.ask(event, this.#panel.latest);
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

  #onTurnStart(text: string): void {
    this.#usage = undefined;
    this.#busy = true;
    this.#spinner.start();
    if (this.#shown !== text) this.#unqueue(text);
  }

  #onToolEnd(event: EventOf<"tool_end">): void {
    const call = this.#panel.end(event.id, event.name);
    if (event.ok && event.detail?.kind === "todos") this.#panel.todos = event.detail.todos;
    this.#transcript.say("tools", toolEndRows(event, call, this.#look));
  }

  #onNotice(event: EventOf<"notice">): void {
    if (event.joined !== undefined) return this.#unqueue(event.joined);
    this.#unqueueCommand();
    if (event.retryMs !== undefined) {
      this.#spinner.countDown(event.retryMs);
      this.#panel.endThought();
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
    this.#usage = undefined;
    this.#shown = undefined;
    this.#busy = queue.length > 0;
    if (this.#busy) this.#spinner.start();
    else this.#spinner.stop();
    if (event.prompt !== undefined && this.#editor.getText() === "") this.#editor.put(event.prompt);
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

  #show(text: string): void {
    this.#shown = text;
    this.#transcript.say("user", userRows(text, this.#look));
  }

  /** The time of a queued line (or of one from elsewhere) has come. */
  #unqueue(text: string): void {
    const index = this.#panel.queue.indexOf(text);
    if (index >= 0) this.#panel.queue.splice(index, 1);
    this.#show(text);
  }

  /** A queued slash line begins without a turn_start: the first that is heard of it is its result. */
  #unqueueCommand(): void {
    const next = this.#panel.queue[0];
    if (this.#shown === undefined && next !== undefined) this.#unqueue(next);
  }

  // ------------------------------------------------------------- drawing

  #dim(key: TextKey): Row {
    return { text: this.#look.style.dim(say(this.#look.lang, key)), fit: "wrap" };
  }

  #renderStatus(width: number): string[] {
    if (!this.#spinner.running || this.#questions.open) return [""];
    const row: Row = { text: this.#spinner.line(this.#look), fit: "cut" };
    return ["", ...layRows([row], width), ""];
  }

  #renderHint(width: number): string[] {
    if (performance.now() >= this.#quitUntil) return [];
    return layRows([this.#dim("screen.quit_again")], width);
  }
}

import { type Component, isKeyRelease, matchesKey, type Terminal } from "@earendil-works/pi-tui";
import { BackList } from "./panels/back_list.ts";
import { capabilitiesFrom, type Doing, Window } from "./device/window.ts";
import { plain } from "../base/control_characters.ts";
import { Conversation } from "./transcript/conversation.ts";
import type { PromptEditor } from "./input/editor.ts";
import { Folds } from "./transcript/calls.ts";
import { Input } from "./input/input.ts";
import { layRows } from "./markdown/lay.ts";
import { LiveScreen } from "./live.ts";
import { LANE, type TerminalOptions } from "./panels/options.ts";
import { Panel } from "./panels/panel.ts";
import { Questions } from "./panels/questions.ts";
import { guardTerminal } from "./transcript/restore.ts";
import { type Look, welcomeRows } from "./transcript/rows.ts";
import { Spinner, Thoughts } from "./transcript/working.ts";
import { StatusLine } from "./transcript/status_line.ts";
import { createStyle, styleKind } from "./style.ts";
import { Transcript } from "./transcript/transcript.ts";
import { dimRow } from "./transcript/turn_rows.ts";

const QUIT_MS = 2000;

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

/** Joins the parts, and gives each key to the one it is for. */
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
  readonly #conversation: Conversation;
  readonly #quit = Promise.withResolvers<number>();
  #unsubscribe: (() => void) | undefined;
  #quitUntil = 0;
  /** The spinner's line as it was laid last: most frames have the same. */
  #spun = { text: "", width: 0, lines: [""] };

  constructor(
    options: TerminalOptions,
    terminal: Terminal | undefined,
    below: number | undefined,
    stopProcess: () => void,
  ) {
    const style = createStyle(styleKind(options.theme ?? "auto", options.env));
    const look = {
      style,
      t: options.t,
      workspace: options.workspace,
      keys: true,
      servers: () => options.controller.servers.list().map(({ name }) => name),
    };
    const capabilities = capabilitiesFrom(options.env);
    const live = new LiveScreen(terminal, { below, ...capabilities });
    this.#options = options;
    this.#stopProcess = stopProcess;
    this.#look = look;
    this.#live = live;
    this.#window = new Window({
      workspace: options.workspace,
      t: options.t,
      capabilities,
      notify: options.notify ?? true,
      write: (sequence) => live.terminal.write(sequence),
    });
    const now = options.now ?? (() => performance.now());
    this.#spinner = new Spinner(() => live.moved(), now);
    this.#transcript = new Transcript(live, look);
    this.#thoughts = new Thoughts(look, now, (rows) => this.#transcript.sayBeside("thought", rows));
    this.#panel = new Panel(
      look,
      () => live.terminal.rows,
      now,
      this.#thoughts,
      options.redact,
    );
    this.#folds = new Folds(look);
    this.#status = new StatusLine(options.controller, look, () => live.requestRender());
    this.#input = new Input({
      options,
      live,
      look,
      queue: this.#panel.queue,
      submit: (line) => this.#conversation.submit(line),
      tell: (text) => this.#transcript.sayBeside("notice", [{ text: plain(text), fit: "wrap" }]),
      warn: (text) =>
        this.#transcript.sayBeside("notice", [{ text: style.yellow(plain(text)), fit: "wrap" }]),
    });
    this.#editor = this.#input.editor;
    this.#questions = new Questions({
      live,
      transcript: this.#transcript,
      look,
      home: this.#editor,
      words: () => this.#editor.getText(),
      answer: (id, value) => options.bus.send({ type: "answer", lane: LANE, id, value }),
      editExternally: (editor) => void this.#input.editExternally(editor),
      now,
    });
    this.#back = new BackList({
      live,
      look,
      home: this.#editor,
      prompts: () => options.controller.current().prompts,
      goBack: (n) =>
        this.#conversation.submit({ text: `/back ${n}`, entry: { text: `/back ${n}` } }),
      now,
    });
    this.#conversation = new Conversation({
      options,
      look,
      live,
      transcript: this.#transcript,
      panel: this.#panel,
      thoughts: this.#thoughts,
      folds: this.#folds,
      status: this.#status,
      questions: this.#questions,
      back: this.#back,
      spinner: this.#spinner,
      window: this.#window,
      input: this.#input,
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
      const { tailRoom: rows, tailMost: most } = live;
      this.#transcript.settle({ width: live.terminal.columns, rows, most });
      this.#window.show(this.#doing);
    };
    live.addInputListener((data) => this.#onKey(data) ? { consume: true } : undefined);
  }

  get ended(): Promise<number> {
    return this.#quit.promise;
  }

  start(): void {
    const { bus, version, model, firstPrompt, ended } = this.#options;
    this.#unsubscribe = bus.subscribe((event) => this.#conversation.hear(event), LANE);
    ended?.addEventListener("abort", () => this.quit(0), { once: true });
    this.#live.setFocus(this.#editor);
    this.#live.start();
    this.#transcript.say("welcome", welcomeRows(version, model, this.#look));
    this.#conversation.takeUp();
    this.#input.start();
    void this.#status.refresh();
    const text = firstPrompt?.trim() ?? "";
    if (text !== "") this.#conversation.submit({ text, entry: { text } });
    if (ended?.aborted) this.quit(0);
    this.#options.begun?.();
  }

  /** Stops what runs and ends with `code`. */
  quit(code: number): void {
    if (this.#conversation.busy) this.#conversation.stop("leaving");
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
    this.#questions.clear();
    this.#input.close();
    this.#back.close();
    this.#conversation.end();
    this.#live.close();
    this.#window.restore();
  }

  get #doing(): Doing {
    if (this.#questions.open) return "asking";
    return this.#conversation.busy ? "working" : "idle";
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
    if (matchesKey(data, "shift+tab")) {
      const { controller } = this.#options;
      controller.usePlanMode(!controller.planMode);
      return true;
    }
    const idle = !this.#conversation.busy && this.#editor.empty && !this.#back.open;
    if (idle && this.#panel.agents > 0 && matchesKey(data, "escape")) {
      this.#conversation.stopAgents();
      return true;
    }
    if (this.#back.takes(data, !this.#conversation.busy && this.#editor.empty)) return true;
    if (this.#back.open) return false;
    if (this.#input.takes(data)) return true;
    if (matchesKey(data, "ctrl+t")) {
      this.#thoughts.toggle();
      this.#live.requestRender();
      return true;
    }
    if (matchesKey(data, "ctrl+o")) {
      const rows = this.#folds.open() ?? [dimRow("No folded output", this.#look)];
      this.#transcript.sayBeside("unfolded", rows);
      return true;
    }
    if (
      matchesKey(data, "escape") && this.#conversation.busy && !this.#editor.isShowingAutocomplete()
    ) {
      this.#conversation.stop();
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
    else if (this.#conversation.busy && this.#spinner.doing !== "stopping") {
      this.#conversation.stop();
    } else if (performance.now() < this.#quitUntil) this.quit(0);
    else this.#quitUntil = performance.now() + QUIT_MS;
    this.#live.requestRender();
  }

  #renderSpinner(width: number): string[] {
    if (this.#questions.open) return [""];
    if (!this.#spinner.running) return this.#renderAgents(width);
    const facts = { usage: this.#conversation.usage, waiting: this.#panel.calling };
    const text = this.#spinner.line(this.#look, facts);
    if (text !== this.#spun.text || width !== this.#spun.width) {
      this.#spun = { text, width, lines: ["", ...layRows([{ text, fit: "cut" }], width), ""] };
    }
    return this.#spun.lines;
  }

  /** Nothing is answered: what stops the agents that work, if any. */
  #renderAgents(width: number): string[] {
    const { agents: n } = this.#panel;
    if (n === 0) return [""];
    return [
      "",
      ...layRows([
        dimRow("{n} {n:agent|agents} at work · esc stops {n:it|them} · /agents", this.#look, { n }),
      ], width),
      "",
    ];
  }

  #renderFoot(width: number): string[] {
    if (performance.now() >= this.#quitUntil) return this.#status.render(width);
    return layRows([dimRow("press ctrl-c again to quit", this.#look)], width);
  }
}

import { type Component, SelectList } from "@earendil-works/pi-tui";
import { say } from "../text.ts";
import type { AgentEvent } from "../types.ts";
import type { LiveScreen } from "./live.ts";
import { type Look, questionRows } from "./render.ts";
import { selectTheme } from "./style.ts";
import type { Transcript } from "./transcript.ts";

type Ask = Extract<AgentEvent, { type: "ask" }>;

/** Asks one question at a time. The default is No; ESC is No; one Yes is for one question. */
export class Questions implements Component {
  readonly #live: LiveScreen;
  readonly #transcript: Transcript;
  readonly #look: Look;
  readonly #home: Component;
  readonly #answer: (id: string, value: boolean) => void;
  #waiting: Ask[] = [];
  #list: SelectList | undefined;

  /** `home` gets the focus back; `answer` is called once for each question that was answered. */
  constructor(
    live: LiveScreen,
    transcript: Transcript,
    look: Look,
    home: Component,
    answer: (id: string, value: boolean) => void,
  ) {
    this.#live = live;
    this.#transcript = transcript;
    this.#look = look;
    this.#home = home;
    this.#answer = answer;
  }

  get open(): boolean {
    return this.#list !== undefined;
  }

  ask(question: Ask): void {
    this.#waiting.push(question);
    if (!this.open) this.#next();
  }

  /** Answers the open question. */
  answer(value: boolean): void {
    const question = this.#waiting.shift();
    this.#close();
    if (question === undefined) return;
    const { lang, style } = this.#look;
    const text = say(lang, value ? "screen.yes" : "screen.no");
    this.#transcript.say("question", [{ text: `  ${style.bold(`→ ${text}`)}`, fit: "cut" }]);
    this.#answer(question.id, value);
    if (!this.open) this.#next();
  }

  /** Takes the questions back unanswered. */
  clear(): void {
    this.#waiting = [];
    this.#close();
  }

  invalidate(): void {}

  render(width: number): string[] {
    return this.#list === undefined ? [] : ["", ...this.#list.render(width)];
  }

  #next(): void {
    const question = this.#waiting[0];
    if (question === undefined) return;
    const { lang, style } = this.#look;
    // In the transcript, whole: a long command must not scroll out of the live part unseen.
    this.#transcript.say("question", questionRows(question, this.#look));
    const list = new SelectList(
      [
        { value: "no", label: say(lang, "screen.no") },
        { value: "yes", label: say(lang, "screen.yes") },
      ],
      2,
      selectTheme(style),
    );
    list.onSelect = (item) => this.answer(item.value === "yes");
    list.onCancel = () => this.answer(false);
    this.#list = list;
    this.#live.setFocus(list);
    this.#live.requestRender();
  }

  #close(): void {
    if (this.#list === undefined) return;
    this.#list = undefined;
    this.#live.setFocus(this.#home);
    this.#live.requestRender();
  }
}

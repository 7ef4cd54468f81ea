import {
  type Component,
  decodeKittyPrintable,
  matchesKey,
  SelectList,
} from "@earendil-works/pi-tui";
import { say } from "../text.ts";
import type { AgentEvent } from "../types.ts";
import { layRows } from "./lay.ts";
import type { LiveScreen } from "./live.ts";
import { questionRows, type ShownCall } from "./question_rows.ts";
import type { Look, Row } from "./render.ts";
import { selectTheme } from "./style.ts";
import type { Transcript } from "./transcript.ts";

type Ask = Extract<AgentEvent, { type: "ask" }>;

interface Waiting {
  readonly ask: Ask;
  readonly rows: readonly Row[];
}

/** Letters that follow one another faster than this are a word, not answers. */
const WORD_MS = 500;
const YES = /^[yY是]$/;
const NO = /^[nN否]$/;

/** What a key types; undefined for a key that is not a character, and for a paste. */
function typed(data: string): string | undefined {
  const text = decodeKittyPrintable(data) ?? data;
  return /\p{Cc}/u.test(text) ? undefined : text;
}

/**
 * Asks one question at a time. The default is No; ESC is No; one Yes is for one question; `y` and
 * `n` answer at once. A word that was being typed when the question came answers nothing.
 */
export class Questions implements Component {
  readonly #live: LiveScreen;
  readonly #transcript: Transcript;
  readonly #look: Look;
  readonly #home: Component;
  readonly #answer: (id: string, value: boolean) => void;
  readonly #now: () => number;
  #waiting: Waiting[] = [];
  #list: SelectList | undefined;
  /** When the last character was typed. */
  #typedAt = -Infinity;
  /** A letter has answered; the rest of its word (`yes`, enter) is not for the editor. */
  #ending = false;

  /** `home` gets the focus back; `answer` is called once for each question that was answered; `now` in ms. */
  constructor(
    live: LiveScreen,
    transcript: Transcript,
    look: Look,
    home: Component,
    answer: (id: string, value: boolean) => void,
    now: () => number,
  ) {
    this.#live = live;
    this.#transcript = transcript;
    this.#look = look;
    this.#home = home;
    this.#answer = answer;
    this.#now = now;
  }

  get open(): boolean {
    return this.#list !== undefined;
  }

  /** `call` is what the question is about when it is about a tool call. */
  ask(ask: Ask, call: ShownCall | undefined): void {
    this.#waiting.push({ ask, rows: questionRows(ask, this.#look, call) });
    if (!this.open) this.#next();
  }

  /** Sees each key before anybody else does; true when nobody else is to see it. */
  takes(data: string): boolean {
    const text = typed(data);
    const enter = matchesKey(data, "enter");
    const amidWord = this.#now() - this.#typedAt < WORD_MS;
    this.#ending &&= amidWord && (enter || text !== undefined);
    if (text !== undefined) this.#typedAt = this.#now();
    if (!this.open) {
      const ending = this.#ending;
      if (enter) this.#typedAt = -Infinity;
      this.#ending &&= !enter;
      return ending;
    }
    if (text === undefined) return enter && amidWord;
    if (amidWord || !(YES.test(text) || NO.test(text))) return true;
    this.#ending = true;
    this.answer(YES.test(text));
    return true;
  }

  /** Answers the open question. */
  answer(value: boolean): void {
    const question = this.#waiting.shift();
    this.#close();
    if (question === undefined) return;
    const { lang, style } = this.#look;
    const text = say(lang, value ? "screen.yes" : "screen.no");
    this.#transcript.say("question", [{ text: `  ${style.bold(`→ ${text}`)}`, fit: "cut" }]);
    this.#answer(question.ask.id, value);
    if (!this.open) this.#next();
  }

  /** Takes the questions back unanswered. */
  clear(): void {
    this.#waiting = [];
    this.#close();
  }

  invalidate(): void {}

  render(width: number): string[] {
    if (this.#list === undefined) return [];
    const { lang, style } = this.#look;
    const keys: Row = { text: style.dim(say(lang, "screen.question_keys")), fit: "cut" };
    return ["", ...this.#list.render(width), ...layRows([keys], width)];
  }

  #next(): void {
    const question = this.#waiting[0];
    if (question === undefined) return;
    const { lang, style } = this.#look;
    // In the transcript, whole: a long command must not scroll out of the live part unseen.
    this.#transcript.say("question", question.rows);
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

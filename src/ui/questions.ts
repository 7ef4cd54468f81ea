import {
  type Component,
  decodeKittyPrintable,
  matchesKey,
  SelectList,
} from "@earendil-works/pi-tui";
import { say } from "../text.ts";
import type { AgentEvent } from "../types.ts";
import { PASTE } from "./bracketed_paste.ts";
import { layRows } from "./lay.ts";
import type { LiveScreen } from "./live.ts";
import { questionRows } from "./question_rows.ts";
import type { Look, Row } from "./rows.ts";
import { selectTheme } from "./style.ts";
import type { Transcript } from "./transcript.ts";

type Ask = Extract<AgentEvent, { type: "ask" }>;

interface Waiting {
  readonly ask: Ask;
  readonly rows: readonly Row[];
}

/** The question itself and the beginning of the command or call. */
const HEAD_ROWS = 2;
/** Rows below the choices. */
const ROWS_BELOW = 1;
/** Letters that follow one another faster than this are a word, not answers. */
const WORD_MS = 500;
const NO = 0;
const YES = 1;
/** What a letter answers, and the rest of the word that people type instead of it. */
const LETTERS: { readonly [letter: string]: { readonly value: boolean; readonly rest: string } } = {
  y: { value: true, rest: "es" },
  n: { value: false, rest: "o" },
  是: { value: true, rest: "的" },
  否: { value: false, rest: "" },
};

/** What a key types; undefined for a key that is not a character, and for a paste. */
function typed(data: string): string | undefined {
  const text = decodeKittyPrintable(data) ?? data;
  return /\p{Cc}/u.test(text) ? undefined : text;
}

/** Whether rows take more than `room` lines. */
function isTaller(rows: readonly Row[], width: number, room: number): boolean {
  return rows.length > room || rows.some(({ text }) => text.length > room * width) ||
    layRows(rows, width).length > room;
}

/**
 * Asks one question at a time. The default is No; ESC and Ctrl-D are No; one Yes is for one
 * question; `n` answers at once, `y` as soon as it is clear that it begins no other word. Other
 * text, and a word that was being typed when the question came, answers nothing: it goes on where
 * the focus will be.
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
  /** A letter that says Yes, the rest of its word, and what of that was typed. */
  #yes:
    | { readonly keys: string[]; readonly rest: string; timer?: ReturnType<typeof setTimeout> }
    | undefined;
  /** A letter has answered: the rest of its word, what of that was typed, and until when. */
  #ending: { readonly rest: string; readonly held: string[]; readonly until: number } | undefined;

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

  ask(ask: Ask): void {
    this.#waiting.push({ ask, rows: questionRows(ask, this.#look) });
    if (!this.open) this.#next();
  }

  /** Sees each key before anybody else does; true when nobody else is to see it. */
  takes(data: string): boolean {
    if (this.#endsAnswer(data)) return true;
    const text = typed(data);
    const enter = matchesKey(data, "enter");
    const amidWord = this.#now() - this.#typedAt < WORD_MS;
    if (this.#goesOnAsYes(data, text)) return true;
    if (text !== undefined) this.#typedAt = this.#now();
    if (!this.open) {
      if (enter) this.#typedAt = -Infinity;
      return false;
    }
    if (matchesKey(data, "ctrl+d")) {
      this.answer(false);
      return true;
    }
    if (text === undefined && !data.startsWith(PASTE)) return enter && amidWord;
    const letter = amidWord || text === undefined ? undefined : LETTERS[text.toLowerCase()];
    if (letter === undefined) {
      this.#home.handleInput?.(data);
      return true;
    }
    if (letter.value) {
      this.#choose(YES);
      this.#yes = { keys: [data], rest: letter.rest };
      this.#awaitWord();
    } else {
      this.#ending = { rest: letter.rest, held: [], until: this.#now() + WORD_MS };
      this.answer(false);
    }
    return true;
  }

  /** Whether a key belongs to a Yes; with any other key it was none, and what was typed of it is text. */
  #goesOnAsYes(data: string, text: string | undefined): boolean {
    const yes = this.#yes;
    if (yes === undefined) return false;
    if (matchesKey(data, "enter")) {
      this.answer(true);
      return true;
    }
    if (text !== undefined && text.toLowerCase() === yes.rest[yes.keys.length - 1]) {
      yes.keys.push(data);
      this.#awaitWord();
      return true;
    }
    this.#dropYes();
    if (text === undefined && !data.startsWith(PASTE)) return false;
    this.#choose(NO);
    this.#typedAt = this.#now();
    for (const key of [...yes.keys, data]) this.#home.handleInput?.(key);
    return true;
  }

  /** Answers Yes when the word does not go on. */
  #awaitWord(): void {
    const yes = this.#yes!;
    clearTimeout(yes.timer);
    yes.timer = setTimeout(() => {
      const held = yes.keys.slice(1);
      this.#ending = { rest: yes.rest, held, until: this.#now() + WORD_MS };
      this.answer(true);
    }, WORD_MS);
  }

  #dropYes(): void {
    clearTimeout(this.#yes?.timer);
    this.#yes = undefined;
  }

  #choose(index: number): void {
    this.#list?.setSelectedIndex(index);
    this.#live.requestRender();
  }

  /** Whether a key ends the word of an answer (`yes`, enter); a word that goes on otherwise was text. */
  #endsAnswer(data: string): boolean {
    const ending = this.#ending;
    this.#ending = undefined;
    if (ending === undefined || this.#now() >= ending.until) return false;
    if (matchesKey(data, "enter")) return true;
    const { rest, held } = ending;
    const text = typed(data)?.toLowerCase();
    if (text !== undefined && text === rest[held.length]) {
      held.push(data);
      this.#ending = ending;
      return true;
    }
    for (const key of held) this.#home.handleInput?.(key);
    return false;
  }

  /** Says the open question again: the screen has been another program's. */
  repeat(): void {
    const question = this.#waiting[0];
    if (this.open && question !== undefined) this.#transcript.say("question", question.rows);
  }

  /** Answers the open question. */
  answer(value: boolean): void {
    const question = this.#waiting.shift();
    this.#close();
    if (question === undefined) return;
    const { lang, style } = this.#look;
    const text = say(lang, value ? "screen.yes" : "screen.no");
    this.#transcript.say("reply", [{ text: `  ${style.bold(`→ ${text}`)}`, fit: "cut" }]);
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
    const question = this.#waiting[0];
    if (this.#list === undefined || question === undefined) return [];
    const { lang, style } = this.#look;
    const keys: Row = { text: style.dim(say(lang, "screen.question_keys")), fit: "cut" };
    const choice = ["", ...this.#list.render(width), ...layRows([keys], width)];
    // Of a question that is taller than the screen, what it is about is said again.
    const room = this.#live.terminal.rows - choice.length - ROWS_BELOW;
    if (!isTaller(question.rows, width, room)) return choice;
    const about = question.rows.slice(0, HEAD_ROWS).map((row): Row => ({ ...row, fit: "cut" }));
    return ["", ...layRows(about, width), ...choice.slice(1)];
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
    this.#dropYes();
    if (this.#list === undefined) return;
    this.#list = undefined;
    this.#live.setFocus(this.#home);
    this.#live.requestRender();
  }
}

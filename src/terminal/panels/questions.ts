import {
  type Component,
  decodeKittyPrintable,
  matchesKey,
  SelectList,
} from "@earendil-works/pi-tui";
import type { AgentEvent, Answer } from "../../base/types.ts";
import { PASTE } from "../input/pasted.ts";
import type { Form, FormHost } from "./form.ts";
import { layRows } from "../markdown/lay.ts";
import type { LiveScreen } from "../live.ts";
import {
  answerRows,
  type Choice,
  choicesOf,
  footRows,
  LETTERS,
  likelyAnswer,
  questionRows,
  type Reply,
} from "./question_rows.ts";
import type { Look, Row } from "../transcript/rows.ts";
import { selectTheme } from "../style.ts";
import type { Transcript } from "../transcript/transcript.ts";

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
/** What a key types; undefined for a key that is not a character, and for a paste. */
function typed(data: string): string | undefined {
  const text = decodeKittyPrintable(data) ?? data;
  return /\p{Cc}/u.test(text) ? undefined : text;
}

/** What questions need of the screen. */
export interface QuestionsHost extends Pick<FormHost, "editExternally"> {
  readonly live: LiveScreen;
  readonly transcript: Transcript;
  readonly look: Look;
  /** Gets the focus back. */
  readonly home: Component;
  /** What is written there. */
  words(): string;
  /** Called once for each question that was answered. */
  answer(id: string, value: Answer): void;
  /** In milliseconds. */
  now(): number;
}

/** Whether rows take more than `room` lines. */
function isTaller(rows: readonly Row[], width: number, room: number): boolean {
  return rows.length > room || rows.some(({ text }) => text.length > room * width) ||
    layRows(rows, width).length > room;
}

/**
 * Asks one question at a time. Enter takes the likely answer, a No where there is any doubt; ESC and Ctrl-D are No; one Yes is for one
 * question; `y` and `n` answer as soon as it is clear that they begin no other word. Other text is
 * words, in which letters are letters, and which Enter sends: a No and the next line. A word that
 * was being typed when the question came answers nothing: it goes on where the focus will be.
 */
export class Questions implements Component {
  readonly #host: QuestionsHost;
  #waiting: Waiting[] = [];
  #choices: readonly Choice[] = [];
  #list: SelectList | undefined;
  #form: Form | undefined;
  /** When the last character was typed. */
  #typedAt = -Infinity;
  /** A word that was being typed when the question came still goes on. */
  #carried = false;
  /** What is seen of the line: something was typed while the question was open. */
  #typing = false;
  /** The arrow went to a choice behind them. */
  #chosen = false;
  /** A letter that answers, the rest of its word, and what of that was typed. */
  #letter:
    | {
      readonly value: boolean;
      readonly keys: string[];
      readonly rest: string;
      timer?: ReturnType<typeof setTimeout>;
    }
    | undefined;
  /** A letter has answered: the rest of its word, what of that was typed, and until when. */
  #ending: { readonly rest: string; readonly held: string[]; readonly until: number } | undefined;

  constructor(host: QuestionsHost) {
    this.#host = host;
  }

  get open(): boolean {
    return this.#list !== undefined;
  }

  ask(ask: Ask): void {
    this.#waiting.push({ ask, rows: questionRows(ask, this.#host.look) });
    if (!this.open) this.#next();
  }

  /** Sees each key before anybody else does; true when nobody else is to see it. */
  takes(data: string): boolean {
    if (this.#endsAnswer(data)) return true;
    const text = typed(data);
    const enter = matchesKey(data, "enter");
    const amidWord = this.#host.now() - this.#typedAt < WORD_MS;
    if (!amidWord) this.#carried = false;
    if (this.#goesOnAsAnswer(data, text)) return true;
    if (text !== undefined) this.#typedAt = this.#host.now();
    if (!this.open) {
      if (enter) this.#typedAt = -Infinity;
      return false;
    }
    if (matchesKey(data, "ctrl+d") || this.#form && matchesKey(data, "escape")) {
      this.answer(false);
      return true;
    }
    if (this.#form) return this.#form.takes(data);
    if (enter && this.#sends) {
      this.answer(false);
      this.#host.home.handleInput?.(data);
      return true;
    }
    if (this.#typing && matchesKey(data, "backspace")) {
      this.#type([data]);
      return true;
    }
    if (text === undefined && !data.startsWith(PASTE)) {
      // who goes to a choice means it
      this.#chosen = true;
      return enter && this.#carried;
    }
    const letter = amidWord || this.#typing || text === undefined
      ? undefined
      : LETTERS[text.toLowerCase()];
    if (letter === undefined) this.#type([data]);
    else {
      this.#choose(letter.value ? YES : NO);
      this.#letter = { ...letter, keys: [data] };
      this.#awaitWord();
    }
    return true;
  }

  /** Whether a key belongs to an answer; with any other key it was none, and what was typed of it is text. */
  #goesOnAsAnswer(data: string, text: string | undefined): boolean {
    const letter = this.#letter;
    if (letter === undefined) return false;
    if (matchesKey(data, "enter")) {
      this.#agree(letter.value);
      return true;
    }
    if (text !== undefined && text.toLowerCase() === letter.rest[letter.keys.length - 1]) {
      letter.keys.push(data);
      this.#awaitWord();
      return true;
    }
    this.#dropLetter();
    if (text === undefined && !data.startsWith(PASTE)) return false;
    this.#choose(NO);
    this.#typedAt = this.#host.now();
    this.#type([...letter.keys, data]);
    return true;
  }

  /** Whether Enter sends what was typed. */
  get #sends(): boolean {
    return this.#typing && !this.#carried && !this.#chosen;
  }

  /** Lets text go where the focus will be. */
  #type(keys: readonly string[]): void {
    for (const key of keys) this.#host.home.handleInput?.(key);
    this.#chosen = false;
    this.#typing = this.#host.words() !== "";
    this.#list?.setSelectedIndex(NO);
    this.#host.live.requestRender();
  }

  /** Answers when the word does not go on. */
  #awaitWord(): void {
    const letter = this.#letter!;
    clearTimeout(letter.timer);
    letter.timer = setTimeout(() => {
      const held = letter.keys.slice(1);
      // what is typed into a form is its own
      if (!letter.value || this.#choices[YES]?.value !== "fill") {
        this.#ending = { rest: letter.rest, held, until: this.#host.now() + WORD_MS };
      }
      this.#agree(letter.value);
    }, WORD_MS);
  }

  #dropLetter(): void {
    clearTimeout(this.#letter?.timer);
    this.#letter = undefined;
  }

  #agree(value: boolean): void {
    this.#reply(value ? this.#choices[YES]?.value ?? "yes" : "no");
  }

  #reply(reply: Reply): void {
    if (reply === "fill") void this.#fill();
    else this.answer(reply === "yes");
  }

  /** Has the fields of the open question filled in, which answers it. */
  async #fill(): Promise<void> {
    this.#dropLetter();
    const question = this.#waiting[0];
    const { Form } = await import("./form.ts");
    if (question === undefined || question !== this.#waiting[0] || this.#form) return;
    const { live, look, editExternally } = this.#host;
    this.#form = new Form(question.ask.fields ?? [], {
      live,
      look,
      editExternally,
      done: (filled) => this.answer(filled),
    });
  }

  #choose(index: number): void {
    this.#list?.setSelectedIndex(index);
    this.#host.live.requestRender();
  }

  /** Whether a key ends the word of an answer (`yes`, enter); a word that goes on otherwise was text. */
  #endsAnswer(data: string): boolean {
    const ending = this.#ending;
    this.#ending = undefined;
    if (ending === undefined || this.#host.now() >= ending.until) return false;
    if (matchesKey(data, "enter")) return true;
    const { rest, held } = ending;
    const text = typed(data)?.toLowerCase();
    if (text !== undefined && text === rest[held.length]) {
      held.push(data);
      this.#ending = ending;
      return true;
    }
    for (const key of held) this.#host.home.handleInput?.(key);
    return false;
  }

  /** Says the open question again: the screen has been another program's. */
  repeat(): void {
    const question = this.#waiting[0];
    if (this.open && question !== undefined) this.#host.transcript.say("question", question.rows);
  }

  /** Answers the open question. */
  answer(value: Answer): void {
    const question = this.#waiting.shift();
    this.#close();
    if (question === undefined) return;
    const { transcript, look } = this.#host;
    transcript.say("reply", answerRows(question.ask, value, look));
    this.#host.answer(question.ask.id, value);
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
    if (this.#form) return this.#form.render(width);
    const words = this.#typing ? this.#host.words() : "";
    const foot = layRows(footRows(words, this.#sends, width, this.#host.look), width);
    const choice = ["", ...this.#list.render(width), ...foot];
    // Of a question that is taller than the screen, what it is about is said again.
    const room = this.#host.live.terminal.rows - choice.length - ROWS_BELOW;
    if (!isTaller(question.rows, width, room)) return choice;
    const about = question.rows.slice(0, HEAD_ROWS).map((row): Row => ({ ...row, fit: "cut" }));
    return ["", ...layRows(about, width), ...choice.slice(1)];
  }

  #next(): void {
    const question = this.#waiting[0];
    if (question === undefined) return;
    const { live, transcript, look } = this.#host;
    // In the transcript, whole: a long command must not scroll out of the live part unseen.
    transcript.say("question", question.rows);
    this.#choices = choicesOf(question.ask, look.t);
    const list = new SelectList([...this.#choices], this.#choices.length, selectTheme(look.style));
    list.onSelect = ({ value }) => this.#reply(value as Reply);
    list.onCancel = () => this.answer(false);
    // while the question is read
    if (question.ask.fields) void import("./form.ts");
    this.#list = list;
    this.#carried = this.#host.now() - this.#typedAt < WORD_MS;
    // an Enter may be meant for what stands in the line
    if (likelyAnswer(question.ask) && this.#host.words() === "") list.setSelectedIndex(YES);
    live.setFocus(list);
    if (question.ask.direct) void this.#fill();
    live.requestRender();
  }

  #close(): void {
    this.#dropLetter();
    this.#carried = this.#typing = this.#chosen = false;
    if (this.#list === undefined) return;
    this.#list = this.#form = undefined;
    this.#host.live.setFocus(this.#host.home);
    this.#host.live.requestRender();
  }
}

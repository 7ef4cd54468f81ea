import {
  type Component,
  decodeKittyPrintable,
  matchesKey,
  SelectList,
} from "@earendil-works/pi-tui";
import { say } from "../text.ts";
import type { AgentEvent, Answer } from "../types.ts";
import { PASTE } from "./bracketed_paste.ts";
import type { Form, FormHost } from "./form.ts";
import { layRows } from "./lay.ts";
import type { LiveScreen } from "./live.ts";
import { answerRows, type Choice, choicesOf, LETTERS, type Reply } from "./question_answers.ts";
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
 * Asks one question at a time. The default is No; ESC and Ctrl-D are No; one Yes is for one
 * question; `n` answers at once, `y` as soon as it is clear that it begins no other word. Other
 * text, and a word that was being typed when the question came, answers nothing: it goes on where
 * the focus will be. Sent while a plan is asked about, it is a No and the next line.
 */
export class Questions implements Component {
  readonly #host: QuestionsHost;
  #waiting: Waiting[] = [];
  #choices: readonly Choice[] = [];
  #list: SelectList | undefined;
  #form: Form | undefined;
  /** When the last character was typed. */
  #typedAt = -Infinity;
  /** What was typed while a plan is asked about: it is what is to be different. */
  #worded = false;
  /** A letter that says Yes, the rest of its word, and what of that was typed. */
  #yes:
    | { readonly keys: string[]; readonly rest: string; timer?: ReturnType<typeof setTimeout> }
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
    if (this.#goesOnAsYes(data, text)) return true;
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
    if (enter && this.#worded) {
      this.answer(false);
      this.#host.home.handleInput?.(data);
      return true;
    }
    if (text === undefined && !data.startsWith(PASTE)) {
      // who goes to a choice means it
      this.#worded = false;
      return enter && amidWord;
    }
    const letter = amidWord || this.#worded || text === undefined
      ? undefined
      : LETTERS[text.toLowerCase()];
    if (letter === undefined) {
      this.#type([data]);
      return true;
    }
    if (letter.value) {
      this.#choose(YES);
      this.#yes = { keys: [data], rest: letter.rest };
      this.#awaitWord();
    } else {
      this.#ending = { rest: letter.rest, held: [], until: this.#host.now() + WORD_MS };
      this.answer(false);
    }
    return true;
  }

  /** Whether a key belongs to a Yes; with any other key it was none, and what was typed of it is text. */
  #goesOnAsYes(data: string, text: string | undefined): boolean {
    const yes = this.#yes;
    if (yes === undefined) return false;
    if (matchesKey(data, "enter")) {
      this.#agree();
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
    this.#typedAt = this.#host.now();
    this.#type([...yes.keys, data]);
    return true;
  }

  /** Lets text go where the focus will be. */
  #type(keys: readonly string[]): void {
    this.#worded ||= this.#waiting[0]?.ask.kind === "plan";
    for (const key of keys) this.#host.home.handleInput?.(key);
  }

  /** Answers Yes when the word does not go on. */
  #awaitWord(): void {
    const yes = this.#yes!;
    clearTimeout(yes.timer);
    yes.timer = setTimeout(() => {
      const held = yes.keys.slice(1);
      // what is typed into a form is its own
      if (this.#choices[YES]?.value !== "fill") {
        this.#ending = { rest: yes.rest, held, until: this.#host.now() + WORD_MS };
      }
      this.#agree();
    }, WORD_MS);
  }

  #dropYes(): void {
    clearTimeout(this.#yes?.timer);
    this.#yes = undefined;
  }

  #agree(): void {
    this.#reply(this.#choices[YES]?.value ?? "yes");
  }

  #reply(reply: Reply): void {
    if (reply === "fill") void this.#fill();
    else this.answer(reply === "yes");
  }

  /** Has the fields of the open question filled in, which answers it. */
  async #fill(): Promise<void> {
    this.#dropYes();
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
    const { lang, style } = this.#host.look;
    const keys: Row = { text: style.dim(say(lang, "screen.question_keys")), fit: "cut" };
    const choice = ["", ...this.#list.render(width), ...layRows([keys], width)];
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
    this.#choices = choicesOf(question.ask, look.lang);
    const list = new SelectList([...this.#choices], this.#choices.length, selectTheme(look.style));
    list.onSelect = ({ value }) => this.#reply(value as Reply);
    list.onCancel = () => this.answer(false);
    // while the question is read
    if (question.ask.fields) void import("./form.ts");
    this.#list = list;
    live.setFocus(list);
    live.requestRender();
  }

  #close(): void {
    this.#dropYes();
    this.#worded = false;
    if (this.#list === undefined) return;
    this.#list = this.#form = undefined;
    this.#host.live.setFocus(this.#host.home);
    this.#host.live.requestRender();
  }
}

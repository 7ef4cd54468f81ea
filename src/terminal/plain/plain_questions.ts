import { checked, type Read, YES } from "../../base/questions.ts";
import type { AgentEvent, Answer, Bus, Field, Filled, Json } from "../../base/types.ts";
import { LANE } from "../panels/options.ts";
import type { PlainWriter } from "./plain_writer.ts";
import {
  answerRows,
  choicesOf,
  likelyAnswer,
  questionRows,
  readField,
  shownValue,
} from "../panels/question_rows.ts";
import type { Look } from "../transcript/rows.ts";
import { plainLine } from "../../base/control_characters.ts";

/** The fields of a question, filled in line by line; an empty line keeps what a field holds. */
class PlainForm {
  readonly #fields: readonly Field[];
  readonly #look: Look;
  readonly #writer: PlainWriter;
  readonly #values = new Map<string, Json>();
  #at = 0;
  /** Of a list, the lines so far. */
  #lines: string[] = [];

  constructor(fields: readonly Field[], look: Look, writer: PlainWriter) {
    this.#fields = fields;
    this.#look = look;
    this.#writer = writer;
    for (const { name, value } of fields) if (value !== undefined) this.#values.set(name, value);
    writer.line(look.t("an empty line keeps it, ctrl-c = no"));
  }

  /** Takes a line; returns what is filled in once all is. */
  enter(line: string): Filled | undefined {
    const field = this.#fields[this.#at]!;
    const kept = this.#values.get(field.name);
    if (field.type === "lines" && line.trim() !== "") {
      this.#lines.push(line);
      this.#writer.print("… ");
      return undefined;
    }
    const typed = field.type === "lines" ? this.#lines.splice(0).join("\n") : line;
    const { t } = this.#look;
    const read: Read = typed.trim() === "" ? checked(field, kept, t) : readField(field, typed, t);
    if ("wrong" in read) this.#writer.line(`✗ ${read.wrong}`);
    else {
      if (read.value !== undefined) this.#values.set(field.name, read.value);
      this.#at++;
    }
    return this.ask();
  }

  /** Asks for the next field; returns what is filled in when there is none. */
  ask(): Filled | undefined {
    const field = this.#fields[this.#at];
    if (field === undefined) return Object.fromEntries(this.#values);
    const { t } = this.#look;
    const need = field.required ? "" : ` (${t("may be left empty")})`;
    const held = shownValue(field, this.#values.get(field.name), t);
    this.#writer.line(`${plainLine(field.label)}${need}`);
    for (const [at, { label }] of (field.choices ?? []).entries()) {
      this.#writer.line(`  ${at + 1}. ${plainLine(label)}`);
    }
    if (field.type === "lines") {
      for (const line of held) this.#writer.line(`  ${line}`);
      this.#writer.line(t("one a line, an empty line ends; an empty line first keeps them"));
    }
    this.#writer.print(held.length === 1 && field.type !== "lines" ? `[${held[0]}] ` : "… ");
    return undefined;
  }
}

type Ask = Extract<AgentEvent, { type: "ask" }>;

const EDIT = /^\s*(e|edit|改|修改)\s*$/i;

/** What is asked, one question at a time; a line answers it, and nobody there is a No. */
export class PlainQuestions {
  readonly #bus: Bus;
  readonly #look: Look;
  readonly #writer: PlainWriter;
  readonly #asked: Ask[] = [];
  #form: PlainForm | undefined;
  /** Nobody will enter a line: a script wrote its lines before the question. */
  unattended: boolean;

  constructor(bus: Bus, look: Look, writer: PlainWriter, unattended: boolean) {
    this.#bus = bus;
    this.#look = look;
    this.#writer = writer;
    this.unattended = unattended;
  }

  get open(): boolean {
    return this.#asked.length > 0;
  }

  ask(question: Ask): void {
    this.#asked.push(question);
    if (this.#asked.length === 1) this.#show();
  }

  /** Answers with what a person has entered. */
  enter(line: string): void {
    if (this.#form) return this.#filled(this.#form.enter(line));
    const asked = this.#asked[0];
    const yes = YES.test(line) || asked !== undefined && line.trim() === "" && likelyAnswer(asked);
    const values = this.#asked[0] ? choicesOf(this.#asked[0], this.#look.t) : [];
    const fills = values.some(({ value }) => value === "fill");
    const plainYes = values.some(({ value }) => value === "yes");
    if (!fills || !(EDIT.test(line) || yes && !plainYes)) return this.#answer(yes);
    if (asked) this.#fill(asked);
  }

  /** Answers what nobody will. */
  settle(): void {
    const answered = this.#asked[0]?.answered;
    if (answered !== undefined || this.unattended) this.#answer(answered === true);
  }

  clear(): void {
    this.#asked.length = 0;
    this.#form = undefined;
  }

  /** `filled` is undefined while there is more to fill in. */
  #filled(filled: Answer | undefined): void {
    if (filled !== undefined) this.#answer(filled);
  }

  #fill({ fields = [] }: Ask): void {
    this.#form = new PlainForm(fields, this.#look, this.#writer);
    this.#filled(this.#form.ask());
  }

  #answer(value: Answer): void {
    this.#form = undefined;
    const question = this.#asked.shift();
    if (question === undefined) return;
    const [said, ...filled] = answerRows(question, value, this.#look);
    this.#writer.line(said!.text.trim());
    this.#writer.rows(filled);
    if (question.answered === undefined) {
      this.#bus.send({ type: "answer", lane: LANE, id: question.id, value });
    }
    this.#show();
  }

  #show(): void {
    const question = this.#asked[0];
    if (question === undefined) return;
    this.#writer.line("");
    this.#writer.print("\n");
    this.#writer.rows(questionRows(question, this.#look));
    const fills = (question.fields ?? []).length > 0;
    if (question.direct && fills && !this.unattended) return this.#fill(question);
    const text = fills && question.kind === "input"
      ? "Fill it in? [y/N]"
      : fills
      ? "Go ahead? [{answers}, e to change it]"
      : "Go ahead? [{answers}]";
    const answers = likelyAnswer(question) ? "Y/n" : "y/N";
    this.#writer.print(`${this.#look.t(text, { answers })} `);
    this.settle();
  }
}

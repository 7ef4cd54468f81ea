import { say } from "../text.ts";
import type { AgentEvent, Bus } from "../types.ts";
import { LANE } from "./options.ts";
import type { PlainWriter } from "./plain_writer.ts";
import { questionRows } from "./question_rows.ts";
import type { Look } from "./rows.ts";

type Ask = Extract<AgentEvent, { type: "ask" }>;

const YES = /^\s*(y|yes|是|好)\s*$/i;

/** What is asked, one question at a time; a line answers it, and nobody there is a No. */
export class PlainQuestions {
  readonly #bus: Bus;
  readonly #look: Look;
  readonly #writer: PlainWriter;
  readonly #asked: Ask[] = [];
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
    this.#answer(YES.test(line));
  }

  /** Answers what nobody will. */
  settle(): void {
    const answered = this.#asked[0]?.answered;
    if (answered !== undefined || this.unattended) this.#answer(answered === true);
  }

  clear(): void {
    this.#asked.length = 0;
  }

  #answer(value: boolean): void {
    const question = this.#asked.shift();
    if (question === undefined) return;
    this.#writer.line(`→ ${say(this.#look.lang, value ? "screen.yes" : "screen.no")}`);
    this.#bus.send({ type: "answer", session: LANE, id: question.id, value });
    this.#show();
  }

  #show(): void {
    const question = this.#asked[0];
    if (question === undefined) return;
    this.#writer.line("");
    this.#writer.print("\n");
    this.#writer.rows(questionRows(question, this.#look));
    this.#writer.print(say(this.#look.lang, "screen.yes_no") + " ");
    this.settle();
  }
}

/**
 * What a lane may do: questions that only a person may answer, and whether its tools may change
 * anything.
 */
import { judged } from "../base/questions.ts";
import type { T } from "../base/t.ts";
import type { Answer, EventBody, Json, Question } from "../base/types.ts";

/** Who answers: a person (`ask`), nobody (`deny`), or a flag that allows deletes (`allow_delete`). */
export type ConsentPolicy = "ask" | "deny" | "allow_delete";

export interface Consent {
  /** Resolves with the answer; no answer, an abort and a closed door are No. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Hands in an answer. What is none for the question is a No; that, and an unknown id, is told. */
  answer(id: string, value: Json): void;
}

/** Makes the questions of one lane; `emit` shows them. `wanted`: a plan that nobody can be asked about is carried out. */
export function createConsent(
  consentPolicy: ConsentPolicy,
  emit: (event: EventBody) => void,
  id: () => string,
  t: T,
  wanted: () => boolean = () => true,
): Consent {
  const open = new Map<string, { question: Question; settle(value: Answer): void }>();
  const complain = (text: string) => emit({ type: "error", kind: "input", text });
  return {
    ask(question, signal) {
      const key = id();
      if (consentPolicy !== "ask") {
        // who asks for work without being there wants it done
        const answered = question.kind === "plan" && wanted() ||
          consentPolicy === "allow_delete" && question.kind === "delete";
        emit({ type: "ask", id: key, ...question, answered });
        return Promise.resolve(answered);
      }
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const settle = (value: Answer) => {
          signal.removeEventListener("abort", refuse);
          open.delete(key);
          resolve(value);
        };
        const refuse = () => settle(false);
        signal.addEventListener("abort", refuse);
        open.set(key, { question, settle });
        // Last, for a script answers while it is told.
        emit({ type: "ask", id: key, ...question });
      });
    },
    answer(key, value) {
      const asked = open.get(key);
      if (!asked) {
        return complain(
          t(
            "The answer to {id} was not used: no such question waits (answered already, withdrawn, or never asked)",
            { id: key },
          ),
        );
      }
      const { answer, wrong } = judged(asked.question, value, t);
      if (wrong !== undefined) complain(wrong);
      asked.settle(answer);
    },
  };
}

export interface ReadOnlyMode {
  /** They may not: the user has said so here, or for the lane that this one works for. */
  readonly on: boolean;
  /** The user has said so here. */
  readonly own: boolean;
  use(on: boolean): void;
}

/** Makes the mode of a lane, off. `above` is that of the lane it works for. */
export function createReadOnlyMode(
  above: () => boolean,
  emit: (event: EventBody) => void,
): ReadOnlyMode {
  let own = false;
  return {
    get on() {
      return own || above();
    },
    get own() {
      return own;
    },
    use(on) {
      if (own === on) return;
      own = on;
      emit({ type: "plan_mode", on });
    },
  };
}

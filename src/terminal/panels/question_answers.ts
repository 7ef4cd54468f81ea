/** What a question may be answered with, and how an answer reads. */
import { say, type TextKey } from "../../base/text.ts";
import type { Answer, Lang, Question } from "../../base/types.ts";
import { plainLine } from "../../base/control_characters.ts";
import { shownValue } from "./fields.ts";
import type { Look, Row } from "../transcript/rows.ts";

/** `fill`: a Yes with what is filled in, once it is. */
export type Reply = "no" | "yes" | "fill";

export interface Choice {
  readonly value: Reply;
  readonly label: string;
}

/** What a letter answers, and the rest of the word that people type instead of it. */
export const LETTERS: {
  readonly [letter: string]: { readonly value: boolean; readonly rest: string };
} = {
  y: { value: true, rest: "es" },
  n: { value: false, rest: "o" },
  是: { value: true, rest: "的" },
  否: { value: false, rest: "" },
};

const YES: { readonly [kind in Question["kind"]]?: TextKey } = {
  plan: "question.carry_out",
  trust: "question.trust",
  input: "form.yes",
  budget: "budget.yes",
};

const FILL: { readonly [kind in Question["kind"]]?: TextKey } = {
  input: "question.fill",
  budget: "budget.change",
};

/** No first, then Yes, then what a Yes may be besides; what wants filling in has no other Yes. */
export function choicesOf({ kind, fields = [] }: Question, lang: Lang): Choice[] {
  const choice = (value: Reply, key: TextKey) => ({ value, label: say(lang, key) });
  const fill = choice("fill", FILL[kind] ?? "question.edit");
  const yes = choice("yes", YES[kind] ?? "screen.yes");
  const no = choice("no", "screen.no");
  if (fields.length === 0) return [no, yes];
  return kind === "input" ? [no, fill] : [no, yes, fill];
}

/** What Enter answers: Yes to what the user has asked for and can take back, else No. */
export const likelyAnswer = ({ kind }: Question): boolean => kind === "plan" || kind === "undo";

/** What stands below the choices: the end of what is typed meanwhile, and what keys do; Enter `sends` it. */
export function footRows(words: string, sends: boolean, width: number, look: Look): Row[] {
  const { lang, style } = look;
  const keys = words === ""
    ? "screen.question_keys"
    : sends
    ? "screen.question_words"
    : "screen.question_begun";
  const hint: Row = { text: style.dim(say(lang, keys)), fit: "cut" };
  if (words === "") return [hint];
  const text = plainLine(words.split("\n").at(-1)!);
  const most = Math.max(1, Math.floor(width / 2) - 2);
  const end = text.length > most ? `…${text.slice(-most).toWellFormed()}` : text;
  return [{ text: `❯ ${end}`, fit: "cut" }, hint];
}

/** The answer as it stands below its question. */
export function answerRows(question: Question, answer: Answer, look: Look): Row[] {
  const { lang, style } = look;
  const choices = choicesOf(question, lang);
  const value: Reply = answer === false ? "no" : answer === true ? "yes" : "fill";
  const label = choices.find((choice) => choice.value === value)?.label ?? say(lang, "form.yes");
  const rows: Row[] = [{ text: `  ${style.bold(`→ ${label}`)}`, fit: "cut" }];
  if (typeof answer === "boolean") return rows;
  const all = question.fields ?? [];
  for (const field of all) {
    const lines = shownValue(field, answer[field.name], lang);
    const own = all.length > 1 || field.type !== "lines";
    const name = own ? style.dim(`${plainLine(field.label)}: `) : "";
    if (lines.length === 1 && own) rows.push(wrapped(name + lines[0]!));
    else rows.push(...lines.length > 0 && own ? [wrapped(name)] : [], ...lines.map(wrapped));
  }
  return rows;
}

const wrapped = (text: string): Row => ({ lead: "    ", text, fit: "wrap" });

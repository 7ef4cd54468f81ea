/** What a question may be answered with, and how an answer reads. */
import type { T, Text } from "../../base/t.ts";
import type { Answer, Question } from "../../base/types.ts";
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

const YES: { readonly [kind in Question["kind"]]?: Text } = {
  plan: "Yes, run it",
  trust: "Yes, until it changes",
  input: "Yes",
  budget: "Raise and continue",
};

const FILL: { readonly [kind in Question["kind"]]?: Text } = {
  input: "Fill it in…",
  budget: "Raise by another amount",
};

/** No first, then Yes, then what a Yes may be besides; what wants filling in has no other Yes. */
export function choicesOf({ kind, fields = [] }: Question, t: T): Choice[] {
  const choice = (value: Reply, text: Text) => ({ value, label: t(text) });
  const fill = choice("fill", FILL[kind] ?? "Change it first…");
  const yes = choice("yes", YES[kind] ?? "Yes, this once");
  const no = choice("no", "No");
  if (fields.length === 0) return [no, yes];
  return kind === "input" ? [no, fill] : [no, yes, fill];
}

/** What Enter answers: Yes to what the user has asked for and can take back, else No. */
export const likelyAnswer = ({ kind }: Question): boolean => kind === "plan" || kind === "undo";

/** What stands below the choices: the end of what is typed meanwhile, and what keys do; Enter `sends` it. */
export function footRows(words: string, sends: boolean, width: number, look: Look): Row[] {
  const { t, style } = look;
  const keys = words === ""
    ? "↑↓ enter · y/n · esc no · or type a reply"
    : sends
    ? "enter: no, and send this"
    : "kept as draft; continue after answering";
  const hint: Row = { text: style.dim(t(keys)), fit: "cut" };
  if (words === "") return [hint];
  const text = plainLine(words.split("\n").at(-1)!);
  const most = Math.max(1, Math.floor(width / 2) - 2);
  const end = text.length > most ? `…${text.slice(-most).toWellFormed()}` : text;
  return [{ text: `❯ ${end}`, fit: "cut" }, hint];
}

/** The answer as it stands below its question. */
export function answerRows(question: Question, answer: Answer, look: Look): Row[] {
  const { t, style } = look;
  const choices = choicesOf(question, t);
  const value: Reply = answer === false ? "no" : answer === true ? "yes" : "fill";
  const label = choices.find((choice) => choice.value === value)?.label ?? t("Yes");
  const rows: Row[] = [{ text: `  ${style.bold(`→ ${label}`)}`, fit: "cut" }];
  if (typeof answer === "boolean") return rows;
  const all = question.fields ?? [];
  for (const field of all) {
    const lines = shownValue(field, answer[field.name], t);
    const own = all.length > 1 || field.type !== "lines";
    const name = own ? style.dim(`${plainLine(field.label)}: `) : "";
    if (lines.length === 1 && own) rows.push(wrapped(name + lines[0]!));
    else rows.push(...lines.length > 0 && own ? [wrapped(name)] : [], ...lines.map(wrapped));
  }
  return rows;
}

const wrapped = (text: string): Row => ({ lead: "    ", text, fit: "wrap" });

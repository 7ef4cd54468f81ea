/**
 * How a question reads, what may be answered, and how an answer reads; the same for both screens.
 * It depends on what a question brings, not on its kind.
 */
import { aboutCall } from "../../base/about_call.ts";
import { checked, NO, type Read, stakesText, YES } from "../../base/questions.ts";
import { plain, plainLine, visible } from "../../base/control_characters.ts";
import { isRecord } from "../../base/is_record.ts";
import type { T, Text } from "../../base/t.ts";
import type { AgentEvent, Answer, Field, Json, Question } from "../../base/types.ts";
import type { Look, Row } from "../transcript/rows.ts";

/** Reads what was typed; choices are typed as their numbers, from 1. */
export function readField(field: Field, typed: string, t: T): Read {
  const text = typed.trim();
  switch (field.type) {
    case "lines":
      return checked(field, typed.split("\n").map((line) => line.trim()).filter(Boolean), t);
    case "text":
      return checked(field, text === "" ? undefined : typed, t);
    case "number":
    case "integer":
      return checked(field, text === "" ? undefined : Number(text), t);
    case "boolean":
      if (text === "") return checked(field, undefined, t);
      if (YES.test(text) || NO.test(text)) return { value: YES.test(text) };
      return { wrong: t("this must be y or n") };
    case "choice":
    case "choices": {
      const { choices = [] } = field;
      const found = text.split(/[\s,，、]+/).filter(Boolean).map((word) =>
        choices[Number(word) - 1]
      );
      if (found.includes(undefined) || field.type === "choice" && found.length > 1) {
        return { wrong: t("this must be a number from 1 to {n}", { n: choices.length }) };
      }
      const values = found.map((choice) => choice!.value);
      return checked(field, field.type === "choice" ? values[0] : values, t);
    }
  }
}

/** A value as it is typed. */
export function typedValue({ value }: Pick<Field, "value">): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map((item) => typedValue({ value: item })).join("\n");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A value as a person reads it, an item a line. */
export function shownValue(
  { type, choices = [] }: Field,
  value: Json | undefined,
  t: T,
): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "boolean") return [t(value ? "Yes" : "No")];
  if (type === "lines" && Array.isArray(value)) {
    return value.map((item, at) => `${at + 1}. ${plainLine(typedValue({ value: item }))}`);
  }
  const labelOf = (one: Json) => choices.find((choice) => choice.value === one)?.label;
  const all = Array.isArray(value) ? value : [value];
  const words = all.map((one) => plainLine(labelOf(one) ?? typedValue({ value: one })));
  return words.length === 0 ? [] : [words.join(", ")];
}

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

const YES_TEXTS: { readonly [kind in Question["kind"]]?: Text } = {
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
  const yes = choice("yes", YES_TEXTS[kind] ?? "Yes, this once");
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

/** A command of many targets names them itself, in full. */
const TARGETS = 20;
const EDITS = 20;
const ITEMS = 20;
const ARGUMENT_ROWS = 30;
const ARGUMENT_CHARS = 4000;

/** As it is, behind its indent: no part of it can pass for a row of narnat's own. */
const exact = (text: string, lead = "  "): Row => ({ lead, text, fit: "break" });
type JsonObject = { readonly [key: string]: Json };
const oneLine = (text: string) => visible(text).replaceAll("\n", "␊");

/** A question in full: nothing of a command is hidden, cut or joined; what is left out of a list is counted. */
export function questionRows(event: Extract<AgentEvent, { type: "ask" }>, look: Look): Row[] {
  const { style } = look;
  const rows = plain(event.question).trimEnd().split("\n").map((line, index): Row => ({
    lead: index === 0 ? style.yellow(style.bold("? ")) : "  ",
    text: style.yellow(style.bold(line)),
    fit: "wrap",
  }));
  if (event.call !== undefined) rows.push(...callRows(event.call, look));
  else if (event.command !== undefined) {
    rows.push(...visible(event.command).split("\n").map((line) => exact(line)));
  }
  if (!event.direct) rows.push(...fieldRows(event.fields, look));
  return [...rows, ...targetRows(event.targets, look), ...stakesRows(event.stakes, look)];
}

/** What may be filled in; a list that is there already is shown where it comes from. */
function fieldRows(fields: readonly Field[] = [], { t, style }: Look): Row[] {
  return fields.filter(({ type, value }) => type !== "lines" || value === undefined)
    .map((field) => {
      const value = shownValue(field, field.value, t).join(", ");
      const name = style.dim(`${oneLine(field.label)}${value === "" ? "" : ": "}`);
      return exact(`${name}${value}`, "  • ");
    });
}

function targetRows(targets: readonly string[] | undefined, look: Look): Row[] {
  const { style, t } = look;
  if (targets === undefined) return [];
  if (targets.length === 0) {
    const text = style.yellow(t("what it affects cannot be told from the command"));
    return [{ lead: style.yellow("  ! "), text, fit: "wrap" }];
  }
  const left = targets.length - TARGETS;
  return [
    { text: style.dim(`  ${t("affects:")}`), fit: "cut" },
    ...targets.slice(0, TARGETS).map((path) => exact(oneLine(path), "    ")),
    ...left > 0 ? [exact(style.dim(t("… {count} more", { count: left })), "    ")] : [],
  ];
}

function stakesRows(stakes: Question["stakes"], { style, t }: Look): Row[] {
  if (stakes === undefined) return [];
  const { holds, warnings } = stakesText(t, stakes);
  const loud = (text: string) => style.red(style.bold(text));
  return [
    { lead: "  ", text: holds, fit: "wrap" },
    ...warnings.map((text): Row => ({ lead: loud("  ! "), text: loud(text), fit: "wrap" })),
  ];
}

/** The call's line with what it is about uncut, then its other arguments. */
function callRows({ name, input }: NonNullable<Question["call"]>, look: Look): Row[] {
  const about = aboutCall(input, look.workspace);
  const text = about.key === "command" ? visible(about.text) : oneLine(about.text);
  const head = `${look.style.bold(oneLine(name))} ${text}`.trimEnd().split("\n")
    .map((line) => exact(line));
  if (!isRecord(input)) return head;
  // What is about a pattern names the path as well.
  const told = about.key === "pattern" ? ["pattern", "path"] : [about.key];
  return [...head, ...inputRows(input, told, look)];
}

/** A change reads as a change, what goes and then what comes; all else that is not `told` by its name. */
function inputRows(input: JsonObject, told: readonly string[], look: Look): Row[] {
  const { style, t } = look;
  const { old_string: old, new_string: now, edits } = input;
  const said = new Set(told);
  const rows: Row[] = [];
  if (typeof old === "string" && typeof now === "string") {
    said.add("old_string").add("new_string");
    const go = (line: string) => exact(style.red(line), `    ${style.red("− ")}`);
    const come = (line: string) => exact(style.green(line), `    ${style.green("+ ")}`);
    // The newline that ends both is no line.
    const end = old.endsWith("\n") && now.endsWith("\n") ? -1 : undefined;
    rows.push(...textRows(old.slice(0, end), go, look), ...textRows(now.slice(0, end), come, look));
  }
  if (Array.isArray(edits) && edits.every((edit) => isRecord(edit))) {
    said.add("edits");
    rows.push(...edits.slice(0, EDITS).flatMap((edit) => inputRows(edit, [], look)));
    const left = edits.length - EDITS;
    if (left > 0) rows.push(exact(style.dim(t("… {count} more", { count: left })), "    "));
  }
  const others = Object.entries(input).filter(([key]) => !said.has(key));
  return [...rows, ...others.flatMap(([key, value]) => argumentRows(key, value, look))];
}

function argumentRows(key: string, value: Json, look: Look): Row[] {
  const { style } = look;
  const name = style.dim(`${oneLine(key)}:`);
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")) {
    const items = value.slice(0, ITEMS).map((one, at) => exact(oneLine(one), `      ${at + 1}. `));
    const left = value.length - items.length;
    const more = left > 0 ? [exact(style.dim(look.t("… {count} more", { count: left })))] : [];
    return [exact(name, "    "), ...items, ...more];
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const rows = textRows(text, (line) => exact(line, "      "), look);
  return text.includes("\n") || rows.length > 1
    ? [exact(name, "    "), ...rows]
    : [exact(visible(text), `    ${name} `)];
}

/** A text row by row, cut where it is very long; what is left out is counted. */
function textRows(text: string, row: (line: string) => Row, { style, t }: Look): Row[] {
  if (text === "") return [];
  const whole = visible(text);
  const lines = whole.slice(0, ARGUMENT_CHARS).toWellFormed().split("\n");
  const shown = lines.slice(0, ARGUMENT_ROWS);
  const left = whole.length - shown.join("\n").length;
  const rows = shown.map(row);
  if (left > 0) {
    rows.push(exact(style.dim(t("… {count} characters more", { count: left })), "      "));
  }
  return rows;
}

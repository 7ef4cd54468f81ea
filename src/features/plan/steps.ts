/** The steps of a plan: read from what a model or a person wrote, and asked about. */
import type { Answer, Question } from "../../base/types.ts";
import type { T } from "../../base/t.ts";

/** A plan with more steps is none that a person would read. */
export const STEPS_AT_MOST = 20;
/** Places of an answer at which JSON may begin. */
const STARTS_AT_MOST = 50;
const LISTS = ["steps", "plan", "tasks", "todos", "items"];
const WORDS = ["step", "description", "content", "task", "title", "text", "action", "name"];
const CHINESE = "一二三四五六七八九十";
/** What a step begins with, behind the marks of a heading, a list, a quotation or bold words. */
const NUMBER = new RegExp(
  `^[\\s#>*+•-]*(?:${
    [
      `\\[?(?:step|步骤)\\s*(?:\\d+|[${CHINESE}]+)(?:\\s*/\\s*\\d+)?[\\s*]*[\\]:.)：、．）]`,
      "[\\d０-９]{1,2}\\s*[.)、．）：](?!\\d)",
      `[（(]\\s*(?:[\\d０-９]{1,2}|[${CHINESE}]+)\\s*[)）]`,
      `第[${CHINESE}\\d]+步[\\s*]*[:：、，]?`,
      `[${CHINESE}]+、(?![${CHINESE}])`,
      "[①-⒛]",
      "\\d\\uFE0F?\\u20E3",
    ].join("|")
  })\\s*`,
  "i",
);
/** Begins and ends a block of code. */
const FENCE = /^\s*(```+|~~~+)/;
/** Words that ask for more than a Yes, but not behind these others. */
const OPEN = /哪|什么|谁|多少|\b(?:which|what(?! do you think)|where|who)\b/i;
const YES_OR_NO =
  /是否|要不要|可不可以|\b(?:shall|should|may|can|could|do|does|is|are|would|will|ready)\b/i;

/** The steps that a value names: a list of texts or of objects that hold one, or an object with such a list. */
export function stepsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(stepOf).filter((step) => step !== "");
  if (typeof value !== "object" || value === null) return [];
  const all = value as Record<string, unknown>;
  const named = LISTS.map((name) => all[name]).find((one) => one !== undefined);
  if (named !== undefined) return stepsOf(named);
  const lists = Object.values(all).filter(Array.isArray);
  return lists.length === 1 ? stepsOf(lists[0]) : [];
}

/** The steps that a text gives as JSON, whatever stands around it, or as a numbered list; none where it gives none. */
export function stepsIn(text: string): string[] {
  const listed = inJson(text);
  if (listed.length > 0) return listed;
  return [prose(text), text.split("\n")].map(numbered).find((steps) => steps.length > 1) ?? [];
}

function inJson(text: string): string[] {
  let at = -1;
  for (let tries = 0; tries < STARTS_AT_MOST; tries++) {
    const begin = text.slice(at + 1).search(/[[{]/);
    if (begin < 0) break;
    at += 1 + begin;
    const end = endOf(text, at);
    if (end === undefined) continue;
    const steps = stepsOf(parsed(text.slice(at, end)));
    if (steps.length > 0) return steps;
  }
  return [];
}

/** Whether an answer holds a plan: two numbered steps at least, and no question at its end that a Yes leaves open. */
export function holdsPlan(text: string): boolean {
  const lines = prose(text);
  if (lines.filter((line) => NUMBER.test(line)).length < 2 && inJson(text).length < 2) return false;
  const ends = lines.join("\n").split(/(?<=[.!?])\s+|(?<=[。！？])|\n/);
  const last = ends.findLast((part) => /\p{L}/u.test(part)) ?? "";
  if (!/[?？][^\p{L}]*$/u.test(last) || /吗[^\p{L}]*$/u.test(last)) return true;
  const at = last.search(OPEN);
  return at < 0 || YES_OR_NO.test(last.slice(0, at));
}

const numbered = (lines: readonly string[]) =>
  lines.filter((line) => NUMBER.test(line)).map(stepOf).filter((step) => step !== "");

/** The lines that stand in no block of code. */
function prose(text: string): string[] {
  let fence = "";
  return text.split("\n").filter((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) return fence === "";
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    return false;
  });
}

/** Asks whether these steps are to be carried out; they may be changed. */
export function planQuestion(steps: readonly string[], t: T): Question {
  return {
    kind: "plan",
    question: t("Run this plan ({n} {n:step|steps})?", { n: steps.length }),
    fields: [{
      name: "steps",
      label: t("Steps, one a line"),
      type: "lines",
      value: [...steps],
      required: true,
    }],
  };
}

/** What the answer makes of the steps; undefined for a No. */
export function approved(
  answer: Answer | undefined,
  steps: readonly string[],
): readonly string[] | undefined {
  if (answer === false || answer === undefined) return undefined;
  if (answer === true) return steps;
  const changed = stepsOf(answer["steps"]);
  return changed.length === 0 ? undefined : changed;
}

/** `[Plan] 2 steps created`, and the steps below it. */
export function planText(steps: readonly string[], t: T): string {
  return [t("[Plan] {n} steps created", { n: steps.length }), ...numberedLines(steps)].join("\n");
}

/** The steps, each with its number. */
export function numberedLines(steps: readonly string[]): string[] {
  return steps.map((step, index) => `  ${index + 1}. ${step}`);
}

/** One line, without the number that it will be given. */
function stepOf(item: unknown): string {
  if (typeof item === "string") return unnumbered(item).replaceAll(/\s+/g, " ").trim();
  if (typeof item !== "object" || item === null) return "";
  const all = item as Record<string, unknown>;
  const texts = WORDS.map((word) => all[word])
    .filter((text) => typeof text === "string" && !/^\s*\d*\s*$/.test(text));
  return stepOf(texts[0]);
}

function unnumbered(line: string): string {
  const number = NUMBER.exec(line)?.[0] ?? "";
  const rest = line.slice(number.length);
  // the number stood within bold words
  return number.split("**").length % 2 === 0 ? rest.replace("**", "") : rest;
}

/** Where what begins with a bracket ends, strings taken for what they are. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (char === "[" || char === "{") depth++;
    else if ((char === "]" || char === "}") && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

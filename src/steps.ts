/** The steps of a plan: read from what a model or a person wrote, and asked about. */
import type { Answer, Lang, Question } from "./types.ts";
import { say } from "./text.ts";

/** A plan with more steps is none that a person would read. */
export const STEPS_AT_MOST = 20;
/** Places of an answer at which JSON may begin. */
const STARTS_AT_MOST = 50;
const LISTS = ["steps", "plan", "tasks", "todos", "items"];
const WORDS = ["step", "description", "content", "task", "title", "text", "action", "name"];
/** `1. `, `2) `, `Step 3: `, `步骤 4：`, `[Step 5/6] `. */
const NUMBER =
  /^\s*(?:\[?(?:step|步骤)\s*\d+(?:\s*\/\s*\d+)?\s*(?:\]|[:.)：、])|\d{1,2}\s*[.)、](?!\d))\s*/i;

/** An item of a list, a heading or bold words with a number. */
const ITEM =
  /^(?:[-*+•]\s+\S|[#*\s]*第[一二三四五六七八九十\d]+步|[#*\s]*[一二三四五六七八九十]+、)/;
const HEAD = /^[#*\s]+/;

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
  const numbered = text.split("\n").filter((line) => NUMBER.test(line)).map(stepOf)
    .filter((step) => step !== "");
  return numbered.length > 1 ? numbered : [];
}

/** Whether an answer holds a plan: two steps at least, numbered or not. */
export function holdsPlan(text: string): boolean {
  return stepsIn(text).length > 1 || text.split("\n").filter(isItem).length > 1;
}

const isItem = (line: string) => ITEM.test(line) || NUMBER.test(line.replace(HEAD, ""));

/** Asks whether these steps are to be carried out; they may be changed. */
export function planQuestion(steps: readonly string[], lang: Lang): Question {
  return {
    kind: "plan",
    question: say(lang, "plan.question", { n: steps.length }),
    fields: [{
      name: "steps",
      label: say(lang, "plan.steps"),
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
  const given = answer === true ? undefined : answer["steps"];
  if (given === undefined) return steps;
  const changed = stepsOf(typeof given === "string" ? given.split("\n") : given);
  return changed.length === 0 ? undefined : changed;
}

/** `[Plan] 2 steps created`, and the steps below it. */
export function planText(steps: readonly string[], lang: Lang): string {
  return [say(lang, "plan.created", { n: steps.length }), ...numberedLines(steps)].join("\n");
}

/** The steps, each with its number. */
export function numberedLines(steps: readonly string[]): string[] {
  return steps.map((step, index) => `  ${index + 1}. ${step}`);
}

/** One line, without the number that it will be given. */
function stepOf(item: unknown): string {
  if (typeof item === "string") return item.replace(NUMBER, "").replaceAll(/\s+/g, " ").trim();
  if (typeof item !== "object" || item === null) return "";
  const all = item as Record<string, unknown>;
  const texts = WORDS.map((word) => all[word])
    .filter((text) => typeof text === "string" && !/^\s*\d*\s*$/.test(text));
  return stepOf(texts[0]);
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

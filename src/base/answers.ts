/** Answers to questions, judged by what was asked: what is not clearly a Yes is a No. */
import { say, type TextKey } from "./text.ts";
import type { Answer, Field, Json, Lang, Question } from "./types.ts";
import { isRecord } from "./is_record.ts";
import { truncate } from "./truncate.ts";

/** What was read, undefined where it was left empty, or why it cannot be taken, in words for the user. */
export type Read = { readonly value: Json | undefined } | { readonly wrong: string };

/** Words that say Yes, and words that say No. */
export const YES = /^\s*(?:y|yes|true|是|好)\s*$/i;
export const NO = /^\s*(?:n|no|false|否|不)\s*$/i;

const GIVEN_CHARS = 80;

/** What an answer comes to; `wrong` says, in words for the user, why it is a No without being one. */
export function judged(
  question: Question,
  given: Json,
  lang: Lang,
): { readonly answer: Answer; readonly wrong?: string } {
  const { fields = [] } = question;
  if (given === false || typeof given === "string" && NO.test(given)) return { answer: false };
  if (given === true || typeof given === "string" && YES.test(given)) {
    const why = fields.map((field) => misfit(field, field.value, lang)).find((one) => one);
    return why === undefined ? { answer: true } : no(question, given, why, lang);
  }
  const names = fields.map(({ name }) => name).join(", ");
  const expected = say(lang, names === "" ? "ask.expected" : "ask.expected_fields", { names });
  if (!isRecord(given) || names === "") return no(question, given, expected, lang);
  const odd = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (odd !== undefined) {
    return no(question, given, `${say(lang, "ask.no_field", { name: odd })}; ${expected}`, lang);
  }
  const own = (name: string) => Object.hasOwn(given, name) ? given[name] : undefined;
  const why = fields.map((field) => misfit(field, own(field.name), lang)).find((one) => one);
  return why === undefined ? { answer: given } : no(question, given, why, lang);
}

function no({ question }: Question, given: Json, why: string, lang: Lang) {
  const text = JSON.stringify(given);
  const shown = truncate(text, GIVEN_CHARS);
  const about = question.split("\n", 1)[0]!;
  const wrong = say(lang, "ask.counts_as_no", { given: shown, question: about, why });
  return { answer: false, wrong };
}

function misfit(field: Field, value: Json | undefined, lang: Lang): string | undefined {
  const read = checked(field, value, lang);
  return "wrong" in read ? `${field.name}: ${read.wrong}` : undefined;
}

/** Whether the field takes the value. */
export function checked(field: Field, value: Json | undefined, lang: Lang): Read {
  const { type, required, minimum = -Infinity, maximum = Infinity, format } = field;
  const wrong = (key: TextKey, values = {}) => ({ wrong: say(lang, key, values) });
  if (value === undefined || isNothing(value, type)) {
    return required ? wrong("form.required") : { value };
  }
  if (!isOfType(field, value)) {
    const names = field.choices?.map((choice) => choice.value).join(", ") ?? "";
    return wrong(`form.${type}`, { names });
  }
  const chars = typeof value === "string" && type === "text";
  const size = chars ? [...value].length : Array.isArray(value) ? value.length : value;
  const unit = chars ? "_chars" : Array.isArray(value) ? "_items" : "";
  if (typeof size === "number" && size < minimum) return wrong(`form.least${unit}`, { n: minimum });
  if (typeof size === "number" && size > maximum) return wrong(`form.most${unit}`, { n: maximum });
  if (format && !FORMATS[format](String(value))) return wrong(`form.${format}`);
  return { value };
}

const isBlank = (value: Json) => typeof value === "string" && value.trim() === "";
const isNothing = (value: Json, type: Field["type"]) =>
  value === null || isBlank(value) ||
  Array.isArray(value) && (type === "lines" ? value.every(isBlank) : value.length === 0);

function isOfType({ type, choices = [] }: Field, value: Json): boolean {
  const isChoice = (one: Json) => choices.some((choice) => choice.value === one);
  switch (type) {
    case "text":
      return typeof value === "string";
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return isChoice(value);
    case "lines":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "choices":
      return Array.isArray(value) && value.every(isChoice);
  }
}

const FORMATS: { readonly [format in NonNullable<Field["format"]>]: (text: string) => boolean } = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => !/\s/.test(text) && URL.canParse(text),
  date: isDay,
  "date-time": (text) =>
    /^.{10}T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) &&
    isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
};

/** A day that the calendar has. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Questions to the user: what is at stake in one, in words, and answers judged by what was asked.
 * What is not clearly a Yes is a No.
 */
import { size } from "./figures.ts";
import { isRecord } from "./is_record.ts";
import { truncate } from "./strings.ts";
import type { T, Text } from "./t.ts";
import type { Answer, Field, Json, Question, Stakes } from "./types.ts";

const STAKES = {
  workspace: "this is the whole workspace",
  root: "this is the whole file system (/), the operating system with it",
  home: "this is your whole home folder",
} as const;

/** `holds`: what the targets hold; `warnings`: why it may not come back, none for a harmless one. */
export function stakesText(
  t: T,
  { files, folders, bytes, more, outside, notInGit = 0, history, whole, own, some }: Stakes,
): { holds: string; warnings: readonly string[] } {
  const values = { files, folders, size: size(bytes) };
  const counted = t(
    folders > 0
      ? "holding {files} {files:file|files} in {folders} {folders:folder|folders}, {size}"
      : "holding {files} {files:file|files}, {size}",
    values,
  );
  const all = some ? t("{counted}: all or some of them", { counted }) : counted;
  return {
    holds: more ? t("{counted} or more (not all were counted)", { counted: all }) : all,
    warnings: [
      ...whole ? [t(STAKES[whole])] : [],
      ...own
        ? [t("what narnat keeps in .narnat goes too: sessions, what undo needs, or the trash")]
        : [],
      ...outside > 0 ? [t("outside the workspace: {n} {n:target|targets}", { n: outside })] : [],
      ...history
        ? [t("not in git: the repository's history (.git) goes too, git can bring nothing back")]
        : [],
      ...notInGit > 0 && !(history && notInGit === files)
        ? [
          t(
            some
              ? "not in git: up to {n} {n:file|files} (untracked, ignored or changed since the last commit)"
              : notInGit === files
              ? "not in git: none of these files is kept by the last commit as it is"
              : "not in git: {n} {n:file|files} (untracked, ignored or changed since the last commit)",
            { n: notInGit },
          ),
        ]
        : [],
    ],
  };
}

const EXPECTED = {
  number: "this must be a number",
  boolean: "this must be y or n",
  text: "this must be text",
  lines: "this must be a list of texts",
  integer: "this must be a whole number",
  choice: "this must be one of {names}",
  choices: "this must be a list of some of {names}",
  uri: "this must be a whole address, like https://example.com",
  email: "this must be an e-mail address, like name@example.com",
  date: "this must be a date, like 2026-01-31",
  "date-time": "this must be a date and time, like 2026-01-31T09:30:00Z",
} as const;

const LEAST = {
  "": "this must be {n} or more",
  _chars: "at least {n} {n:character|characters}",
  _items: "at least {n} {n:item|items}",
} as const;

const MOST = {
  "": "this must be {n} or less",
  _chars: "at most {n} {n:character|characters}",
  _items: "at most {n} {n:item|items}",
} as const;

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
  t: T,
): { readonly answer: Answer; readonly wrong?: string } {
  const { fields = [] } = question;
  if (given === false || typeof given === "string" && NO.test(given)) return { answer: false };
  if (given === true || typeof given === "string" && YES.test(given)) {
    const why = fields.map((field) => misfit(field, field.value, t)).find((one) => one);
    return why === undefined ? { answer: true } : no(question, given, why, t);
  }
  const names = fields.map(({ name }) => name).join(", ");
  const expected = t(
    names === "" ? 'expected "yes" or "no"' : 'expected "yes", "no" or an object with {names}',
    { names },
  );
  if (!isRecord(given) || names === "") return no(question, given, expected, t);
  const odd = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (odd !== undefined) {
    return no(question, given, `${t("there is no field {name}", { name: odd })}; ${expected}`, t);
  }
  const own = (name: string) => Object.hasOwn(given, name) ? given[name] : undefined;
  const why = fields.map((field) => misfit(field, own(field.name), t)).find((one) => one);
  return why === undefined ? { answer: given } : no(question, given, why, t);
}

function no({ question }: Question, given: Json, why: string, t: T) {
  const text = JSON.stringify(given);
  const shown = truncate(text, GIVEN_CHARS);
  const about = question.split("\n", 1)[0]!;
  const wrong = t('The answer {given} to "{question}" counts as No: {why}', {
    given: shown,
    question: about,
    why,
  });
  return { answer: false, wrong };
}

function misfit(field: Field, value: Json | undefined, t: T): string | undefined {
  const read = checked(field, value, t);
  return "wrong" in read ? `${field.name}: ${read.wrong}` : undefined;
}

/** Whether the field takes the value. */
export function checked(field: Field, value: Json | undefined, t: T): Read {
  const { type, required, minimum = -Infinity, maximum = Infinity, format } = field;
  const wrong = (text: Text, values = {}) => ({ wrong: t(text, values) });
  if (value === undefined || isNothing(value, type)) {
    return required ? wrong("this must be filled in") : { value };
  }
  if (!isOfType(field, value)) {
    const names = field.choices?.map((choice) => choice.value).join(", ") ?? "";
    return wrong(EXPECTED[type], { names });
  }
  const chars = typeof value === "string" && type === "text";
  const size = chars ? [...value].length : Array.isArray(value) ? value.length : value;
  const unit = chars ? "_chars" : Array.isArray(value) ? "_items" : "";
  if (typeof size === "number" && size < minimum) return wrong(LEAST[unit], { n: minimum });
  if (typeof size === "number" && size > maximum) return wrong(MOST[unit], { n: maximum });
  if (format && !FORMATS[format](String(value))) return wrong(EXPECTED[format]);
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

/** Whether a value was drawn by lot, or is made of words, code or a place. */
import { entropy } from "./shape.ts";

const LEAST_CHARS = 12;

/** References, places, code, and what was made unreadable already. */
const NO_VALUE =
  /[\s«»]|^[$<@!%&*]?[{(<]|^\$|\$[{(]|\{\{|^%\w*%$|^%[sdv(]|^(?:[a-z]:)?[\\/~]|^\.{1,2}\/|^[a-z][a-z0-9+.-]*:\/\/|^ENC\[|^arn:|^sha\d+[-:]|=>|\(\)/i;
/** Words that stand where a value would. */
const SAMPLE =
  /passw|secret|token|test|example|sample|dummy|placeholder|change.?(?:me|it)|your[-_]|redacted|default|1234|abcd|qwert|(.)\1{3}/i;

const kindOf = (char: string) =>
  /[a-z]/.test(char) ? "a" : /[A-Z]/.test(char) ? "A" : /\d/.test(char) ? "0" : "#";

/** Changes from one kind of character to another that a name in words does not have. */
function leaps(value: string): number {
  let count = 0;
  for (let at = 1; at < value.length; at++) {
    const pair = kindOf(value[at - 1]!) + kindOf(value[at]!);
    if (pair[0] !== pair[1] && pair !== "Aa" && !/[-_./:,]/.test(value.slice(at - 1, at + 1))) {
      count++;
    }
  }
  return count;
}

/** As much of it as could be words. */
function inWords(value: string): number {
  const runs = value.match(/[A-Z][a-z]{3,}|[a-z]{5,}|[A-Z]{5,}/g) ?? [];
  const words = runs.filter((run) => run.replaceAll(/[^aeiouy]/gi, "").length >= run.length / 4);
  return words.join("").length;
}

/** A value that nobody made up: of several kinds of characters, and they take turns. */
export function isDrawnByLot(given: string): boolean {
  // words before it, as of `django-insecure-…`, are no part of it
  const value = given.replace(/^(?:[a-z]{3,}[-_])+/, "");
  if (value.length < LEAST_CHARS || NO_VALUE.test(value) || SAMPLE.test(value)) return false;
  const kinds = new Set([...value].map(kindOf));
  if (kinds.size < 2 || !kinds.has("0") && !kinds.has("#")) return false;
  if (inWords(value) >= 0.6 * value.length) return false;
  return entropy(value) >= 2.8 && leaps(value) >= 0.23 * (value.length - 1);
}

/** An expression: a member, a call, or what goes on as one. */
export function endsInCode(value: string, next: string | undefined): boolean {
  return /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^\(?\w*,|[A-Za-z_$][\w$]*\(|\)\(|[!=]==?[^=]|&&|\|\|/.test(value) ||
    next !== undefined && "([{".includes(next);
}

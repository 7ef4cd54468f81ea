/** Values that stand beside a name which says what they are: `db_password = "…"`, `API_TOKEN=…`, `--token …`. */
import { BEFORE_CHARS, entropy, type Shape } from "./shape.ts";

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
function isDrawnByLot(given: string): boolean {
  // words before it, as of `django-insecure-…`, are no part of it
  const value = given.replace(/^(?:[a-z]{3,}[-_])+/, "");
  if (value.length < LEAST_CHARS || NO_VALUE.test(value) || SAMPLE.test(value)) return false;
  const kinds = new Set([...value].map(kindOf));
  if (kinds.size < 2 || !kinds.has("0") && !kinds.has("#")) return false;
  if (inWords(value) >= 0.6 * value.length) return false;
  return entropy(value) >= 2.8 && leaps(value) >= 0.23 * (value.length - 1);
}

/** An expression: a member, a call, or what goes on as one. */
function endsInCode(value: string, next: string | undefined): boolean {
  return /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^\(?\w*,|[A-Za-z_$][\w$]*\(|\)\(|[!=]==?[^=]|&&|\|\|/.test(value) ||
    next !== undefined && "([{".includes(next);
}

const MOST_CHARS = 400;
const OPENING_CHARS = 24;

/** Other words end in it. */
const SHORT = /^(?:pass|pwd)$/i;
/** What may follow of the name, and the sign behind it. */
const OPENING =
  /^(?:[_-]?(?:access)?[_-]?key(?:[_-]?base)?)?(?:[_-]?\d{1,2})?(?:\\{0,3}["'`])?\]?[ \t]{0,8}(?::=|=>|==?|[:>：＝])[ \t]{0,8}(\\{0,3}["'`])?/i;
const FLAG_OPENING = /^[ =](["'])?/;
/** An opening that is still open. */
const OPEN = /^[\w-]{0,12}(?:\\{0,3}["'`]?)\]?[ \t]{0,8}[:=>：＝]{0,2}[ \t]{0,8}\\{0,3}$/;

/** Before the name on its line stands nothing, as in settings; a search shows the place too. */
const SETTING = /^(?:\S+[:-]\d+[:-])?[^A-Za-z_]*(?:(?:export|set|ENV|ARG)[ \t]+)?[\w.'"-]*$/;
const ENDS_SETTING = /[\s"'`;，。；、]/;
const ENDS_WORD = /[\s"'`;,&<>(){}[\]|\\，。；、（）]/;

/** Where a value ends: at its own quote, and without one before a blank. */
function endOf(text: string, from: number, quote: string | undefined, ends: RegExp): number {
  const bound = Math.min(text.length, from + MOST_CHARS + 1);
  const close = quote?.at(-1);
  let at = from;
  for (; at < bound; at++) {
    const char = text[at]!;
    if (close === undefined) {
      if (ends.test(char) || char === "&" && /^&\w+=/.test(text.slice(at, at + 20))) break;
    } else if (char === close || char === "\n" || text.startsWith(quote!, at)) break;
    else if (char === "\\" && quote!.length === 1) at++;
  }
  return Math.min(at, bound);
}

/** What may stand right behind a name; a shape begins with three characters. */
const BEHIND_NAME = [...":：=＝> \t\"'`\\]_-0123456789"];

/** The shapes of a name; the first letter of an English one may be either. */
function assigned(kind: string, name: string): Shape[] {
  const begin = /^[a-z]/i.test(name) ? name.slice(1) : name;
  const first = begin === name ? undefined : name[0]!.toLowerCase();
  if (begin.length > 2) return [assignedBehind(kind, name, begin, begin, first)];
  return BEHIND_NAME.map((sign) => assignedBehind(kind, name, begin, begin + sign, first));
}

function assignedBehind(
  kind: string,
  name: string,
  own: string,
  begin: string,
  first: string | undefined,
): Shape {
  const short = SHORT.test(name);
  return {
    kind,
    begin,
    apart: true,
    look(text, at, last) {
      if (first !== undefined && text[at - 1]?.toLowerCase() !== first) return undefined;
      const behind = at + own.length;
      const rest = text.slice(behind, behind + 2 * OPENING_CHARS);
      if (!last && rest.length < OPENING_CHARS && OPEN.test(rest)) return "more";
      if (!FLAG_OPENING.test(rest) && !OPENING.test(rest)) return undefined;
      const before = text.slice(Math.max(0, at - BEFORE_CHARS), at);
      if (short && /[A-Za-z]$/.test(before.slice(0, -1))) return undefined;
      const flag = /(?:^|\s)--[\w-]*$/.test(before);
      const opening = flag && FLAG_OPENING.exec(rest) || OPENING.exec(rest);
      if (!opening) return undefined;
      const from = behind + opening[0].length;
      const quote = opening[1];
      const line = before.split("\n").at(-1)!;
      const setting = !flag && !opening[0].endsWith(">") &&
        (SETTING.test(line) || /;\s?[\w. ]*$/.test(line));
      const end = endOf(text, from, quote, setting ? ENDS_SETTING : ENDS_WORD);
      if (end === text.length && !last && end - from <= MOST_CHARS) return "more";
      if (end - from > MOST_CHARS) return undefined;
      const given = text.slice(from, end);
      if (quote !== undefined) return isDrawnByLot(given) ? { start: from, end } : undefined;
      const bare = given.replace(/[,)}\]]+$/, "");
      if (endsInCode(bare, text[from + bare.length])) return undefined;
      return isDrawnByLot(bare) ? { start: from, end: from + bare.length } : undefined;
    },
  };
}

const NAMES: readonly (readonly [kind: string, words: readonly string[]])[] = [
  ["password", ["password", "passwd", "passphrase", "pwd", "pass"]],
  ["secret", ["secret"]],
  ["token", ["token"]],
  ["api-key", ["api_key"]],
  ["access-key", ["access_key"]],
  ["secret", ["private_key", "encryption_key", "signing_key"]],
  ["password", ["密码", "口令", "密碼"]],
  ["secret", ["密钥", "秘钥", "私钥", "密鑰", "金鑰", "私鑰"]],
  ["token", ["令牌", "權杖"]],
];

/** `api_key`, `api-key`, `apikey`, `apiKey`, `API_KEY`, `APIKEY`, `API-KEY`. */
function written(word: string): string[] {
  const all = ["_", "-", ""].map((sign) => word.replace("_", sign));
  const camel = word.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase());
  return [...new Set([...all, camel, ...all.map((one) => one.toUpperCase())])];
}

export const ASSIGNED: readonly Shape[] = NAMES.flatMap(([kind, words]) =>
  words.flatMap(written).flatMap((name) => assigned(kind, name))
);

/** Reads the text of a narnat.json. */
import { ConfigError } from "../base/errors.ts";
import { stripJsonComments } from "./json_text.ts";
import { nearest } from "../base/nearest.ts";
import type { T } from "../base/t.ts";
import { isRecord } from "../base/is_record.ts";
import {
  camelOf,
  isGroup,
  type Key,
  KEY_NAMES,
  type KeyName,
  KEYS,
  type Settings,
} from "./keys.ts";

/** What a file came to. */
export interface Parsed {
  readonly settings: Settings;
  /** Of keys that mean nothing. */
  readonly warnings: readonly string[];
  /** Of values, hooks and tools that are wrong in a project's file. */
  readonly leftOut: readonly string[];
}

export const NOTHING: Parsed = { settings: {}, warnings: [], leftOut: [] };

/** What stands before the host of an address: a name, and often a token. */
const USER_IN_URL = /\/\/[^/\s"@]+@/g;
/** Long, and not made of words alone. */
const LIKE_A_KEY = /(?=[\w+/=.-]*\d)[\w+/=.-]{16,}/g;

/** A value as a message may show it: people put keys where they do not belong. */
export function shownValue(text: string): string {
  return text.replaceAll(USER_IN_URL, "//***@").replaceAll(LIKE_A_KEY, "***").slice(0, 80);
}

/** One entry of the file. */
interface Entry {
  /** The key's name in the table; undefined for a key that is not there. */
  readonly name: KeyName | undefined;
  /** The words of the file that lead to the value. */
  readonly words: readonly string[];
  readonly value: unknown;
}

/**
 * Reads one narnat.json's text into settings. Throws ConfigError for broken JSON, and for a wrong
 * value in the user's file; a project's wrong values are left out and told, unknown keys of both too.
 */
export function parseSettings(
  source: string,
  file: string,
  t: T,
  scope: "user" | "project" = "user",
): Parsed {
  const clean = stripJsonComments(source.replace(/^\ufeff/, ""));
  if (clean.trim() === "") return NOTHING;
  const entries = entriesOf(objectOf(clean, file, t));
  const warnings: string[] = [];
  const leftOut: string[] = [];
  const settings: { [name in KeyName]?: unknown } = {};
  for (const { name, words, value } of entries) {
    const line = lineOf(clean, words);
    const spelt = words.join(".");
    const wrong = (expected: string) => {
      const found = spelt.endsWith("api_key") || name?.endsWith("api_key")
        ? typeof value
        : shownValue(JSON.stringify(value));
      const values = { file, line, key: spelt, found, expected };
      if (scope === "user") {
        throw new ConfigError(
          t('{file}, line {line}: "{key}" is {found}, expected {expected}', values),
        );
      }
      leftOut.push(
        t('{file}, line {line}: "{key}" is {found}, expected {expected}; it is ignored', values),
      );
    };
    if (name === undefined) {
      if (isGroup(spelt)) wrong(shapeOf(spelt));
      else warnings.push(unknownKey(spelt, { file, line, t }));
      continue;
    }
    // the spelling of the table counts beside another one
    const isSpelt = (one: Entry) => one.name === name && one.words.join(".") === name;
    if (spelt !== name && entries.some(isSpelt)) {
      warnings.push(
        t('{file}, line {line}: "{key}" is ignored, "{name}" counts', {
          file,
          line,
          key: spelt,
          name,
        }),
      );
      continue;
    }
    const { check }: Key = KEYS[name];
    const parts = check.parts?.(value, t);
    for (const { what, after } of parts?.faults ?? []) {
      const at = lineOf(clean, [...words, ...after]);
      const values = { file, line: at, key: spelt, what };
      if (scope === "user") throw new ConfigError(t("{file}, line {line}, {key}: {what}", values));
      leftOut.push(t("{file}, line {line}, {key}: {what} (it is left out)", values));
    }
    const expected = check.expected(value, t);
    if (expected !== undefined) {
      wrong(expected);
      continue;
    }
    // of which nothing is left says nothing
    if (parts && parts.faults.length > 0 && Object.keys(parts.good as object).length === 0) {
      continue;
    }
    settings[name] = parts ? parts.good : value;
  }
  return { settings: settings as Settings, warnings, leftOut };
}

function objectOf(clean: string, file: string, t: T): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(clean);
  } catch (error) {
    const why = (error as Error).message;
    const before = clean.slice(0, positionOf(why, clean));
    const line = before.split("\n").length;
    throw new ConfigError(
      t(
        "Cannot read the configuration {file}: line {line}, column {column} is not valid JSON ({why})",
        {
          file,
          line,
          column: before.length - before.lastIndexOf("\n"),
          // what stands around the place may be a key
          why: why.replace(/, (?:\.\.\.)?"[^]*$/, ""),
        },
      ),
    );
  }
  if (!isRecord(value)) {
    throw new ConfigError(
      t('Cannot read the configuration {file}: expected one JSON object {"key": value}', { file }),
    );
  }
  return value;
}

/** The entries that say something, those of a group one by one. */
function entriesOf(object: Record<string, unknown>): Entry[] {
  const flat = Object.entries(object).flatMap(([key, value]): [string[], unknown][] =>
    isGroup(key) && isRecord(value)
      ? Object.entries(value).map(([inner, one]) => [[key, inner], one])
      : [[[key], value]]
  );
  return flat.filter(([words, value]) => value !== null && words[0] !== "$schema")
    .map(([words, value]) => ({ name: nameOf(words.join(".")), words, value }));
}

/** What stands in the place of a group: `{"bash_seconds": …}`. */
function shapeOf(group: string): string {
  const inner = KEY_NAMES.flatMap((name) => name.startsWith(`${group}.`) ? [name] : []);
  return `{${inner.map((name) => `"${name.slice(group.length + 1)}": …`).join(", ")}}`;
}

/** The key that a file means: it may spell it in camelCase. */
function nameOf(spelt: string): KeyName | undefined {
  return KEY_NAMES.find((name) => spelt === name || spelt === camelOf(name));
}

function unknownKey(
  key: string,
  { file, line, t }: { readonly file: string; readonly line: number; readonly t: T },
): string {
  const snake = key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").replaceAll("-", "_").toLowerCase();
  const near = nearest(snake, KEY_NAMES)[0];
  return t(
    near
      ? '{file}, line {line}: unknown key "{key}" is ignored; did you mean "{near}"?'
      : '{file}, line {line}: unknown key "{key}" is ignored',
    {
      file,
      line,
      key: shownValue(key),
      near: near ?? "",
    },
  );
}

/** The line, from 1, of the last of the words that stand, quoted, one behind the other. */
function lineOf(source: string, words: readonly string[]): number {
  let at = 0;
  for (const word of words) {
    const found = source.indexOf(JSON.stringify(word), at);
    if (found >= 0) at = found;
  }
  return source.slice(0, at).split("\n").length;
}

/** Where JSON.parse stopped: it names the position, or quotes ten characters on either side of it. */
function positionOf(why: string, source: string): number {
  const named = /position (\d+)/.exec(why);
  if (named) return Number(named[1]);
  const quoted = /^Unexpected token '([^]+?)', (\.\.\.)?"([^]*)"(\.\.\.)? is not valid/u.exec(why);
  if (!quoted) return source.length;
  const [, token = "", before, text = "", after] = quoted;
  if (before) return source.indexOf(text) + 10;
  return after ? text.length - 10 : source.indexOf(token);
}

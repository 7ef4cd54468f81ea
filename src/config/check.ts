/** Checks of configured values; each has the JSON schema that says the same to an editor. */
import type { T } from "../base/t.ts";
import type { Json } from "../base/types.ts";

export type Schema = { [keyword: string]: Json };

/** Decides whether a configured value is a `T`. */
export interface Check<V> {
  /** Returns what was expected instead of the value; undefined where the value is right. */
  readonly expected: (value: unknown, t: T) => string | undefined;
  readonly schema: Schema;
  /** Reads the value part by part, so that a wrong part leaves the others in force. */
  readonly parts?: (value: unknown, t: T) => Parts<V>;
  /** Carries the type, never a value. */
  readonly type?: V;
}

/** Something wrong in a value. */
export interface Fault {
  /** What is wrong and what is expected. */
  readonly what: string;
  /** Strings that stand before it in the file, the last one the nearest. */
  readonly after: readonly string[];
}

/** The part of a value that can be used, and what is wrong with the rest. */
export interface Parts<V> {
  readonly good: V;
  readonly faults: readonly Fault[];
}

export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";

export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** A string that is not empty. */
export const text: Check<string> = {
  expected: (value, t) => isText(value) ? undefined : t("a non-empty string"),
  schema: { type: "string", minLength: 1 },
};

/** An address that begins with http or https. */
export const url: Check<string> = {
  expected(value, t) {
    const parsed = typeof value === "string" ? URL.parse(value) : null;
    return parsed && /^https?:$/.test(parsed.protocol)
      ? undefined
      : t("a URL that begins with http:// or https://");
  },
  schema: { type: "string", format: "uri", pattern: "^https?:" },
};

export const yesOrNo: Check<boolean> = {
  expected: (value) => typeof value === "boolean" ? undefined : "true | false",
  schema: { type: "boolean" },
};

/** A number from 0. */
export const amount: Check<number> = {
  expected: (value, t) => isAmount(value) ? undefined : t("a number ≥ 0"),
  schema: { type: "number", minimum: 0 },
};

/** A whole number from `least`, to `most` where it is given. */
export function whole(least: number, most?: number): Check<number> {
  return {
    expected(value, t) {
      const given = value as number;
      if (Number.isInteger(value) && given >= least && given <= (most ?? given)) return undefined;
      return most === undefined
        ? t("a whole number ≥ {least}", { least })
        : t("a whole number from {least} to {most}", { least, most });
    },
    schema: { type: "integer", minimum: least, ...most === undefined ? {} : { maximum: most } },
  };
}

/** One of `words`. */
export function oneOf<const W extends readonly string[]>(...words: W): Check<W[number]> {
  return {
    expected: (value) =>
      words.includes(value as string) ? undefined : words.map((word) => `"${word}"`).join(" | "),
    schema: { enum: [...words] },
  };
}

/** A list of strings that are not empty; `example` is the text that says so. */
export function texts(
  example: 'a list of names: ["review", "deploy"]' | 'a list of rules: ["Run the tests first"]',
): Check<string[]> {
  return {
    expected: (value, t) => Array.isArray(value) && value.every(isText) ? undefined : t(example),
    schema: { type: "array", items: { type: "string", minLength: 1 } },
  };
}

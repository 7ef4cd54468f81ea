/** Settings of which a wrong part takes the others not along. */
import { nearest } from "../base/nearest.ts";
import { say } from "../base/text.ts";
import type { Lang } from "../base/types.ts";

/** Something wrong in a value. */
export interface Fault {
  /** What is wrong and what is expected. */
  readonly what: string;
  /** Texts that stand before it in the file, the last one the nearest. */
  readonly after: readonly string[];
}

/** What of a value can be used, and what is wrong with the rest. */
export interface Parts<T> {
  readonly good: T;
  readonly faults: readonly Fault[];
}

/** Tools that are there only when they are asked for, in the order the model sees them. */
export const EXTRA_TOOLS = ["Plan", "Spawn", "Team"] as const;

type ExtraTool = (typeof EXTRA_TOOLS)[number];

/** Reads `extra_tools`. */
export function extraToolParts(value: unknown, lang: Lang): Parts<ExtraTool[]> {
  const names = EXTRA_TOOLS.map((name) => `"${name}"`).join(", ");
  if (!Array.isArray(value)) {
    return { good: [], faults: [{ what: say(lang, "expect.extra_tools", { names }), after: [] }] };
  }
  const isOne = (name: unknown): name is ExtraTool => EXTRA_TOOLS.includes(name as ExtraTool);
  const faults = value.filter((name) => !isOne(name)).map((given) => {
    const text = JSON.stringify(given);
    const near = typeof given === "string" ? nearest(given, EXTRA_TOOLS)[0] : undefined;
    const what = say(lang, near ? "expect.extra_tool_near" : "expect.extra_tool", {
      name: text.slice(0, 40),
      names,
      near: near ?? "",
    });
    return { what, after: typeof given === "string" ? [text] : [] };
  });
  return { good: value.filter(isOne), faults };
}

/** The line, from 1, where a fault of the value at `key` stands. */
export function lineAfter(source: string, key: string, after: readonly string[]): number {
  let at = 0;
  for (const text of [JSON.stringify(key), ...after]) {
    const found = source.indexOf(text, at);
    if (found >= 0) at = found;
  }
  return source.slice(0, at).split("\n").length;
}

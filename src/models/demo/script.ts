/**
 * A script is what the demo model does for one request: it yields steps (words and tool calls),
 * is given their results, and returns the outcome. It is run anew from its beginning for each
 * answer, with the results that stand in the messages, so that nothing need be remembered.
 */
import type { Json, Lang, ToolMessage } from "../../base/types.ts";
import { say, type TextKey } from "../../base/text.ts";

export interface Call {
  readonly name: string;
  readonly input: { readonly [name: string]: Json };
}

export interface Step {
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
}

export type Script = Generator<Step, Outcome, readonly ToolMessage[]>;

/** What a script may know besides its request. */
export interface Setting {
  readonly lang: Lang;
  /** Whether the session offers the tool. */
  readonly has: (tool: string) => boolean;
}

/** Makes one call and returns its result. */
export function* use(
  text: string,
  name: string,
  input: Call["input"],
): Generator<Step, ToolMessage, readonly ToolMessage[]> {
  const [result] = yield { text, calls: [{ name, input }] };
  return result ?? { role: "tool", id: "", name, ok: false, text: "" };
}

/** The outcome of a request that a tool's refusal or error ended; a command's output counts from its end. */
export function failed(lang: Lang, result: ToolMessage | undefined): Outcome {
  const lines = (result?.text ?? "").trimEnd().split("\n");
  const text = result?.name === "Bash" && lines.length > 7
    ? ["…", ...lines.slice(-6)].join("\n")
    : excerpt(lines.join("\n"), 6);
  return { ok: false, text: say(lang, "demo.failed", { tool: result?.name ?? "", text }) };
}

/** A good outcome, in words. */
export function done(lang: Lang, key: TextKey, values?: { [name: string]: string | number }) {
  return { ok: true, text: say(lang, key, values) };
}

/** The first lines of a text, and how many more there are. */
export function excerpt(text: string, lines: number): string {
  const all = text.trimEnd().split("\n");
  return all.length <= lines + 1 ? all.join("\n") : [...all.slice(0, lines), "…"].join("\n");
}

/** What Grep is given to find `text` as it stands. */
export function literally(text: string): { pattern: string; literal?: true } {
  return /^[\p{L}\p{N}_ -]+$/u.test(text) ? { pattern: text } : { pattern: text, literal: true };
}

/**
 * A script yields steps (a text and tool calls), is given their results, and returns the outcome.
 * Every answer replays it with the results in the messages, so the demo model keeps no state.
 */
import { say } from "../../base/text.ts";
import type { Json, Lang, ToolMessage } from "../../base/types.ts";

export type Input = { readonly [name: string]: Json };

export interface Step {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: Input }[];
}

/** A part of a script, with a result of its own. */
export type Part<T> = Generator<Step, T, readonly ToolMessage[]>;
export type Script = Part<{ readonly ok: boolean; readonly text: string }>;

const MOST_LINES = 20;

/** Makes one call and returns its result. */
export function* use(text: string, name: string, input: Input): Part<ToolMessage> {
  const [result] = yield { text, calls: [{ name, input }] };
  return result!;
}

/** The outcome after a call that failed. */
export function failed(lang: Lang, result: ToolMessage) {
  return { ok: false, text: say(lang, "demo.failed", { tool: result.name, text: quote(result) }) };
}

/** A result as a block: the end of a command's output, the beginning of any other text. */
export function quote({ name, text }: ToolMessage): string {
  const lines = text.trimEnd().split("\n");
  const shown = name === "Bash" ? lines.slice(-MOST_LINES) : lines.slice(0, MOST_LINES);
  if (shown.length < lines.length) shown.splice(name === "Bash" ? 0 : MOST_LINES, 0, "…");
  return ["````", ...shown, "````"].join("\n");
}

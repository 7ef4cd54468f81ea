/**
 * How tools are declared: what stands there from the start, code that loads with the first call,
 * and the words of other agents for the same parameters.
 */
import type { PreparedCall, Tool, ToolInput } from "../base/types.ts";

/** What is known of a tool before it runs. */
export type ToolDeclaration = Omit<Tool, "run" | "asks" | "warm">;

/** A tool that is declared at once and loaded with its first call. */
export function deferred(declaration: ToolDeclaration, load: () => Promise<Tool>): Tool {
  let loading: Promise<Tool> | undefined;
  const loaded = () => loading ??= load();
  return {
    ...declaration,
    warm: () => void loaded().catch(() => {}),
    asks: async (input, context) => await (await loaded()).asks?.(input, context) ?? false,
    run: async (input, context) => await (await loaded()).run(input, context),
  };
}

/** A call that is ready to run, its input valid. */
export function preparedCall(tool: Tool, input: ToolInput): PreparedCall {
  return tool.analyse ? { tool, input, analysis: tool.analyse(input) } : { tool, input };
}

/** Other agents' names for `file_path`. */
export const FILE_PATH_ALIASES = {
  path: "file_path",
  filePath: "file_path",
  file: "file_path",
  filename: "file_path",
  absolute_path: "file_path",
  target_file: "file_path",
} as const;

/** What other agents' file tools are told besides the work: reasons, counts, progress. */
const ASIDES = new Set([
  "explanation",
  "description",
  "instruction",
  "instructions",
  "line_count",
  "task_progress",
]);

/**
 * Drops other agents' parameters that change nothing about a call, and a `command` that only names
 * again what the tool does.
 */
export function withoutAsides(input: ToolInput, commands: readonly string[]): ToolInput {
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) =>
      !ASIDES.has(key) && !(key === "command" && commands.includes(value))
    ),
  );
}

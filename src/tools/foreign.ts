import type { ToolInput } from "../base/types.ts";

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

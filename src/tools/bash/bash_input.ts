import type { ToolInput } from "../../base/types.ts";
import { rename } from "../schema.ts";

/** Other agents' names for our parameters. */
const NAMES = {
  cmd: "command",
  script: "command",
  timeout_ms: "timeout",
  background: "run_in_background",
  is_background: "run_in_background",
  isBackground: "run_in_background",
  bash_id: "job",
  shell_id: "job",
  task_id: "job",
  job_id: "job",
  until: "pattern",
  workdir: "cwd",
  working_directory: "cwd",
  working_dir: "cwd",
  directory: "cwd",
  dir: "cwd",
} as const;

/** What a model asks of Bash in other agents' words, in ours. */
export function adaptInput(input: ToolInput): ToolInput {
  const { cwd, ...out } = rename(input, NAMES);
  if (Array.isArray(out.command)) out.command = joinWords(out.command);
  if (typeof cwd === "string" && typeof out.command === "string") {
    out.command = inFolder(cwd, out.command);
  }
  const job = out.job !== undefined && out.command === undefined;
  // Killing is all that was ever done with a shell_id alone.
  if (job && "shell_id" in input && out.action === undefined && input.filter === undefined) {
    out.action = "kill";
  }
  if (job && typeof out.filter === "string") {
    out.pattern = out.filter;
    out.action = "output";
  }
  if (job && typeof out.block === "boolean") out.action ??= out.block ? "wait" : "output";
  delete out.filter;
  delete out.block;
  return out;
}

/** Words as one command line; a single one is that already. */
function joinWords(words: readonly unknown[]): string {
  return words.length === 1
    ? String(words[0])
    : words.map((word) => quoted(String(word))).join(" ");
}

/** The command run in a folder for this once; its lines keep their numbers. */
function inFolder(folder: string, command: string): string {
  if (/^\.?$/.test(folder.trim())) return command;
  const [, home = "", rest = ""] = /^(~\/?)?([^]*)$/.exec(folder)!;
  return `(cd -- ${home}${rest && quoted(rest)} || exit; ${command}\n)`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

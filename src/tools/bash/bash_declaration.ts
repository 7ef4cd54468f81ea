import type { Analysis } from "../../shell/policy/analysis.ts";
import type { CallAnalysis, ToolInput } from "../../base/types.ts";
import { rename, type ToolDeclaration } from "../toolbox.ts";

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
function adaptInput(input: ToolInput): ToolInput {
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

export const MAX_TIMEOUT_MS = 600_000;
export const DEFAULT_TIMEOUT_MS = 120_000;

/** What can be done with a job. */
const ACTIONS = ["output", "wait", "kill", "list"] as const;

/** What is known of Bash before it runs. */
export const bashDeclaration: ToolDeclaration = {
  name: "Bash",
  description:
    "Run a shell command: git, builds, tests, package managers. The working folder is kept " +
    "between calls, variables are not. No terminal, nothing interactive. Not for files. Servers " +
    "and long runs: run_in_background makes a job; later {job} alone reads its new output.",
  input: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1 },
      timeout: {
        type: "integer",
        minimum: 1,
        maximum: MAX_TIMEOUT_MS,
        description: "ms, default 120000",
      },
      description: { type: "string", description: "What it does, 5-10 words" },
      run_in_background: { type: "boolean" },
      job: { type: "string", description: "Job name, instead of command" },
      action: { type: "string", enum: ACTIONS, description: "On jobs, default output" },
      pattern: { type: "string", description: "Regex; wait for a line of the job's output" },
      keep: { type: "boolean", description: "Job outlives the session; the user is asked" },
    },
  },
  readOnly: false,
  givenSecrets: "command",
  needs: ["run"],
  aliases: [
    "execute_bash",
    "bash",
    "exec",
    "shell",
    "run_command",
    "run_shell_command",
    "BashOutput",
    "KillShell",
    "KillBash",
    "TaskOutput",
  ],
  adapt: adaptInput,
  analyse({ command }) {
    let analysis: Promise<Analysis> | undefined;
    return () => analysis ??= analysisOf(String(command ?? ""));
  },
  async onlyReads({ command, job, action }, where, analysis) {
    if (job !== undefined || action !== undefined) return false;
    return (await analysisOf(String(command ?? ""), analysis)).onlyReads(where);
  },
  async parallel(input, where, analysis) {
    const { command, run_in_background, pattern, keep } = input;
    // what is started, moved to or waited for is so before the next command
    if (run_in_background || keep || pattern !== undefined) return false;
    if (/\b(?:cd|sleep)\b/.test(String(command))) return false;
    return await bashDeclaration.onlyReads!(input, where, analysis);
  },
};

/** The analysis that came with a call of Bash, or a new one where none came or the command is another. */
export async function analysisOf(command: string, known?: CallAnalysis): Promise<Analysis> {
  const made = await known?.() as Analysis | undefined;
  if (made?.command === command) return made;
  // the parser behind it is heavy
  const { Analysis } = await import("../../shell/policy/analysis.ts");
  return new Analysis(command);
}

/** The declaration where no command may run longer than `mostMs`. */
export function bashWithin(mostMs: number = MAX_TIMEOUT_MS): ToolDeclaration {
  if (mostMs >= MAX_TIMEOUT_MS) return bashDeclaration;
  const { input } = bashDeclaration;
  const timeout = {
    ...input.properties?.["timeout"],
    maximum: mostMs,
    description: `ms, default ${Math.min(DEFAULT_TIMEOUT_MS, mostMs)}`,
  };
  return { ...bashDeclaration, input: { ...input, properties: { ...input.properties, timeout } } };
}

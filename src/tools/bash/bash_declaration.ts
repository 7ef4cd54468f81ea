import { adaptInput } from "./bash_input.ts";
import type { ToolDeclaration } from "../deferred.ts";

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
  async onlyReads({ command, job, action }, where) {
    if (job !== undefined || action !== undefined || Deno.build.os === "windows") return false;
    const text = String(command ?? "");
    return where
      ? (await import("../../shell/policy/surely_reads.ts")).surelyReads(text, where)
      : (await import("../../shell/policy/only_reads.ts")).onlyReads(text);
  },
  async parallel(input, where) {
    const { command, run_in_background, pattern, keep } = input;
    // what is started, moved to or waited for is so before the next command
    if (run_in_background || keep || pattern !== undefined) return false;
    if (/\b(?:cd|sleep)\b/.test(String(command))) return false;
    return await bashDeclaration.onlyReads!(input, where);
  },
};

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

/** The commands that only a shell calls, and the list of all that it does, in the order of the help. */
import type { Text } from "../base/t.ts";
import { WHERE } from "../commands/flags.ts";
import type { ShellCommand } from "../commands/shell_command.ts";
import type { FirstFrame } from "../terminal/panels/options.ts";

const MODEL = {
  model: {
    is: "text",
    brief: "model; demo is the built-in offline model",
    placeholder: "NAME",
  },
  baseUrl: { is: "text", brief: "endpoint of the model", placeholder: "URL" },
  api: {
    is: "choice",
    brief: "protocol; auto speaks Messages when the path ends in /anthropic",
    values: ["auto", "openai", "anthropic"],
  },
} as const satisfies ShellCommand["flags"];

const TOOLS = {
  tools: { is: "text", brief: "only these tools", placeholder: "A,B" },
  permission: {
    is: "choice",
    brief: "open: only deletes ask; guarded: a deny list too; ask: ask before every change",
    values: ["open", "guarded", "ask"],
  },
  allowDelete: { is: "yes", brief: "headless: allow deletes that would ask" },
  workspaceOnly: {
    is: "yes",
    brief:
      "file tools keep to the workspace; Bash runs in a sandbox that does too, or is not offered",
  },
} as const satisfies ShellCommand["flags"];

const JSONL = { jsonl: { is: "yes", brief: "read JSON lines, answer JSON lines" } } as const;

const OUTPUT: Text = "format of the output";

/** Starts a session, or answers once. */
export const runCommand = (firstFrame: FirstFrame | undefined): ShellCommand => ({
  brief: "start a session, or answer once with -p",
  flags: {
    print: { is: "yes", brief: "headless: answer once and exit" },
    plain: {
      is: "yes",
      brief: "line by line, no redraw, no escape sequence (screen readers, serial lines)",
    },
    ...MODEL,
    ...WHERE,
    continue: { is: "yes", brief: "continue the latest session" },
    resume: {
      is: "text",
      brief: "resume a session (ID, name or number)",
      placeholder: "ID",
      bare: true,
    },
    inputFormat: { is: "choice", brief: "format of stdin", values: ["text", "stream-json"] },
    outputFormat: { is: "choice", brief: OUTPUT, values: ["text", "json", "stream-json"] },
    ...TOOLS,
    plan: { is: "yes", brief: "plan first, then carry out the steps one by one" },
    maxIterations: { is: "whole", brief: "model calls per turn (200)", least: 1 },
    maxCost: { is: "number", brief: "budget of the session in US dollars", least: 0 },
    maxTotalTokens: { is: "whole", brief: "token budget of the session", least: 1 },
    appendSystemPrompt: {
      is: "text",
      brief: "text added at the end of the system prompt",
      placeholder: "TEXT",
    },
    verbose: {
      is: "yes",
      brief: "headless: name model, tools, rules, skills, servers and each tool call on stderr",
    },
    session: { is: "on", brief: "keep the session on disk (--no-session: keep nothing)" },
  },
  words: { brief: "what to say", placeholder: "prompt" },
  async load() {
    const { start } = await import("./run.ts");
    return (flags, words) => start(flags, words, firstFrame);
  },
});

/** All others, by their names. */
export const SHELL_COMMANDS: {
  readonly [name: string]: () => ShellCommand | Promise<ShellCommand>;
} = {
  init: () => ({
    brief: "write starting files into .narnat/ (never overwrites)",
    flags: WHERE,
    load: async () => (await import("./init.ts")).init,
  }),
  doctor: () => ({
    brief: "check configuration, key, endpoint, permissions, secrets, sandbox, terminal, git",
    flags: { ...WHERE, ...MODEL, workspaceOnly: TOOLS.workspaceOnly },
    load: async () => (await import("../app/doctor.ts")).doctor,
  }),
  prompt: () => ({
    brief: "print the system prompt and tool definitions with their sizes",
    flags: {
      ...WHERE,
      ...MODEL,
      tools: TOOLS.tools,
      workspaceOnly: TOOLS.workspaceOnly,
      outputFormat: { is: "choice", brief: OUTPUT, values: ["text", "json"] },
    },
    load: async () => (await import("./prompt.ts")).prompt,
  }),
  tool: () => ({
    brief: "run one tool call as the model would and print the result",
    flags: { ...WHERE, ...TOOLS, ...JSONL },
    words: { brief: "the tool's name and its JSON input", placeholder: "Name json" },
    load: async () => (await import("./tool.ts")).tool,
  }),
  "check-command": () => ({
    brief: "print what the delete gate decides about a command",
    flags: { ...WHERE, permission: TOOLS.permission, ...JSONL },
    words: { brief: "the shell command to judge", placeholder: "command" },
    load: async () => (await import("./check_command.ts")).checkCommands,
  }),
  sessions: async () => (await import("../features/sessions/command.ts")).sessions,
  replay: async () => (await import("../features/replay/command.ts")).replay,
  skills: async () => (await import("../features/skills/command.ts")).skill.shell,
  agents: async () => (await import("../features/subagents/command.ts")).agents.shell,
  mcp: async () => (await import("../features/mcp/command.ts")).mcp.shell,
  trash: async () => (await import("../features/trash/command.ts")).trash.shell,
  undo: async () => (await import("../features/undo/command.ts")).undo.shell,
  trust: async () => (await import("../features/trust/command.ts")).trustShell,
  completions: () => ({
    brief: "print the completion script of a shell",
    flags: { lang: WHERE.lang },
    words: { brief: "bash, zsh or fish", placeholder: "bash|zsh|fish" },
    load: async () => (await import("./completions.ts")).completions,
  }),
};

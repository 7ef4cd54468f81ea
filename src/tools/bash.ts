import { join } from "node:path";
import type { RunResult } from "../shell/run.ts";
import { say } from "../text.ts";
import type { Lang, Tool, ToolContext, ToolResult } from "../types.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
/** Linux takes no longer single argument. */
const MAX_COMMAND_BYTES = 128 * 1024 - 512;

/** Makes Bash; a tool remembers what it is still stopping, so that the next command waits for it. */
export function bashTool(): Tool {
  let stopping: Promise<void> = Promise.resolve();
  return {
    name: "Bash",
    description:
      "Run a shell command: git, builds, tests, package managers. The working folder is " +
      "kept between calls, variables are not. No terminal: never interactive commands (vim, top). " +
      "For files use Read, Edit, Write, Grep, Glob.",
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
      },
      required: ["command"],
    },
    readOnly: false,
    needs: ["run"],
    aliases: ["execute_bash", "bash", "exec", "shell", "run_command"],
    adapt: (input) =>
      input.command === undefined && typeof input.cmd === "string"
        ? { ...input, command: input.cmd }
        : input,
    async run(input, context) {
      const command = String(input.command);
      const refusal = unrunnable(command, context.lang) ?? await gate(command, context);
      if (refusal) return refusal;
      await stopping;
      if (context.signal.aborted) return { ok: false, text: say(context.lang, "tool.interrupted") };
      const cwd = await isFolder(context.cwd) ? context.cwd : context.workspace;
      const { runCommand } = await import("../shell/run.ts");
      const name = `bash-${Date.now()}-${crypto.randomUUID().slice(0, 8)}.txt`;
      const timeoutMs = Math.min(Number(input.timeout ?? DEFAULT_TIMEOUT_MS), MAX_TIMEOUT_MS);
      let result: RunResult;
      try {
        result = await runCommand({
          command,
          cwd,
          env: context.env,
          timeoutMs,
          signal: context.signal,
          outputPath: join(context.outputDir, name),
          onProgress: (text) => context.progress(text),
        });
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { ok: false, text: say(context.lang, "bash.cannot_start", { why }) };
      }
      stopping = result.gone;
      const { canVerify } = await import("../shell/can_verify.ts");
      const verified = result.stopped === undefined && canVerify(command, cwd);
      return report(result, timeoutMs, context, cwd, verified);
    },
  };
}

function unrunnable(command: string, lang: Lang): ToolResult | undefined {
  if (command.trim() === "") return { ok: false, text: say(lang, "bash.empty") };
  if (command.includes("\0")) return { ok: false, text: say(lang, "bash.nul") };
  const bytes = new TextEncoder().encode(command).length;
  if (bytes > MAX_COMMAND_BYTES) return { ok: false, text: say(lang, "bash.too_long", { bytes }) };
  return undefined;
}

/** Undefined when the command may run; otherwise what to tell the model. */
async function gate(command: string, context: ToolContext): Promise<ToolResult | undefined> {
  const { lang } = context;
  const { checkCommand, describeVerdict } = await import("../shell/gate.ts");
  const verdict = checkCommand(command, {
    permission: context.permission,
    cwd: context.cwd,
    home: context.env.HOME,
    fileWork: true,
  });
  if (verdict.verdict === "refuse") {
    const reason = describeVerdict(lang, verdict);
    return { ok: false, text: say(lang, "bash.refused", { reason }) };
  }
  if (verdict.verdict === "ask") {
    const reason = describeVerdict(lang, verdict);
    const yes = await context.ask({
      kind: verdict.kind === "danger" ? "danger" : "delete",
      question: say(lang, "bash.ask", { reason }),
      command,
      targets: verdict.targets,
    });
    if (!yes && !context.signal.aborted) {
      return { ok: false, text: say(lang, "bash.declined", { reason }) };
    }
  }
  return undefined;
}

function report(
  result: RunResult,
  timeoutMs: number,
  context: ToolContext,
  cwd: string,
  verified: boolean,
): ToolResult {
  const { lang } = context;
  const output = shown(result, lang);
  const ok = result.exit === 0;
  const moved = result.cwd !== undefined && result.cwd !== context.cwd
    ? result.cwd
    : cwd !== context.cwd
    ? cwd
    : undefined;
  const lines = [output, ending(result, timeoutMs, lang)];
  if (cwd !== context.cwd) {
    lines.push(say(lang, "bash.folder_gone", { old: context.cwd, folder: cwd }));
  }
  if (moved !== undefined) lines.push(say(lang, "bash.folder", { folder: moved }));
  if (result.leftRunning) lines.push(say(lang, "bash.left_running"));
  return {
    ok,
    text: lines.filter((line) => line !== "").join("\n"),
    detail: {
      kind: "command",
      exit: result.exit,
      ...result.signal ? { signal: result.signal } : {},
      ...result.stopped === "timeout" ? { timedOut: true } : {},
      output,
    },
    ...moved === undefined ? {} : { cwd: moved },
    ...verified ? { verified: true } : {},
  };
}

function shown({ output, stopped }: RunResult, lang: Lang): string {
  const path = output.path ?? "";
  if (output.binary) {
    const values = { bytes: output.bytes, path };
    return say(lang, path ? "bash.binary_saved" : "bash.binary", values);
  }
  if (output.tail !== undefined) {
    const key = !path ? "bash.cut_unsaved" : output.fileCut ? "bash.cut_partly" : "bash.cut";
    return `${output.head}\n${
      say(lang, key, { count: output.cut, path })
    }\n${output.tail.trimEnd()}`;
  }
  const text = output.head.replace(/\s+$/, "");
  return text === "" && !stopped ? say(lang, "bash.no_output") : text;
}

function ending(result: RunResult, timeoutMs: number, lang: Lang): string {
  const seconds = (result.ms / 1000).toFixed(1);
  if (result.stopped === "abort") return say(lang, "tool.interrupted");
  if (result.stopped === "timeout") {
    return say(lang, "bash.timed_out", { seconds: timeoutMs / 1000 });
  }
  if (result.signal) return say(lang, "bash.signal", { signal: result.signal, seconds });
  return say(lang, "bash.exit", { code: result.exit ?? "?", seconds });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

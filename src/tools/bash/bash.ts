import { createJobs, type Job, type Jobs } from "../../shell/process/jobs.ts";
import type { Verification } from "../../shell/policy/can_verify.ts";
import type { Verdict } from "../../shell/policy/gate.ts";
import type { LossOutcome } from "../../shell/policy/losses.ts";
import type { RunResult } from "../../shell/process/run.ts";
import { SandboxError } from "../../shell/process/sandbox_error.ts";
import { say, type TextKey } from "../../base/text.ts";
import type {
  KeptDeletes,
  Lang,
  Tool,
  ToolContext,
  ToolInput,
  ToolResult,
} from "../../base/types.ts";
import { errorMessage } from "../../base/error_message.ts";
import { bashDeclaration, DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from "./bash_declaration.ts";
import { actOnJob, handOver, shown, verificationOf, waitFor } from "./bash_jobs.ts";
import { excerpt } from "../excerpt.ts";
import { compileLines } from "../grep/line_pattern.ts";

/** How long a job's first words are waited for. */
const FIRST_WORDS_MS = 1000;
/** Linux takes no longer single argument. */
const MAX_COMMAND_BYTES = 128 * 1024 - 512;

/** Commands that change the folder in which the shell stands. */
const MOVES = /\b(cd|pushd|popd)\b/;

/** The parser behind it is heavy. */
const nameOf = async (command: string, taken: readonly string[]) =>
  (await import("../../shell/policy/job_name.ts")).jobName(command, taken);

/** Makes Bash over the jobs of this narnat; their owner closes them. */
export function bashTool(jobs: Jobs = createJobs({ guard: false })): Tool {
  // What is still being stopped: the next command waits for it.
  let stopping: Promise<void> = Promise.resolve();
  return {
    ...bashDeclaration,
    async asks({ command, keep }, context) {
      if (typeof command !== "string") return false;
      return keep === true || (await judge(command, false, context)).verdict === "ask";
    },
    async run(input, context) {
      const { lang } = context;
      if (input.command === undefined) {
        return await actOnJob(jobs, input, context, timeoutOf(input, jobs));
      }
      if (input.action !== undefined && input.action !== "wait") {
        return { ok: false, text: say(lang, "bash.command_and_action", { action: input.action }) };
      }
      const command = String(input.command);
      // Only a job's output is waited for.
      const background = input.run_in_background === true || input.pattern !== undefined;
      const verdict = unrunnable(command, lang) ?? await gate(command, background, context);
      if ("ok" in verdict) return verdict;
      const refusal = await mayKeep(command, input, context);
      if (refusal) return refusal;
      await stopping;
      if (context.signal.aborted) return { ok: false, text: say(lang, "tool.interrupted") };
      const cwd = isFolder(context.cwd) ? context.cwd : context.workspace;
      const base = { command, cwd, env: context.env, outputDir: context.outputDir, nameOf };
      let trashing: KeptDeletes | undefined;
      try {
        trashing = await trashFor(verdict, command, context);
        const losses = await lossesFor(verdict, command, cwd, context);
        if (background) {
          const result = await startJob(jobs, base, input, context, (ended) => {
            losses?.background(ended);
            void ended.then(() => trashing?.ended());
          });
          const note = trashing?.begun();
          return note === undefined ? result : { ...result, text: `${result.text}\n${note}` };
        }
        const timeoutMs = timeoutOf(input, jobs);
        const running = jobs.run({
          ...base,
          timeoutMs,
          signal: context.signal,
          onProgress: (text) => context.progress(text),
        });
        // read while it runs
        const [result, verification] = await Promise.all([
          running,
          verificationOf(command, cwd, context),
        ]);
        stopping = result.gone;
        const trashed = trashing && await endOf(trashing, result);
        // what was agreed to holds for what goes on
        if (result.job) losses?.background(result.job.ended);
        const lost = await losses?.settle(result);
        // who has taken away what others need has shown nothing
        const verified = result.stopped === undefined && lost === undefined ? verification : {};
        const left = result.job && await handOver(jobs, result.job, lang);
        const run = { ...result, command, timeoutMs, from: cwd };
        const hint = jobs.sandbox && sandboxHint(jobs.sandbox, run, lang);
        return report(run, { verified, left, hint, trashed, lost }, context);
      } catch (error) {
        await trashing?.ended();
        if (context.signal.aborted) return { ok: false, text: say(lang, "tool.interrupted") };
        if (error instanceof SandboxError) {
          const why = say(lang, `sandbox.${error.why}`, { detail: error.detail });
          return { ok: false, text: say(lang, "sandbox.refused", { why }) };
        }
        const why = errorMessage(error);
        return { ok: false, text: say(lang, "bash.cannot_start", { why }) };
      }
    },
  };
}

function timeoutOf(input: ToolInput, { mostMs = MAX_TIMEOUT_MS }: Jobs): number {
  return Math.min(Number(input.timeout ?? DEFAULT_TIMEOUT_MS), mostMs);
}

function unrunnable(command: string, lang: Lang): ToolResult | undefined {
  if (command.trim() === "") return { ok: false, text: say(lang, "bash.empty") };
  if (command.includes("\0")) return { ok: false, text: say(lang, "bash.nul") };
  const bytes = new TextEncoder().encode(command).length;
  if (bytes > MAX_COMMAND_BYTES) return { ok: false, text: say(lang, "bash.too_long", { bytes }) };
  return undefined;
}

async function judge(
  command: string,
  background: boolean,
  context: ToolContext,
): Promise<Verdict> {
  const { checkCommand } = await import("../../shell/policy/gate.ts");
  const options = {
    permission: context.permission,
    cwd: context.cwd,
    workspace: context.workspace,
    home: context.env.HOME,
    fileWork: context.typed !== true,
  };
  const verdict = checkCommand(command, options);
  // What only never ends (tail -f) may do so in the background.
  return background && verdict.kind === "interactive"
    ? checkCommand(`(${command}\n) &`, options)
    : verdict;
}

/** Keeps what `rm` in a command that was agreed to is about to take. */
async function trashFor(
  verdict: Verdict,
  command: string,
  context: ToolContext,
): Promise<KeptDeletes | undefined> {
  const deletes = verdict.verdict === "ask" && /^(?:delete|danger)$/.test(verdict.kind);
  if (!deletes || verdict.unlinked.length === 0) return undefined;
  return await context.trash?.keep(verdict, command, context);
}

/** Looks at what a command takes away, where somebody keeps watch. */
async function lossesFor(
  verdict: Verdict,
  command: string,
  cwd: string,
  context: ToolContext,
): Promise<
  {
    background(ended: Promise<unknown>): void;
    settle(result: RunResult): Promise<LossOutcome | undefined>;
  } | undefined
> {
  const { disk } = context;
  if (!disk || await bashDeclaration.onlyReads!({ command }, { ...context, cwd })) return undefined;
  const { agreedCommand, settleLosses } = await import("../../shell/policy/losses.ts");
  const ran = agreedCommand(verdict, command, cwd);
  return {
    background: (ended) => disk.background(ran, ended),
    async settle({ ms, gone }) {
      if (context.signal.aborted) {
        // nobody hears what is said here any more: it is looked at and told at the turn's end
        disk.background(ran, Promise.resolve(gone));
        return undefined;
      }
      const losses = await disk.losses(ran, ms);
      return losses.length === 0
        ? undefined
        : await settleLosses(losses, command, { ...context, disk });
    },
  };
}

/** What is still running may delete more. */
async function endOf(
  trashing: KeptDeletes,
  { stopped, gone, job }: Awaited<ReturnType<Jobs["run"]>>,
): Promise<string | undefined> {
  const end = stopped === "abort" ? gone : job?.ended;
  if (!end) return await trashing.ended();
  void end.then(() => trashing.ended());
  return trashing.begun();
}

/** The verdict when the command may run; otherwise what to tell the model. */
async function gate(
  command: string,
  background: boolean,
  context: ToolContext,
): Promise<ToolResult | Verdict> {
  const { lang } = context;
  const { describeVerdict } = await import("../../shell/policy/gate.ts");
  const verdict = await judge(command, background, context);
  if (verdict.verdict === "refuse") {
    const values = { reason: describeVerdict(lang, verdict), ...verdict.values };
    return { ok: false, text: say(lang, refusalKey(verdict, context), values) };
  }
  if (verdict.verdict === "ask") {
    const reason = describeVerdict(lang, verdict);
    // What lies outside is told with the targets.
    const asked = describeVerdict(lang, { ...verdict, outside: [] });
    const { targetFacts } = await import("../../shell/policy/target_facts.ts");
    const stakes = await targetFacts(verdict.paths, { ...context, part: verdict.part });
    const yes = await context.ask({
      kind: verdict.kind === "danger" ? "danger" : "delete",
      question: say(lang, "bash.ask", { reason: asked.charAt(0).toUpperCase() + asked.slice(1) }),
      command,
      targets: verdict.targets,
      ...stakes ? { stakes } : {},
    });
    if (!yes && !context.signal.aborted) {
      const text = say(lang, "bash.declined", { reason });
      return { ok: false, text, detail: { kind: "declined" } };
    }
  }
  return verdict;
}

/** Who typed the command reads other words than a model does. */
function refusalKey({ kind }: Verdict, { typed }: ToolContext): TextKey {
  if (typed && kind === "interactive") return "bash.typed_interactive";
  // only the guarded mode refuses these
  if (typed && (kind === "delete" || kind === "danger")) return "bash.typed_guarded";
  return "bash.refused";
}

/** Only the user lets something live on after narnat. */
async function mayKeep(
  command: string,
  input: ToolInput,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  if (input.keep !== true) return undefined;
  const { lang } = context;
  if (input.run_in_background !== true) return { ok: false, text: say(lang, "bash.keep_what") };
  const question = say(lang, "bash.ask_keep");
  if (await context.ask({ kind: "tool", question, command })) return undefined;
  if (context.signal.aborted) return undefined;
  return { ok: false, text: say(lang, "bash.keep_declined"), detail: { kind: "declined" } };
}

async function startJob(
  jobs: Jobs,
  base: { command: string; cwd: string; env: ToolContext["env"]; outputDir: string },
  input: ToolInput,
  context: ToolContext,
  began: (ended: Promise<unknown>) => void,
): Promise<ToolResult> {
  const { lang } = context;
  const matches = input.pattern === undefined ? undefined : await compileLines(input.pattern);
  if (typeof matches === "string") {
    return { ok: false, text: say(lang, "bash.bad_pattern", { why: excerpt(matches) }) };
  }
  const others = jobs.list().filter((job) => job.state === "running").map((job) => job.name);
  const job: Job = await jobs.start({
    ...base,
    keep: input.keep === true,
    ...typeof input.job === "string" ? { name: input.job } : {},
  });
  began(job.ended);
  const ms = matches || input.action === "wait" ? timeoutOf(input, jobs) : FIRST_WORDS_MS;
  const wait = { ms, matches, pattern: input.pattern, began: true, others };
  return await waitFor(jobs, job, wait, context);
}

interface Run extends RunResult {
  readonly command: string;
  readonly timeoutMs: number;
  /** Folder in which it began. */
  readonly from: string;
}

function report(
  run: Run,
  { verified, left, hint, trashed, lost }: {
    readonly verified: Verification;
    readonly left: string | undefined;
    readonly hint: string | undefined;
    readonly trashed: string | undefined;
    readonly lost: LossOutcome | undefined;
  },
  context: ToolContext,
): ToolResult {
  const { lang, cwd } = context;
  const empty = run.stopped ? "" : say(lang, "bash.no_output");
  const output = shown(run.output, lang);
  const folder = run.cwd ?? run.from;
  const lines = [output || empty, ending(run, lang)];
  if (run.from !== cwd) lines.push(say(lang, "bash.folder_gone", { old: cwd, folder: run.from }));
  if (folder !== cwd) lines.push(say(lang, "bash.folder", { folder }));
  // A trap of its own on EXIT, or exec, takes the place of what tells the folder.
  if (run.cwd === undefined && !run.stopped && MOVES.test(run.command)) {
    lines.push(say(lang, "bash.folder_untold", { folder }));
  }
  if (left !== undefined) lines.push(left);
  if (hint !== undefined) lines.push(hint);
  const told = (loss: string | undefined) => [trashed, loss].filter((line) => line !== undefined);
  lines.push(...told(lost?.text));
  const notes = told(lost?.note);
  return {
    ok: run.exit === 0 && lost === undefined,
    text: lines.filter((line) => line !== "").join("\n"),
    detail: {
      kind: "command",
      exit: run.exit,
      ...run.signal ? { signal: run.signal } : {},
      ...run.stopped === "timeout" ? { timedOut: true } : {},
      output,
      ...notes.length === 0 ? {} : { note: notes.join("\n") },
      ...lost?.restored.length ? { restored: lost.restored } : {},
      ...run.output.tail === undefined ? {} : { lines: run.output.lines },
      ...verified.masked ? { masked: true } : {},
    },
    ...folder === cwd ? {} : { cwd: folder },
    ...verified.verified ? { verified: true } : {},
  };
}

/** What a shut door sounds like. */
const SHUT =
  /read-only file system|device or resource busy|\bEROFS\b|\bEBUSY\b|operation not permitted/i;
const OFFLINE =
  /network is unreachable|could not resolve|name resolution|getaddrinfo|ENETUNREACH|EAI_AGAIN/i;

/** What a model has to know when the sandbox was in its way. */
function sandboxHint(
  { network, writable }: NonNullable<Jobs["sandbox"]>,
  { output, exit }: Run,
  lang: Lang,
): string | undefined {
  if (exit === 0) return undefined;
  const text = `${output.head}\n${output.tail ?? ""}`;
  if (!SHUT.test(text) && (network || !OFFLINE.test(text))) return undefined;
  return say(lang, "sandbox.hint", {
    folders: writable.join(lang === "zh" ? "、" : ", "),
    network: network ? "" : say(lang, "sandbox.hint_network"),
  });
}

function ending({ ms, stopped, timeoutMs, signal, exit }: Run, lang: Lang): string {
  const seconds = (ms / 1000).toFixed(1);
  if (stopped === "abort") return say(lang, "bash.interrupted", { seconds });
  if (stopped === "timeout") return say(lang, "bash.timed_out", { seconds: timeoutMs / 1000 });
  if (signal) return say(lang, "bash.signal", { signal, seconds });
  return say(lang, "bash.exit", { code: exit ?? "?", seconds });
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

import { createJobs, type Job, type Jobs } from "../../shell/process/jobs.ts";
import type { Verification } from "../../shell/policy/command_purpose.ts";
import type { Analysis } from "../../shell/policy/analysis.ts";
import { describeVerdict, type Verdict } from "../../shell/policy/gate.ts";
import type { LossOutcome } from "../../shell/policy/losses.ts";
import type { RunResult } from "../../shell/process/run.ts";
import { SandboxError, sandboxHint, whyNot } from "../../shell/process/sandbox_error.ts";
import type { T, Text } from "../../base/t.ts";
import type { KeptDeletes, Tool, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import {
  analysisOf,
  bashDeclaration,
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
} from "./bash_declaration.ts";
import { actOnJob, compileLines, handOver, shown, waitFor } from "./bash_jobs.ts";
import { errorMessage } from "../../base/errors.ts";
import { excerpt } from "../../base/strings.ts";

/** How long a job's first words are waited for. */
const FIRST_WORDS_MS = 1000;
/** Linux takes no longer single argument. */
const MAX_COMMAND_BYTES = 128 * 1024 - 512;

/** Commands that change the folder in which the shell stands. */
const MOVES = /\b(cd|pushd|popd)\b/;

/** Makes Bash over the jobs of this narnat; their owner closes them. */
export function bashTool(jobs: Jobs = createJobs({ guard: false })): Tool {
  // What is still being stopped: the next command waits for it.
  let stopping: Promise<void> = Promise.resolve();
  return {
    ...bashDeclaration,
    async asks({ command, keep }, context) {
      if (typeof command !== "string") return false;
      if (keep === true) return true;
      const analysis = await analysisOf(command, context.analysis);
      return verdictOf(analysis, false, context).verdict === "ask";
    },
    async run(input, context) {
      const { t } = context;
      if (input.command === undefined) {
        return await actOnJob(jobs, input, context, timeoutOf(input, jobs));
      }
      if (input.action !== undefined && input.action !== "wait") {
        return {
          ok: false,
          text: t(
            'Cannot run the command: it came with action "{action}". To act on a job give job and action only',
            { action: input.action },
          ),
        };
      }
      const command = String(input.command);
      // Only a job's output is waited for.
      const background = input.run_in_background === true || input.pattern !== undefined;
      const analysis = await analysisOf(command, context.analysis);
      const verdict = unrunnable(command, t) ?? await gate(analysis, background, context);
      if ("ok" in verdict) return verdict;
      const refusal = await mayKeep(command, input, context);
      if (refusal) return refusal;
      await stopping;
      if (context.signal.aborted) return { ok: false, text: t("interrupted") };
      const cwd = isFolder(context.cwd) ? context.cwd : context.workspace;
      const { HOME } = context.env;
      // a name that the model gives is read as a command too
      const nameOf = async (text: string, taken: readonly string[]) =>
        (await analysisOf(text, context.analysis)).jobName(taken, cwd, HOME);
      const base = { command, cwd, env: context.env, outputDir: context.outputDir, nameOf };
      let trashing: KeptDeletes | undefined;
      try {
        trashing = await trashFor(verdict, command, context);
        const losses = await lossesFor(verdict, analysis, cwd, context);
        if (background) {
          const result = await startJob(jobs, base, input, context, (ended) => {
            losses?.background(ended);
            void ended.then(() => trashing?.ended());
          });
          const note = trashing?.begun();
          return note === undefined ? result : { ...result, text: `${result.text}\n${note}` };
        }
        const timeoutMs = timeoutOf(input, jobs);
        const verification = analysis.verification(cwd, context.workspace, HOME);
        const result = await jobs.run({
          ...base,
          timeoutMs,
          signal: context.signal,
          onProgress: (text) => context.progress(text),
        });
        stopping = result.gone;
        const trashed = trashing && await endOf(trashing, result);
        // what was agreed to holds for what goes on
        if (result.job) losses?.background(result.job.ended);
        const lost = await losses?.settle(result);
        // who has taken away what others need has shown nothing
        const verified = result.stopped === undefined && lost === undefined ? verification : {};
        const left = result.job && await handOver(jobs, result.job, t);
        const run = { ...result, command, timeoutMs, from: cwd };
        const hint = jobs.sandbox && sandboxHint(jobs.sandbox, run, t);
        return report(run, { verified, left, hint, trashed, lost }, context);
      } catch (error) {
        await trashing?.ended();
        if (context.signal.aborted) return { ok: false, text: t("interrupted") };
        if (error instanceof SandboxError) {
          const why = whyNot(error, t);
          return {
            ok: false,
            text: t(
              'Not run: commands are to run in a sandbox ("sandbox"), but {why}. Bash does not run outside of it',
              { why },
            ),
          };
        }
        const why = errorMessage(error);
        return { ok: false, text: t("Cannot run the command: {why}", { why }) };
      }
    },
  };
}

function timeoutOf(input: ToolInput, { mostMs = MAX_TIMEOUT_MS }: Jobs): number {
  return Math.min(Number(input.timeout ?? DEFAULT_TIMEOUT_MS), mostMs);
}

function unrunnable(command: string, t: T): ToolResult | undefined {
  if (command.trim() === "") return { ok: false, text: t("Cannot run the command: it is empty") };
  if (command.includes("\0")) {
    return { ok: false, text: t("Cannot run the command: it holds a NUL character; leave it out") };
  }
  const bytes = new TextEncoder().encode(command).length;
  if (bytes > MAX_COMMAND_BYTES) {
    return {
      ok: false,
      text: t(
        "Cannot run the command: it has {bytes} bytes, above the system's 128 KB. Write it to a script file and run that",
        { bytes },
      ),
    };
  }
  return undefined;
}

function verdictOf(analysis: Analysis, background: boolean, context: ToolContext): Verdict {
  const options = {
    permission: context.permission,
    cwd: context.cwd,
    workspace: context.workspace,
    home: context.env.HOME,
    fileWork: context.typed !== true,
  };
  return analysis.verdict(options, background);
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
  analysis: Analysis,
  cwd: string,
  context: ToolContext,
): Promise<
  {
    background(ended: Promise<unknown>): void;
    settle(result: RunResult): Promise<LossOutcome | undefined>;
  } | undefined
> {
  const { disk } = context;
  if (!disk || analysis.onlyReads({ ...context, cwd })) return undefined;
  const { command } = analysis;
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
  analysis: Analysis,
  background: boolean,
  context: ToolContext,
): Promise<ToolResult | Verdict> {
  const { t } = context;
  const { command } = analysis;
  const verdict = verdictOf(analysis, background, context);
  if (verdict.verdict === "refuse") {
    const values = { reason: describeVerdict(t, verdict), ...verdict.values };
    return { ok: false, text: t(refusalKey(verdict, context), values) };
  }
  if (verdict.verdict === "ask") {
    const reason = describeVerdict(t, verdict);
    // What lies outside is told with the targets.
    const asked = describeVerdict(t, { ...verdict, outside: [] });
    const { targetFacts } = await import("../../shell/policy/target_facts.ts");
    const stakes = await targetFacts(verdict.paths, { ...context, part: verdict.part });
    const yes = await context.ask({
      kind: verdict.kind === "danger" ? "danger" : "delete",
      question: t("{reason}. Run it?", { reason: asked.charAt(0).toUpperCase() + asked.slice(1) }),
      command,
      targets: verdict.targets,
      ...stakes ? { stakes } : {},
    });
    if (!yes && !context.signal.aborted) {
      const text = t(
        "Not confirmed (declined, or nobody there to ask); nothing was run: {reason}. Do not try it in another form; go on without it, or ask",
        { reason },
      );
      return { ok: false, text, detail: { kind: "declined" } };
    }
  }
  return verdict;
}

/** Who typed the command reads other words than a model does. */
function refusalKey({ kind }: Verdict, { typed }: ToolContext): Text {
  if (typed && kind === "interactive") {
    return "Not run: {name} needs a terminal of its own, or never ends; ! has no terminal, so run it in another one";
  }
  // only the guarded mode refuses these
  if (typed && (kind === "delete" || kind === "danger")) {
    return "Not run: the guarded mode forbids this command ({names})";
  }
  return "Not run: {reason}";
}

/** Only the user lets something live on after narnat. */
async function mayKeep(
  command: string,
  input: ToolInput,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  if (input.keep !== true) return undefined;
  const { t } = context;
  if (input.run_in_background !== true) {
    return { ok: false, text: t("keep is for run_in_background only") };
  }
  const question = t("Start this, and let it go on running after narnat has ended?");
  if (await context.ask({ kind: "tool", question, command })) return undefined;
  if (context.signal.aborted) return undefined;
  return {
    ok: false,
    text: t("Not started: nobody agreed to its outliving narnat. Without keep it can be started"),
    detail: { kind: "declined" },
  };
}

async function startJob(
  jobs: Jobs,
  base: { command: string; cwd: string; env: ToolContext["env"]; outputDir: string },
  input: ToolInput,
  context: ToolContext,
  began: (ended: Promise<unknown>) => void,
): Promise<ToolResult> {
  const { t } = context;
  const matches = input.pattern === undefined ? undefined : await compileLines(input.pattern);
  if (typeof matches === "string") {
    return {
      ok: false,
      text: t("Regular expression syntax error: {why}", { why: excerpt(matches) }),
    };
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
  const { t, cwd } = context;
  const empty = run.stopped ? "" : t("(no output)");
  const output = shown(run.output, t);
  const folder = run.cwd ?? run.from;
  const lines = [output || empty, ending(run, t)];
  if (run.from !== cwd) {
    lines.push(
      t("[the working folder {old} is gone; the command ran in {folder}]", {
        old: cwd,
        folder: run.from,
      }),
    );
  }
  if (folder !== cwd) lines.push(t("[working folder: {folder}]", { folder }));
  // A trap of its own on EXIT, or exec, takes the place of what tells the folder.
  if (run.cwd === undefined && !run.stopped && MOVES.test(run.command)) {
    lines.push(
      t(
        "[the folder in which the command ended is not known (exec, or an EXIT trap of its own); the next one starts in {folder}]",
        { folder },
      ),
    );
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

function ending({ ms, stopped, timeoutMs, signal, exit }: Run, t: T): string {
  const seconds = (ms / 1000).toFixed(1);
  if (stopped === "abort") return t("[interrupted after {seconds} s]", { seconds });
  if (stopped === "timeout") {
    return t(
      "[timed out after {seconds} s; the whole process tree was stopped. If it needs longer, raise timeout (at most 600000 ms); for a server or a longer run use run_in_background]",
      { seconds: timeoutMs / 1000 },
    );
  }
  if (signal) return t("[ended by signal {signal}, {seconds} s]", { signal, seconds });
  return t("[exit code {code}, {seconds} s]", { code: exit ?? "?", seconds });
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

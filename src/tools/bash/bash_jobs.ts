/** What Bash says of jobs, and does with them when it is called without a command. */
import type { Verification } from "../../shell/policy/can_verify.ts";
import type { Job, Jobs } from "../../shell/process/jobs.ts";
import type { Output } from "../../shell/process/output.ts";
import { nearest } from "../../base/nearest.ts";
import { say } from "../../base/text.ts";
import type { Lang, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import { excerpt } from "../excerpt.ts";
import { compileLines, SlowPatternError } from "../grep/line_pattern.ts";

/** How long new output is waited for when there is none: asking again at once brings nothing. */
const QUIET_MS = 1000;

/** Carries out a call without a command. */
export async function actOnJob(
  jobs: Jobs,
  input: ToolInput,
  context: ToolContext,
  timeoutMs: number,
): Promise<ToolResult> {
  const { lang } = context;
  const action = input.action ?? (input.pattern === undefined ? "output" : "wait");
  if (action === "list") return { ok: true, text: await listing(jobs, lang) };
  if (input.job === undefined) return { ok: false, text: say(lang, "bash.nothing_asked") };
  const job = jobs.find(String(input.job));
  if (!job) return unknown(jobs, String(input.job), lang);
  const matches = input.pattern === undefined ? undefined : await compileLines(input.pattern);
  if (typeof matches === "string") {
    return { ok: false, text: say(lang, "bash.bad_pattern", { why: excerpt(matches) }) };
  }
  if (action === "wait") {
    return await waitFor(jobs, job, { ms: timeoutMs, matches, pattern: input.pattern }, context);
  }
  if (action === "kill") {
    const before = job.state;
    await job.kill();
    return await finished(jobs, job, lang, {
      ok: true,
      ...before === "running" ? {} : { again: true },
    });
  }
  if (job.state === "running" && job.unread === 0) {
    await job.wait(QUIET_MS, context.signal, (lines) => lines.some((line) => line !== ""))
      .catch(() => {});
  }
  return await finished(jobs, job, lang, { ok: true, ...matches ? { only: matches } : {} });
}

/** What is waited for. */
export interface Wait {
  readonly ms: number;
  readonly matches: ((lines: readonly string[]) => boolean) | undefined;
  readonly pattern: string | undefined;
  /** The job has just been started. */
  readonly began?: boolean;
  /** Names of other jobs that run. */
  readonly others?: readonly string[];
}

/** Waits for a job and tells what it has written. */
export async function waitFor(
  jobs: Jobs,
  job: Job,
  wait: Wait,
  context: ToolContext,
): Promise<ToolResult> {
  const { lang } = context;
  const began = performance.now();
  let met: "ended" | "matched" | "late" | "stopped" | "slow" = "stopped";
  try {
    met = await job.wait(wait.ms, context.signal, wait.matches);
  } catch (error) {
    if (error instanceof SlowPatternError) met = "slow";
    else if (!context.signal.aborted) throw error;
  }
  const notes: string[] = [];
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const pattern = wait.pattern ?? "";
  if (met === "stopped") notes.push(say(lang, "tool.interrupted"));
  if (met === "slow") notes.push(say(lang, "bash.slow_pattern"));
  if (met === "matched") notes.push(say(lang, "bash.matched", { pattern, seconds }));
  if (wait.matches && (met === "late" || met === "ended")) {
    notes.push(say(lang, "bash.not_matched", { pattern, seconds }));
  }
  if (!wait.matches && met === "late" && !wait.began) {
    notes.push(say(lang, "bash.still", { seconds }));
  }
  const asked = wait.matches !== undefined || !wait.began;
  if (met === "late" && asked && job.silent) notes.push(say(lang, "bash.silent"));
  if (wait.began && job.state === "running") {
    notes.push(say(lang, "bash.job_how", { name: job.name }));
    if (wait.others?.length) {
      notes.push(say(lang, "bash.job_others", { names: wait.others.join(", ") }));
    }
  }
  const ok = met === "matched" || (met === "ended" && !wait.matches && job.exit === 0) ||
    (met === "late" && wait.began === true && !wait.matches);
  const result = await finished(jobs, job, lang, { ok, notes });
  if (met !== "ended" || job.left || result.detail?.kind !== "command") return result;
  const { verified, masked } = await verificationOf(job.command, job.cwd, context);
  if (!verified) return result;
  const of = { job: { command: job.command, ms: job.ms }, ...masked ? { masked } : {} };
  return { ...result, detail: { ...result.detail, ...of }, verified };
}

/** What the command can have shown, as far as this workspace is concerned. */
export async function verificationOf(
  command: string,
  cwd: string,
  { workspace }: ToolContext,
): Promise<Verification> {
  const shell = await import("../../shell/policy/can_verify.ts");
  return shell.verificationOf(command, cwd, workspace);
}

/** The line about a job that a finished command has left running. */
export async function handOver(jobs: Jobs, job: Job, lang: Lang): Promise<string> {
  return say(lang, "bash.left_running", { name: job.name, pids: await pidsOf(jobs, job) });
}

/** The pid of its shell; of a job that was left over that has ended, so those of its processes. */
async function pidsOf(jobs: Jobs, job: Job): Promise<string> {
  if (!job.left) return String(job.pid);
  return (await jobs.pids(job)).join(", ") || `-${job.pid}`;
}

/** An output as text, cut in the middle where it is long, with a remark where bytes of it are no text. */
export function shown(output: Output, lang: Lang): string {
  const text = textOf(output, lang);
  return output.hasBadBytes ? `${text}\n${say(lang, "bash.bad_bytes")}` : text;
}

function textOf(output: Output, lang: Lang): string {
  const path = output.path ?? "";
  if (output.binary) {
    const values = { bytes: output.bytes, path };
    return say(lang, path ? "bash.binary_saved" : "bash.binary", values);
  }
  if (output.tail !== undefined) {
    const key = !path ? "bash.cut_unsaved" : output.fileCut ? "bash.cut_partly" : "bash.cut";
    const mark = say(lang, key, { count: output.cut, path });
    return `${output.head}\n${mark}\n${output.tail.trimEnd()}`;
  }
  return output.head.replace(/\s+$/, "");
}

interface Told {
  readonly ok: boolean;
  readonly notes?: readonly string[];
  /** It had ended before. */
  readonly again?: boolean;
  /** Only lines that match. */
  readonly only?: (lines: readonly string[]) => boolean;
}

async function finished(jobs: Jobs, job: Job, lang: Lang, told: Told): Promise<ToolResult> {
  const output = job.read();
  let text = shown(output, lang);
  if (told.only) {
    try {
      text = text.split("\n").filter((line) => told.only!([line])).join("\n");
    } catch {
      text = say(lang, "bash.slow_pattern");
    }
  }
  if (text === "") text = say(lang, "bash.no_new_output");
  const lines = [text, ...told.notes ?? [], await state(jobs, job, lang)];
  const ended = job.state === "ended" && !job.left;
  return {
    ok: told.ok,
    text: lines.join("\n"),
    ...ended
      ? {
        detail: {
          kind: "command" as const,
          exit: job.exit,
          ...job.signal ? { signal: job.signal } : {},
          output: text,
        },
      }
      : {},
  };
}

/** One bracketed line: how it stands with a job. */
async function state(jobs: Jobs, job: Job, lang: Lang): Promise<string> {
  const values = {
    name: job.name,
    pid: job.state === "running" ? await pidsOf(jobs, job) : "",
    code: job.exit ?? "",
    signal: job.signal ?? "",
    time: clock(job.ms),
    path: job.path ?? "-",
  };
  if (job.state === "running") return say(lang, "bash.job_running", values);
  if (job.state === "killed") return say(lang, "bash.job_killed", values);
  if (job.left) return say(lang, "bash.job_over", values);
  return say(lang, job.signal ? "bash.job_signal" : "bash.job_exit", values);
}

async function listing(jobs: Jobs, lang: Lang): Promise<string> {
  const lines = await Promise.all(
    jobs.list().map(async (job) => {
      const command = job.command.replace(/\s+/g, " ").slice(0, 200);
      const unread = job.unread > 0 ? say(lang, "bash.unread", { bytes: job.unread }) + " " : "";
      return `${job.id}. ${await state(jobs, job, lang)} ${unread}${command}`;
    }),
  );
  const strays = await jobs.pids();
  if (strays.length > 0) lines.push(say(lang, "bash.strays", { pids: strays.join(" ") }));
  return lines.length > 0 ? lines.join("\n") : say(lang, "bash.no_jobs");
}

function unknown(jobs: Jobs, given: string, lang: Lang): ToolResult {
  const which = excerpt(given);
  const names = jobs.list().map((job) => job.name);
  if (names.length === 0) return { ok: false, text: say(lang, "bash.no_such_job_none", { which }) };
  const near = nearest(which, names);
  const all = [...near, ...names.filter((name) => !near.includes(name))].join(", ");
  return { ok: false, text: say(lang, "bash.no_such_job", { which, names: all }) };
}

/** `0:07`, `12:05`, `1:02:03`: a duration that a repeated call does not repeat. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

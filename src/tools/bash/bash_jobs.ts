/** What Bash says of jobs, and does with them when it is called without a command. */
import { nearest } from "../../base/nearest.ts";
import { excerpt } from "../../base/strings.ts";
import type { T } from "../../base/t.ts";
import type { ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import type { Job, Jobs } from "../../shell/process/jobs.ts";
import type { Output } from "../../shell/process/output.ts";
import { analysisOf } from "./bash_declaration.ts";

const DEADLINE_MS = 200;

/** Thrown when a pattern takes too long on some line. */
export class SlowPatternError extends Error {
  override readonly name = "SlowPatternError";
}

/**
 * A function that tells whether one of some lines matches `source`; a string is why it is no regular
 * expression. It throws SlowPatternError when the lines take it longer than 200 ms.
 */
export async function compileLines(
  source: string,
): Promise<((lines: readonly string[]) => boolean) | string> {
  let regex: RegExp;
  try {
    const flags = /^\(\?([ims]+)\)/.exec(source);
    regex = new RegExp(flags ? source.slice(flags[0].length) : source, flags?.[1] ?? "");
  } catch (error) {
    return (error as Error).message;
  }
  const vm = await import("node:vm");
  const place: { regex: RegExp; lines: readonly string[] } = { regex, lines: [] };
  const context = vm.createContext(place);
  const script = new vm.Script("lines.some((line) => regex.test(line))");
  return (lines) => {
    place.lines = lines;
    try {
      return script.runInContext(context, { timeout: DEADLINE_MS }) === true;
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new SlowPatternError(source);
    }
  };
}

/** How long new output is waited for when there is none: asking again at once brings nothing. */
const QUIET_MS = 1000;

/** Carries out a call without a command. */
export async function actOnJob(
  jobs: Jobs,
  input: ToolInput,
  context: ToolContext,
  timeoutMs: number,
): Promise<ToolResult> {
  const { t } = context;
  const action = input.action ?? (input.pattern === undefined ? "output" : "wait");
  if (action === "list") return { ok: true, text: await listing(jobs, t) };
  if (input.job === undefined) {
    return {
      ok: false,
      text: t('Nothing to do: give command, or job (action "list" lists the jobs)'),
    };
  }
  const job = jobs.find(String(input.job));
  if (!job) return unknown(jobs, String(input.job), t);
  const matches = input.pattern === undefined ? undefined : await compileLines(input.pattern);
  if (typeof matches === "string") {
    return {
      ok: false,
      text: t("Regular expression syntax error: {why}", { why: excerpt(matches) }),
    };
  }
  if (action === "wait") {
    return await waitFor(jobs, job, { ms: timeoutMs, matches, pattern: input.pattern }, context);
  }
  if (action === "kill") {
    const before = job.state;
    await job.kill();
    return await finished(jobs, job, t, {
      ok: true,
      ...before === "running" ? {} : { again: true },
    });
  }
  if (job.state === "running" && job.unread === 0) {
    await job.wait(QUIET_MS, context.signal, (lines) => lines.some((line) => line !== ""))
      .catch(() => {});
  }
  return await finished(jobs, job, t, { ok: true, ...matches ? { only: matches } : {} });
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
  const { t } = context;
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
  if (met === "stopped") notes.push(t("interrupted"));
  if (met === "slow") {
    notes.push(t("[pattern was too slow to match and was given up; simplify it]"));
  }
  if (met === "matched") {
    notes.push(t("[a line matched {pattern} after {seconds} s]", { pattern, seconds }));
  }
  if (wait.matches && (met === "late" || met === "ended")) {
    notes.push(t("[waited {seconds} s, no line matched {pattern}]", { pattern, seconds }));
  }
  if (!wait.matches && met === "late" && !wait.began) {
    notes.push(t("[waited {seconds} s, it has not ended]", { seconds }));
  }
  const asked = wait.matches !== undefined || !wait.began;
  if (met === "late" && asked && job.silent) {
    notes.push(
      t("[it has written nothing so far. Many programs hold their output back where there is no terminal: use their own option against it, or stdbuf -oL command]"),
    );
  }
  if (wait.began && job.state === "running") {
    notes.push(
      t(
        '[in the background: job "{name}" reads new output; with action "wait" waits for its end (with pattern for a line), "kill" stops it]',
        { name: job.name },
      ),
    );
    if (wait.others?.length) {
      notes.push(t("[also running: {names}]", { names: wait.others.join(", ") }));
    }
  }
  const ok = met === "matched" || (met === "ended" && !wait.matches && job.exit === 0) ||
    (met === "late" && wait.began === true && !wait.matches);
  const result = await finished(jobs, job, t, { ok, notes });
  if (met !== "ended" || job.left || result.detail?.kind !== "command") return result;
  // where another call has started it, its analysis has gone with that
  const analysis = await analysisOf(job.command, context.analysis);
  const { verified, masked } = analysis.verification(
    job.cwd,
    context.workspace,
    context.env.HOME,
  );
  if (!verified) return result;
  const of = { job: { command: job.command, ms: job.ms }, ...masked ? { masked } : {} };
  return { ...result, detail: { ...result.detail, ...of }, verified };
}

/** The line about a job that a finished command has left running. */
export async function handOver(jobs: Jobs, job: Job, t: T): Promise<string> {
  return t(
    '[what it started is still running, now as job {name} (pid {pids}). job reads its new output, action "kill" stops it; it is stopped when narnat ends]',
    { name: job.name, pids: await pidsOf(jobs, job) },
  );
}

/** The pid of its shell; of a job that was left over that has ended, so those of its processes. */
async function pidsOf(jobs: Jobs, job: Job): Promise<string> {
  if (!job.left) return String(job.pid);
  return (await jobs.pids(job)).join(", ") || `-${job.pid}`;
}

/** An output as text, cut in the middle where it is long, with a remark where bytes of it are no text. */
export function shown(output: Output, t: T): string {
  const text = textOf(output, t);
  return output.hasBadBytes
    ? `${text}\n${t("[some bytes are not valid text and are shown as �]")}`
    : text;
}

function textOf(output: Output, t: T): string {
  const path = output.path ?? "";
  if (output.binary) {
    const values = { bytes: output.bytes, path };
    return t(
      path
        ? "(binary output, {bytes} {bytes:byte|bytes}, not shown; saved in {path})"
        : "(binary output, {bytes} {bytes:byte|bytes}, not shown)",
      values,
    );
  }
  if (output.tail !== undefined) {
    const text = !path
      ? "[… {count} characters cut; the full output could not be written to disk]"
      : output.fileCut
      ? "[… {count} characters cut; first 100 MB of the output: {path}]"
      : "[… {count} characters cut; full output: {path}]";
    const mark = t(text, { count: output.cut, path });
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

async function finished(jobs: Jobs, job: Job, t: T, told: Told): Promise<ToolResult> {
  const output = job.read();
  let text = shown(output, t);
  if (told.only) {
    try {
      text = text.split("\n").filter((line) => told.only!([line])).join("\n");
    } catch {
      text = t("[pattern was too slow to match and was given up; simplify it]");
    }
  }
  if (text === "") text = t("(no new output)");
  const lines = [text, ...told.notes ?? [], await state(jobs, job, t)];
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
async function state(jobs: Jobs, job: Job, t: T): Promise<string> {
  const values = {
    name: job.name,
    pid: job.state === "running" ? await pidsOf(jobs, job) : "",
    code: job.exit ?? "",
    signal: job.signal ?? "",
    time: clock(job.ms),
    path: job.path ?? "-",
  };
  if (job.state === "running") {
    return t("[job {name} is running, {time}, pid {pid}, output: {path}]", values);
  }
  if (job.state === "killed") {
    return t("[job {name} was stopped with its whole process tree after {time}]", values);
  }
  if (job.left) return t("[job {name} has ended after {time}]", values);
  return t(
    job.signal
      ? "[job {name} was ended by signal {signal} after {time}]"
      : "[job {name} ended with exit code {code} after {time}]",
    values,
  );
}

async function listing(jobs: Jobs, t: T): Promise<string> {
  const lines = await Promise.all(
    jobs.list().map(async (job) => {
      const command = job.command.replace(/\s+/g, " ").slice(0, 200);
      const unread = job.unread > 0
        ? t("[{bytes} {bytes:byte|bytes} unread]", { bytes: job.unread }) + " "
        : "";
      return `${job.id}. ${await state(jobs, job, t)} ${unread}${command}`;
    }),
  );
  const strays = await jobs.pids();
  if (strays.length > 0) {
    lines.push(
      t(
        "[processes of earlier commands also run: pid {pids}; they are stopped when narnat ends, or with kill]",
        { pids: strays.join(" ") },
      ),
    );
  }
  return lines.length > 0 ? lines.join("\n") : t("(no background jobs)");
}

function unknown(jobs: Jobs, given: string, t: T): ToolResult {
  const which = excerpt(given);
  const names = jobs.list().map((job) => job.name);
  if (names.length === 0) {
    return {
      ok: false,
      text: t("There is no job {which}, and no other. Jobs end with the narnat that started them", {
        which,
      }),
    };
  }
  const near = nearest(which, names);
  const all = [...near, ...names.filter((name) => !near.includes(name))].join(", ");
  return {
    ok: false,
    text: t("There is no job {which}. There are: {names}", { which, names: all }),
  };
}

/** `0:07`, `12:05`, `1:02:03`: a duration that a repeated call does not repeat. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The commands of one narnat: those that run in the background, and the end of all of them. */
import { join } from "../../base/path.ts";
import { Guard, marked } from "./stop_tree.ts";
import { BackgroundJob, type Job } from "./job.ts";
import {
  runCommand,
  type Running,
  type RunOptions,
  type RunResult,
  startCommand,
  type StartOptions,
} from "./run.ts";
import type { Sandbox } from "./sandbox.ts";
import { Watchdog } from "../../base/watchdog.ts";

// Keeps the folder of full output copies within bounds.

/** Files and bytes that are kept, newest first. */
const MAX_FILES = 200;
const MAX_BYTES = 1024 * 1024 * 1024;
/** Only copies of what was cut are removed: of commands, a session's window, servers and agents. */
const OURS =
  /^(?:(?:(?:bash|job)-\d+-[0-9a-f]{8}|result_\d+|mcp-[0-9a-f]{8})\.txt|agent-[\p{L}\p{N}_-]+\.md)$/u;

/**
 * Removes the oldest of our files in `root` and its folders until 200 files and 1 GiB are left, and
 * the folders that are empty then; `inUse` are left alone. What cannot be removed stays; never throws.
 */
export async function pruneOutputs(
  root: string,
  inUse: ReadonlySet<string>,
  limits: { readonly files: number; readonly bytes: number } = {
    files: MAX_FILES,
    bytes: MAX_BYTES,
  },
): Promise<void> {
  const found: { path: string; bytes: number; at: number }[] = [];
  const folders: string[] = [];
  const look = async (dir: string, deeper: boolean) => {
    try {
      for await (const entry of Deno.readDir(dir)) {
        const path = join(dir, entry.name);
        if (entry.isDirectory && deeper) {
          folders.push(path);
          await look(path, false);
        }
        if (!entry.isFile || !OURS.test(entry.name)) continue;
        const { size, mtime } = await Deno.lstat(path);
        found.push({ path, bytes: size, at: mtime?.getTime() ?? 0 });
      }
    } catch { /* not there, or not ours to read */ }
  };
  await look(root, true);
  found.sort((a, b) => b.at - a.at);
  let [files, bytes] = [0, 0];
  for (const one of found) {
    files++;
    bytes += one.bytes;
    if ((files <= limits.files && bytes <= limits.bytes) || inUse.has(one.path)) continue;
    await Deno.remove(one.path).catch(() => {});
  }
  if (files <= limits.files && bytes <= limits.bytes) return;
  for (const folder of folders) await removeIfEmpty(folder);
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    // Not recursive: a folder with anything in it stays.
    await Deno.remove(folder);
  } catch { /* it has something in it */ }
}

export type { Job };

/** What to run; marks and output files are given by `Jobs`. */
export type Command =
  & Omit<StartOptions, "mark" | "outputPath" | "outputChars" | "direct" | "redactor" | "box">
  & {
    /** Folder for the full copy of its output. */
    readonly outputDir: string;
    /** A short name for a command that none of `taken` is; jobs are counted where it is left out. */
    readonly nameOf?: (command: string, taken: readonly string[]) => Promise<string>;
  };

export interface JobsOptions {
  /** Has a process of its own end what runs when narnat ends in whatever way. Default true. */
  readonly guard?: boolean;
  /** Folder with the outputs of all sessions, kept within bounds; nothing is removed without it. */
  readonly outputs?: string;
  readonly now?: () => number;
  /** Hides what may not be told in what commands write. */
  readonly redactor?: StartOptions["redactor"];
  /** All commands run in it, or not at all. */
  readonly sandbox?: Sandbox | undefined;
  /** Characters of an output that are shown at most. */
  readonly outputChars?: number;
  /** Milliseconds that a command may run. */
  readonly mostMs?: number;
}

export interface Jobs {
  /** What commands run in; what it throws, `run` and `start` throw. */
  readonly sandbox?: Omit<Sandbox, "close"> | undefined;
  /** Milliseconds that a command may run; as many as its caller gives it when left out. */
  readonly mostMs?: number | undefined;
  /** Runs a command to its end; what it leaves running becomes a job. */
  run(
    command: Command & Pick<RunOptions, "timeoutMs" | "signal" | "onProgress">,
  ): Promise<RunResult & { readonly job: Job | undefined }>;
  /** Starts a job. With `keep` it outlives narnat. Throws when no shell can be started. */
  start(command: Command & { readonly name?: string; readonly keep?: boolean }): Promise<Job>;
  /** By name or id; undefined when there is none. */
  find(which: string): Job | undefined;
  /** All that run, and the ended ones that are still remembered, oldest first. */
  list(): readonly Job[];
  /** Pids of a job's processes, or of all that no running job accounts for. */
  pids(job?: Job): Promise<readonly number[]>;
  /** The same jobs, in a view that `close` ends only what was begun through. */
  apart(): Jobs;
  /** Ends everything that is not to be kept; resolves when it is gone. */
  close(): Promise<void>;
}

/** Ended jobs that are remembered. */
const MAX_ENDED = 30;
/** Python keeps back what it writes to a pipe until there are 8 KB of it: a server would look silent. */
const JOB_ENV = { PYTHONUNBUFFERED: "1" };

/** Makes the jobs of one narnat. */
export function createJobs(options: JobsOptions = {}): Jobs {
  const session = crypto.randomUUID();
  const guard = options.guard === false ? undefined : new Guard(session);
  const now = options.now ?? Date.now;
  const watchdog = new Watchdog();
  const jobs: BackgroundJob[] = [];
  const busy = new Set<string>();
  let commands = 0;
  let made = 0;
  let pruning: Promise<void> = Promise.resolve();

  const place = (command: Command, kind: string) => {
    const file = `${kind}-${now()}-${crypto.randomUUID().slice(0, 8)}.txt`;
    return {
      redactor: options.redactor,
      mark: `${session}.${++commands}`,
      outputPath: join(command.outputDir, file),
      outputChars: options.outputChars,
    };
  };
  const tidy = () => {
    const root = options.outputs;
    if (root === undefined) return;
    const inUse = new Set([...busy, ...jobs.flatMap((job) => job.path ?? [])]);
    pruning = pruning.then(() => pruneOutputs(root, inUse));
  };
  const nameFor = async ({ nameOf }: Command, named: string) =>
    await nameOf?.(named, jobs.map((job) => job.name)) ?? `job-${made + 1}`;
  const add = (
    running: Running,
    { command, cwd }: Command,
    name: string,
    more: { keep?: boolean; left?: boolean },
  ): Job => {
    const [kept, left] = [more.keep === true, more.left === true];
    const job = new BackgroundJob(running, { id: String(++made), name, command, cwd, kept, left });
    if (job.kept) guard?.keep(running.mark);
    else guard?.began(running.pid);
    void job.ended.then(() => {
      if (!job.kept) guard?.ended(running.pid);
      const over = jobs.filter((one) => one.state !== "running").slice(0, -MAX_ENDED);
      for (const one of over) jobs.splice(jobs.indexOf(one), 1);
    });
    jobs.push(job);
    return job;
  };

  const all: Jobs = {
    sandbox: options.sandbox,
    mostMs: options.mostMs,
    async run(command) {
      const box = await options.sandbox?.open();
      const placed = place(command, "bash");
      busy.add(placed.outputPath);
      guard?.open();
      try {
        const result = await runCommand({
          ...command,
          ...placed,
          box,
          watchdog,
          onStart: (pid) => guard?.began(pid),
        });
        const job = result.left &&
          add(result.left, command, await nameFor(command, command.command), { left: true });
        if (!job) void result.gone.then(() => guard?.ended(result.pid));
        if (result.output.path !== undefined) tidy();
        return { ...result, job };
      } finally {
        busy.delete(placed.outputPath);
      }
    },
    async start(command) {
      const placed = place(command, "job");
      const keep = command.keep === true;
      // it has to be there to be left open in the sandbox
      if (keep) Deno.mkdirSync(command.outputDir, { recursive: true, mode: 0o700 });
      const box = await options.sandbox?.open();
      const name = await nameFor(command, command.name ?? command.command);
      guard?.open();
      const running = startCommand({
        ...command,
        ...placed,
        box,
        env: { ...JOB_ENV, ...command.env },
        direct: keep,
      });
      if (!keep) running.output.keepFile();
      tidy();
      return add(running, command, name, { keep });
    },
    find: (which) => jobs.find((job) => job.name === which) ?? jobs.find((job) => job.id === which),
    list: () => [...jobs],
    async pids(job) {
      if (job) return await marked(job.mark);
      const known = jobs.filter((one) => one.state === "running");
      const all = await marked(`${session}.`, true);
      const theirs = await Promise.all(known.map((one) => marked(one.mark)));
      return all.filter((pid) => !theirs.flat().includes(pid));
    },
    async close() {
      const running = jobs.filter((job) => job.state === "running");
      if (!await guard?.close()) {
        await Promise.all(running.filter((job) => !job.kept).map((job) => job.kill()));
      }
      await Promise.all(running.map((job) => job.abandon()));
      // what outlives narnat stays shut in
      if (!running.some((job) => job.kept)) options.sandbox?.close();
      await pruning;
    },
    apart: () => viewOf(all),
  };
  return all;
}

function viewOf(all: Jobs): Jobs {
  const begun: Job[] = [];
  const commands = new Set<Promise<RunResult>>();
  let closed = false;
  const add = async (job: Job | undefined) => {
    if (job) begun.push(job);
    // it was under way when the others ended
    if (job && closed && !job.kept) await job.kill();
  };
  return {
    ...all,
    async run(command) {
      const running = all.run(command);
      commands.add(running);
      try {
        const result = await running;
        await add(result.job);
        // what was stopped is waited for as long as it is still going
        if (result.stopped === undefined) commands.delete(running);
        return result;
      } catch (error) {
        commands.delete(running);
        throw error;
      }
    },
    async start(command) {
      const job = await all.start(command);
      await add(job);
      return job;
    },
    async close() {
      closed = true;
      const ended = await Promise.allSettled(commands);
      await Promise.all(
        ended.map((one) => one.status === "fulfilled" ? one.value.gone : undefined),
      );
      const running = begun.filter((job) => job.state === "running" && !job.kept);
      await Promise.all(running.map((job) => job.kill()));
    },
  };
}

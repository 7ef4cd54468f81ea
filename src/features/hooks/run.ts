/** Hooks: programs of the user's that hear what happens. */
import type { Hook } from "../../config/hooks.ts";
import type { Log } from "../../base/log.ts";
import type { T } from "../../base/t.ts";
import type { HookEvent, Hooks } from "../../base/types.ts";
import { feed, Guard, inOwnGroup, MARK_NAME, stopTree } from "../../shell/process/stop_tree.ts";
import { within } from "../../base/watchdog.ts";
import { errorMessage } from "../../base/errors.ts";
import { truncate } from "../../base/strings.ts";

export interface HooksOptions {
  /** In the order in which they run. */
  readonly hooks: readonly Hook[];
  readonly t: T;
  /** Real, absolute path; they run in it. */
  readonly workspace: string;
  /** Without the provider's key. */
  readonly env: { readonly [name: string]: string };
  readonly now: () => Date;
  readonly log?: Pick<Log, "info" | "warning">;
}

/** Hooks and what they leave running. */
export interface RunningHooks extends Hooks {
  /** Waits a moment for hooks that nobody waits for, then ends what runs; resolves when it is gone. */
  close(): Promise<void>;
}

/** Of what a hook says; the rest is read and forgotten. */
const SAID_CHARS = 8192;
const COMMAND_CHARS = 80;
const GRACE_MS = 300;
/** How long to go on reading once the hook itself has ended: what it leaves running may hold its pipes. */
const DRAIN_MS = 250;
const BLOCKS = 2;
/** How long a hook that tells of the end may take when narnat ends. */
const LAST_MS = 2000;

/** Makes the hooks of one narnat. */
export function createHooks(options: HooksOptions): RunningHooks {
  const { hooks, t, workspace, now, log } = options;
  const session = crypto.randomUUID();
  const guard = new Guard(session);
  let count = 0;
  const running = new Set<Promise<unknown>>();
  let closing = false;

  const runHook = async (hook: Hook, input: string, signal: AbortSignal): Promise<Ending> => {
    const mark = `${session}.${++count}`;
    guard.open();
    const child = spawn(hook.command, { ...options, mark });
    guard.began(child.pid);
    void feed(child.stdin, new TextEncoder().encode(input));
    const [stdout, stderr] = [hear(child.stdout), hear(child.stderr)];
    const stopped = await endOf(child, hook.timeoutMs, signal);
    if (stopped !== undefined) {
      const gone = stopTree(child.pid, mark, GRACE_MS).then(() => guard.ended(child.pid));
      if (stopped === "timeout") await gone;
    } else {
      await within(Promise.all([stdout.ended, stderr.ended]), DRAIN_MS);
      // what it leaves running is found by its mark: its group's number may come to be another's
      guard.ended(child.pid);
    }
    await Promise.all([stdout.cancel(), stderr.cancel()]);
    const status = stopped === undefined ? await child.status : undefined;
    return {
      stopped,
      exit: status && !status.signal ? status.code : null,
      signal: status?.signal ?? undefined,
      stdout: stdout.text(),
      stderr: stderr.text(),
    };
  };

  return {
    has: (event) => hooks.some((hook) => hook.event === event),
    async run(event, at, signal, tell) {
      const said: string[] = [];
      const meant = hooks.filter((hook) => concerns(hook, event));
      if (meant.length === 0) return undefined;
      const facts = { ...event, ...at, workspace, time: now().toISOString() };
      const input = JSON.stringify(facts) + "\n";
      for (const hook of meant) {
        if (signal.aborted || closing) return undefined;
        const words = { event: event.event, command: shown(hook.command) };
        const warn = (text: string) => {
          log?.warning("shell.hooks", text);
          tell(text);
        };
        let ending: Ending;
        const run = runHook(hook, input, signal);
        running.add(run);
        try {
          ending = await run;
        } catch (error) {
          const why = errorMessage(error);
          warn(t("the {event} hook {command} could not be started: {why}", { ...words, why }));
          continue;
        } finally {
          running.delete(run);
        }
        if (ending.stopped === "abort") return undefined;
        if (ending.stopped === "timeout") {
          warn(
            t(
              "the {event} hook {command} was stopped after {seconds} s; a larger timeout in the configuration gives it more",
              { ...words, seconds: hook.timeoutMs / 1000 },
            ),
          );
          continue;
        }
        const { exit, stdout, stderr } = ending;
        log?.info("shell.hooks", `${words.event} ${words.command}: exit ${exit} ${lineOf(stdout)}`);
        if (exit === BLOCKS && mayBlock(event)) {
          said.push(
            stderr || t("the {event} hook {command} blocked it and did not say why", words),
          );
          if (event.event === "before_tool") break;
        } else if (exit !== 0) {
          const how = ending.signal ?? `exit ${exit}`;
          warn(
            t("the {event} hook {command} failed ({how}): {why}", {
              ...words,
              how,
              why: lineOf(stderr) || "-",
            }),
          );
        } else if (event.event === "session_start" && stdout !== "") said.push(stdout);
      }
      return said.length === 0 ? undefined : said.join("\n");
    },
    async close() {
      closing = true;
      await within(Promise.allSettled(running), LAST_MS);
      await guard.close();
    },
  };
}

interface Ending {
  readonly stopped: "timeout" | "abort" | undefined;
  /** Null when it was stopped, or a signal ended it. */
  readonly exit: number | null;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

const mayBlock = ({ event }: HookEvent) => event !== "session_start" && event !== "notify";

const concerns = (hook: Hook, event: HookEvent) =>
  hook.event === event.event && (!("tool" in event) || hook.match.test(event.tool));

function spawn(
  command: string,
  { workspace, env, mark }: Pick<HooksOptions, "workspace" | "env"> & { readonly mark: string },
): Deno.ChildProcess {
  const windows = Deno.build.os === "windows";
  for (const program of windows ? ["cmd"] : ["bash", "/bin/bash", "sh", "/bin/sh"]) {
    try {
      return inOwnGroup(program, {
        args: windows ? ["/d", "/s", "/c", `"${command}"`] : ["-c", command],
        windowsRawArguments: windows,
        cwd: workspace,
        env: { ...env, [MARK_NAME]: mark },
        clearEnv: true,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Deno.errors.NotFound("no shell was found");
}

async function endOf(
  child: Deno.ChildProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<"timeout" | "abort" | undefined> {
  const { promise: stop, resolve } = Promise.withResolvers<"timeout" | "abort">();
  const onAbort = () => resolve("abort");
  const timer = setTimeout(() => resolve("timeout"), timeoutMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([stop, child.status.then(() => undefined)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Reads a stream to its end and keeps the beginning. */
function hear(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const words = new TextDecoder();
  let text = "";
  const ended = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (text.length <= SAID_CHARS) text += words.decode(next.value, { stream: true });
    }
  })().catch(() => {});
  return {
    ended,
    cancel: () => reader.cancel().catch(() => {}),
    text: () => truncate(text, SAID_CHARS).trim(),
  };
}

const lineOf = (text: string) => text.split("\n", 1)[0]!.slice(0, 200);

/** A command as a line names it. */
function shown(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").trim();
  return truncate(line, COMMAND_CHARS);
}

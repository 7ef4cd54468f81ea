import { dirname, join } from "node:path";
import { eventually } from "./processes.ts";

/** The repository's root. */
export const ROOT = dirname(dirname(dirname(fromUrl(import.meta.url))));

function fromUrl(url: string): string {
  return decodeURIComponent(new URL(url).pathname);
}

/** How narnat is started: its program and the arguments before narnat's own. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** narnat from source. */
export const SOURCE: Program = {
  name: "source",
  command: Deno.execPath(),
  args: ["run", "-A", "--no-prompt", join(ROOT, "main.ts")],
};

export interface Outcome {
  readonly code: number;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Parsed lines of stdout, where they are JSON. */
  // deno-lint-ignore no-explicit-any -- tests read into events freely
  readonly lines: any[];
  readonly ms: number;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: { readonly [name: string]: string };
  /** Empty: stdin is closed at once, also while `during` runs. */
  readonly stdin?: string | Uint8Array;
  /** Called with the running process, a way to write to it, and a wait for what it prints: for signals and late input. */
  readonly during?: (
    child: Deno.ChildProcess,
    write: (text: string) => Promise<void>,
    printed: (what: (lines: Outcome["lines"]) => boolean) => Promise<void>,
  ) => Promise<void> | void;
}

/** A clean environment: nothing of the tester's configuration leaks in. */
export function cleanEnv(home: string): { [name: string]: string } {
  return {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    DENO_DIR: denoDir(),
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
}

/** From source narnat needs the dependencies that are cached already. */
export function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "/", ".cache", "deno");
}

/** Starts narnat with nothing to read; its end is for the caller to bring about. */
export function startNarnat(
  program: Program,
  args: readonly string[],
  { cwd, env }: Pick<RunOptions, "cwd" | "env">,
  stdout: "null" | "piped" = "null",
): Deno.ChildProcess {
  return new Deno.Command(program.command, {
    args: [...program.args, ...args],
    cwd,
    clearEnv: true,
    env: { ...cleanEnv(join(cwd, "..", "home")), ...env },
    stdin: "null",
    stdout,
    stderr: "null",
  }).spawn();
}

/** Starts narnat, feeds it, waits for its end. */
export async function runNarnat(
  program: Program,
  args: readonly string[],
  options: RunOptions,
): Promise<Outcome> {
  const began = performance.now();
  const command = new Deno.Command(program.command, {
    args: [...program.args, ...args],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...cleanEnv(join(options.cwd, "..", "home")), ...options.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  const child = await onceRunnable(() => command.spawn());
  let soFar = "";
  const out = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) soFar += text;
    return soFar;
  })();
  const printed = async (what: (lines: Outcome["lines"]) => boolean) => {
    if (!await eventually(() => what(linesOf(soFar)), 30_000)) {
      throw new Error(`narnat never printed what was waited for:\n${soFar}`);
    }
  };
  const err = new Response(child.stderr).text();
  const feed = async () => {
    const writer = child.stdin.getWriter();
    const encoder = new TextEncoder();
    const { stdin } = options;
    // It may end before it has heard everything; its status says what matters.
    const write = (bytes: Uint8Array) => writer.write(bytes).catch(() => {});
    if (stdin !== undefined && stdin.length > 0) {
      await write(typeof stdin === "string" ? encoder.encode(stdin) : stdin);
    }
    if (stdin === "") await writer.close().catch(() => {});
    try {
      await options.during?.(child, (text) => write(encoder.encode(text)), printed);
    } finally {
      await writer.close().catch(() => {});
    }
  };
  const [{ code, signal }, stdout, stderr] = await Promise.all([child.status, out, err, feed()]);
  return { code, signal, stdout, stderr, lines: linesOf(stdout), ms: performance.now() - began };
}

/** The events among what was printed. */
const linesOf = (text: string): Outcome["lines"] =>
  text.split("\n").filter((line) => line.startsWith("{")).flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });

/** Whether the answer has come this far. */
export const hasSaid = (text: string) => (lines: Outcome["lines"]): boolean =>
  lines.map((line) => line.type === "text" ? line.delta : "").join("").includes(text);

/**
 * Starts something with `start`, again while its file is busy: a program that another test's thread
 * is just starting holds an executable we have written open for a moment (ETXTBSY).
 */
export async function onceRunnable<T>(start: () => T | Promise<T>): Promise<T> {
  for (let attempt = 0;; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === 100 || !/Text file busy/.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

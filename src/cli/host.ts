/** The machine as narnat sees it: environment, folders, streams; the only place that asks Deno for them. */
import { join } from "node:path";
import { ConfigError } from "../config.ts";
import { say } from "../text.ts";
import type { Lang } from "../types.ts";

/** An environment variable; undefined also where it may not be read. */
export function env(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}

/** The whole environment; empty where it may not be read. */
export function wholeEnv(): { [name: string]: string } {
  try {
    return Deno.env.toObject();
  } catch {
    return {};
  }
}

/** The user's narnat folder; undefined without a home directory. */
export function userDir(): string | undefined {
  const home = env("HOME") || env("USERPROFILE");
  return home ? join(home, ".narnat") : undefined;
}

/** Real path of the workspace. Throws ConfigError when it is no folder. */
export function workspaceFrom(dir: string | undefined, lang: Lang): string {
  const wanted = dir ?? ".";
  let real: string;
  try {
    real = Deno.realPathSync(wanted);
    if (!Deno.statSync(real).isDirectory) throw new Error(say(lang, "cli.not_a_folder"));
  } catch (error) {
    // Reading "." may be all that is allowed; then its absolute path is not for us to resolve.
    if (error instanceof Deno.errors.NotCapable && dir === undefined) return Deno.cwd();
    const why = error instanceof Deno.errors.NotFound
      ? say(lang, "cli.no_such_folder")
      : (error as Error).message;
    throw new ConfigError(say(lang, "cli.bad_workspace", { dir: wanted, why }));
  }
  return real;
}

/** Which of Deno's permissions this process has, without asking for more. */
export function grantedPermissions(workspace: string): Set<"read" | "write" | "run" | "net"> {
  const has = (descriptor: Deno.PermissionDescriptor) =>
    Deno.permissions.querySync(descriptor).state === "granted";
  const granted = new Set<"read" | "write" | "run" | "net">();
  if (has({ name: "read", path: workspace })) granted.add("read");
  if (has({ name: "write", path: workspace })) granted.add("write");
  if (has({ name: "run" }) || has({ name: "run", command: "bash" })) granted.add("run");
  if (has({ name: "net" })) granted.add("net");
  return granted;
}

const IGNORED = [
  ".gitignore",
  "narnat.json",
  "last_session_summary.md",
  "memory/",
  "sessions/",
  "logs/",
  "outputs/",
  "checkpoints/",
  "trash/",
];

/** Makes `.narnat/` with its `.gitignore`; returns why it cannot, or undefined. */
export function makeProjectDir(workspace: string): string | undefined {
  const dir = join(workspace, ".narnat");
  try {
    Deno.mkdirSync(join(dir, "sessions"), { recursive: true, mode: 0o700 });
    try {
      Deno.writeTextFileSync(
        join(dir, ".gitignore"),
        "# written by narnat: what is private stays out of git\n" +
          IGNORED.map((name) => `/${name}\n`).join(""),
        { createNew: true },
      );
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Writes all of `text`; throws when the stream is closed. */
export function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest: Uint8Array = new TextEncoder().encode(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(stream.writeSync(rest));
    } catch (error) {
      // A pipe that is full for the moment is not a pipe that is closed.
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** A line on stderr; never throws. */
export function complain(text: string): void {
  try {
    writeAll(Deno.stderr, text + "\n");
  } catch { /* nobody listens */ }
}

/** Starts programs in a session and a process group of their own: Ctrl-C at the terminal is not theirs. */
import { isProgram, systemProgram } from "../../base/program_path.ts";

/**
 * The command, whose pid is its group's number a moment after it has been started. It runs with
 * `clearEnv` and an environment of its own, and throws as any command where there is no such program.
 */
export function inOwnGroup(program: string, options: Deno.CommandOptions): Deno.Command {
  // `detached` copies narnat's page tables, in the main thread: 2 ms at the start, 15 at 300 MB
  const setsid = Deno.build.os === "linux" && isThere(program, options)
    ? systemProgram("setsid")
    : undefined;
  if (setsid === undefined) return new Deno.Command(program, { ...options, detached: true });
  return new Deno.Command(setsid, { ...options, args: [program, ...options.args ?? []] });
}

/** Whether starting it will find it; who is in doubt says no. */
function isThere(program: string, { cwd = "/", env, clearEnv }: Deno.CommandOptions): boolean {
  if (program.startsWith("-")) return false;
  if (program.includes("/")) {
    return isProgram(program.startsWith("/") ? program : `${cwd}/${program}`);
  }
  const path = clearEnv ? env?.PATH : undefined;
  return path?.split(":").some((dir) => dir.startsWith("/") && isProgram(`${dir}/${program}`)) ??
    false;
}

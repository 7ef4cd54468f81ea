import { FileError } from "../base/file_error.ts";

const PATIENCE_MS = 2000;
/** These wait, and take what they give away from those who should have it. */
const LOGS = /^\/proc\/kmsg$|\/trace_pipe(_raw)?$/;

/** True for a file that the kernel makes up when it is read, whose size says nothing. */
export function isVirtual(real: string): boolean {
  return Deno.build.os === "linux" && /^\/(proc|sys)\//.test(real);
}

/**
 * Reads at most `most` bytes of such a file in a child process, for some of them (/proc/kmsg) keep
 * their reader waiting for ever. Throws FileError "waiting" after `patienceMs`, "denied" or
 * "other", and the platform's errors when no child may be started.
 */
export async function readVirtual(
  real: string,
  most: number,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<Uint8Array<ArrayBuffer>> {
  if (LOGS.test(real)) throw new FileError("waiting", `Cannot read "${real}": it is a stream`);
  const child = new Deno.Command("head", {
    args: ["-c", String(most), "--", real],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    clearEnv: true,
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
  }).spawn();
  let late = false;
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch { /* it has ended already */ }
  };
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, patienceMs);
  signal.addEventListener("abort", kill);
  try {
    const { success, stdout, stderr } = await child.output();
    signal.throwIfAborted();
    if (success || stdout.length > 0) return stdout;
    if (late) throw new FileError("waiting", `Cannot read "${real}": nothing came`);
    const why = new TextDecoder().decode(stderr).trim();
    const denied = /permitted|permission/i.test(why);
    throw new FileError(denied ? "denied" : "other", why.replace(/^.*: /, ""));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
}

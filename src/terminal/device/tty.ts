/** The controlling terminal: opened by anybody on it, and taken away behind our back. */

/** The controlling terminal, which anybody on it may open. */
const CONTROLLING = "/dev/tty";

/**
 * Where the keys of stdin's terminal are to be read from. Node opens the terminal anew to read it;
 * one that belongs to another user (`su`) it cannot open, and then each read blocks the whole
 * process. `stdin`: all is well; undefined: they cannot be read without blocking.
 */
export function keysDevice(): "stdin" | typeof CONTROLLING | undefined {
  if (Deno.build.os !== "linux" || !Deno.stdin.isTerminal()) return "stdin";
  let terminal: string;
  try {
    terminal = Deno.readLinkSync("/proc/self/fd/0");
  } catch {
    return "stdin";
  }
  if (!isRefused(terminal)) return "stdin";
  return isRefused(CONTROLLING) ? undefined : CONTROLLING;
}

function isRefused(path: string): boolean {
  try {
    Deno.openSync(path, { read: true, write: true }).close();
    return false;
  } catch (error) {
    return !(error instanceof Deno.errors.NotCapable);
  }
}

/** Whether stdin's terminal has been taken away: it answers to nothing any more, but keeps its name. */
export function isTerminalGone(): boolean {
  if (Deno.build.os !== "linux" || Deno.stdin.isTerminal()) return false;
  try {
    return /^\/dev\/(?:pts\/|tty|console)/.test(Deno.readLinkSync("/proc/self/fd/0"));
  } catch {
    return false;
  }
}

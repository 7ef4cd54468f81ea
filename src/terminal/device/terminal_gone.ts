/** Whether stdin's terminal has been taken away: it answers to nothing any more, but keeps its name. */
export function isTerminalGone(): boolean {
  if (Deno.build.os !== "linux" || Deno.stdin.isTerminal()) return false;
  try {
    return /^\/dev\/(?:pts\/|tty|console)/.test(Deno.readLinkSync("/proc/self/fd/0"));
  } catch {
    return false;
  }
}

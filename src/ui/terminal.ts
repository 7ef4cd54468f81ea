import type { TerminalOptions } from "./options.ts";
import { startPlain } from "./plain.ts";

export type { TerminalOptions } from "./options.ts";

/** Whether the process has a terminal that can be drawn on. */
export function isScreen(env: TerminalOptions["env"]): boolean {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal() && env("TERM") !== "dumb";
}

/**
 * Runs the session of the lane `main` until the user leaves; resolves with the exit code: 0, or
 * 143, 129, 130 after SIGTERM, SIGHUP, SIGINT. The terminal is then as it was before. Without a
 * terminal, or with TERM=dumb, it is `startPlain`.
 */
export async function startTerminal(options: TerminalOptions): Promise<number> {
  if (!isScreen(options.env)) return await startPlain(options);
  const { runScreen } = await import("./screen.ts");
  return await runScreen(options);
}

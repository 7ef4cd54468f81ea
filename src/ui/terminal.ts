import type { TerminalOptions } from "./options.ts";
import { startPlain } from "./plain.ts";

export type { TerminalOptions } from "./options.ts";

/**
 * Runs the session of the lane `main` until the user leaves; resolves with the exit code: 0, or
 * 143, 129, 130 after SIGTERM, SIGHUP, SIGINT. The terminal is then as it was before. Without a
 * terminal, or with TERM=dumb, it is `startPlain`.
 */
export async function startTerminal(options: TerminalOptions): Promise<number> {
  const live = Deno.stdin.isTerminal() && Deno.stdout.isTerminal() &&
    options.env("TERM") !== "dumb";
  if (!live) return await startPlain(options);
  const { runScreen } = await import("./screen.ts");
  return await runScreen(options);
}

import { keysDevice } from "./tty.ts";
import type { TerminalOptions } from "../panels/options.ts";

export type { TerminalOptions } from "../panels/options.ts";

/** Whether the process has a terminal that can be drawn on, and whose keys can be read. */
export function isScreen(env: TerminalOptions["env"]): boolean {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal() && env("TERM") !== "dumb" &&
    keysDevice() !== undefined;
}

/**
 * Runs the session of the lane `main` until the user leaves; resolves with the exit code: 0, or
 * 143, 129, 130, 131 after SIGTERM, SIGHUP, SIGINT, SIGQUIT. The terminal is then as it was before. Without a
 * terminal, with TERM=dumb, or when asked to, it is `startPlain`.
 */
export async function startTerminal(options: TerminalOptions): Promise<number> {
  if (options.plain || !isScreen(options.env)) {
    const { startPlain } = await import("../plain/plain_session.ts");
    if (!options.plain && keysDevice() === undefined) {
      console.error(
        `narnat: ${
          options.t(
            "this terminal belongs to another user and its keys cannot be read, so it goes line by line; for the live prompt run narnat in a terminal of your own, or under su --pty",
          )
        }`,
      );
    }
    return await startPlain(options);
  }
  const { runScreen } = await import("../screen.ts");
  return await runScreen(options);
}

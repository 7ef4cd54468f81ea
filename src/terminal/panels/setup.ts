import type { Terminal } from "@earendil-works/pi-tui";
import { keysDevice } from "../device/tty.ts";
import type { SetupOptions, SetupResult } from "./options.ts";
import { guardTerminal } from "../transcript/restore.ts";

export type {
  ProviderChoice,
  SetupChoice,
  SetupOptions,
  SetupResult,
  SetupTrouble,
} from "./options.ts";

/**
 * Leads a person through the first set-up on the process's terminal (or `terminal`). ESC goes one
 * step back, a failed test goes back to what is to be mended, Ctrl-C leaves. The key is never shown. Throws when there is no terminal.
 */
export async function runSetup(options: SetupOptions, terminal?: Terminal): Promise<SetupResult> {
  const tty = Deno.stdin.isTerminal() && Deno.stdout.isTerminal() &&
    keysDevice() !== undefined;
  if (terminal === undefined && !tty) {
    throw new Error(
      options.t("Cannot run the set-up: standard input and output are not a terminal"),
    );
  }
  const { Wizard } = await import("./wizard.ts");
  const wizard = new Wizard(options, terminal, () => guard?.suspend());
  const guard = terminal === undefined
    ? guardTerminal({
      close: () => wizard.close(),
      suspend: () => wizard.suspend(),
      resume: () => wizard.resume(),
      onSignal: (code) => Deno.exit(code),
    })
    : undefined;
  try {
    return await wizard.run();
  } finally {
    wizard.close();
    guard?.end();
  }
}

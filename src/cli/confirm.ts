/** A question of a command's at the terminal. */
import { ConfigError } from "../base/errors.ts";
import { put } from "../base/host.ts";
import type { T, Text } from "../base/t.ts";
import { insideJob } from "../shell/process/stop_tree.ts";

/** Whether a person types a Yes; throws ConfigError with the text `unasked` where no person is there. */
export function confirmed(t: T, unasked: Text): boolean {
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal() || insideJob()) {
    throw new ConfigError(t(unasked));
  }
  put(t("Go on? [y/N] "));
  const line = new Uint8Array(1024);
  const text = new TextDecoder().decode(line.subarray(0, Deno.stdin.readSync(line) ?? 0));
  return /^\s*(?:y|yes|是|好)\s*$/i.test(text);
}

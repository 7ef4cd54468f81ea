/** A stored session shown again, or run again. */
import type { CommandHost } from "../../commands/environment.ts";
import type { Flags } from "../../commands/flags.ts";

/** `narnat replay`. */
export async function replay(flags: Flags, words: string[], host: CommandHost): Promise<number> {
  return await (await import("./cli.ts")).replay(flags, words, host);
}

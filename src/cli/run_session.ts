/** What a session on the screen and one without have in common. */
import { ConfigError } from "../config.ts";
import { say } from "../text.ts";
import type { Assembled } from "./assemble.ts";
import type { Flags } from "./flags.ts";
import type { Ground } from "./ground.ts";

/** What is to be said before the session. */
export function remarks({ warnings, configured, config }: Ground): string[] {
  return [...warnings, ...configured ? [] : [say(config.lang, "cli.demo_used")]];
}

/** Throws ConfigError when a limit in money is set and the price is not known. */
export async function checkBudget(ground: Ground): Promise<void> {
  if (ground.config.maxCost === undefined) return;
  const { checkPrice } = await import("./models.ts");
  await checkPrice(ground.config, ground.config.model);
}

/** Opens the session the flags name; returns what is to be said of it. Throws ConfigError. */
export async function resume(
  flags: Flags,
  ground: Ground,
  agent: Assembled["agent"],
): Promise<string[]> {
  const { lang } = ground.config;
  const notes: string[] = [];
  const open = (id: string) => {
    let bad: number;
    try {
      bad = agent.resume(id);
    } catch (error) {
      throw new ConfigError((error as Error).message);
    }
    if (bad > 0) notes.push(say(lang, "cli.bad_lines", { n: bad }));
  };
  if (flags.resume !== undefined) open(flags.resume);
  else if (flags.continue) {
    const all = await agent.desk.list();
    const [newest] = all;
    // Nobody is there to see that a script goes on with another conversation than it meant.
    const next = flags.print ? newest : all.find(({ busy }) => !busy);
    if (newest === undefined) notes.push(say(lang, "cli.no_session_to_continue"));
    else if (next === undefined) notes.push(say(lang, "session.all_busy", { id: newest.id }));
    else {
      if (next !== newest) {
        notes.push(say(lang, "session.went_past", { id: newest.id, next: next.id }));
      }
      open(next.id);
    }
  }
  return notes;
}

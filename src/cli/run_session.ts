/** What a session on the screen and one without have in common. */
import { ConfigError } from "../base/errors.ts";
import { newestFirst } from "../session/store.ts";
import type { SessionInfo } from "../base/types.ts";
import type { Assembled } from "../app/app.ts";
import type { Flags } from "../commands/flags.ts";
import type { AgentEnvironment } from "../app/environment.ts";
import { spareNote } from "../features/sessions/spare.ts";
import { under } from "../base/path.ts";

/** Throws ConfigError when the user sets a limit in money and the price is not known. */
export async function checkBudget(environment: AgentEnvironment): Promise<void> {
  if (environment.config.maxCostFrom === undefined) return;
  const { checkPrice } = await import("../models/catalog.ts");
  await checkPrice(environment.config, environment.config.model);
}

/** Opens the session the flags name; returns what is to be said of it. Throws ConfigError. */
export async function resume(
  flags: Flags,
  environment: AgentEnvironment,
  agent: Assembled["agent"],
): Promise<string[]> {
  const { t } = environment.config;
  const notes: string[] = [];
  const open = async (id: string) => {
    try {
      const { bad, notes: told } = await agent.resume(id);
      if (bad > 0) {
        notes.push(
          t("{n} {n:line|lines} of the session file could not be read and {n:was|were} skipped", {
            n: bad,
          }),
        );
      }
      notes.push(...told);
    } catch (error) {
      throw new ConfigError((error as Error).message);
    }
    const { held, id: opened } = agent.controller.current();
    const file = under(environment.workspace, ".narnat", "sessions", `${opened}.jsonl`);
    const more = spareNote(opened, file, t);
    if (more !== undefined) notes.push(more);
    // on the screen it comes into the user's line
    if (held && flags.print) {
      notes.push(
        t("A line was cut off by a compression and never asked: {text}", { text: held.text }),
      );
    }
  };
  if (flags.resume !== undefined) await open(flags.resume);
  else if (flags.continue) {
    const now = new Date();
    const all = (await agent.controller.list()).toSorted((a, b) =>
      newestFirst(usedLast(a), usedLast(b), now)
    );
    const [newest] = all;
    // Nobody is there to see that a script goes on with another conversation than it meant.
    const goesOn = (info: SessionInfo) =>
      all.every((other) => other.id !== info.handedTo || usedLast(other) < usedLast(info));
    const next = flags.print ? newest : all.find((info) => !info.busy && goesOn(info));
    if (newest === undefined) {
      notes.push(t("There is no session to go on with; starting a new one"));
    } else if (next === undefined) {
      notes.push(
        t(
          "Another narnat is using the session {id} and there is no other to go on with; starting a new one",
          { id: newest.id },
        ),
      );
    } else {
      if (next !== newest) {
        notes.push(
          t("Another narnat is using the newest session, {id}; going on with {next}", {
            id: newest.id,
            next: next.id,
          }),
        );
      }
      await open(next.id);
    }
  }
  return notes;
}

/** When something was last said in a session, or a person came back to it. */
const usedLast = ({ updated, entered = "" }: SessionInfo) => entered > updated ? entered : updated;

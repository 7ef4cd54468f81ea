/** Tells the model what its commands have taken away, as far as nobody had looked when they ended. */
import { HOST_MARK } from "../base/t.ts";
import type { Loss } from "../base/types.ts";
import type { LossOutcome } from "../shell/policy/losses.ts";
import type { CallHost } from "./middleware.ts";

/** Asks a person about it; undefined where nothing was lost, or it may stay so. */
export async function settleLate(
  losses: readonly Loss[],
  { watch, ask, signal, workspace, t, emit, session }: CallHost,
): Promise<LossOutcome | undefined> {
  if (!watch || losses.length === 0) return undefined;
  const { settleLosses } = await import("../shell/policy/losses.ts");
  const outcome = await settleLosses(losses, undefined, {
    disk: watch,
    workspace,
    t,
    seen: session.seen,
    ask: async (question) => await ask(question, signal) === true,
  });
  if (outcome) emit({ type: "notice", level: "warn", text: outcome.note });
  return outcome;
}

/** What the model reads of it. */
export const lateText = ({ text }: LossOutcome) => `${HOST_MARK} ${text}`;

/** Puts what is known by now before the model, or with `all` what can be known; returns whether there was anything. */
export async function tellLate(host: CallHost, all: boolean): Promise<boolean> {
  const outcome = await settleLate(await host.watch?.late(all) ?? [], host);
  if (outcome) host.session.append({ role: "user", text: lateText(outcome) });
  return outcome !== undefined;
}

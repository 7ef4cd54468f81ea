import { english } from "../../src/base/t.ts";
import { SessionStore, type SessionStoreOptions } from "../../src/session/store.ts";

/** A store in a folder, or in memory only; its clock is a second further at each look. */
export function sessionStore(
  dir: string | undefined,
  more: Partial<SessionStoreOptions> = {},
): SessionStore {
  let tick = 0;
  return new SessionStore({
    dir,
    workspace: "/w",
    t: english,
    now: () => new Date(1_700_000_000_000 + 1000 * tick++),
    random: Math.random,
    ...more,
  });
}

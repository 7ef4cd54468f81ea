/** What the project's hooks ask trust for. */
import { sha256 } from "../../base/hash.ts";
import type { Environment, TrustRequest } from "../../commands/environment.ts";

/** The name under which all of them are trusted. */
export const HOOKS = "hooks";

export function hookRequests(
  { config: { projectHooks: hooks = [] } }: Environment,
): readonly TrustRequest[] {
  const plain = hooks.map(({ event, command, match, timeoutMs }) => ({
    event,
    command,
    match: match.source,
    timeoutMs,
  }));
  const rows = hooks.map(({ event, command }) => `${event}: ${command}`);
  return [{ what: HOOKS, hash: sha256(JSON.stringify(plain)), rows }];
}

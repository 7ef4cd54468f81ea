/** What the user has trusted before, for commands that ask nobody. */
import { type Ground, hasServers } from "./ground.ts";

/** Finds out what of the project's wishes the user has trusted; nobody is asked. */
export async function lookUpTrust(ground: Ground): Promise<void> {
  const { projectHooks = [], projectSkills = [] } = ground.config;
  if (projectHooks.length + projectSkills.length === 0 && !hasServers(ground)) return;
  const { untrustedWants } = await import("./wants.ts");
  untrustedWants(ground);
}

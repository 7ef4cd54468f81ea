/** What the user has trusted before, for commands that ask nobody. */
import { hasProjectSkills } from "../skills/skills.ts";
import { hasServers } from "../mcp/places.ts";
import type { Environment } from "../../commands/environment.ts";

/** Finds out what of the project's wishes the user has trusted; nobody is asked. */
export async function lookUpTrust(ground: Environment): Promise<void> {
  if (!mayWant(ground)) return;
  const { projectWants, untrustedWants } = await import("./requests.ts");
  untrustedWants(ground, await projectWants(ground));
}

/** Whether a project may want anything at all; looks at names alone. */
export function mayWant(ground: Environment): boolean {
  const { projectHooks = [], projectSkills = [], projectEndpoint } = ground.config;
  return projectHooks.length + projectSkills.length > 0 || projectEndpoint !== undefined ||
    hasServers(ground) || hasProjectSkills(ground.prompt);
}

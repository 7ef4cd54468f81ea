/** The trust in what a project wants: what of it the user has given, and more of it. */
import { shownUrl } from "../../base/git_url.ts";
import { sha256 } from "../../base/hash.ts";
import type { Environment, TrustRequest } from "../../commands/environment.ts";
import { trustedEndpoint } from "../../config/place.ts";
import { isTrusted } from "../../config/project.ts";

/** Finds out what of the project's wishes the user has trusted; nobody is asked. */
export async function lookUpTrust(environment: Environment): Promise<void> {
  if (!mayRequest(environment)) return;
  const { projectRequests } = await import("./requests.ts");
  untrustedRequests(environment, await projectRequests(environment));
}

/** Whether a project may want anything at all; looks at names alone. */
export function mayRequest(environment: Environment): boolean {
  return environment.trustSources.some((one) => one.mayRequest(environment));
}

/** What of it the user has not trusted; `ground.trusted` takes in what they have. */
export function untrustedRequests(
  environment: Environment,
  wants: readonly TrustRequest[],
): TrustRequest[] {
  const { userDir } = environment.prompt;
  return wants.filter((want) => {
    if (userDir === undefined || !isTrusted(userDir, environment.workspace, want)) return true;
    environment.trusted.set(want.what, want.hash);
    return false;
  });
}

/** Trusts for this session, and from now on. Rejects with why it could not be kept. */
export async function trustRequests(
  environment: Environment,
  wants: readonly TrustRequest[],
): Promise<void> {
  await (await import("./requests.ts")).trustRequests(environment, wants);
}

export function endpointRequests(
  { config: { projectEndpoint } }: Environment,
): readonly TrustRequest[] {
  if (!projectEndpoint) return [];
  const { hash, what } = trustedEndpoint(projectEndpoint);
  const rows = Object.entries(projectEndpoint).map(([key, value]) =>
    // of a key as much as tells it from another one
    `${key}: ${key === "api_key" ? `… (sha256 ${sha256(value).slice(0, 8)})` : shownUrl(value)}`
  );
  return [{ what, hash, rows }];
}

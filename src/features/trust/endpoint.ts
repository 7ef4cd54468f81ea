/** The trust in the model that the project names. */
import { shownUrl } from "../../base/git_url.ts";
import { sha256 } from "../../base/hash.ts";
import type { Environment, TrustRequest } from "../../commands/environment.ts";
import { trustedEndpoint } from "../../config/place.ts";

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

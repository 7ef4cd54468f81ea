/** The settings of the model that is asked, as far as a project names it: they decide who reads the session, and who is paid. */

/** In the order they are shown. */
const ENDPOINT_KEYS = ["base_url", "api_key", "model", "api"] as const;

/** What a project's file says of it. */
export type EndpointSettings = { readonly [key in (typeof ENDPOINT_KEYS)[number]]?: string };

type Named = { [key in (typeof ENDPOINT_KEYS)[number]]?: string };

/** What the user has said to it; `refused`: a moment ago. */
export type EndpointTrust = "trusted" | "open" | "refused";

/** Those of the settings; undefined where there are none: the protocol alone names nobody. */
export function endpointOf(settings: Named): EndpointSettings | undefined {
  const all = ENDPOINT_KEYS.flatMap((key) =>
    settings[key] === undefined ? [] : [[key, settings[key]]]
  );
  return all.every(([key]) => key === "api") ? undefined : Object.fromEntries(all);
}

/** Takes those of the project away that would count against all of `others`, the user's own first; returns their names. */
export function withoutEndpoint(project: Named, others: readonly Named[]): string[] {
  const [user = {}, ...above] = others;
  const counting = ENDPOINT_KEYS.filter((key) =>
    project[key] !== undefined && project[key] !== user[key] &&
    above.every((one) => one[key] === undefined)
  );
  for (const key of ENDPOINT_KEYS) delete project[key];
  return counting.includes("base_url") ? counting : counting.filter((key) => key !== "api");
}

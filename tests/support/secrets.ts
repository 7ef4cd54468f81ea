import type { Secrets } from "../../src/base/types.ts";
import { createSecrets, type SecretsOptions } from "../../src/features/secrets/mod.ts";

/** What hides these values, the secrets of a workspace, and all that looks like a key. */
export function secretsOf(
  keys: { readonly [name: string]: string },
  workspace?: string,
  more: Partial<SecretsOptions> = {},
): Secrets {
  return createSecrets({
    off: false,
    keys: Object.entries(keys).map(([name, value]) => ({ name, value })),
    env: {},
    workspace: workspace ?? "/nowhere",
    configs: [],
    mayRead: () => workspace !== undefined,
    ...more,
  });
}

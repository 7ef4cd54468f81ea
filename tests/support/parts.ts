/** Parts of narnat with what they need at least. */
import { english } from "../../src/base/t.ts";
import type { Secrets } from "../../src/base/types.ts";
import { PROMPT_SOURCES } from "../../src/app/environment.ts";
import type { PromptOptions } from "../../src/context/mod.ts";
import { createSecrets, type SecretsOptions } from "../../src/features/secrets/mod.ts";
import { SessionStore, type SessionStoreOptions } from "../../src/session/store.ts";

/** What a prompt is made of in a workspace where nothing is configured. */
export const promptOptions = (
  workspace: string,
  more: Partial<PromptOptions> = {},
): PromptOptions => ({
  model: "deepseek-v4-pro",
  workspace,
  userDir: undefined,
  t: english,
  platform: "linux x86_64",
  shell: "bash",
  now: () => new Date("2026-11-20T08:00:00Z"),
  append: "",
  sources: PROMPT_SOURCES,
  tools: [],
  ...more,
});

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

/**
 * What of a project's settings counts beside its user's, and what the user has trusted of projects.
 */
import type { T, Text } from "../base/t.ts";
import { under } from "../base/path.ts";
import { type Key, KEY_NAMES, type KeyName, KEYS, type Settings } from "./keys.ts";

/** Settings of a project as they are narrowed. */
type Loose = { [name in KeyName]?: unknown };

/**
 * Takes away from `project` what its user's settings do not allow; returns what the user is to be
 * told. The keys of the endpoint, the hooks, skills and servers wait for trust elsewhere.
 */
export function narrow(
  project: Settings,
  user: Settings,
  { file, t, budget }: {
    readonly file: string;
    readonly t: T;
    /** The user has set a limit in money. */
    readonly budget: boolean;
  },
): string[] {
  const values: Loose = project;
  const refused = new Map<Text, string[]>();
  for (const name of KEY_NAMES) {
    const key: Key = KEYS[name];
    const theirs = values[name];
    if (theirs === undefined) continue;
    const { project: rule } = key;
    let told: Text = "{keys} in {file} ignored: this is yours to set, in your user file";
    let loose: boolean | string[] = rule === "never";
    if (typeof rule === "object") {
      told = rule.told ?? "{keys} in {file} ignored: a project cannot loosen your settings";
      const own = user[name] ?? key.default;
      loose = rule.looser(theirs as never, own as never, { budget });
    }
    if (loose === true) delete values[name];
    const names = loose === true ? [name] : loose || [];
    if (names.length > 0) refused.set(told, [...refused.get(told) ?? [], ...names]);
  }
  return [...refused].map(([told, names]) => t(told, { file, keys: names.join(", ") }));
}

/** The settings of the model: they decide who reads the session, and who is paid. In the order they are shown. */
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

/** Something a project wants: what it is, and the hash of its content. */
export interface Trusted {
  readonly what: string;
  readonly hash: string;
  /** What the user was shown of it; without secrets. */
  readonly rows?: readonly string[];
}

type Known = Omit<Trusted, "what">;
export type TrustBook = Map<string, Map<string, Known>>;

/** Whether this content was trusted at this path. A file that cannot be read trusts nothing. */
export function isTrusted(userDir: string, path: string, { what, hash }: Trusted): boolean {
  return readTrust(userDir).get(path)?.get(what)?.hash === hash;
}

/** What was trusted at the path under this name, whatever it is now. */
export function trustedBefore(userDir: string, path: string, what: string): Known | undefined {
  return readTrust(userDir).get(path)?.get(what);
}

/** The file in the user's folder. */
export const trustFile = (userDir: string) => under(userDir, "trust.json");

/** Empty where it is not there, not readable, or not ours. */
export function readTrust(userDir: string): TrustBook {
  const book: TrustBook = new Map();
  try {
    const value: unknown = JSON.parse(Deno.readTextFileSync(trustFile(userDir)));
    for (const [path, known] of Object.entries(value as Record<string, unknown>)) {
      const all = Object.entries(known as Record<string, unknown>).flatMap(([what, one]) => {
        const read = knownOf(one);
        return read ? [[what, read] as const] : [];
      });
      book.set(path, new Map(all));
    }
  } catch { /* nothing is trusted */ }
  return book;
}

/** A hash alone is what older files hold. */
function knownOf(value: unknown): Known | undefined {
  if (typeof value === "string") return { hash: value };
  const { hash, rows } = (value ?? {}) as { [key: string]: unknown };
  if (typeof hash !== "string") return undefined;
  const good = Array.isArray(rows) && rows.every((row) => typeof row === "string");
  return good ? { hash, rows } : { hash };
}

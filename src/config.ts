/** One frozen Config from user file, project file, environment and flags. */
import type { Lang, Permission } from "./types.ts";

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** Everything that can be set; see the README's table for the file keys. */
export interface Config {
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Endpoint without a trailing slash. */
  readonly baseUrl: string;
  readonly api: "auto" | "openai" | "anthropic";
  readonly lang: Lang;
  readonly permission: Permission;
  readonly maxIterations: number;
  /** Largest answer asked for, in tokens; undefined leaves it to the provider (Messages needs one: 32000). */
  readonly maxOutputTokens: number | undefined;
  /** Milliseconds without a byte before a stream counts as stalled. */
  readonly stallMs: number;
  readonly maxCost: number | undefined;
  readonly maxTotalTokens: number | undefined;
  /** Model name → price; the user's own entries win over the built-in table. */
  readonly prices: { readonly [model: string]: Price };
}

/** How many tokens a model's window holds, as far as its name tells. */
import { bareModel, familyOf, PROVIDERS } from "../config/registry.ts";

/** Tokens that fit; undefined for a model it does not know. A vendor before the name (`x/y`) does not matter. */
export function windowOf(model: string): number | undefined {
  const name = bareModel(model);
  // whoever sells it, such a name says it
  if (name.includes("[1m]")) return 1_000_000;
  return familyOf(PROVIDERS.flatMap(({ windows = [] }) => windows), name);
}

/** For a model that is not known; most hold as much or more. */
export const USUAL_WINDOW = 128_000;

/** How providers name the limit when a conversation does not fit. */
const LIMITS: readonly RegExp[] = [
  /(?:maximum |max )?(?:context|prompt) (?:length|size|window)(?:(?! by )[^\d.;]){0,60}?(\d[\d,]+)/i,
  /tokens? > (\d[\d,]+)/i, // Anthropic
  /\d \+ \d+ > (\d[\d,]+)/, // Anthropic with max_tokens
  /input length should be \[\d+, ?(\d+)\]/i, // DashScope
  /token limit: ?(\d[\d,]+)/i, // Moonshot
  /maximum number of tokens allowed[^\d]{0,4}(\d[\d,]+)/i, // Gemini
  /\(context (\d[\d,]+)\)/i, // vLLM
];
const LEAST_LIMIT = 512;

/** The window that the words of an overflow error name, in tokens. */
export function limitIn(words: string): number | undefined {
  for (const pattern of LIMITS) {
    const tokens = Number(pattern.exec(words)?.[1]?.replaceAll(",", ""));
    if (tokens >= LEAST_LIMIT) return tokens;
  }
  return undefined;
}

/** How many tokens a model's window holds, as far as its name tells. */

/** From the vendors' model pages, November 2026; the first that matches counts. */
const WINDOWS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/\[1m\]/, 1_000_000],
  [/^claude-(?:fable|mythos)/, 1_000_000],
  [/^claude-(?:opus|sonnet)-(?:[5-9]|4-[6-9]\b)/, 1_000_000],
  [/^claude-haiku-5-5\b/, 1_000_000],
  [/^claude-/, 200_000],
  [/^deepseek-(?:v4|flash)/, 1_000_000],
  [/^deepseek-/, 128_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^gpt-4o/, 128_000],
  [/^gpt-5(?:\.\d)?-chat/, 128_000],
  [/^gpt-5(?:\.[1-3])?(?:-|$)/, 400_000],
  [/^glm-5\.[2-9]/, 1_000_000],
  [/^glm-4\.[67]/, 200_000],
  [/^kimi-k2(?:[-.]|$)/, 256_000],
];

/** Tokens that fit; undefined for a model it does not know. A vendor before the name (`x/y`) does not matter. */
export function windowOf(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1];
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

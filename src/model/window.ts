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

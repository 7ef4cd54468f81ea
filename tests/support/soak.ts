/**
 * How many times as often, or as large, a test tries what is left to chance or to size: 1, or what
 * `deno task soak-kills` and `soak-sizes` ask for.
 */
export const SOAK = Number(Deno.env.get("SOAK") ?? 1);

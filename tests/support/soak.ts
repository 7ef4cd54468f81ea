/** How many times as often a test tries what is left to chance: 1, or what `deno task soak-kills` asks for. */
export const SOAK = Number(Deno.env.get("SOAK") ?? 1);

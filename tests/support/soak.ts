/**
 * How often, or how large, a test tries what is left to chance or to size: 1 is everything (`deno task test:all`),
 * less a sample (`deno task test`), more a soak (`deno task soak-*`).
 */
export const SOAK = Number(Deno.env.get("SOAK") ?? 1);

/** Times to try what is tried `all` times when everything is asked for. */
export const runs = (all: number): number => Math.max(1, Math.round(all * SOAK));

/** How far to go from one position to the next where everything means to try each one. */
export const stride = (): number => Math.max(1, Math.round(1 / SOAK));

/** A test that is slow by nature: `deno task test` lists it as ignored, `deno task test:all` runs it. */
export const slow = (SOAK < 1 ? Deno.test.ignore : Deno.test) as typeof Deno.test;

/** Numbers from 0 up to 1 that depend on the seed alone. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** `deno task soak-screen [strings] [seed]`: hostile strings on the screen, in plain mode, under -p. */
import { trialOfHeadless, trialOfPlain, trialOfScreen } from "./hostile_trial.ts";

const [strings = 200_000, seed = 1] = Deno.args.map(Number);
const trials = { screen: trialOfScreen, plain: trialOfPlain, headless: trialOfHeadless };
let bad = 0;
for (const [name, trial] of Object.entries(trials)) {
  const { strings: shown, own, foreign } = await trial(seed, strings);
  console.log(`${name}: ${shown} strings, ${own} sequences of its own, ${foreign.length} others`);
  for (const one of foreign.slice(0, 20)) console.log("  ", one);
  bad += foreign.length;
}
Deno.exit(bad > 0 ? 1 : 0);

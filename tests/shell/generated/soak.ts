/** `deno task soak [seeds] [first]`: the generated commands of many seeds, each miss and alarm shown. */
import { trial } from "./trial.ts";

const [seeds = 10, first = 1] = Deno.args.map(Number);
let bad = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const { deleted, missed, harmless, alarms } = await trial(seed, 5000);
  const share = (100 * alarms.length / harmless).toFixed(2);
  console.log(
    `seed ${seed}: deleted ${deleted}, missed ${missed.length}; harmless ${harmless}, false alarms ${alarms.length} (${share} %)`,
  );
  for (const one of missed) console.log("  missed", JSON.stringify(one));
  for (const one of alarms) console.log("  alarm ", JSON.stringify(one));
  if (missed.length > 0 || alarms.length > harmless / 100) bad++;
}
Deno.exit(bad > 0 ? 1 : 0);

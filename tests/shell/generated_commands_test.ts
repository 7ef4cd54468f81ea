import assert from "node:assert/strict";
import { generate } from "./generated/commands.ts";
import { trial } from "./generated/trial.ts";
import { slow } from "../support/soak.ts";

Deno.test("the same seed makes the same commands, another seed others", () => {
  const [one, again, other] = [7, 7, 8].map((seed) => generate(seed, 50, 50, "/space/bin"));
  assert.deepEqual(one, again);
  assert.notDeepEqual(one, other);
});

slow({
  name: "of thousands of generated commands none that deleted in bash got past the gate",
  // macOS's bash is too old for the driver
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const { deleted, missed, harmless, alarms } = await trial(1, 3300, 65);
    assert.ok(deleted >= 2000, `only ${deleted} commands deleted anything`);
    assert.ok(harmless >= 1000, `only ${harmless} commands were harmless`);
    assert.deepEqual(missed, []);
    assert.ok(alarms.length <= harmless / 100, `false alarms: ${alarms.join("\n")}`);
    console.log(`${deleted} deleted, 0 missed; ${alarms.length} of ${harmless} false alarms`);
  },
});

import assert from "node:assert/strict";
import { theme } from "../../src/commands/theme.ts";
import { testController } from "../support/test_controller.ts";

Deno.test("/theme changes and keeps; what cannot be kept is said", async () => {
  const { controller, asked } = testController();
  for (const name of ["light", "dark", "none", "auto"]) {
    assert.match(await theme.run(name, controller), new RegExp(`${name}; kept`));
  }
  assert.deepEqual(asked, ["theme light", "theme dark", "theme none", "theme auto"]);
  const broken = { ...controller, useTheme: () => Promise.resolve("disk full") };
  assert.match(await theme.run("dark", broken), /could not be kept: disk full/);
});

Deno.test("/theme names what it takes", async () => {
  await assert.rejects(
    async () => await theme.run("blue", testController().controller),
    /one of light, dark, none, auto/,
  );
});

Deno.test("/theme alone tells the colours in use and what there is", async () => {
  const { controller, asked } = testController();
  assert.equal(
    await theme.run("", controller),
    "Colours: dark\nChange with /theme light|dark|none|auto",
  );
  assert.deepEqual(asked, []);
});

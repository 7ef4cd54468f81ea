import assert from "node:assert/strict";
import { theme } from "../../src/commands/theme.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/theme changes and keeps; what cannot be kept is said", async () => {
  const { desk, asked } = testDesk();
  for (const name of ["light", "dark", "none", "auto"]) {
    assert.match(await theme.run(name, desk), new RegExp(`${name}; kept`));
  }
  assert.deepEqual(asked, ["theme light", "theme dark", "theme none", "theme auto"]);
  const broken = { ...desk, useTheme: () => Promise.resolve("disk full") };
  assert.match(await theme.run("dark", broken), /could not be kept: disk full/);
});

Deno.test("/theme names what it takes", async () => {
  await assert.rejects(
    async () => await theme.run("blue", testDesk().desk),
    /one of light, dark, none, auto/,
  );
});

Deno.test("/theme alone tells the colours in use and what there is", async () => {
  const { desk, asked } = testDesk();
  assert.equal(
    await theme.run("", desk),
    "Colours: dark\nChange with /theme light|dark|none|auto",
  );
  assert.deepEqual(asked, []);
});

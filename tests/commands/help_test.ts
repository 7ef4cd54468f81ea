import assert from "node:assert/strict";
import { commands } from "../../src/commands/mod.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/help lists every command in both languages", async () => {
  const help = commands.find((command) => command.name === "help")!;
  for (const lang of ["zh", "en"] as const) {
    const text = await help.run("", testDesk([], lang).desk);
    for (const command of commands) {
      assert.ok(text.includes(`/${command.name}`));
      assert.ok(text.includes(command.help[lang]));
    }
  }
});

Deno.test("the seed's commands are there", () => {
  const names = commands.map((command) => command.name);
  for (const name of ["save", "show", "enter", "delete", "clear", "help", "exit"]) {
    assert.ok(names.includes(name), name);
  }
});

import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { commands } from "../../src/app/commands.ts";
import { widthOf } from "../../src/commands/table.ts";
import { testController } from "../support/test_controller.ts";

Deno.test("/help lists every command in both languages", async () => {
  const help = commands.find((command) => command.name === "help")!;
  for (const t of [chinese, english]) {
    const text = await help.run("", testController([], t).controller);
    for (const command of commands) {
      assert.ok(text.includes(`/${command.name}`));
      assert.ok(text.includes(command.help(t)));
    }
  }
});

Deno.test("the seed's commands are there", () => {
  const names = commands.map((command) => command.name);
  for (const name of ["save", "show", "enter", "delete", "clear", "help", "exit"]) {
    assert.ok(names.includes(name), name);
  }
});

Deno.test("/help names the arguments in the user's language", async () => {
  const help = commands.find((command) => command.name === "help")!;
  const zh = await help.run("", testController([], chinese).controller);
  assert.match(zh, /\/save \[名称\]/);
  assert.match(zh, /\/enter <编号\|名称\|id>/);
  assert.doesNotMatch(zh, /\[name\]|\[file\]|number/);
  assert.match(await help.run("", testController().controller), /\/enter <id\|name\|number>/);
});

Deno.test("/help names the keys", async () => {
  const help = commands.find((command) => command.name === "help")!;
  for (const t of [chinese, english]) {
    const text = await help.run("", testController([], t).controller);
    for (const key of ["tab", "esc", "esc esc", "ctrl-c", "ctrl-d", "ctrl-o", "ctrl-t", "ctrl-z"]) {
      assert.ok(text.includes(key), key);
    }
  }
});

Deno.test("/help has its descriptions in one column", async () => {
  const help = commands.find((command) => command.name === "help")!;
  for (const t of [chinese, english]) {
    const text = await help.run("", testController([], t).controller);
    for (const command of commands) {
      const line = text.split("\n").find((one) => one.endsWith(command.help(t)))!;
      assert.equal(widthOf(line.slice(0, -command.help(t).length)), 26, line);
    }
  }
});

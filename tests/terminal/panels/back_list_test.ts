import assert from "node:assert/strict";
import type { SessionController } from "../../../src/base/types.ts";
import { done, fakeController } from "../fake_bus.ts";
import { onScreen } from "../on_screen.ts";
import { slow } from "../../support/soak.ts";

const ESC = "\x1b";
const DOWN = "\x1b[B";

const controllerOf = (...prompts: string[]): SessionController => ({
  ...fakeController,
  current: () => ({ ...fakeController.current(), prompts }),
});

slow(
  "ESC twice on an empty line offers the earlier prompts; Enter goes back, the prompt is put into the editor",
  async () => {
    const controller = controllerOf("第一个 question", "the second\nof two lines", "third \x1b[2J");
    await onScreen(async ({ terminal, bus, lines }) => {
      terminal.key(ESC);
      await terminal.shows("esc again");
      terminal.key(ESC);
      const shown = await terminal.shows("Back to which prompt?");
      assert.match(shown, /→ third\n {2}the second of two lines\n {2}第一个 question/);
      terminal.key(DOWN);
      terminal.key("\r");
      await terminal.shows("❯ /back 2");
      assert.deepEqual(lines(), ["/back 2"]);
      bus.emit({ ...done, reason: "command", prompt: "the second\nof two lines" });
      assert.match(await terminal.shows("of two lines"), /❯ the second\n {2}of two lines/);
    }, { controller });
  },
);

slow("ESC leaves the list, Ctrl-C too, and the line is as before", async () => {
  await onScreen(async ({ terminal, lines }) => {
    for (const leave of [ESC, "\x03"]) {
      terminal.key(ESC);
      terminal.key(ESC);
      await terminal.shows("Back to which prompt?");
      terminal.key(leave);
      terminal.type("x");
      assert.match(await terminal.text(), /❯ x$/);
      terminal.key("\x7f");
    }
    assert.deepEqual(lines(), []);
  }, { controller: controllerOf("one") });
});

slow(
  "ESC offers nothing while something is typed, another key is between, or nothing was asked",
  async () => {
    await onScreen(async ({ terminal }) => {
      terminal.type("x");
      terminal.key(ESC);
      terminal.key(ESC);
      terminal.key("\x7f");
      terminal.key(ESC);
      terminal.key(DOWN);
      terminal.key(ESC);
      assert.doesNotMatch(await terminal.text(), /Back to which/);
    }, { controller: controllerOf("one") });
    await onScreen(async ({ terminal }) => {
      terminal.key(ESC);
      terminal.key(ESC);
      assert.doesNotMatch(await terminal.text(), /Back to which|esc again/);
    });
  },
);

slow("in a running turn ESC stops it and offers nothing", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.type("go\r");
    bus.emit({ type: "turn_start", text: "go" });
    await terminal.text();
    terminal.key(ESC);
    terminal.key(ESC);
    assert.doesNotMatch(await terminal.text(), /Back to which/);
    assert.equal(bus.sent.at(-1)!.type, "stop");
    bus.emit({ ...done, reason: "interrupted" });
  }, { controller: controllerOf("one") });
});

slow("many long prompts fit a small terminal", async () => {
  const prompts = Array.from({ length: 50 }, (_, i) => `提问 ${i} ${"很长的".repeat(40)}`);
  await onScreen(async ({ terminal }) => {
    terminal.key(ESC);
    terminal.key(ESC);
    await terminal.shows("→ 提问 49");
    for (let i = 0; i < 20; i++) terminal.key(DOWN);
    await terminal.shows("→ 提问 29");
    terminal.key(ESC);
    await terminal.text();
  }, { controller: controllerOf(...prompts), size: [40, 12] });
});

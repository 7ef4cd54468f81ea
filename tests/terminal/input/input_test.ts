import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import type { AgentEvent, EventBody } from "../../../src/base/types.ts";
import { LiveScreen } from "../../../src/terminal/live.ts";
import type { TerminalOptions } from "../../../src/terminal/device/terminal.ts";
import { VirtualTerminal } from "../../support/virtual_terminal.ts";
import { done } from "../fake_bus.ts";
import { onScreen } from "../on_screen.ts";
import { ctrl, KEY } from "../prompt_stage.ts";
import { slow } from "../../support/soak.ts";
import { join } from "node:path";
import { editExternally, editorFrom } from "../../../src/terminal/input/input.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const start = (text: string): EventBody => ({ type: "turn_start", text });
const long = Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n");

slow(
  "up on an empty line asks for the newest queued line back; it comes when it was taken out",
  async () => {
    await onScreen(async ({ terminal, bus }) => {
      for (const line of ["first", "second", "third"]) {
        terminal.type(line);
        terminal.key(KEY.enter);
      }
      bus.emit(start("first"));
      await terminal.shows("queued: third\n  ↑ edit the last one");
      terminal.type("x");
      terminal.key(KEY.up);
      assert.ok(!bus.sent.some((inbound) => inbound.type === "unqueue"), "the line was not empty");
      terminal.key(KEY.delete);
      terminal.key(KEY.up);
      assert.deepEqual(bus.sent.at(-1), { type: "unqueue", lane: "main", text: "third" });
      assert.ok((await terminal.text()).includes("queued: third"), "not before it is certain");
      bus.emit({ type: "unqueued", text: "third" });
      const text = await terminal.shows("❯ third");
      assert.ok(text.includes("queued: second") && !text.includes("queued: third"), text);
    });
  },
);

slow("up at the very start of a draft takes the newest queued line back above it", async () => {
  await onScreen(async ({ terminal, bus }) => {
    for (const line of ["first", "second"]) {
      terminal.type(line);
      terminal.key(KEY.enter);
    }
    bus.emit(start("first"));
    await terminal.shows("queued: second");
    terminal.type("draft");
    terminal.key(KEY.up);
    assert.ok(
      !bus.sent.some((inbound) => inbound.type === "unqueue"),
      "it goes to the start first",
    );
    terminal.key(KEY.up);
    assert.deepEqual(bus.sent.at(-1), { type: "unqueue", lane: "main", text: "second" });
    bus.emit({ type: "unqueued", text: "second" });
    await terminal.shows("❯ second\n  draft");
  });
});

Deno.test("a queued line that joins meanwhile stays sent", async () => {
  await onScreen(async ({ terminal, bus }) => {
    for (const line of ["first", "second"]) {
      terminal.type(line);
      terminal.key(KEY.enter);
    }
    bus.emit(start("first"));
    bus.onSend = (inbound) => {
      if (inbound.type !== "unqueue") return;
      bus.emit({ type: "notice", level: "info", text: "joined", joined: "second" });
    };
    terminal.key(KEY.up);
    const text = await terminal.shows("❯ second\n");
    assert.ok(!text.includes("queued"), text);
    assert.ok(text.endsWith("❯") || !/❯ second$/.test(text), text);
  });
});

Deno.test("of many queued lines the newest are shown and the others counted", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(start("x"));
    for (let i = 1; i <= 7; i++) {
      terminal.type(`line ${i}`);
      terminal.key(KEY.enter);
    }
    await terminal.shows("\n… 2 more\nqueued: line 3\n");
  });
});

slow("a large paste is shown, queued, taken back and given back as its marker", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    terminal.paste(long);
    terminal.key(KEY.enter);
    await terminal.shows("❯ [paste #1 +20 lines]");
    assert.deepEqual(lines(), [long]);
    assert.deepEqual(bus.sent[0], {
      type: "line",
      watched: true,
      lane: "main",
      text: long,
      typed: "[paste #1 +20 lines]",
    });
    bus.emit(start(long), { ...done, reason: "error", prompt: long });
    await terminal.shows("❯ [paste #1 +20 lines]\n\n");
    terminal.key(KEY.enter);
    assert.deepEqual(lines(), [long, long], "what was not answered can be sent again");
    terminal.paste(long);
    terminal.key(KEY.enter);
    await terminal.shows("queued: [paste #1 +20 lines]");
    terminal.key(KEY.up);
    bus.emit({ type: "unqueued", text: long });
    terminal.type("!");
    await terminal.shows("❯ [paste #1 +20 lines]!");
  });
});

slow(
  "the output of the user's own command is shown, of a model's only how much there was",
  async () => {
    const command = (turn: number): AgentEvent => ({
      session: "s1",
      time: "2026-01-01T00:00:00Z",
      turn,
      type: "tool_end",
      id: String(turn),
      name: "Bash",
      ok: true,
      text: "",
      ms: 5,
      detail: { kind: "command", exit: 0, output: `out of ${turn}\n  second` },
    });
    await onScreen(async ({ terminal, bus }) => {
      terminal.type("!ls");
      terminal.key(KEY.enter);
      bus.emit(start("!ls"), {
        type: "tool_start",
        id: "0",
        name: "Bash",
        input: { command: "ls" },
      });
      bus.emitStamped(command(0));
      bus.emit({ ...done, reason: "command" });
      await terminal.shows("  out of 0\n    second");
      bus.emitStamped(command(1));
      assert.ok(!(await terminal.text()).includes("out of 1"));
    });
  },
);

slow("a question that comes during a search is answered first", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.key(ctrl("r"));
    await terminal.shows("search history");
    bus.emit(start("x"), { type: "ask", id: "q", kind: "delete", question: "Delete it?" });
    await terminal.shows("Delete it?");
    await new Promise((resolve) => setTimeout(resolve, 600));
    terminal.key(KEY.escape);
    assert.deepEqual(bus.sent, [{ type: "answer", lane: "main", id: "q", value: false }]);
    bus.emit(done);
  });
});

Deno.test("escape leaves a search and does not stop the turn", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(start("x"));
    terminal.key(ctrl("r"));
    await terminal.shows("search history");
    terminal.key(KEY.escape);
    assert.deepEqual(bus.sent, []);
    terminal.key(KEY.escape);
    assert.deepEqual(bus.sent, [{ type: "stop", lane: "main" }]);
    bus.emit(done);
  });
});

Deno.test("a frame that was asked for while the terminal was lent is drawn when it is back", async () => {
  const terminal = new VirtualTerminal();
  const live = new LiveScreen(terminal);
  let text = "before";
  live.addChild({ render: () => [text], invalidate() {} });
  live.start();
  await terminal.shows("before");
  live.suspend();
  live.requestRender();
  await terminal.text();
  live.resume();
  await terminal.shows("before");
  text = "after";
  live.requestRender();
  await terminal.shows("after");
  live.close();
});

for (const [name, key] of [["ESC", KEY.escape], ["Ctrl-C", ctrl("c")]] as const) {
  Deno.test(`${name} takes the whole queue back into the line before it stops`, async () => {
    await onScreen(async ({ terminal, bus }) => {
      bus.onSend = (inbound) => {
        if (inbound.type === "unqueue") bus.emit({ type: "unqueued", text: inbound.text });
      };
      const send = (text: string) => {
        terminal.type(text);
        terminal.key(KEY.enter);
      };
      send("first");
      bus.emit(start("first"));
      send("second");
      terminal.paste(long);
      terminal.key(KEY.enter);
      send("!third");
      terminal.key(key);
      assert.deepEqual(bus.sent.slice(-4).map((one) => "text" in one ? one.text : one.type), [
        "!third",
        long,
        "second",
        "stop",
      ]);
      bus.emit({ ...done, reason: "interrupted" });
      const text = await terminal.shows("❯ second\n  [paste #1 +20 lines]\n  !third");
      assert.ok(!text.includes("queued:"), text);
      terminal.key(KEY.enter);
      const sent = bus.sent.at(-1)!;
      assert.equal(sent.type === "line" && sent.text, `second\n${long}\n!third`);
    });
  });
}

slow("ESC keeps the draft, below what was not answered and what was queued", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.onSend = (inbound) => {
      if (inbound.type === "unqueue") bus.emit({ type: "unqueued", text: inbound.text });
    };
    bus.emit(start("x"));
    terminal.type("queued one");
    terminal.key(KEY.enter);
    terminal.type("draft");
    terminal.key(KEY.escape);
    await terminal.shows("❯ queued one\n  draft");
    assert.equal(bus.sent.at(-1)!.type, "stop");
    bus.emit({ ...done, reason: "interrupted", prompt: "x" });
    await terminal.shows("❯ x\n  queued one\n  draft");
  });
});

Deno.test("leaving amid a call says what was cut off", async () => {
  await onScreen(async ({ terminal, bus, exit }) => {
    terminal.type("go");
    terminal.key(KEY.enter);
    bus.emit(start("go"));
    bus.emit({ type: "text", delta: "I wait." });
    bus.emit({ type: "tool_start", id: "c1", name: "Bash", input: { command: "sleep 60" } });
    await terminal.shows("○ Bash sleep 60");
    terminal.key(ctrl("d"));
    assert.equal(await exit, 0);
    assert.match(
      await terminal.text(),
      /❯ go\n+I wait\.\n+✗ Bash sleep 60 · interrupted\n+Interrupted$/,
    );
  }, { again: false });
});

Deno.test("leaving during a turn takes the queue back: nothing of it runs", async () => {
  await onScreen(async ({ terminal, bus, exit }) => {
    bus.emit(start("x"));
    terminal.type("!echo later");
    terminal.key(KEY.enter);
    terminal.key(ctrl("d"));
    assert.equal(await exit, 0);
    assert.deepEqual(bus.sent.slice(-2).map((one) => one.type), ["unqueue", "stop"]);
  });
});

Deno.test("a command that is answered beside the turn leaves the queue and shows its answer", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(start("x"));
    terminal.type("/show ");
    terminal.key(KEY.enter);
    bus.emit({ type: "notice", level: "info", text: "beside", joined: "/show" });
    bus.emit({ type: "notice", level: "info", text: "the list" });
    const text = await terminal.shows("❯ /show\n\nthe list");
    assert.ok(!text.includes("queued:"), text);
    bus.emit(done);
  });
});

slow(
  "a queued /compact leaves the queue when it begins, whatever is answered beside it",
  async () => {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit(start("x"));
      for (const line of ["/compact", "/show "]) {
        terminal.type(line);
        terminal.key(KEY.enter);
        if (line === "/compact") bus.emit(done, { type: "compress_start" });
      }
      await terminal.shows("queued: /show");
      assert.ok(!(await terminal.text()).includes("queued: /compact"));
      bus.emit({ type: "notice", level: "info", text: "beside", joined: "/show" });
      bus.emit({ type: "notice", level: "info", text: "the list" });
      const usage = { input: 0, output: 0, cached: 0, cost: null };
      bus.emit({ type: "compress_end", ok: true, usage });
      bus.emit({ type: "notice", level: "info", text: "summed up" });
      bus.emit({ type: "turn_end", reason: "command", iterations: 0, ms: 0 });
      const text = await terminal.shows("summed up");
      assert.match(text, /❯ \/compact\n[^]*❯ \/show\n\nthe list\n[^]*summed up\n\n❯$/);
    });
  },
);

slow("a paste marker speaks the user's language; a newline at the end is no line", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    bus.emit(start("x"));
    terminal.paste("行\n".repeat(20_000));
    await terminal.shows("❯ [粘贴 #1 +20000 行]");
    terminal.paste("字".repeat(2000));
    terminal.type(" [paste #9 +3 lines]");
    await terminal.shows("❯ [粘贴 #1 +20000 行][粘贴 #2 2000 字] [paste #9 +3 lines]");
    terminal.key(KEY.enter);
    await terminal.shows("排队中: [粘贴 #1 +20000 行][粘贴 #2 2000 字]");
    assert.equal(lines()[0], "行\n".repeat(20_000) + "字".repeat(2000) + " [paste #9 +3 lines]");
    bus.emit(start(lines()[0]!));
    await terminal.shows("❯ [粘贴 #1 +20000 行][粘贴 #2 2000 字]");
    bus.emit(done);
  }, { t: chinese });
});

slow("search workers start once, when nobody has typed for a while", async () => {
  let starts = 0;
  const searcher: TerminalOptions["searcher"] = {
    start: () => starts++,
    walk: () => (async function* () {})(),
    glob: () => Promise.reject(new Error("not in this test")),
  };
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  await onScreen(async ({ terminal }) => {
    for (let keys = 0; keys < 5; keys++) {
      terminal.key("x");
      await pause(300);
    }
    assert.equal(starts, 0, "a key would have had to wait");
    while (starts === 0) await pause(50);
    terminal.key("x");
    await pause(1200);
    assert.equal(starts, 1);
  }, { searcher });
});

const from = (variables: { [name: string]: string }) => editorFrom((name) => variables[name]);

/** An editor that is a shell script; its arguments come before the file. */
async function withEditor(script: string, play: (editor: string) => Promise<void>): Promise<void> {
  await withWorkspace({}, async (root) => {
    const path = join(root, "my editor");
    await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await play(`'${path}'`);
  });
}

Deno.test("VISUAL goes before EDITOR, and vi is what there is", () => {
  assert.equal(from({ VISUAL: "code --wait", EDITOR: "nano" }), "code --wait");
  assert.equal(from({ VISUAL: " ", EDITOR: "nano" }), "nano");
  assert.equal(from({}), "vi");
});

Deno.test("the text goes into a private .md file and what is saved comes back", async () => {
  await withEditor(
    'printf "%s!\\n" "$(cat "$1")" > "$1"',
    async (editor) => {
      assert.deepEqual(await editExternally("你好\n  two", editor), { text: "你好\n  two!" });
    },
  );
  await withEditor(
    'case "$1" in *.md) ;; *) exit 9;; esac; [ "$(stat -c %a "$1")" = 600 ]',
    async (editor) => {
      assert.deepEqual(await editExternally("same\n", editor), { text: "same\n" });
    },
  );
});

Deno.test("the editor has the environment that it is given, and nothing of ours", async () => {
  await withEditor('echo "${NARNAT_API_KEY-none} $MINE" > "$1"', async (editor) => {
    Deno.env.set("NARNAT_API_KEY", "not-for-editors");
    try {
      const env = { PATH: Deno.env.get("PATH")!, MINE: "here" };
      assert.deepEqual(await editExternally("x", editor, env), { text: "none here" });
    } finally {
      Deno.env.delete("NARNAT_API_KEY");
    }
  });
});

Deno.test("arguments in the variable are honoured", async () => {
  await withEditor(
    '[ "$1" = "--wait" ] && [ "$2" = "a b" ] && echo done > "$3"',
    async (editor) => {
      assert.deepEqual(await editExternally("x", `${editor} --wait "a b"`), { text: "done" });
    },
  );
});

Deno.test("an editor that fails or is not there leaves the text alone and is named", async () => {
  await withEditor('echo lost > "$1"; exit 3', async (editor) => {
    assert.deepEqual(await editExternally("x", editor), { editor, code: 3 });
  });
  const editor = "no-such-editor-anywhere";
  assert.deepEqual(await editExternally("x", `${editor} 2>/dev/null`), {
    editor: `${editor} 2>/dev/null`,
    code: 127,
  });
});

Deno.test("the file is gone afterwards", async () => {
  await withWorkspace({}, async (root) => {
    const told = join(root, "told");
    await withEditor(
      `echo "$1" > '${told}'`,
      async (editor) => void await editExternally("x", editor),
    );
    const path = (await Deno.readTextFile(told)).trim();
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  });
});

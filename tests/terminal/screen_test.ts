// deno-lint-ignore-file no-control-regex -- the tests look for control characters
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { NO_USAGE } from "../../src/base/figures.ts";
import type { Todo } from "../../src/base/types.ts";
import { done } from "./fake_bus.ts";
import { onScreen } from "./on_screen.ts";
import { runs, slow } from "../support/soak.ts";

const ESC = "\x1b";
const ENTER = "\r";
const UP = "\x1b[A";
const LEFT = "\x1b[D";
const CTRL_C = "\x03";
const CTRL_D = "\x04";

Deno.test("the first screen shows name, model, workspace and the prompt", async () => {
  await onScreen(async ({ terminal }) => {
    assert.equal(
      await terminal.text(),
      "\nnarnat 0.1.0 · demo\n/space\n/help lists the commands · alt-enter new line · esc interrupt · ctrl-d quit\n\n❯",
    );
  });
});

Deno.test("Chinese text is typed, edited and sent; the IME finds the cursor", async () => {
  await onScreen(async ({ terminal, lines }) => {
    terminal.type("你好世界");
    terminal.key(LEFT);
    terminal.key("\x7f");
    terminal.type("X");
    await terminal.shows("❯ 你好X界");
    assert.ok(terminal.written.endsWith("\x1b[8G"), "the cursor stands before 界");
    terminal.key(ENTER);
    assert.deepEqual(lines(), ["你好X界"]);
  });
});

Deno.test("alt-enter makes a new line, up brings the last line back", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    terminal.type("one");
    terminal.key("\x1b\r");
    terminal.type("two");
    terminal.key(ENTER);
    bus.emit({ type: "turn_start", text: "one\ntwo" }, done);
    terminal.key(UP);
    await terminal.shows("❯ one\n  two");
    terminal.key(ENTER);
    assert.deepEqual(lines(), ["one\ntwo", "one\ntwo"]);
  });
});

slow("up recalls a line with the cursor at its end, and goes on to older ones", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    for (const text of ["oldest", "one\ntwo", "last"]) {
      terminal.type(text.replace("\n", ""));
      if (text.includes("\n")) {
        terminal.key("\x15");
        terminal.paste(text);
      }
      terminal.key(ENTER);
      bus.emit({ type: "turn_start", text }, done);
    }
    terminal.type("draft");
    terminal.key("\x01");
    terminal.key(UP);
    terminal.type("!");
    await terminal.shows("❯ last!");
    terminal.key("\x7f");
    terminal.key("\x15");
    terminal.key(UP);
    terminal.key(UP);
    terminal.type("X");
    await terminal.shows("❯ one\n  twoX");
    terminal.key("\x03");
    for (let n = 0; n < 4; n++) terminal.key(UP);
    await terminal.shows("❯ oldest");
    terminal.key(ENTER);
    assert.equal(lines().at(-1), "oldest");
  });
});

slow(
  "a paste arrives whole; its tabs and control characters are shown and do nothing",
  async () => {
    const long = Array.from({ length: 15 }, (_, i) => `\tline ${i} 中文`).join("\n");
    await onScreen(async ({ terminal, lines }) => {
      terminal.type("see ");
      terminal.paste(long);
      await terminal.shows("[paste #1 +15 lines]");
      terminal.key(ENTER);
      terminal.paste("a\tb\x1b[2Jc\x9b31m");
      await terminal.shows("❯ a→b␛[2Jc◦31m");
      terminal.key(ENTER);
      assert.deepEqual(lines(), [`see ${long}`, "a\tb\x1b[2Jc\x9b31m"]);
      assert.ok(!terminal.written.includes("\x9b"));
    });
  },
);

slow("slash commands complete with their help", async () => {
  await onScreen(async ({ terminal, lines }) => {
    terminal.type("/s");
    const menu = await terminal.shows("save the session");
    assert.ok(menu.includes("/save [name]") && menu.includes("list sessions"));
    assert.ok(!menu.includes("show help"));
    terminal.key(ESC);
    assert.ok(!(await terminal.text()).includes("list sessions"));
    terminal.type("h");
    await terminal.shows("list sessions");
    terminal.key("\t");
    await terminal.shows("❯ /show");
    terminal.key(ENTER);
    assert.deepEqual(lines(), ["/show"]);
  });
});

slow("a command answers with a notice and the prompt is free again", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.type("/help ");
    terminal.key(ENTER);
    await terminal.shows("Working");
    bus.emit({ type: "notice", level: "info", text: "all commands" }, {
      type: "turn_end",
      reason: "command",
      iterations: 0,
      ms: 1,
    });
    const all = await terminal.shows("all commands");
    assert.ok(all.endsWith("❯ /help\n\nall commands\n\n❯"), all);
  });
});

slow("a turn leaves question, answer, tools, usage in the scrollback, each once", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.type("fix it");
    terminal.key(ENTER);
    bus.emit(
      { type: "turn_start", text: "fix it" },
      { type: "thinking", delta: "let me\nsee the file" },
    );
    await terminal.shows("see the file");
    bus.emit({ type: "text", delta: "I will **edit**" });
    bus.emit({
      type: "tool_start",
      id: "1",
      name: "Edit",
      input: { file_path: "/space/src/a.ts" },
    });
    await terminal.shows("○ Edit src/a.ts");
    bus.emit({ type: "tool_progress", id: "1", text: "a third" });
    bus.emit({ type: "tool_progress", id: "1", text: "half\nway" });
    assert.ok((await terminal.shows("  half\n  way")).includes("○ Edit src/a.ts\n  half\n"));
    bus.emit({
      type: "tool_end",
      id: "1",
      name: "Edit",
      ok: true,
      text: "",
      ms: 3,
      detail: { kind: "diff", path: "/space/src/a.ts", added: 1, removed: 1, diff: "-old\n+new" },
    });
    bus.emit({ type: "text", delta: "Done." });
    bus.emit({ type: "usage", input: 1500, output: 20, cached: 0, cost: null }, done);
    assert.equal(
      (await terminal.shows("cost unknown")).split("ctrl-d quit\n")[1]!
        .replace(/for \d\.\d s/, "for 0.0 s"),
      "\n❯ fix it\n\n✻ thought for 0.0 s · ctrl-t shows it\n\nI will edit\n\n" +
        "● Edit src/a.ts +1 −1\n  1 - old\n  1 + new\n\nDone.\n\n" +
        "1.5k in · 20 out · cost unknown · 1.2 s\n\n❯",
    );
  });
});

slow("ESC stops the turn once and keeps what came; a failed prompt comes back", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.type("tell me");
    terminal.key(ENTER);
    bus.emit({ type: "turn_start", text: "tell me" }, { type: "text", delta: "Once upon" });
    await terminal.shows("esc to interrupt");
    terminal.key("\x1b[C");
    assert.equal(bus.sent.length, 1);
    terminal.key(ESC);
    terminal.key(ESC);
    assert.deepEqual(bus.sent.slice(1), [{ type: "stop", lane: "main" }]);
    await terminal.shows("Stopping");
    bus.emit({
      type: "turn_end",
      reason: "interrupted",
      prompt: "tell me",
      iterations: 1,
      ms: 5,
    });
    const all = await terminal.shows("Interrupted");
    assert.ok(all.includes("Once upon\n"));
    assert.ok(all.endsWith("❯ tell me"), all);
    assert.ok(!all.includes("Stopping"));
  });
});

Deno.test("a prompt given back stands above what is being typed", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.type("a");
    terminal.key(ENTER);
    bus.emit({ type: "turn_start", text: "a" });
    terminal.type("next");
    bus.emit({ type: "error", kind: "network", text: "Cannot reach it" }, {
      type: "turn_end",
      reason: "error",
      prompt: "a",
      iterations: 1,
      ms: 5,
    });
    const all = await terminal.shows("✗ Cannot reach it");
    assert.ok(all.endsWith("❯ a\n  next"), all);
  });
});

slow("a line typed during a turn is sent at once and shown as queued until its time", async () => {
  await onScreen(async ({ terminal, bus, lines }) => {
    const send = (text: string) => {
      terminal.type(text);
      terminal.key(ENTER);
    };
    send("first");
    bus.emit({ type: "turn_start", text: "first" });
    send("second");
    send("third");
    send("/help ");
    assert.deepEqual(lines(), ["first", "second", "third", "/help"]);
    await terminal.shows("queued: second\nqueued: third\nqueued: /help");
    bus.emit({ type: "notice", level: "info", text: "joined", joined: "second" });
    const joined = await terminal.shows("❯ second");
    assert.ok(!joined.includes("queued: second"));
    bus.emit(done, { type: "turn_start", text: "third" });
    const third = await terminal.shows("❯ third");
    assert.ok(!third.includes("queued: third") && third.includes("queued: /help"));
    bus.emit(done);
    bus.emit({ type: "notice", level: "info", text: "the help" }, {
      type: "turn_end",
      reason: "command",
      iterations: 0,
      ms: 0,
    });
    const end = await terminal.shows("the help");
    assert.ok(end.endsWith("❯ /help\n\nthe help\n\n❯"), end);
    assert.equal(end.split("❯ first").length, 2);
  });
});

Deno.test("a secret that was typed stands on the screen as events tell it, and comes back as it was", async () => {
  const redact = (text: string) => text.replaceAll("hunter2", "«secret»");
  await onScreen(async ({ terminal, bus, lines }) => {
    const send = (text: string) => {
      terminal.type(text);
      terminal.key(ENTER);
    };
    send("first hunter2");
    bus.emit({ type: "turn_start", text: "first «secret»" });
    const first = await terminal.shows("❯ first «secret»");
    assert.equal(first.split("❯ first").length, 2, "it stands there once");
    send("then hunter2");
    send("last hunter2");
    assert.deepEqual(lines(), ["first hunter2", "then hunter2", "last hunter2"]);
    await terminal.shows("queued: then «secret»\nqueued: last «secret»");
    bus.emit({ type: "unqueued", text: "last «secret»" });
    await terminal.shows("❯ last hunter2");
    bus.emit({ type: "notice", level: "info", text: "joined", joined: "then «secret»" });
    const joined = await terminal.shows("❯ then «secret»");
    assert.ok(!joined.includes("queued"), joined);
    bus.emit({ type: "turn_end", reason: "error", prompt: "then «secret»", iterations: 0, ms: 1 });
    await terminal.shows("❯ then hunter2");
  }, { redact, again: false });
});

slow("Ctrl-C clears the line, then stops, then quits at the second press", async () => {
  await onScreen(async ({ terminal, bus, exit }) => {
    terminal.type("x");
    terminal.key(ENTER);
    bus.emit({ type: "turn_start", text: "x" });
    terminal.type("draft");
    terminal.key(CTRL_C);
    assert.ok(!(await terminal.text()).includes("draft"));
    terminal.type("/s");
    await terminal.shows("list sessions");
    terminal.key(CTRL_C);
    const text = await terminal.text();
    assert.ok(text.endsWith("❯") && !text.includes("list sessions"), text);
    assert.equal(bus.sent.length, 1);
    terminal.key(CTRL_C);
    assert.equal(bus.sent.at(-1)?.type, "stop");
    bus.emit({ ...done, reason: "interrupted" });
    terminal.key(CTRL_C);
    await terminal.shows("press ctrl-c again to quit");
    terminal.key(CTRL_C);
    assert.equal(await exit, 0);
  });
});

Deno.test("what is told behind a notice of several lines stands apart from it", async () => {
  await onScreen(async ({ terminal, bus }) => {
    const notice = (text: string) => bus.emit({ type: "notice", level: "info", text });
    notice("model: m\nturns: 3");
    notice("Compression stopped");
    notice("and more");
    await terminal.shows("turns: 3\n\nCompression stopped\nand more");
  });
});

Deno.test("to leave by a command cuts nothing off, amid a turn or a compression it does", async () => {
  for (
    const event of [undefined, { type: "turn_start", text: "/exit" }, {
      type: "compress_start",
    }] as const
  ) {
    const leave = new AbortController();
    await onScreen(async ({ terminal, bus, exit }) => {
      terminal.type("/exit");
      terminal.key(ENTER);
      if (event) bus.emit(event);
      leave.abort();
      assert.equal(await exit, 0);
      assert.equal((await terminal.text()).includes("Interrupted"), event !== undefined);
    }, { ended: leave.signal, again: false });
  }
});

Deno.test("Ctrl-D quits on an empty line only, and the live part is gone afterwards", async () => {
  await onScreen(async ({ terminal, bus, exit }) => {
    terminal.type("ab");
    terminal.key(CTRL_D);
    terminal.key("\x7f");
    terminal.key("\x7f");
    bus.emit({ type: "notice", level: "info", text: "last words" });
    terminal.key(CTRL_D);
    assert.equal(await exit, 0);
    assert.ok((await terminal.text()).endsWith("last words"));
    assert.equal(bus.listeners, 0);
  });
});

slow(
  "the todo panel shows the latest list and goes when all is done at the turn's end",
  async () => {
    const todos = (...states: Todo["status"][]): Todo[] =>
      states.map((status, n) => ({ content: `do ${n}`, activeForm: `doing ${n}`, status }));
    await onScreen(async ({ terminal, bus }) => {
      const update = (list: Todo[]) =>
        bus.emit({
          type: "tool_end",
          id: "t",
          name: "TodoWrite",
          ok: true,
          text: "",
          ms: 1,
          detail: { kind: "todos", todos: list },
        });
      bus.emit({ type: "turn_start", text: "x" });
      update(todos("in_progress", "pending"));
      await terminal.shows("  ▸ doing 0\n  ○ do 1");
      update(todos("completed", "in_progress"));
      const two = await terminal.shows("  ✓ do 0\n  ▸ doing 1");
      assert.ok(!two.includes("○"));
      update(todos("completed", "completed"));
      bus.emit(done);
      const end = await terminal.shows("  ✓ do 0\n  ✓ do 1");
      assert.equal(end.split("✓ do 0").length, 2);
      bus.emit({ type: "notice", level: "info", text: "of a command" }, {
        ...done,
        reason: "command",
      });
      assert.equal((await terminal.shows("of a command")).split("✓ do 0").length, 2);
      bus.emit({ type: "turn_start", text: "y" }, { type: "text", delta: "z" });
      assert.equal((await terminal.shows("z")).split("✓ do 0").length, 2);
    });
  },
);

const broke = (n: number) =>
  ({ type: "notice", level: "warn", text: `The line broke ${n}`, retryMs: 3000 }) as const;
const answerText = (delta: string) => ({ type: "text", delta }) as const;

Deno.test("attempts take one line, and an answer that goes on as before is said once", async () => {
  await onScreen(async ({ terminal, bus }) => {
    const half = "kept\n\nhalf a li";
    bus.emit({ type: "turn_start", text: "x" }, answerText(half));
    await terminal.shows("half a li");
    for (const n of [1, 2, 3]) {
      bus.emit(broke(n));
      await terminal.shows(/The line broke[^]*Retrying in 3 s/);
      bus.emit({ type: "thinking", delta: "hm" }, answerText("kept\n\n"), answerText("half"));
      await terminal.text();
    }
    bus.emit(answerText(" a line"), done);
    const all = await terminal.shows("half a line");
    assert.equal(all.split("kept").length, 2, all);
    assert.equal(all.split("half").length, 2, all);
    assert.deepEqual(all.match(/The line broke \d/g), ["The line broke 3"]);
    assert.doesNotMatch(all, /void/);
  }, { again: false });
});

slow("an answer that begins anew after a break voids what is left of the one before", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, answerText("kept\n\nlost tail"));
    await terminal.shows("lost tail");
    bus.emit(broke(1));
    await terminal.shows("lost tail");
    bus.emit(answerText("kept once more"), done);
    const all = await terminal.shows("kept once more");
    assert.match(
      all,
      /kept\n\n\(the unfinished answer above is void; it starts over\)\nThe line broke 1\n\nkept once more/,
    );
    assert.ok(!all.includes("lost tail"));
  });
});

Deno.test("an attempt that only fails, or calls a tool at once, voids what was half said", async () => {
  for (
    const next of [
      { type: "error", kind: "network", text: "It is over" },
      { type: "tool_start", id: "1", name: "Read", input: { file_path: "a" } },
    ] as const
  ) {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "turn_start", text: "x" }, answerText("kept\n\nlost tail"), broke(1));
      await terminal.shows("The line broke 1");
      bus.emit(broke(2), next);
      const all = await terminal.shows(/It is over|Read a/);
      assert.match(all, /kept\n\n\(the unfinished[^\n]*\)\nThe line broke 2\n/);
      assert.deepEqual(all.match(/The line broke \d/g), ["The line broke 2"]);
    }, { again: false });
  }
});

slow("compressing is announced in the words of the design", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, { type: "compress_start" });
    await terminal.shows("正在压缩...");
    bus.emit({ type: "compress_end", ok: false, usage: NO_USAGE });
    bus.emit({ type: "error", kind: "compress", text: "压缩失败：没有总结" });
    const all = await terminal.shows("压缩失败：没有总结");
    assert.ok(!all.includes("正在压缩..."));
  }, { t: chinese });
});

Deno.test("a first prompt is sent as if typed", async () => {
  await onScreen(async ({ terminal, lines }) => {
    await terminal.shows("❯ do this");
    assert.deepEqual(lines(), ["do this"]);
  }, { firstPrompt: "do this" });
});

slow("colour is on by default and off with NO_COLOR", async () => {
  const colours = /\x1b\[(?:3[0-7]|9[0-7]|38;)/;
  for (const [value, coloured] of [[undefined, true], ["1", false]] as const) {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "error", kind: "bug", text: "red" }, { type: "text", delta: "`code`" });
      await terminal.shows("code");
      assert.equal(colours.test(terminal.written), coloured);
    }, { theme: "auto", env: (name) => name === "NO_COLOR" ? value : undefined });
  }
});

slow("nothing a model, a tool or a file name says reaches the terminal as a sequence", async () => {
  const evil = "A\x1b]0;title\x07B\x1b[2JC\x9b3JD\x1b[?1049hE\x08F\x07\x1bPq\x1b\\\x1b[6n";
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(
      { type: "turn_start", text: evil },
      { type: "thinking", delta: evil },
      { type: "tool_start", id: "1", name: evil, input: { file_path: evil } },
      { type: "tool_progress", id: "1", text: evil },
    );
    await terminal.text();
    bus.emit(
      {
        type: "tool_end",
        id: "1",
        name: evil,
        ok: false,
        text: evil,
        ms: 1,
        detail: { kind: "command", exit: 1, output: evil },
      },
      { type: "notice", level: "warn", text: evil },
      { type: "error", kind: "bug", text: evil },
      { type: "ask", id: "q", kind: "delete", question: evil, command: evil, targets: [evil] },
      { type: "text", delta: evil + "\n\n&#27;[2J [x](http://a/\x1b]52;c;x\x07) `\x1b[2J`\n" },
      done,
    );
    await terminal.text();
    assert.ok(terminal.written.includes("ABCDEF"));
    // What pi-tui itself writes: colours, cursor moves, erasing, cursor kept, sync, link resets.
    const rest = terminal.written.replace(
      /\x1b\[[0-9;]*[mABGJK]|\x1b\[\?(?:2026|25)[hl]|\x1b\]8;;\x07|\x1b[78]|\r|\n/g,
      "",
    );
    assert.ok(!/\p{Cc}/u.test(rest), JSON.stringify(/.{0,20}\p{Cc}.{0,20}/u.exec(rest)?.[0]));
    assert.ok(!/\x1b\[[23]?J/.test(terminal.written.replaceAll("\x1b[B\x1b[J\x1b8", "")));
  }, { notify: false });
});

Deno.test("a reply taller than the screen is in the scrollback once, at any size, resized midway", async () => {
  const paragraphs = Array.from({ length: 60 }, (_, i) => `第 ${i} 段：一些中文文字 word ${i}.`);
  const size = fc.constantFrom<[number, number]>([80, 24], [40, 12], [200, 60], [30, 8]);
  const one = fc.tuple(size, size, fc.integer({ min: 3, max: 60 }));
  const play = ([from, to, step]: typeof one extends fc.Arbitrary<infer One> ? One : never) =>
    onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "turn_start", text: "x" });
      const text = paragraphs.join("\n\n") + "\n";
      for (let at = 0; at < text.length; at += step) {
        bus.emit({ type: "text", delta: text.slice(at, at + step) });
        if (at % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        if (at < text.length / 2 && at + step >= text.length / 2) {
          await terminal.text();
          await terminal.resize(...to);
          await terminal.text();
        }
      }
      bus.emit(done);
      const all = (await terminal.text()).replace(/\s+/g, "");
      let at = 0;
      for (const paragraph of paragraphs) {
        const needle = paragraph.replace(/\s+/g, "");
        const found = all.indexOf(needle, at);
        assert.ok(found >= at, `${from}→${to}: ${paragraph} lost`);
        at = found + needle.length;
      }
      assert.ok(!terminal.written.includes("\x1b[3J"));
      assert.equal(all.split("第59段").length, 2, "drawn twice");
    }, { size: from, again: false });
  // side by side, as most of a play is waiting
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 4, maxLength: 4 }), async (plays) => {
      await Promise.all(plays.map(play));
    }),
    { numRuns: runs(3) },
  );
});

slow("a resize redraws the live part in its place and leaves the scrollback alone", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "notice", level: "info", text: "above" }, { type: "turn_start", text: "x" });
    terminal.type("typed " + "words ".repeat(11));
    const command = "run " + "argument ".repeat(8);
    bus.emit({ type: "tool_start", id: "1", name: "Bash", input: { command } });
    const before = await terminal.shows("○ Bash run argument");
    const sizes = [[40, 24], [80, 24], [60, 12], [30, 30], [80, 24]] as const;
    for (const size of sizes) {
      await terminal.resize(size[0], size[1]);
      const now = await terminal.text();
      assert.equal(now.split("○ Bash").length, 2, `${size}:\n${now}`);
      assert.equal(now.split("❯ typed").length, 2, `${size}:\n${now}`);
      assert.ok(now.includes("\nabove\n\n❯ x\n\n○ Bash"), `${size}:\n${now}`);
    }
    const spinner = /^(?:. Working|○ Bash).*$/gm;
    assert.equal((await terminal.text()).replace(spinner, ""), before.replace(spinner, ""));
    assert.ok(!/\x1b\[[23]J/.test(terminal.written));
  });
});

slow("the screen survives sizes too small to be of use", async () => {
  await onScreen(async ({ terminal, bus }) => {
    terminal.type("你好 hello 世界");
    bus.emit({ type: "turn_start", text: "x" }, {
      type: "text",
      delta: "| a | b |\n|-|-|\n| 你 | c |",
    });
    bus.emit({ type: "tool_start", id: "1", name: "Bash", input: { command: "ls -la" } });
    for (const [columns, rows] of [[3, 3], [1, 1], [2, 50], [80, 24]] as const) {
      await terminal.resize(columns, rows);
      await terminal.text();
    }
    await terminal.shows("❯ 你好 hello 世界");
  });
});

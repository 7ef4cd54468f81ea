// deno-lint-ignore-file no-control-regex -- the tests look for control characters
import assert from "node:assert/strict";
import type { EventBody, Todo } from "../../src/base/types.ts";
import { done } from "./fake_bus.ts";
import { onScreen } from "./on_screen.ts";
import { slow } from "../support/soak.ts";

const CTRL_O = "\x0f";
const CTRL_T = "\x14";

const none = { input: 1, output: 1, cached: 0, cost: null };

const ran = (id: string, output: string): EventBody[] => [
  { type: "tool_start", id, name: "Bash", input: { command: `run ${id}` } },
  {
    type: "tool_end",
    id,
    name: "Bash",
    ok: true,
    text: "",
    ms: 2100,
    detail: { kind: "command", exit: 0, output },
  },
];

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name} ${i}`).join("\n");

slow(
  "ctrl-o writes the last output in full below, then the one before it, then it again",
  async () => {
    await onScreen(async ({ terminal, bus, whole }) => {
      terminal.key(CTRL_O);
      await terminal.shows("No folded output");
      bus.emit({ type: "turn_start", text: "x" }, ...ran("1", lines("first", 50)));
      bus.emit(...ran("2", lines("second", 60)), { type: "text", delta: "still talk" });
      const folded = await terminal.shows(
        "● Bash run 2 · 2.1 s · exit 0 · 60 lines of output · ctrl-o",
      );
      assert.ok(!folded.includes("second 59"));
      terminal.key(CTRL_O);
      const open = await terminal.shows("  second 59");
      assert.ok(open.includes("  second 59\n\nstill talk\n"), "it tears no sentence");
      assert.equal(open.split("  second 30\n").length, 2);
      bus.emit({ type: "text", delta: "ing" });
      await whole();
      terminal.key(CTRL_O);
      await terminal.shows("  first 49");
      terminal.key(CTRL_O);
      await terminal.shows("  second 59");
      bus.emit(done);
      await terminal.text();
    });
  },
);

Deno.test("ctrl-t unfolds the thinking of the turn, and folds again", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, { type: "thinking", delta: "one\ntwo\nthree" });
    assert.ok(!(await terminal.shows("│ three")).includes("│ two"));
    terminal.key(CTRL_T);
    await terminal.shows("│ one\n│ two\n│ three");
    bus.emit({ type: "text", delta: "so it is" });
    const told = await terminal.shows("so it is");
    assert.match(told, /✻ thought for \d\.\d s\n│ one\n│ two\n│ three\n\nso it is/);
    terminal.key(CTRL_T);
    bus.emit({ type: "thinking", delta: "hidden" }, { type: "text", delta: "more" }, done);
    assert.ok(!(await terminal.shows("more")).includes("│ hidden"));
    terminal.key(CTRL_T);
    await terminal.shows("│ hidden");
  });
});

slow("a running command shows how long it runs and the end of what it says", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, ran("1", "")[0]!);
    bus.emit({ type: "tool_progress", id: "1", text: lines("out", 9) });
    await terminal.shows("○ Bash run 1 · 1 s\n  out 6\n  out 7\n  out 8");
    bus.emit(ran("1", "")[1]!, done);
    assert.ok(!(await terminal.shows("● Bash run 1 · 2.1 s · exit 0")).includes("out 8"));
  });
});

Deno.test("twelve rows show the todo being done, twenty-four show the list", async () => {
  const todo = (n: number, status: Todo["status"]): Todo => ({
    content: `do ${n}`,
    activeForm: `doing ${n}`,
    status,
  });
  const todos = [todo(1, "completed"), todo(2, "in_progress"), todo(3, "pending")];
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, {
      type: "tool_end",
      id: "1",
      name: "TodoWrite",
      ok: true,
      text: "",
      ms: 1,
      detail: { kind: "todos", todos },
    });
    const small = await terminal.shows("▸ doing 2 · 1/3");
    assert.ok(!small.includes("do 3"));
    await terminal.resize(40, 24);
    await terminal.shows("✓ do 1\n  ▸ doing 2\n  ○ do 3");
    bus.emit(done);
  }, { size: [40, 12] });
});

Deno.test("a call that is being written is told with its size", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, { type: "writing", name: "Write", chars: 12_345 });
    await terminal.shows("Writing a Write call (12.3k characters)");
    bus.emit({ type: "tool_start", id: "1", name: "Write", input: { file_path: "/space/a" } });
    assert.ok(!(await terminal.shows("Working")).includes("Writing"));
    bus.emit(done);
  });
});

Deno.test("another theme paints what comes, and what stands below anew", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, { type: "text", delta: "`one`\n\n" });
    await terminal.shows("one");
    assert.ok(terminal.written.includes("\x1b[33mone\x1b[39m"));
    bus.emit({ type: "theme", theme: "light" }, { type: "text", delta: "`two`" });
    await terminal.shows("two");
    assert.ok(terminal.written.includes("\x1b[38;5;94mtwo\x1b[39m"));
    bus.emit({ type: "theme", theme: "none" }, { type: "text", delta: " `three`" }, done);
    await terminal.shows("three");
    assert.ok(!/\x1b\[3[\d;]*mthree/.test(terminal.written));
  }, { theme: "auto" });
});

Deno.test("code is coloured by its language while it streams", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" });
    bus.emit({ type: "text", delta: "```ts\nconst x = `a\nb`; // c\n" });
    await terminal.shows("// c");
    assert.ok(terminal.written.includes("\x1b[34mconst\x1b[39m x = \x1b[32m`a"));
    bus.emit({ type: "text", delta: "```\n" }, done);
    await terminal.text();
  }, { theme: "auto" });
});

slow("a link is one where the terminal follows links, and spelled out elsewhere", async () => {
  const text =
    "[site](https://a.example/中) [bad](javascript:alert) [odd](https://a/\x1b]52;c;x\x07)";
  for (const program of ["WezTerm", undefined]) {
    await onScreen(async ({ terminal, bus }) => {
      bus.emit({ type: "turn_start", text: "x" }, { type: "text", delta: text }, done);
      const all = await terminal.shows("site");
      const opened = terminal.written.match(/\x1b\]8;;[^\x1b\x07]+/g) ?? [];
      if (program === undefined) {
        assert.ok(all.includes("site (https://a.example/中)"), all);
        assert.deepEqual(opened, []);
      } else {
        assert.ok(!all.includes("a.example"), all);
        assert.deepEqual([...new Set(opened)], [
          "\x1b]8;;https://a.example/%E4%B8%AD",
          "\x1b]8;;https://a/",
        ]);
      }
    }, { env: (name) => ({ TERM: "xterm-256color", TERM_PROGRAM: program })[name] });
  }
});

const beside = (text: string): EventBody[] => [
  { type: "notice", level: "info", text: `answered beside`, joined: text },
  { type: "notice", level: "info", text: "told beside" },
];

slow("code goes on as code below a command answered beside it", async () => {
  const code = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `# line ${from + i} **x**`).join("\n");
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" });
    bus.emit({ type: "text", delta: "See:\n\n```sh\n" + code(0, 20) + "\n# li" });
    await terminal.shows("# line 19");
    bus.emit(...beside("/cost"));
    const amid = await terminal.shows("told beside");
    assert.match(amid, /# line 19 \*\*x\*\*\n\n❯ \/cost\n\ntold beside\n\n {2}# li\n/);
    bus.emit(
      { type: "text", delta: "ne 20 **x**\n" + code(21, 40) + "\n```\n\nSo it is.\n" },
      done,
    );
    const all = await terminal.shows("So it is.");
    for (let n = 0; n < 40; n++) assert.ok(all.includes(`  # line ${n} **x**\n`), all);
    assert.equal(all.split("```").length, 3, all);
  }, { size: [80, 60] });
});

Deno.test("a list and a table go on below what is answered beside them", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" });
    bus.emit({ type: "text", delta: "1. one\n2. two\n3. three\n4. four\n   - in\n   - it **b" });
    await terminal.shows("it");
    bus.emit(...beside("/cost"));
    await terminal.shows("told beside");
    bus.emit({ type: "text", delta: "old**\n5. five\n\n| a | b |\n|---|---|\n" });
    bus.emit({ type: "text", delta: "| 1 | 2 |\n".repeat(4) + "| 1" });
    await terminal.shows("five");
    bus.emit(...beside("/status"));
    await terminal.shows("❯ /status");
    bus.emit({ type: "text", delta: " | 3 |\n\nend" }, { type: "usage", ...none }, done);
    const all = await terminal.shows("end");
    assert.match(
      all,
      /3\. three\n\n❯ \/cost\n\ntold beside\n\n4\. four\n {4}- in\n {4}- it bold\n5\. five/,
    );
    assert.ok(!all.includes("|"), all);
    assert.equal(all.split("│ 1 │ 2 │").length, 5, all);
    assert.equal(all.split("│ 1 │ 3 │").length, 2, all);
  }, { size: [80, 60] });
});

Deno.test("a sentence stays whole while a command is answered beside it", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit({ type: "turn_start", text: "x" }, { type: "text", delta: "One.\n\nstill talk" });
    await terminal.shows("still talk");
    bus.emit(...beside("/cost"));
    await terminal.shows("told beside");
    bus.emit({ type: "text", delta: "ing\n\nthen" }, { type: "usage", ...none });
    // The next request's answer is another.
    bus.emit({ type: "notice", level: "warn", text: "said between" });
    bus.emit({ type: "text", delta: "last" }, done);
    const all = await terminal.shows("last");
    assert.ok(
      all.includes(
        "One.\n\n❯ /cost\n\ntold beside\n\nstill talking\n\nthen\n\nsaid between\n\nlast",
      ),
      all,
    );
  });
});

Deno.test("what a turn warns of at its end stands behind what was said", async () => {
  await onScreen(async ({ terminal, bus }) => {
    bus.emit(
      { type: "turn_start", text: "go" },
      { type: "text", delta: "one\n\npartly said" },
      { type: "notice", level: "warn", text: "the plan stops at this step" },
      { type: "turn_end", reason: "interrupted", iterations: 1, ms: 5 },
    );
    await terminal.shows(/partly said\n\nthe plan stops at this step/);
  });
});

import { english, type T } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { todoWrite } from "../../src/tools/todo_write.ts";
import type { Todo } from "../../src/base/types.ts";
import { ToolRunner } from "../support/tool_context.ts";
import { runs } from "../support/soak.ts";

const todo = (content: string, status: Todo["status"]): Todo => ({
  content,
  activeForm: `${content}ing`,
  status,
});

Deno.test("TodoWrite creates a list and returns it", async () => {
  const todos = [todo("Fix", "in_progress"), todo("Test", "pending")];
  assert.deepEqual(await new ToolRunner("/").run(todoWrite, { todos }), {
    ok: true,
    text: "Todos: 0/2 done. Now: Fixing",
    todos,
    detail: { kind: "todos", todos },
  });
});

Deno.test("TodoWrite follows a list from its first step to its last and clears it", async () => {
  const runner = new ToolRunner("/");
  const texts: string[] = [];
  for (
    const states of [["in_progress", "pending"], ["completed", "in_progress"], [
      "completed",
      "completed",
    ]] as const
  ) {
    const todos = [todo("Fix", states[0]), todo("Test", states[1])];
    texts.push((await runner.run(todoWrite, { todos })).text);
  }
  const cleared = await runner.run(todoWrite, { todos: [] });
  assert.deepEqual(cleared.todos, []);
  assert.deepEqual([...texts, cleared.text], [
    "Todos: 0/2 done. Now: Fixing",
    "Todos: 1/2 done. Now: Testing",
    "Todos: all 2 done",
    "Todo list cleared",
  ]);
});

Deno.test("TodoWrite names unfinished items that vanish from the list", async () => {
  const runner = new ToolRunner("/");
  await runner.run(todoWrite, { todos: [todo("Fix", "in_progress"), todo("Test", "pending")] });
  const { text } = await runner.run(todoWrite, { todos: [todo("Fix", "completed")] });
  assert.equal(
    text,
    "Todos: all 1 done\nNote: these unfinished items are no longer on the list: Test",
  );
});

Deno.test("TodoWrite refuses a broken list, says which rule, and leaves the old one", async () => {
  const runner = new ToolRunner("/");
  await runner.run(todoWrite, { todos: [todo("Old", "in_progress")] });
  const cases: readonly (readonly [todos: readonly unknown[], message: RegExp])[] = [
    [[todo("a", "pending"), todo("b", "pending")], /of 2 open none is in_progress/],
    [[todo("a", "completed"), todo("b", "pending")], /of 1 open none is in_progress/],
    [
      [todo("a", "in_progress"), todo("b", "completed"), todo("c", "in_progress")],
      /items 1, 3 are all in_progress/,
    ],
    [[todo("a", "in_progress"), todo(" ", "pending")], /item 2 has a blank content/],
    [[{ ...todo("a", "in_progress"), activeForm: "" }], /item 1 has a blank activeForm/],
    [[{ content: "a", status: "in_progress" }], /item 1 has a blank activeForm/],
    [[{ ...todo("a", "in_progress"), status: "gone" }], /item 1 has status gone; it must be/],
    [[todo("a", "in_progress"), todo(" a ", "pending")], /items 1 and 2 are both “a”; .*join/],
    [
      Array.from({ length: 101 }, (_, i) => todo(`${i}`, i === 0 ? "in_progress" : "pending")),
      /it has 101 items, at most 100 are kept; join/,
    ],
  ];
  for (const [todos, message] of cases) {
    const result = await runner.run(todoWrite, { todos });
    assert.equal(result.ok, false);
    assert.match(result.text, message);
    assert.match(result.text, /^Todo list unchanged: /);
    assert.equal(result.todos, undefined);
  }
  assert.deepEqual(runner.context().todos, [todo("Old", "in_progress")]);
});

Deno.test("TodoWrite speaks Chinese to a Chinese session", async () => {
  const runner = new ToolRunner("/");
  runner.overrides = { t: chinese };
  const { text } = await runner.run(todoWrite, { todos: [todo("改", "pending")] });
  assert.match(text, /没有一项是 in_progress；必须恰好有一项/);
});

Deno.test("TodoWrite accepts a list exactly when one item is in progress or none is open", async () => {
  const status = fc.constantFrom("pending", "in_progress", "completed");
  await fc.assert(
    fc.asyncProperty(fc.array(status, { maxLength: 100 }), async (states) => {
      const todos = states.map((state, i) => todo(`step ${i}`, state));
      const active = states.filter((state) => state === "in_progress").length;
      const open = states.some((state) => state !== "completed");
      const result = await new ToolRunner("/").run(todoWrite, { todos });
      assert.equal(result.ok, open ? active === 1 : true);
      if (result.ok) assert.deepEqual(result.todos, todos);
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("TodoWrite is offered in at most 620 bytes", () => {
  const { name, description, input } = todoWrite;
  assert.ok(JSON.stringify({ name, description, input }).length <= 620);
});

const after = async (before: readonly Todo[], todos: readonly Todo[], t: T = english) => {
  const runner = new ToolRunner("/");
  runner.overrides = { todos: before, t };
  return await runner.run(todoWrite, { todos });
};

Deno.test("TodoWrite does not let a completed item come back, and says what to send instead", async () => {
  const before = [todo("Fix", "completed"), todo("Test", "in_progress")];
  for (const status of ["pending", "in_progress"] as const) {
    const other = status === "pending" ? "in_progress" : "pending";
    const todos = [todo("Fix", status), todo("Test", other)];
    const { ok, text } = await after(before, todos);
    assert.equal(ok, false);
    assert.match(text, new RegExp(`item 1 “Fix” was completed and cannot become ${status} again`));
    assert.match(text, /add a new item/);
    assert.match(
      (await after(before, todos, chinese)).text,
      /第 1 项“Fix”已经是 completed.*另加一项/,
    );
  }
  const more = [
    todo("Fix", "completed"),
    todo("Test", "pending"),
    todo("Fix again", "in_progress"),
  ];
  assert.equal((await after(before, more)).ok, true);
});

Deno.test("TodoWrite names completed items that vanish from a list still under way", async () => {
  const before = [todo("Fix", "completed"), todo("Test", "in_progress")];
  const { ok, text } = await after(before, [todo("Test", "in_progress")]);
  assert.equal(ok, true);
  assert.match(text, /Note: these completed items are no longer on the list .*: Fix$/);
});

Deno.test("TodoWrite lets a finished list make room for the next, which may repeat a step", async () => {
  const before = [todo("Fix", "completed"), todo("Test", "completed")];
  const { ok, text } = await after(before, [todo("Build", "in_progress"), todo("Test", "pending")]);
  assert.equal(ok, true);
  assert.equal(text, "Todos: 0/2 done. Now: Building");
});

Deno.test("TodoWrite accepts several steps done between two calls, and a change of mind", async () => {
  const before = [todo("a", "in_progress"), todo("b", "pending"), todo("c", "pending")];
  const states: Todo["status"][][] = [
    ["completed", "completed", "in_progress"],
    ["completed", "completed", "completed"],
    ["pending", "in_progress", "pending"],
    ["in_progress", "completed", "pending"],
  ];
  for (const row of states) {
    const todos = row.map((status, i) => todo("abc"[i]!, status));
    assert.equal((await after(before, todos)).ok, true, row.join());
  }
});

Deno.test("TodoWrite understands the items of other agents", () => {
  assert.deepEqual(
    todoWrite.adapt!({
      items: [{
        id: "1",
        task: "a",
        active_form: "doing a",
        status: "in-progress",
        priority: "high",
      }],
    }),
    { todos: [{ content: "a", activeForm: "doing a", status: "in_progress" }] },
  );
  const done = { todos: [{ content: "a", activeForm: "a", status: "done" }] };
  assert.equal(todoWrite.adapt!(done)["todos"][0].status, "completed");
  assert.deepEqual(todoWrite.adapt!({ todos: ["a", null] }), { todos: ["a", null] });
});

Deno.test("TodoWrite keeps its rules over any sequence of lists", async () => {
  const list = fc.array(
    fc.record({
      content: fc.constantFrom("a", "b", "c", "d", " "),
      activeForm: fc.constant("x"),
      status: fc.constantFrom("pending", "in_progress", "completed"),
    }),
    { maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(list, { maxLength: 6 }), async (lists) => {
      const runner = new ToolRunner("/");
      let before: readonly Todo[] = [];
      for (const todos of lists) {
        const { ok, text } = await runner.run(todoWrite, { todos });
        const now = runner.context().todos;
        if (!ok) {
          assert.match(text, /^Todo list unchanged: /);
          assert.deepEqual(now, before);
          continue;
        }
        const open = now.filter((each) => each.status !== "completed");
        const active = open.filter((each) => each.status === "in_progress");
        assert.equal(active.length, open.length === 0 ? 0 : 1);
        assert.equal(new Set(now.map((each) => each.content)).size, now.length);
        if (before.some((each) => each.status !== "completed")) {
          for (const old of before) {
            const same = now.find((each) => each.content === old.content);
            if (old.status === "completed" && same) assert.equal(same.status, "completed");
            if (!same) assert.ok(text.includes(old.content) || now.length === 0);
          }
        }
        before = now;
      }
    }),
    { numRuns: runs(300) },
  );
});

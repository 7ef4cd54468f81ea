import assert from "node:assert/strict";
import fc from "fast-check";
import { todoWrite } from "../../src/tools/todo_write.ts";
import type { Todo } from "../../src/types.ts";
import { TestDesk } from "../support/tool_context.ts";

const todo = (content: string, status: Todo["status"]): Todo => ({
  content,
  activeForm: `${content}ing`,
  status,
});

Deno.test("TodoWrite creates a list and returns it", async () => {
  const todos = [todo("Fix", "in_progress"), todo("Test", "pending")];
  assert.deepEqual(await new TestDesk("/").run(todoWrite, { todos }), {
    ok: true,
    text: "Todos: 0/2 done. Now: Fixing",
    todos,
    detail: { kind: "todos", todos },
  });
});

Deno.test("TodoWrite follows a list from its first step to its last and clears it", async () => {
  const desk = new TestDesk("/");
  const texts: string[] = [];
  for (
    const states of [["in_progress", "pending"], ["completed", "in_progress"], [
      "completed",
      "completed",
    ]] as const
  ) {
    const todos = [todo("Fix", states[0]), todo("Test", states[1])];
    texts.push((await desk.run(todoWrite, { todos })).text);
  }
  const cleared = await desk.run(todoWrite, { todos: [] });
  assert.deepEqual(cleared.todos, []);
  assert.deepEqual([...texts, cleared.text], [
    "Todos: 0/2 done. Now: Fixing",
    "Todos: 1/2 done. Now: Testing",
    "Todos: all 2 done",
    "Todo list cleared",
  ]);
});

Deno.test("TodoWrite names unfinished items that vanish from the list", async () => {
  const desk = new TestDesk("/");
  await desk.run(todoWrite, { todos: [todo("Fix", "in_progress"), todo("Test", "pending")] });
  const { text } = await desk.run(todoWrite, { todos: [todo("Fix", "completed")] });
  assert.equal(
    text,
    "Todos: all 1 done\nNote: these unfinished items are no longer on the list: Test",
  );
});

Deno.test("TodoWrite refuses a broken list, says which rule, and leaves the old one", async () => {
  const desk = new TestDesk("/");
  await desk.run(todoWrite, { todos: [todo("Old", "in_progress")] });
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
    [[{ ...todo("a", "in_progress"), status: "done" }], /item 1 has status done; it must be/],
  ];
  for (const [todos, message] of cases) {
    const result = await desk.run(todoWrite, { todos });
    assert.equal(result.ok, false);
    assert.match(result.text, message);
    assert.match(result.text, /^Todo list unchanged: /);
    assert.equal(result.todos, undefined);
  }
  assert.deepEqual(desk.context().todos, [todo("Old", "in_progress")]);
});

Deno.test("TodoWrite speaks Chinese to a Chinese session", async () => {
  const desk = new TestDesk("/");
  desk.overrides = { lang: "zh" };
  const { text } = await desk.run(todoWrite, { todos: [todo("改", "pending")] });
  assert.match(text, /没有一项是 in_progress；必须恰好有一项/);
});

Deno.test("TodoWrite accepts a list exactly when one item is in progress or none is open", async () => {
  const status = fc.constantFrom("pending", "in_progress", "completed");
  await fc.assert(
    fc.asyncProperty(fc.array(status, { maxLength: 200 }), async (states) => {
      const todos = states.map((state, i) => todo(`step ${i}`, state));
      const active = states.filter((state) => state === "in_progress").length;
      const open = states.some((state) => state !== "completed");
      const result = await new TestDesk("/").run(todoWrite, { todos });
      assert.equal(result.ok, open ? active === 1 : true);
      if (result.ok) assert.deepEqual(result.todos, todos);
    }),
    { numRuns: 300 },
  );
});

Deno.test("TodoWrite is offered in at most 620 bytes", () => {
  const { name, description, input } = todoWrite;
  assert.ok(JSON.stringify({ name, description, input }).length <= 620);
});

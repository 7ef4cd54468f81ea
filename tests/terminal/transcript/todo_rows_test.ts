import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import type { Todo } from "../../../src/base/types.ts";
import { lineOf, type Look, type Row } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { todoRows } from "../../../src/terminal/transcript/todo_rows.ts";

const en: Look = { style: createStyle("none"), t: english, workspace: "/space" };
const texts = (rows: readonly Row[]) => rows.map(lineOf);

Deno.test("the todo panel folds what is done before it cuts what is left", () => {
  const todo = (n: number, status: Todo["status"]): Todo => ({
    content: `do ${n}`,
    activeForm: `doing ${n}`,
    status,
  });
  const todos = [todo(1, "completed"), todo(2, "in_progress"), todo(3, "pending")];
  assert.deepEqual(texts(todoRows(todos, en, 9)), ["  ✓ do 1", "  ▸ doing 2", "  ○ do 3"]);
  const many = [
    ...[1, 2, 3].map((n) => todo(n, "completed")),
    todo(4, "in_progress"),
    ...[5, 6, 7, 8].map((n) => todo(n, "pending")),
  ];
  assert.deepEqual(texts(todoRows(many, en, 6)), [
    "  ✓ 3 done",
    "  ▸ doing 4",
    "  ○ do 5",
    "  ○ do 6",
    "  ○ do 7",
    "  ○ do 8",
  ]);
  assert.deepEqual(texts(todoRows(many, en, 4)), [
    "  ✓ 3 done",
    "  ▸ doing 4",
    "  ○ do 5",
    "  … 3 more",
  ]);
});

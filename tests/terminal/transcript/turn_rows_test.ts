import assert from "node:assert/strict";
import { english, type T } from "../../../src/base/t.ts";
import type {
  AgentEvent,
  Carried,
  EventBody,
  Message,
  Session,
  Todo,
} from "../../../src/base/types.ts";
import { layRows } from "../../../src/terminal/markdown/lay.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { lineOf, type Look, type Row } from "../../../src/terminal/transcript/rows.ts";
import {
  noticeRows,
  recapRows,
  todoRows,
  turnEndRows,
} from "../../../src/terminal/transcript/turn_rows.ts";
import { chinese } from "../../support/chinese.ts";
import { fakeController } from "../fake_bus.ts";

const en: Look = { style: createStyle("none"), t: english, workspace: "/space" };
const zh: Look = { ...en, t: chinese };
const texts = (rows: readonly Row[]) => rows.map(lineOf);

function stamped<V extends EventBody>(body: V): AgentEvent & V {
  return { session: "s", turn: 1, time: "2026-01-01T00:00:00Z", ...body } as AgentEvent & V;
}

Deno.test("the end of a turn says what it used, and that a cost is unknown", () => {
  const end = (more = {}) =>
    stamped({
      type: "turn_end" as const,
      reason: "done" as const,
      iterations: 1,
      ms: 12_400,
      ...more,
    });
  const usage = { input: 12_345, output: 512, cached: 9_000, cost: 0.01234 };
  assert.deepEqual(texts(turnEndRows(end(), usage, en)), [
    "12.3k in · 512 out · 9.0k cached (73%) · $0.0123 · 12.4 s",
  ]);
  assert.deepEqual(texts(turnEndRows(end(), { ...usage, cached: 0, cost: null }, zh)), [
    "输入 12.3k · 输出 512 · 费用未知 · 12.4 s",
  ]);
  assert.deepEqual(texts(turnEndRows(end({ reason: "interrupted", prompt: "p" }), undefined, zh)), [
    "已中断",
    "本轮未完成，提问已放回输入行",
  ]);
  assert.deepEqual(turnEndRows(end({ reason: "command" }), usage, en), []);
});

Deno.test("a notice's table wraps behind its first column, a long word with its mark", () => {
  const text =
    "* some/very/long/model-name\n   1  20261120-abcd  a question of many words\nprose is not indented";
  const event = stamped({ type: "notice" as const, level: "warn" as const, text });
  assert.deepEqual(layRows(noticeRows(event, en), 24), [
    "* some/very/long/model-n",
    "  ame",
    "   1  20261120-abcd  a",
    "      question of many",
    "      words",
    "prose is not indented",
  ]);
});

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

const look: Look = { style: createStyle("none"), t: english, workspace: "/space" };

function recap(...messages: Message[]): string[] {
  const session: Session = { ...fakeController.current(), messages, turns: 3 };
  return recapRows(session, look).map(lineOf);
}

const question = (text: string): Message => ({ role: "user", text });
const answer = (text: string): Message => ({ role: "assistant", text, calls: [], thinking: [] });

Deno.test("the last question and the last words on it are told again", () => {
  const result: Message = { role: "tool", id: "1", name: "Read", ok: true, text: "secret" };
  assert.deepEqual(
    recap(
      question("一"),
      answer("old"),
      question("二"),
      answer("I look"),
      result,
      answer("好的\n\n完"),
    ),
    ["Resumed at turn 3. Last exchange:", "❯ 二", "  好的", "  ", "  完"],
  );
});

Deno.test("an empty session has nothing to tell, an unanswered question stands alone", () => {
  assert.deepEqual(recap(), []);
  assert.deepEqual(recap(answer("old"), question("and?")).slice(1), ["❯ and?"]);
});

Deno.test("a session that began with a summary says of which, and tells its words until it has own ones", () => {
  const carried: Carried = {
    parent: "20261120-old",
    title: "t",
    summary: "# Heading\n\nGoal: ports\nNext: test\n\n# Recorded\nfacts",
    written: 22,
    turns: 11,
    todos: [],
    changed: [],
    skills: [],
    prompts: ["一", "二"],
    cwd: "/",
    usage: fakeController.current().usage,
  };
  const tell = (more: Partial<Session>, t: T = english) =>
    recapRows({ ...fakeController.current(), carried, ...more }, { ...look, t }).map(lineOf);
  const from = "Continues session 20261120-old (11 turns, summed up); /undo-compact goes back";
  assert.deepEqual(tell({}), [from, "❯ 二", "  Goal: ports", "  Next: test"]);
  assert.deepEqual(tell({ messages: [question("三"), answer("好")], turns: 1 }), [
    from,
    "Resumed at turn 1. Last exchange:",
    "❯ 三",
    "  好",
  ]);
  assert.equal(
    tell({}, chinese)[0],
    "接着会话 20261120-old（11 轮，已压缩为总结）；/undo-compact 可回去",
  );
  const { turns: _, written: __, prompts: ___, ...older } = carried;
  assert.deepEqual(tell({ carried: older }).slice(0, 2), [
    "Continues session 20261120-old (summed up); /undo-compact goes back",
    "  Goal: ports",
  ]);
});

Deno.test("of a long exchange the question's begin and the answer's end are told", () => {
  const lines = (name: string) => Array.from({ length: 50 }, (_, n) => `${name} ${n}`).join("\n");
  const rows = recap(question(lines("q")), answer(lines("a")));
  assert.ok(rows.length <= 20);
  assert.equal(rows[1], "❯ q 0");
  assert.ok(rows[4]!.endsWith("q 3 …") && rows[5] === "  … a 36" && rows.at(-1) === "  a 49");
  const wide = recap(question("问".repeat(5000)), answer("😀".repeat(5000)));
  assert.ok(wide.join("").length < 1400 && wide.join("").isWellFormed());
});

Deno.test("what is told again cannot steer the terminal", () => {
  assert.ok(!recap(question("a\x1b[2J"), answer("\x1b]0;t\x07b")).join("").includes("\x1b"));
});

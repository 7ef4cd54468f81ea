import assert from "node:assert/strict";
import type { AgentEvent, Detail, EventBody, Json, Todo } from "../../src/types.ts";
import {
  aboutCall,
  addUsage,
  callText,
  count,
  duration,
  noticeRows,
  todoRows,
  toolEndRows,
  toolFullRows,
  turnEndRows,
} from "../../src/ui/render.ts";
import { layRows } from "../../src/ui/lay.ts";
import { lineOf, type Look, type Row } from "../../src/ui/rows.ts";
import { createStyle } from "../../src/ui/style.ts";

const en: Look = { style: createStyle("none"), lang: "en", workspace: "/space" };
const zh: Look = { ...en, lang: "zh" };
const texts = (rows: readonly Row[]) => rows.map(lineOf);

function stamped<T extends EventBody>(body: T): AgentEvent & T {
  return { session: "s", turn: 1, time: "2026-01-01T00:00:00Z", ...body } as AgentEvent & T;
}

function ended(
  name: string,
  input: Json,
  detail: Detail | undefined,
  more = {},
  look = en,
): string[] {
  const event = stamped({
    type: "tool_end" as const,
    id: "1",
    name,
    ok: true,
    text: "",
    ms: 2140,
    ...(detail ? { detail } : {}),
    ...more,
  });
  return texts(toolEndRows(event, called(name, input, look), look));
}

const called = (name: string, input: Json, look: Look) => ({
  text: callText(name, input, look),
  about: aboutCall(input, look.workspace).text,
});

function full(
  name: string,
  input: Json,
  detail: Detail | undefined,
  text = "",
  more = {},
): string[] | undefined {
  const event = { type: "tool_end" as const, id: "1", name, ok: true, text, ms: 2140 };
  const body = { ...stamped(event), ...detail ? { detail } : {}, ...more };
  const rows = toolFullRows(body, called(name, input, en), en);
  return rows && texts(rows);
}

Deno.test("a call reads as its tool and what it is about", () => {
  const of = (name: string, input: Json) => callText(name, input, en);
  assert.equal(of("Edit", { file_path: "/space/src/a.ts", old_string: "x" }), "Edit src/a.ts");
  assert.equal(of("Read", { file_path: "/etc/hosts" }), "Read /etc/hosts");
  assert.equal(of("Grep", { pattern: "foo", path: "/space/src" }), "Grep foo src");
  assert.equal(of("Bash", { command: "deno test\n  -A" }), "Bash deno test   -A");
  assert.equal(of("TodoWrite", { todos: [] }), "TodoWrite");
  assert.equal(of("mcp_x_y", { n: 1, what: "that" }), "mcp_x_y that");
  assert.equal(of("Bash", "{not json"), "Bash {not json");
  assert.equal(of("Bash", { command: "ls \x1b]0;evil\x07\x1b[2J" }), "Bash ls");
});

Deno.test("an outcome is one line", () => {
  assert.deepEqual(
    ended("Bash", { command: "deno test" }, { kind: "command", exit: 0 }),
    ["● Bash deno test · 2.1 s · exit 0"],
  );
  assert.deepEqual(
    ended("Bash", { command: "deno test" }, { kind: "command", exit: 0 }, {}, zh),
    ["● Bash deno test · 2.1 s · 退出码 0"],
  );
  assert.deepEqual(
    ended("Read", { file_path: "/space/a" }, { kind: "lines", count: 120 }),
    ["● Read a · 120 lines"],
  );
  assert.deepEqual(
    ended("Grep", { pattern: "x" }, { kind: "matches", count: 12, files: 3 }),
    ["● Grep x · 12 matches in 3 files"],
  );
  assert.deepEqual(
    ended("Grep", { pattern: "x" }, { kind: "matches", count: 1, files: 1 }),
    ["● Grep x · 1 match in 1 file"],
  );
  assert.deepEqual(
    ended("WebFetch", { url: "https://a.b" }, { kind: "page", url: "https://a.b", bytes: 12_300 }),
    ["● WebFetch https://a.b · 12.3kB"],
  );
  assert.deepEqual(ended("TodoWrite", { todos: [] }, { kind: "todos", todos: [] }), []);
});

Deno.test("a command stopped by the user says so, one killed by a signal names it", () => {
  assert.deepEqual(
    ended("Bash", { command: "yes" }, { kind: "command", exit: null }),
    ["● Bash yes · 2.1 s · interrupted"],
  );
  assert.deepEqual(
    ended("Bash", { command: "x" }, { kind: "command", exit: null, signal: "SIGSEGV" }),
    ["● Bash x · 2.1 s · killed by SIGSEGV"],
  );
});

Deno.test("a failed command shows the end of its output, a failed call its first line", () => {
  const output = Array.from({ length: 9 }, (_, i) => `line ${i}`).join("\n") + "\n";
  assert.deepEqual(
    ended("Bash", { command: "x" }, { kind: "command", exit: 2, output }, { ok: false }),
    ["● Bash x · 2.1 s · exit 2", "  … 4 more", ...[4, 5, 6, 7, 8].map((i) => `  line ${i}`)],
  );
  assert.deepEqual(
    ended("Bash", { command: "x" }, { kind: "command", exit: null, timedOut: true }),
    ["● Bash x · 2.1 s · timed out"],
  );
  assert.deepEqual(
    ended("Edit", { file_path: "/space/a" }, undefined, {
      ok: false,
      text: "\nNo match.\nRead it.",
    }),
    ["● Edit a · 2.1 s", "  No match."],
  );
});

Deno.test("an edit shows its diff, at most twenty lines of it, and the rest on demand", () => {
  const diff = (lines: number): Detail => ({
    kind: "diff",
    path: "/space/a",
    added: lines,
    removed: 1,
    diff: "@@ -9,1 +9 @@\n-old\n" + Array.from({ length: lines }, (_, i) => `+new ${i}`).join("\n"),
  });
  assert.deepEqual(ended("Edit", { file_path: "/space/a" }, diff(1)), [
    "● Edit a +1 −1",
    "  9 - old",
    "  9 + new 0",
  ]);
  const input = { file_path: "/space/a" };
  const long = ended("Edit", input, diff(40));
  assert.equal(long.length, 22);
  assert.equal(long.at(-1), "  … 21 more");
  const screen = { ...en, keys: true };
  assert.equal(ended("Edit", input, diff(40), {}, screen).at(-1), "  … 21 more · ctrl-o shows all");
  assert.equal(full("Edit", input, diff(40))?.length, 42);
  assert.equal(full("Edit", input, diff(1)), undefined);
});

Deno.test("what a call has brought is shown in full on demand", () => {
  const output = "one\n\x1b[31mtwo\n\n";
  const command = (exit: number): Detail => ({ kind: "command", exit, output });
  assert.deepEqual(full("Bash", { command: "x" }, command(0)), [
    "● Bash x · 2.1 s · exit 0 · 2 lines of output",
    "  one",
    "  two",
  ]);
  assert.deepEqual(full("Grep", { pattern: "x" }, { kind: "matches", count: 1, files: 1 }, "a:1"), [
    "● Grep x · 1 match in 1 file",
    "  a:1",
  ]);
  assert.equal(full("Bash", { command: "x" }, { kind: "command", exit: 0, output: "" }), undefined);
});

Deno.test("what was shown whole is not folded", () => {
  const output = (lines: number) => "line\n".repeat(lines);
  const failed = (lines: number): Detail => ({ kind: "command", exit: 1, output: output(lines) });
  const of = (detail: Detail | undefined, more = {}, text = "") =>
    full("Bash", { command: "x" }, detail, text, more);
  assert.equal(of(failed(5), { ok: false }), undefined);
  assert.equal(of(failed(6), { ok: false })?.length, 7);
  const own = (lines: number): Detail => ({ kind: "command", exit: 0, output: output(lines) });
  assert.equal(of(own(60), { turn: 0 }), undefined);
  assert.equal(of(own(61), { turn: 0 })?.length, 62);
  assert.equal(of(undefined, { ok: false }, "Not run: no."), undefined);
});

Deno.test("a command too long for its row stands in full above its output", () => {
  const none: Detail = { kind: "command", exit: 0, output: "" };
  assert.deepEqual(full("Bash", { command: "cat <<E\n\x1b[2Jone\nE" }, none), [
    "● Bash cat <<E one E · 2.1 s · exit 0",
    "  │ cat <<E",
    "  │ one",
    "  │ E",
  ]);
  const command = "echo " + "word ".repeat(100) + "end";
  const failed: Detail = { kind: "command", exit: 1, output: "no\n" };
  const rows = full("Bash", { command }, failed, "", { ok: false });
  assert.deepEqual(rows?.slice(1), ["  │ " + command, "  no"]);
  assert.equal(
    full("Bash", { command }, none, "", { turn: 0 }),
    undefined,
    "the user's line stands",
  );
});

Deno.test("a row that leaves something out names the key that shows it", () => {
  const screen = { ...en, keys: true };
  const of = (name: string, input: Json, detail: Detail, more = {}) =>
    ended(name, input, detail, more, screen);
  const done: Detail = { kind: "command", exit: 0, output: "a\nb\n" };
  assert.deepEqual(of("Bash", { command: "x" }, done), [
    "● Bash x · 2.1 s · exit 0 · 2 lines of output · ctrl-o",
  ]);
  assert.deepEqual(of("Bash", { command: "x" }, { kind: "command", exit: 0, output: "" }), [
    "● Bash x · 2.1 s · exit 0",
  ]);
  assert.deepEqual(
    of("Read", { file_path: "/space/a" }, { kind: "lines", count: 2 }, { text: "1 a" }),
    ["● Read a · 2 lines · ctrl-o"],
  );
  const failed: Detail = { kind: "command", exit: 1, output: "x\n".repeat(9) };
  assert.equal(of("Bash", { command: "x" }, failed, { ok: false })[0], "● Bash x · 2.1 s · exit 1");
});

Deno.test("a flood counts all of its lines, not those that were kept", () => {
  const flood: Detail = { kind: "command", exit: 0, output: "y\n".repeat(70), lines: 200_000 };
  assert.deepEqual(ended("Bash", { command: "x" }, flood), [
    "● Bash x · 2.1 s · exit 0 · 200000 lines of output",
  ]);
  assert.equal(ended("Bash", { command: "x" }, flood, { turn: 0 })[1], "  … 199940 more");
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
    "12.3k in · 512 out · 9.0k cached · $0.0123 · 12.4 s",
  ]);
  assert.deepEqual(texts(turnEndRows(end(), { ...usage, cached: 0, cost: null }, zh)), [
    "输入 12.3k · 输出 512 · 费用未知 · 12.4 s",
  ]);
  assert.deepEqual(texts(turnEndRows(end({ reason: "interrupted", prompt: "p" }), undefined, zh)), [
    "已中断",
    "这次提问没有得到回答，已交还给你",
  ]);
  assert.deepEqual(turnEndRows(end({ reason: "command" }), usage, en), []);
});

Deno.test("a call that is cut short does not end in half a character", () => {
  for (let n = 196; n < 202; n++) {
    const text = callText("Bash", { command: "a".repeat(n) + "👍👍👍👍👍" }, en);
    assert.ok(text.isWellFormed() && !text.includes("\ufffd"), text);
  }
});

Deno.test("usage adds up, and a cost once unknown stays unknown", () => {
  const one = { input: 10, output: 2, cached: 1, cost: 0.5 };
  assert.deepEqual(addUsage(undefined, one), one);
  assert.deepEqual(addUsage(one, one), { input: 20, output: 4, cached: 2, cost: 1 });
  assert.equal(addUsage({ ...one, cost: null }, one).cost, null);
});

Deno.test("durations and counts read well at their borders", () => {
  assert.deepEqual([0, 49, 59_949, 59_950, 185_000].map(duration), [
    "0.0 s",
    "0.0 s",
    "59.9 s",
    "1 min 00 s",
    "3 min 05 s",
  ]);
  assert.deepEqual([0, 999, 1000, 999_949, 999_950].map(count), [
    "0",
    "999",
    "1.0k",
    "999.9k",
    "1.0M",
  ]);
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

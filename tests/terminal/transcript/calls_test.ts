import fc from "fast-check";
import assert from "node:assert/strict";
import { aboutCall } from "../../../src/base/about_call.ts";
import { english } from "../../../src/base/t.ts";
import type { AgentEvent, Detail, EventBody, Json } from "../../../src/base/types.ts";
import { unifiedDiff } from "../../../src/files/edit/diff.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import {
  callText,
  diffRows,
  Folds,
  toolEndRows,
  toolFullRows,
  wholeCall,
  wordDiff,
} from "../../../src/terminal/transcript/calls.ts";
import { lineOf, type Look, type Row } from "../../../src/terminal/transcript/rows.ts";
import { chinese } from "../../support/chinese.ts";
import { threadMs } from "../../support/processes.ts";

const en: Look = { style: createStyle("none"), t: english, workspace: "/space" };

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

Deno.test("a call that is cut short does not end in half a character", () => {
  for (let n = 196; n < 202; n++) {
    const text = callText("Bash", { command: "a".repeat(n) + "👍👍👍👍👍" }, en);
    assert.ok(text.isWellFormed() && !text.includes("\ufffd"), text);
  }
});

Deno.test("calls of agents, teams, plans and servers read well", () => {
  const look: Look = { ...en, servers: () => ["my", "my server", "other"] };
  const of = (name: string, input: Json) => callText(name, input, look);
  assert.equal(of("Spawn", { task: "find the bug\nin all", label: "bug" }), "Spawn bug");
  assert.equal(of("Spawn", { task: "find it" }), "Spawn find it");
  assert.equal(of("Plan", { steps: ["a", "b"] }), "Plan 2 steps");
  const members = [{ name: "ann", role: "x" }, { name: "bob", role: "y" }];
  assert.equal(of("Team", { action: "create", members }), "Team create ann, bob");
  assert.equal(of("Team", { action: "send", to: "ann", text: "hi" }), "Team → ann: hi");
  assert.equal(of("Team", { action: "broadcast", text: "hi" }), "Team broadcast: hi");
  assert.equal(of("Send", { to: "bob", text: "hi" }), "Send → bob: hi");
  assert.equal(of("mcp_my_server_read_file", { path: "/space/a" }), "my server · read_file a");
  assert.equal(of("mcp_my_get", { id: 1 }), "my · get");
  assert.equal(of("mcp_gone_get", {}), "mcp_gone_get");
  assert.equal(wholeCall("Spawn", { task: "a\nb", label: "c" }, look), "a\nb");
  assert.equal(wholeCall("Plan", { steps: ["a", "b"] }, look), "1. a\n2. b");
});

const zh: Look = { ...en, t: chinese };
const texts = (rows: readonly Row[]) => rows.map(lineOf);

function stamped<V extends EventBody>(body: V): AgentEvent & V {
  return { session: "s", turn: 1, time: "2026-01-01T00:00:00Z", ...body } as AgentEvent & V;
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
    ["✗ Bash yes · 2.1 s · interrupted"],
  );
  assert.deepEqual(
    ended("Bash", { command: "x" }, { kind: "command", exit: null, signal: "SIGSEGV" }),
    ["✗ Bash x · 2.1 s · killed by SIGSEGV"],
  );
});

Deno.test("a failed command shows the end of its output, a failed call its first line", () => {
  const output = Array.from({ length: 9 }, (_, i) => `line ${i}`).join("\n") + "\n";
  assert.deepEqual(
    ended("Bash", { command: "x" }, { kind: "command", exit: 2, output }, { ok: false }),
    ["✗ Bash x · 2.1 s · exit 2", "  … 4 more", ...[4, 5, 6, 7, 8].map((i) => `  line ${i}`)],
  );
  assert.deepEqual(
    ended("Bash", { command: "x" }, { kind: "command", exit: null, timedOut: true }),
    ["✗ Bash x · 2.1 s · timed out"],
  );
  assert.deepEqual(
    ended("Edit", { file_path: "/space/a" }, undefined, {
      ok: false,
      text: "\nNo match.\nRead it.",
    }),
    ["✗ Edit a · 2.1 s", "  No match."],
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
  assert.equal(of("Bash", { command: "x" }, failed, { ok: false })[0], "✗ Bash x · 2.1 s · exit 1");
});

Deno.test("a flood counts all of its lines, not those that were kept", () => {
  const flood: Detail = { kind: "command", exit: 0, output: "y\n".repeat(70), lines: 200_000 };
  assert.deepEqual(ended("Bash", { command: "x" }, flood), [
    "● Bash x · 2.1 s · exit 0 · 200000 lines of output",
  ]);
  assert.equal(ended("Bash", { command: "x" }, flood, { turn: 0 })[1], "  … 199940 more");
});

Deno.test("what came of a command besides is shown under it, also when it went well", () => {
  const note = "[trash] What is deleted can be brought back\nsecond";
  const command = { command: "rm a" };
  assert.deepEqual(
    ended("Bash", command, { kind: "command", exit: 0, output: "out", note }),
    [
      "● Bash rm a · 2.1 s · exit 0 · 1 line of output",
      "  [trash] What is deleted can be brought back",
      "  second",
    ],
  );
  const failed = ended(
    "Bash",
    command,
    { kind: "command", exit: 1, output: "bad", note },
    { ok: false },
  );
  assert.deepEqual(failed.slice(-3), [
    "  bad",
    "  [trash] What is deleted can be brought back",
    "  second",
  ]);
});

type ToolEnd = Extract<AgentEvent, { type: "tool_end" }>;

const look: Look = { style: createStyle("none"), t: english, workspace: "/space", keys: true };
const stamp = { session: "s", turn: 1, time: "2026-01-01T00:00:00Z" };

function read(text: string): ToolEnd {
  return { type: "tool_end", id: "1", name: "Read", ok: true, text, ms: 1, ...stamp };
}

Deno.test("folded output opens from the newest to the oldest and round again", () => {
  const folds = new Folds(look);
  const call = { text: "Read a", about: "a" };
  const opened = () => folds.open()?.map(lineOf).slice(1).join();
  assert.equal(opened(), undefined);
  folds.keep(read(""), call);
  assert.equal(opened(), undefined, "nothing was folded");
  folds.keep(read("one"), call);
  assert.deepEqual([opened(), opened()], ["  one", "  one"]);
  folds.keep(read("two"), call);
  assert.deepEqual([opened(), opened(), opened()], ["  two", "  one", "  two"]);
  folds.keep(read("three"), call);
  assert.equal(opened(), "  three", "a new one comes first");
});

const diffLook: Look = { style: createStyle("none"), t: english, workspace: "/space" };
/** Marks changed words. */
const marked: Look = { ...diffLook, style: { ...diffLook.style, inverse: (text) => `[${text}]` } };

const rows = (diff: string, how = marked) => diffRows(diff, how).map(lineOf);

Deno.test("a diff has the number of each line, its sign, and the words that changed", () => {
  const before = "a\nb\nconst total = sum(list, 1);\nc\nd\n";
  const after = "a\nb\nconst total = sum(items, 2);\nc\nnew\nd\n";
  assert.deepEqual(rows(unifiedDiff(before, after).diff), [
    "  1   a",
    "  2   b",
    "  3 - const total = sum([list], [1]);",
    "  3 + const total = sum([items], [2]);",
    "  4   c",
    "  5 + new",
    "  6   d",
  ]);
});

Deno.test("lines that have little in common, or no plain partner, are not compared", () => {
  assert.deepEqual(rows("@@ -1 +1 @@\n-import one;\n+return 2 + two();"), [
    "  1 - import one;",
    "  1 + return 2 + two();",
  ]);
  assert.deepEqual(rows("@@ -1,2 +1 @@\n-call(one);\n-call(two);\n+call(three);"), [
    "  1 - call(one);",
    "  2 - call(two);",
    "  1 + call(three);",
  ]);
});

Deno.test("hunks are parted, numbers stand under one another, odd lines do no harm", () => {
  const diff =
    "@@ -9 +9 @@\n-x1 y z\n+x2 y z\n\\ No newline at end of file\n@@ -100,0 +101 @@\n+中\x1b[2J文\n…";
  assert.deepEqual(rows(diff), [
    "    9 - [x1] y z",
    "    9 + [x2] y z",
    "    ⋮",
    "  101 + 中文",
  ]);
  assert.deepEqual(rows(""), []);
  const colour = { ...diffLook, style: createStyle("color") };
  assert.equal(
    rows("@@ -1 +1 @@\n+a", colour)[0],
    "\x1b[2m  1 \x1b[22m\x1b[32m+ \x1b[39m\x1b[32ma\x1b[39m",
  );
});

Deno.test("kept and changed words together are the lines, whatever they are", () => {
  const line = fc.array(fc.constantFrom("a", "bc", " ", "(", "中", "😀", ".", "  "), {
    maxLength: 30,
  })
    .map((parts) => parts.join(""));
  fc.assert(fc.property(line, line, (before, after) => {
    const found = wordDiff(before, after);
    if (found === undefined) return;
    const text = (side: 0 | 1) => found[side].map((span) => span.text).join("");
    assert.equal(text(0), before);
    assert.equal(text(1), after);
    const kept = (side: 0 | 1) =>
      found[side].filter((span) => !span.changed).map((span) => span.text);
    assert.equal(kept(0).join(""), kept(1).join(""));
  }));
});

Deno.test("a huge line is compared at its ends only, in linear time", () => {
  const words = (mark: string) => "begin " + `${mark} word `.repeat(50_000) + "end";
  const began = threadMs();
  const found = wordDiff(words("a"), words("b"));
  assert.ok(threadMs() - began < 2000);
  assert.equal(found, undefined);
  const near = wordDiff("x ".repeat(50_000) + "a", "x ".repeat(50_000) + "b")!;
  assert.deepEqual(near[1].at(-1), { text: "b", changed: true });
});

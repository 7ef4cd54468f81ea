import { english, type T } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import type { Carried, Message, Session } from "../../../src/base/types.ts";
import { recapRows } from "../../../src/terminal/transcript/recap.ts";
import { lineOf, type Look } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { fakeDesk } from "../fake_bus.ts";

const look: Look = { style: createStyle("none"), t: english, workspace: "/space" };

function recap(...messages: Message[]): string[] {
  const session: Session = { ...fakeDesk.current(), messages, turns: 3 };
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
    usage: fakeDesk.current().usage,
  };
  const tell = (more: Partial<Session>, t: T = english) =>
    recapRows({ ...fakeDesk.current(), carried, ...more }, { ...look, t }).map(lineOf);
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

import assert from "node:assert/strict";
import { createHistory } from "../../src/session/history.ts";
import { previousContext, taskNotes } from "../../src/session/task_notes.ts";
import { HOST_MARK } from "../../src/base/t.ts";
import type { Message } from "../../src/base/types.ts";

const user = (text: string): Message => ({ role: "user", text });
const answer = (text: string, ...names: string[]): Message => ({
  role: "assistant",
  text,
  calls: names.map((name) => ({ id: name, name, input: "{}" })),
  thinking: [],
});
const result = (name: string): Message => ({ role: "tool", id: name, name, ok: true, text: "r" });

Deno.test("a note has what was asked, with what joined it, and what came out at last", () => {
  const notes = taskNotes([
    user("mend\nthe test"),
    user(`${HOST_MARK} a file`),
    answer("Looking.", "Read"),
    result("Read"),
    user("and quickly"),
    answer("It is mended."),
    user("thanks"),
    answer("", "Bash"),
    result("Bash"),
    user("never answered"),
  ]);
  assert.equal(
    notes,
    "**Task:** mend the test / and quickly\n**Result:** It is mended.\n" +
      "**Task:** thanks / never answered\n**Result:** …",
  );
  assert.equal(taskNotes([user("nobody answered")]), "");
  assert.equal(taskNotes([]), "");
});

Deno.test("of very many questions the newest are noted, and long ones shortened", () => {
  const notes = taskNotes(
    Array.from({ length: 200 }, (_, n) => [user(`${n} ${"q".repeat(999)}`), answer(`a${n}`)])
      .flat(),
  );
  assert.ok(notes.length <= 16_000 && notes.length > 10_000, String(notes.length));
  assert.match(notes, /a199$/);
});

Deno.test("the previous context is the last 50 lines, without those of the session itself", () => {
  const history = createHistory(undefined, () => new Date("2026-11-20T08:00:00Z"));
  for (let n = 0; n < 40; n++) history.append(`**Task:** t${n}\n**Result:** r${n}`, `s${n}`);
  const lines = previousContext(history).split("\n");
  assert.ok(lines.length <= 50 && lines.length > 47, `${lines.length}`);
  assert.equal(lines[0], "## 2026-11-20 08:00");
  assert.deepEqual(lines.slice(-3), ["## 2026-11-20 08:00", "**Task:** t39", "**Result:** r39"]);
  assert.doesNotMatch(previousContext(history, ["s39"]), /t39/);
  history.append("x".repeat(20_000), "s");
  assert.ok(previousContext(history).length < 7_000);
  assert.equal(previousContext(createHistory(undefined, () => new Date())), "");
});

Deno.test("one long session does not fill the previous context, and where it begins is clear", () => {
  const history = createHistory(undefined, () => new Date("2026-11-20T08:00:00Z"));
  history.append("**Task:** before\n**Result:** b", "a");
  const pairs = Array.from({ length: 110 }, (_, n) => `**Task:** t${n}\n**Result:** r${n}`);
  history.append(pairs.join("\n"), "b");
  history.append("**Task:** after\n**Result:** a", "c");
  const lines = previousContext(history).split("\n");
  assert.deepEqual(lines.slice(0, 3), [
    "## 2026-11-20 08:00",
    "**Task:** before",
    "**Result:** b",
  ]);
  const [head, mark, first] = lines.slice(3, 6);
  assert.equal(head, "## 2026-11-20 08:00");
  assert.equal(mark, "(200 earlier lines: .narnat/memory/history.jsonl)");
  assert.equal(first, "**Task:** t100");
  assert.deepEqual(lines.slice(-4), [
    "**Result:** r109",
    "## 2026-11-20 08:00",
    "**Task:** after",
    "**Result:** a",
  ]);
});

import { english } from "../../../../src/base/t.ts";
import assert from "node:assert/strict";
import { rewind } from "../../../../src/features/undo/restore/rewind_command.ts";
import { turnLine } from "../../../../src/features/undo/text.ts";
import { CHANGED, previewOf, undoDesk } from "../undo_desk.ts";

Deno.test("/rewind asks which turn and what, and restores its files", async () => {
  const { desk, asked } = undoDesk(previewOf({}), { turn: "t3", what: "files" });
  const text = await rewind.run("", desk);
  assert.deepEqual(asked.slice(0, 4), [
    "ask: Rewind to before which turn?",
    "preview undo t3 of this session",
    "ask: Undo what the last turn did to files?",
    "restore p1: ",
  ]);
  assert.match(text, /^Reverted 1 file/);
});

Deno.test("a turn's line has room for its time on eighty columns, whatever its text", () => {
  for (
    const [text, columns] of [["words ".repeat(40), 1], ["一段很长的中文".repeat(20), 2]] as const
  ) {
    const line = turnLine({ ...CHANGED, turn: 120, text }, english);
    const inner = line.slice(line.indexOf("“") + 1, line.indexOf("…"));
    assert.ok(inner.length * columns <= 36 && inner.length * columns > 30, line);
    assert.match(line, / \d\d:\d\d$/);
  }
});

Deno.test("/rewind asks for the conversation only where a turn of this session has one", async () => {
  const { desk, asked, session } = undoDesk(previewOf({}), { turn: "t3", what: "both" });
  session.append({ role: "user", text: "fix the parser" }, { asked: true });
  const turns = [{ ...CHANGED, session: session.id }];
  Object.assign(desk.checkpoints, { turns: () => Promise.resolve(turns) });
  await rewind.run("", desk);
  assert.deepEqual(asked.slice(0, 2), ["ask: Rewind to before which turn?", "ask: Restore what?"]);
  assert.equal(asked.at(-1), "back 0");
  const choices = await rewind.complete!(desk);
  assert.deepEqual(choices.map(({ value }) => value), ["1 files", "1 conversation", "1 both"]);
});

Deno.test("/rewind n conversation goes back in it alone, both after the files", async () => {
  for (const what of ["conversation", "both"]) {
    const own = undoDesk(previewOf({}));
    const turns = [{ ...CHANGED, session: own.session.id }];
    const { desk, asked, session } = undoDesk(previewOf({}), true, [], turns);
    session.append({ role: "user", text: "fix the parser" }, { asked: true });
    await rewind.run(`1 ${what}`, desk);
    assert.equal(asked.at(-1), "back 0");
    assert.equal(asked.includes("restore p1: "), what === "both");
    assert.equal(session.messages.length, 1, "who goes back needs no note");
  }
});

Deno.test("a No to the files leaves the conversation too", async () => {
  const { desk, asked, session } = undoDesk(previewOf({}), false);
  session.append({ role: "user", text: "x" }, { asked: true });
  const turns = [{ ...CHANGED, session: session.id }];
  Object.assign(desk.checkpoints, { turns: () => Promise.resolve(turns) });
  assert.match(await rewind.run("1 both", desk), /Nothing was undone/);
  assert.ok(!asked.includes("back 0"));
});

Deno.test("the conversation of another session cannot be gone back to", async () => {
  const { desk } = undoDesk(previewOf({}));
  await assert.rejects(async () => await rewind.run("1 both", desk), /prompt of this session/);
});

Deno.test("/rewind refuses a number or a word it does not know, and offers those it does", async () => {
  const { desk } = undoDesk(previewOf({}));
  for (const wrong of ["0", "2", "x", "1 everything"]) {
    await assert.rejects(async () => await rewind.run(wrong, desk), /1 to 1/);
  }
  const choices = await rewind.complete!(desk);
  assert.deepEqual(choices.map(({ value }) => value), ["1 files"]);
  const none = undoDesk(previewOf({}), true, [], [{ ...CHANGED, undone: true }]);
  await assert.rejects(async () => await rewind.run("", none.desk), /Nothing to undo/);
});

import assert from "node:assert/strict";
import { english } from "../../../src/base/t.ts";
import { redo, rewind, undo } from "../../../src/features/undo/command.ts";
import {
  askText,
  outcomeText,
  previewText,
  turnLine,
  turnTable,
} from "../../../src/features/undo/answer.ts";
import { chinese } from "../../support/chinese.ts";
import { CHANGED, previewOf, undoController } from "./undo_controller.ts";

Deno.test("/undo shows what it will do, asks, does it, and tells the model", async () => {
  const { controller, asked } = undoController(previewOf({}));
  const text = await undo.run("", controller);
  assert.deepEqual(asked, [
    "preview undo 1 of this session",
    "ask: Undo what the last turn did to files?",
    "restore p1: ",
    "note The user has undone what turn 3 did to files; these paths are as they were before it: src/a.ts",
  ]);
  assert.match(text, /^Reverted 1 file\. \/redo restores the changes$/);
});

Deno.test("/undo n takes several turns back, and refuses what is no number", async () => {
  const { controller, asked } = undoController(previewOf({}));
  await undo.run("2", controller);
  assert.equal(asked[0], "preview undo 2 of this session");
  for (const wrong of ["0", "-1", "x", "1.5"]) {
    await assert.rejects(async () => await undo.run(wrong, controller), /How many turns/);
  }
});

Deno.test("a No undoes nothing", async () => {
  const { controller, asked, session } = undoController(previewOf({}), false);
  assert.match(await undo.run("", controller), /Nothing was undone/);
  assert.equal(asked.length, 2);
  assert.equal(session.messages.length, 0);
});

Deno.test("conflicts stay unless the answer names them", async () => {
  const conflicts = [{ path: "b", does: "change" }, { path: "c", does: "delete" }] as const;
  const { controller, asked } = undoController(previewOf({ conflicts }), { overwrite: ["c"] });
  await undo.run("", controller);
  assert.deepEqual(asked.at(-2), "restore p1: c");
  const yes = undoController(previewOf({ conflicts }));
  await undo.run("", yes.controller);
  assert.deepEqual(yes.asked.at(-2), "restore p1: ");
});

Deno.test("/redo brings back what was undone, and what could not be is told with why", async () => {
  const { controller, asked } = undoController(previewOf({ what: "redo" }), true, [
    { path: "d", why: "not_empty" },
    { path: "e", why: "EACCES" },
  ]);
  const text = await redo.run("", controller);
  assert.equal(asked[0], "preview redo undefined of this session");
  assert.match(
    text,
    /^Restored the changes of 1 file\nNot restored:\n {2}d: the folder holds other files\n {2}e: EACCES$/,
  );
});

Deno.test("a preview names paths, lines and sizes, conflicts, what is not covered, and another narnat", () => {
  const text = previewText(
    previewOf({
      rows: [
        { path: "src/a.ts", does: "change", added: 3, removed: 1, from: 10, to: 90 },
        { path: "pic.png", does: "create", to: 2048 },
        { path: "new\u001b[31m\n.txt", does: "delete", from: 1, added: 0, removed: 1 },
        { path: "dir", does: "delete", folder: true },
        { path: "x.sh", does: "mode", modes: [0o755, 0o644] },
      ],
      conflicts: [{ path: "b", does: "change", added: 1, removed: 1 }],
      fixed: ["huge.bin"],
      uncovered: [
        { path: "node_modules", why: "rule", touched: true },
        { path: "dist", why: "ignored" },
      ],
      others: true,
    }),
    english,
  );
  assert.match(text, /^turn 3 “fix the parser” 2026-/);
  assert.match(text, /~ src\/a\.ts +change +\+3 −1 lines\n/);
  assert.match(text, /\+ pic\.png +restore +2\.0 KB\n/);
  assert.match(text, /- new�\[31m␊\.txt +delete +\+0 −1 lines\n/);
  assert.match(text, /m x\.sh +change the mode +755 → 644\n/);
  assert.match(text, /- dir\/ +delete +folder\n/);
  assert.match(text, /Changed by others since; they stay as they are:\n {2}~ b /);
  assert.match(text, /Too large to be kept first, they stay as they are: huge\.bin\n/);
  assert.match(
    text,
    /Not reverted:\n {2}node_modules \(generated\)\n/,
  );
  assert.match(text, /Not covered: dist \(ignored by git\)\n/);
  assert.match(text, /Another narnat worked here/);
});

Deno.test("many rows are cut, and how many is said", () => {
  const rows = Array.from({ length: 100 }, (_, i) => ({ path: `f${i}`, does: "delete" } as const));
  const text = previewText(previewOf({ rows }), chinese);
  assert.ok(text.includes("… 另有 60 个"));
  assert.ok(text.split("\n").length < 50);
});

Deno.test("turns of several sessions are listed with the session of each", () => {
  const other = { ...CHANGED, session: "20261122-164600-zzzz" };
  assert.match(
    turnTable([CHANGED, other], english),
    / {2}turn 3 .* s\n[^]*turn 3 .* 20261122-164600-zzzz/,
  );
  assert.ok(!turnTable([other, other], english).includes("zzzz"));
});

Deno.test("a preview in which all is in the way does not say that the files are as they were", () => {
  const row = { path: "a.txt", does: "change" } as const;
  const text = previewText(previewOf({ rows: [], conflicts: [row] }), english);
  assert.ok(!text.includes("as they were then"), text);
  assert.match(text, /Changed by others since/);
  const outcome = outcomeText(previewOf({}), { paths: [], failed: [], kept: [] }, english);
  assert.equal(outcome, "Nothing was changed");
});

Deno.test("what others have changed is not said to stay where all of it is overwritten", () => {
  const preview = previewOf({ rows: [], conflicts: [{ path: "a.txt", does: "change" }] });
  const text = previewText(preview, english, undefined, true);
  assert.match(text, /they are overwritten[^]*~ a\.txt/);
  assert.ok(!/stay as they are/.test(text), text);
});

Deno.test("conflicts that stay are in the result, with the way to overwrite them", () => {
  const part = { paths: ["b"], failed: [], kept: ["a.txt"] };
  const none = { ...part, paths: [] };
  const said = (preview: Parameters<typeof outcomeText>[0], outcome = part, shell = false) =>
    outcomeText(preview, outcome, english, shell).split("To overwrite them: ")[1];
  const redone = previewOf({ what: "redo", turns: [CHANGED, CHANGED] });
  assert.match(
    outcomeText(previewOf({}), part, english),
    /^Reverted 1 file.*\n.*left as they are: a\.txt/,
  );
  assert.equal(said(previewOf({})), "/redo → /undo");
  assert.equal(said(previewOf({}), none), "/undo");
  assert.equal(said(redone), "/undo 2 → /redo");
  assert.equal(said(previewOf({}), part, true), "narnat undo --redo → narnat undo --overwrite");
  assert.equal(said(redone, none, true), "narnat undo --redo --overwrite");
});

Deno.test("a redo that was cut off is not called an undo", () => {
  assert.match(askText(previewOf({ what: "redo", rest: true }), english), /Finish the redo/);
  assert.match(askText(previewOf({ rest: true }), english), /Finish the undo/);
});

Deno.test("the list of turns tells of all paths how many there are", () => {
  const paths = Array.from({ length: 200 }, (_, i) => `f${i}`);
  assert.match(turnTable([{ ...CHANGED, paths, more: 9800 }], english), /f7, … and 9992 more$/);
});

Deno.test("the list of turns numbers from the newest those that can be undone", () => {
  const turns = [CHANGED, { ...CHANGED, turn: 2, undone: true, interrupted: true }, CHANGED];
  const text = turnTable(turns, english);
  assert.match(
    text,
    /^ {2}1 {2}turn 3 .*\n {5}1 created, 2 changed, 0 deleted: src\/a\.ts\n {2}- {2}turn 2 [^]*\n {2}2 {2}turn 3/,
  );
  assert.match(text, /killed.*\(undone\)/);
});

Deno.test("/rewind asks which turn and what, and restores its files", async () => {
  const { controller, asked } = undoController(previewOf({}), { turn: "t3", what: "files" });
  const text = await rewind.run("", controller);
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
  const { controller, asked, session } = undoController(previewOf({}), {
    turn: "t3",
    what: "both",
  });
  session.append({ role: "user", text: "fix the parser" }, { asked: true });
  const turns = [{ ...CHANGED, session: session.id }];
  Object.assign(controller.checkpoints, { turns: () => Promise.resolve(turns) });
  await rewind.run("", controller);
  assert.deepEqual(asked.slice(0, 2), ["ask: Rewind to before which turn?", "ask: Restore what?"]);
  assert.equal(asked.at(-1), "back 0");
  const choices = await rewind.complete!(controller);
  assert.deepEqual(choices.map(({ value }) => value), ["1 files", "1 conversation", "1 both"]);
});

Deno.test("/rewind n conversation goes back in it alone, both after the files", async () => {
  for (const what of ["conversation", "both"]) {
    const own = undoController(previewOf({}));
    const turns = [{ ...CHANGED, session: own.session.id }];
    const { controller, asked, session } = undoController(previewOf({}), true, [], turns);
    session.append({ role: "user", text: "fix the parser" }, { asked: true });
    await rewind.run(`1 ${what}`, controller);
    assert.equal(asked.at(-1), "back 0");
    assert.equal(asked.includes("restore p1: "), what === "both");
    assert.equal(session.messages.length, 1, "who goes back needs no note");
  }
});

Deno.test("a No to the files leaves the conversation too", async () => {
  const { controller, asked, session } = undoController(previewOf({}), false);
  session.append({ role: "user", text: "x" }, { asked: true });
  const turns = [{ ...CHANGED, session: session.id }];
  Object.assign(controller.checkpoints, { turns: () => Promise.resolve(turns) });
  assert.match(await rewind.run("1 both", controller), /Nothing was undone/);
  assert.ok(!asked.includes("back 0"));
});

Deno.test("the conversation of another session cannot be gone back to", async () => {
  const { controller } = undoController(previewOf({}));
  await assert.rejects(
    async () => await rewind.run("1 both", controller),
    /prompt of this session/,
  );
});

Deno.test("/rewind refuses a number or a word it does not know, and offers those it does", async () => {
  const { controller } = undoController(previewOf({}));
  for (const wrong of ["0", "2", "x", "1 everything"]) {
    await assert.rejects(async () => await rewind.run(wrong, controller), /1 to 1/);
  }
  const choices = await rewind.complete!(controller);
  assert.deepEqual(choices.map(({ value }) => value), ["1 files"]);
  const none = undoController(previewOf({}), true, [], [{ ...CHANGED, undone: true }]);
  await assert.rejects(async () => await rewind.run("", none.controller), /Nothing to undo/);
});

import fc from "fast-check";
import assert from "node:assert/strict";
import { english, type T } from "../../../src/base/t.ts";
import type { Field, Json, Question } from "../../../src/base/types.ts";
import {
  choicesOf,
  questionRows,
  readField,
  shownValue,
  typedValue,
} from "../../../src/terminal/panels/question_rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { lineOf } from "../../../src/terminal/transcript/rows.ts";
import { chinese } from "../../support/chinese.ts";
import { runs } from "../../support/soak.ts";

function shown(question: Question, t: T = english): string[] {
  const look = { style: createStyle("none"), t, workspace: "/space" };
  const event = { type: "ask", id: "q", session: "s", turn: 1, time: "", ...question } as const;
  return questionRows(event, look).map(lineOf);
}

Deno.test("a question shows the exact command with its control characters, and every target", () => {
  assert.deepEqual(
    shown({
      kind: "delete",
      question: "Delete these?",
      command: "rm -rf a\u202e\x1b[8m b\n  c",
      targets: ["/space/a", "/space/b\nc"],
    }),
    [
      "? Delete these?",
      "  rm -rf a<U+202E>␛[8m b",
      "    c",
      "  affects:",
      "    /space/a",
      "    /space/b␊c",
    ],
  );
});

Deno.test("of many targets the first are shown and the others counted", () => {
  const targets = Array.from({ length: 100 }, (_, i) => `/space/f${i}`);
  const lines = shown({ kind: "delete", question: "?", command: "rm f*", targets });
  assert.deepEqual(lines.slice(2, 4), ["  affects:", "    /space/f0"]);
  assert.deepEqual(lines.slice(-2), ["    /space/f19", "    … 80 more"]);
});

Deno.test("a question says what the targets hold, and warns of what does not come back", () => {
  const stakes = { files: 1234, folders: 5, bytes: 3_400_000, more: false, outside: 0 };
  const lines = (more: object, t: T = english) =>
    shown({ kind: "delete", question: "?", stakes: { ...stakes, ...more } }, t).slice(1);
  assert.deepEqual(lines({}), ["  holding 1234 files in 5 folders, 3.4 MB"]);
  assert.deepEqual(lines({ files: 1, folders: 0, bytes: 812 }), ["  holding 1 file, 812 B"]);
  assert.deepEqual(lines({ more: true }), [
    "  holding 1234 files in 5 folders, 3.4 MB or more (not all were counted)",
  ]);
  assert.deepEqual(lines({ outside: 2, notInGit: 4 }).slice(1), [
    "  ! outside the workspace: 2 targets",
    "  ! not in git: 4 files (untracked, ignored or changed since the last commit)",
  ]);
  assert.deepEqual(lines({ notInGit: 0 }), lines({}), "what git keeps is no warning");
  assert.deepEqual(lines({ outside: 1, notInGit: 1234 }, chinese), [
    "  共 1234 个文件、5 个文件夹，3.4 MB",
    "  ! 1 项在工作区之外",
    "  ! 这些文件都不在 git 中（未跟踪、被忽略或有未提交的修改），删除后无法恢复",
  ]);
});

Deno.test("the largest deletes carry the loudest warnings, and targets nobody can tell are said", () => {
  const stakes = { files: 9, folders: 1, bytes: 5, more: false, outside: 0 };
  const lines = (more: object) =>
    shown({ kind: "delete", question: "?", targets: ["/"], stakes: { ...stakes, ...more } })
      .slice(4);
  assert.deepEqual(lines({ whole: "workspace", history: true, notInGit: 9 }), [
    "  ! this is the whole workspace",
    "  ! not in git: the repository's history (.git) goes too, git can bring nothing back",
  ]);
  assert.deepEqual(lines({ whole: "home" }), ["  ! this is your whole home folder"]);
  assert.match(lines({ whole: "root" })[0]!, /whole file system/);
  assert.match(lines({ own: true })[0]!, /\.narnat.*sessions.*undo.*trash/);
  assert.deepEqual(
    shown({ kind: "delete", question: "?", targets: [], command: "ls | xargs rm" }).at(-1),
    "  ! what it affects cannot be told from the command",
  );
  const some = { ...stakes, some: true, notInGit: 9 };
  assert.deepEqual(shown({ kind: "delete", question: "?", stakes: some }).slice(1), [
    "  holding 9 files in 1 folder, 5 B: all or some of them",
    "  ! not in git: up to 9 files (untracked, ignored or changed since the last commit)",
  ]);
});

Deno.test("a question about a tool call names the tool and all its arguments", () => {
  const rows = (name: string, input: Json) =>
    shown({
      kind: "tool",
      question: `Allow ${name}?`,
      command: JSON.stringify(input),
      call: { name, input },
    }).slice(1);
  assert.deepEqual(
    rows("Edit", { file_path: "/space/src/a\x1b.ts", old_string: "a\x07", new_string: "b\nc" }),
    ["  Edit src/a␛.ts", "    − a␇", "    + b", "    + c"],
  );
  assert.deepEqual(
    rows("Edit", {
      file_path: "/space/a",
      edits: [{ old_string: "a\n", new_string: "b\n\n" }, {
        old_string: "c\n",
        new_string: "d",
        replace_all: true,
      }],
    }),
    [
      ...["  Edit a", "    − a", "    + b", "    + "],
      ...["    − c", "    − ", "    + d", "    replace_all: true"],
    ],
  );
  assert.deepEqual(rows("Edit", { file_path: "/space/a", edits: [1], old_string: "x" }), [
    "  Edit a",
    "    edits: [1]",
    "    old_string: x",
  ]);
  const long = "x".repeat(500);
  assert.deepEqual(rows("Bash", { command: `npm test \\\n  && echo ${long}\u202e`, timeout: 9 }), [
    "  Bash npm test \\",
    `    && echo ${long}<U+202E>`,
    "    timeout: 9",
  ]);
  assert.deepEqual(rows("mcp__x", { count: 3, deep: { a: 1 } }), [
    "  mcp__x",
    "    count: 3",
    '    deep: {"a":1}',
  ]);
});

Deno.test("a very long argument is cut, and what is left out is counted", () => {
  const content = Array.from({ length: 1000 }, (_, i) => `line ${i}`).join("\n");
  const lines = shown({
    kind: "tool",
    question: "?",
    call: { name: "Write", input: { file_path: "/space/a", content } },
  });
  assert.equal(lines.length, 1 + 1 + 1 + 30 + 1);
  assert.match(lines.at(-1)!, /… 86\d\d characters more/);
});

Deno.test("a list is shown an item a line, and what may be filled in by its name", () => {
  const call = { name: "mcp_x", input: { tags: ["a", "b\nc"], none: [] } };
  assert.deepEqual(shown({ kind: "tool", question: "?", call }), [
    "? ?",
    "  mcp_x",
    "    tags:",
    "      1. a",
    "      2. b␊c",
    "    none: []",
  ]);
  const fields = [
    { name: "n", label: "Name", type: "text" as const, value: "Ann" },
    { name: "s", label: "Steps", type: "lines" as const, value: ["x"] },
    { name: "t", label: "Tags", type: "lines" as const },
  ];
  assert.deepEqual(shown({ kind: "input", question: "?", fields }), [
    "? ?",
    "  • Name: Ann",
    "  • Tags",
  ]);
});

Deno.test("a kind of question that is not known yet reads by what it brings", () => {
  const question = { kind: "trust", question: "Trust?", command: "x" } as unknown as Question;
  assert.deepEqual(shown(question), ["? Trust?", "  x"]);
});

const field = (more: Partial<Field> & Pick<Field, "type">): Field => ({
  name: "f",
  label: "F",
  ...more,
});
const read = (more: Partial<Field> & Pick<Field, "type">, typed: string) =>
  readField(field(more), typed, english);
const choices = ["a", "b", "c"].map((value) => ({ value, label: value.toUpperCase() }));

Deno.test("what is typed becomes a value of the field's type", () => {
  assert.deepEqual(read({ type: "text" }, " hi "), { value: " hi " });
  assert.deepEqual(read({ type: "number" }, " 1.5 "), { value: 1.5 });
  assert.deepEqual(read({ type: "integer" }, "-3"), { value: -3 });
  assert.deepEqual(read({ type: "boolean" }, "是"), { value: true });
  assert.deepEqual(read({ type: "boolean" }, "No"), { value: false });
  assert.deepEqual(read({ type: "lines" }, " one \n\n two"), { value: ["one", "two"] });
  assert.deepEqual(read({ type: "choice", choices }, "2"), { value: "b" });
  assert.deepEqual(read({ type: "choices", choices }, "3, 1"), { value: ["c", "a"] });
});

Deno.test("what is left empty has no value, and what is required may not be", () => {
  for (const type of ["text", "number", "integer", "boolean", "choice"] as const) {
    assert.deepEqual(read({ type, choices }, "  "), { value: undefined });
    assert.ok("wrong" in read({ type, choices, required: true }, "  "), type);
  }
  assert.ok("wrong" in read({ type: "lines", required: true }, "\n \n"));
  assert.ok("wrong" in read({ type: "choices", choices, required: true }, ""));
});

Deno.test("what does not fit is said in words", () => {
  const wrong = (more: Partial<Field> & Pick<Field, "type">, typed: string) => {
    const found = read(more, typed);
    return "wrong" in found ? found.wrong : undefined;
  };
  assert.equal(wrong({ type: "number" }, "1x"), "this must be a number");
  assert.equal(wrong({ type: "integer" }, "1.5"), "this must be a whole number");
  assert.equal(wrong({ type: "number" }, "Infinity"), "this must be a number");
  assert.equal(wrong({ type: "number", minimum: 0 }, "-1"), "this must be 0 or more");
  assert.equal(wrong({ type: "integer", maximum: 9 }, "10"), "this must be 9 or less");
  assert.equal(wrong({ type: "text", minimum: 2 }, "a"), "at least 2 characters");
  assert.equal(wrong({ type: "text", maximum: 1 }, "ab"), "at most 1 character");
  assert.equal(wrong({ type: "text", maximum: 1 }, "👍"), undefined);
  assert.equal(wrong({ type: "boolean" }, "maybe"), "this must be y or n");
  for (const typed of ["0", "4", "x", "1 2"]) {
    assert.equal(wrong({ type: "choice", choices }, typed), "this must be a number from 1 to 3");
  }
});

Deno.test("Property: a list that is typed as it is shown to be edited stays what it is", () => {
  const item = fc.string({ minLength: 1, unit: "grapheme" })
    .map((text) => text.replace(/[\r\n]/g, "").trim()).filter((text) => text !== "");
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (value) => {
      assert.deepEqual(read({ type: "lines" }, typedValue({ value })), { value });
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("a value reads as people say it, on one line an item", () => {
  assert.deepEqual(shownValue(field({ type: "lines" }), ["a", "b\x1b[2J"], english), [
    "1. a",
    "2. b",
  ]);
  assert.deepEqual(shownValue(field({ type: "choices", choices }), ["a", "c"], english), ["A, C"]);
  assert.deepEqual(shownValue(field({ type: "boolean" }), true, chinese), ["是"]);
  assert.deepEqual(shownValue(field({ type: "text" }), undefined, english), []);
});

Deno.test("a budget is gone beyond by what is offered, or by another amount", () => {
  const fields = [{ name: "more", label: "US dollars more", type: "number", value: 1 }] as const;
  const question = { kind: "budget", question: "Go on?", fields } as const;
  assert.deepEqual(choicesOf(question, english), [
    { value: "no", label: "No" },
    { value: "yes", label: "Raise and continue" },
    { value: "fill", label: "Raise by another amount" },
  ]);
  assert.deepEqual(choicesOf(question, chinese).map(({ label }) => label).slice(1), [
    "提高上限并继续",
    "改一个数额再继续",
  ]);
});

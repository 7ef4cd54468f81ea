import assert from "node:assert/strict";
import { applyEdits, takenBy } from "../../../src/files/edit/text_edit.ts";
import { slow } from "../../support/soak.ts";

/** One edit of one text: the text afterwards with how it was made, or why it was not. */
async function make(text: string, wanted: string, replacement: string, more = {}) {
  const outcome = await applyEdits([text], [{ wanted, replacement, all: false, ...more }]);
  if (!outcome.ok) return outcome.refusal.reason;
  const { rung, adapted } = outcome.made[0]!;
  return [outcome.texts[0], rung, ...adapted].join("|");
}

const CODE = "def f():\n    x()\n        if x:\n            return 1\n";

Deno.test("line numbers pasted from Read are taken off both texts, whatever the new one does with them", async () => {
  const after = CODE.replace("if x:\n", "if y:\n            z = 1\n");
  const olds: string[][] = [[" | "], ["→"], ["\t"], ["| "], ["|"]];
  for (const [bar] of olds) {
    const old = `3${bar}        if x:\n4${bar}            return 1`;
    const news = [
      `3${bar}        if y:\n            z = 1\n4${bar}            return 1`,
      `3${bar}        if y:\n4${bar}            z = 1\n6${bar}            return 1`,
      "        if y:\n            z = 1\n            return 1",
    ];
    for (const given of news) {
      assert.equal(await make(CODE, old, given), `${after}|exact|numbers`, given);
    }
  }
  const padded = "   3\t        if x:\n   4\t            return 1";
  assert.equal(
    await make(CODE, padded, "        pass"),
    "def f():\n    x()\n        pass\n|exact|numbers",
  );
  const first = "if x:\n4 |             return 1";
  assert.equal(
    await make(CODE, first, "if y:\n4 |             return 1"),
    `${CODE.replace("if x", "if y")}|exact|numbers`,
  );
});

Deno.test("line numbers in the new text alone are refused, but not where the file has such lines", async () => {
  const old = "        if x:\n            return 1";
  assert.equal(await make(CODE, old, "3 |         if y:\n4 |             return 1"), "numbers");
  assert.equal(await make(CODE, old, "3 |         if y:\n5 |             return 1"), "numbers");
  assert.equal(await make(CODE, "return 1", "4 | return 2"), "numbers");
  assert.equal(
    await make("id | n\n1 | a\n", "1 | a", "1 | a\n2 | b"),
    "id | n\n1 | a\n2 | b\n|exact",
  );
  assert.equal(await make("a\nb\n", "b", "x = 1 | y\nz"), "a\nx = 1 | y\nz\n|exact");
});

Deno.test("a match that begins inside of the indentation gives the new lines the file's", async () => {
  assert.equal(
    await make("        if x:\n            return 1\n", "    return 1", "    y = 2\n    return 1"),
    "        if x:\n            y = 2\n            return 1\n|exact|indented",
  );
  assert.equal(
    await make("\t\t\ta\n", "\ta", "\tif b:\n\t\ta"),
    "\t\t\tif b:\n\t\t\t\ta\n|exact|indented",
  );
  assert.equal(await make("    a\n", "  a", "  b"), "    b\n|exact");
  // nothing says what the file's is
  assert.equal(await make("    a\n", "a", "b\nc"), "    b\nc\n|exact");
  assert.equal(
    await make("    a  \r\n", "  a\n", "  b\n  c\n"),
    "    b\r\n    c\r\n|trailing|indented|line_ends",
  );
});

Deno.test("lines that an edit leaves keep their trailing blanks", async () => {
  const text = "# T  \none  \ntwo  \nthree\n";
  assert.equal(
    await make(text, "one\ntwo\nthree", "one\n2\nthree"),
    "# T  \none  \n2\nthree\n|trailing",
  );
  assert.equal(
    await make(text, "one\ntwo\n", "one\ntwo\nnew\n"),
    "# T  \none  \ntwo  \nnew\nthree\n|trailing",
  );
  assert.equal(
    await make("  a:  \n    b  \n    c\n", "a:\n  b\n  c", "a:\n  b\n  d"),
    "  a:  \n    b  \n    d\n|indentation",
  );
  // it is these blanks that the edit takes away
  assert.equal(await make("a  \nb \nc\n", "a  \nb\nc", "a\nb\nc"), "a\nb \nc\n|trailing");
  assert.equal(await make("a \n  \nb\n", "a\n", "x\n"), "x\n  \nb\n|trailing");
});

Deno.test("a new text takes the line ends of the file, in both directions", async () => {
  assert.equal(await make("a\nb\n", "a", "x\r\ny"), "x\ny\nb\n|exact|line_ends");
  assert.equal(await make("a\r\nb\r\n", "a", "x\ny"), "x\r\ny\r\nb\r\n|exact|line_ends");
  assert.equal(await make("a\r\nb\r\n", "a", "x\r\ny"), "x\r\ny\r\nb\r\n|exact");
  assert.equal(await make("a", "a", "x\r\ny"), "x\r\ny|exact");
});

Deno.test("quotes that cannot be matched up are no match", async () => {
  assert.equal(await make("say “hi", 'say "hi', 'say "hello" and "hi" or "'), "nowhere");
});

Deno.test("the number of places that was expected is held against what is there", async () => {
  assert.equal(await make("a a\na\n", "a", "b", { expected: 3 }), "b b\nb\n|exact");
  assert.equal(await make("a a\na\n", "a", "b", { expected: 2 }), "count");
  assert.equal(await make("a a\na\n", "a", "b", { expected: 1 }), "count");
  assert.equal(await make("a a\na\n", "a", "b", { all: true, expected: 2 }), "count");
});

Deno.test("the edit that took another's place is known", async () => {
  const edits = ["x>y", "one>1", "one\ntwo>2", "x>y"].map((each) => {
    const [wanted, replacement] = each.split(">") as [string, string];
    return { wanted, replacement, all: false };
  });
  const texts = ["x\none\ntwo\n"];
  const taken = [await takenBy(texts, edits, 2), await takenBy(texts, edits, 3)];
  assert.deepEqual(taken, [1, 0]);
  assert.equal(await takenBy(["one\ntwo\n"], edits.slice(1), 2), undefined);
});

slow("other work gets its turn within one edit of many places, and may stop it", async () => {
  const edit = { wanted: "x", replacement: "yy", all: true };
  const text = "ab x\n".repeat(200_000);
  let turns = 0;
  const outcome = await applyEdits([text], [edit], { rest: () => void turns++ });
  assert.ok(outcome.ok && outcome.texts[0] === text.replaceAll("x", "yy"));
  assert.ok(turns > 300, `${turns}`);
  const rest = () => turns-- > 0 ? undefined : Promise.reject(new Error("stopped"));
  turns = 10;
  await assert.rejects(applyEdits([text], [edit], { rest }), /stopped/);
});

Deno.test("line ends behind the old text that the file has not there are left out of both texts", async () => {
  const apply = async (text: string, wanted: string, replacement: string, all = false) => {
    const outcome = await applyEdits([text], [{ wanted, replacement, all }]);
    return outcome.ok ? [outcome.texts[0], ...outcome.made[0]!.adapted] : outcome.refusal.reason;
  };
  assert.deepEqual(await apply("a\nno end", "no end\n", "an end\n"), ["a\nan end", "ends"]);
  assert.deepEqual(await apply("a\nno end", "no end\n", "an end"), ["a\nan end", "ends"]);
  assert.deepEqual(await apply("a\nno end", "a\nno end\n\n", "b\n\n"), ["b", "ends"]);
  assert.deepEqual(await apply("a\nb\nc\n", "b\n\n", "B\n\n"), ["a\nB\nc\n", "ends"]);
  assert.deepEqual(await apply("a\nb\nc\n", "b\n\n", ""), ["a\nc\n", "ends"]);
  assert.deepEqual(await apply("a\r\nb", "b\r\n", "B\r\n"), ["a\r\nB", "ends"]);
  assert.deepEqual(await apply("end ending\nend", "end\n", "END\n"), ["end ending\nEND", "ends"]);
  assert.equal(await apply("ending\n", "end\n", "END\n"), "nowhere");
  assert.equal(await apply("b\nb\n", "b\n\n", "B\n\n"), "many");
  assert.deepEqual(await apply("a\nb", "\n\n", "x"), "nowhere");
});

Deno.test("new lines that have the file's indentation already are not indented twice", async () => {
  const file = "def f():\n    one()\n\n    two()\n    three()\n";
  const edit = { wanted: "two()\nthree()", replacement: "    two()\n    # new\n    three()" };
  const outcome = await applyEdits([file], [{ ...edit, all: false }]);
  assert.ok(outcome.ok);
  assert.equal(
    outcome.texts[0],
    "def f():\n    one()\n\n    two()\n    # new\n    three()\n",
  );
  const deeper = await applyEdits([file], [{
    wanted: "two()\nthree()",
    replacement: "if x:\n    two()\n    three()",
    all: false,
  }]);
  assert.ok(deeper.ok);
  assert.match(deeper.texts[0]!, /\n {4}if x:\n {8}two\(\)\n {8}three\(\)\n/);
});

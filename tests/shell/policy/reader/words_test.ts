import assert from "node:assert/strict";
import fc from "fast-check";
import { checkCommand } from "../../../../src/shell/policy/gate.ts";
import { DELETE_RULES } from "../../../../src/shell/policy/rules/delete_rules.ts";
import { ruleIndex, rulesFor } from "../../../../src/shell/policy/rules/rule.ts";
import { parseScript, wordsOf } from "../../../../src/shell/policy/reader/syntax.ts";
import { expandWords, type Names, UNKNOWN } from "../../../../src/shell/policy/reader/words.ts";
import { runs } from "../../../support/soak.ts";

const NAMES: Names = {
  variables: new Map([["HOME", ["/home/ann"]]]),
  references: new Map(),
  positional: [],
  self: "bash",
  shifts: false,
  outputs: () => [UNKNOWN],
};

function textsOf(source: string): string[][] {
  const command = parseScript(source).commands[0]?.command;
  assert.equal(command?.type, "Command");
  return expandWords(wordsOf(command), NAMES).map((row) => row.map(({ text }) => text));
}

const word = fc.string({
  unit: fc.constantFrom(..."abrmRM019_./:@%+=-"),
  minLength: 1,
  maxLength: 12,
});

Deno.test("a word that nothing in it changes is read as the same word in quotes", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const bare = textsOf(`x ${words.join(" ")}`);
      assert.deepEqual(bare, textsOf(`x ${words.map((one) => `"${one}"`).join(" ")}`));
      assert.deepEqual(bare, [["x", ...words]]);
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("a home, a wildcard and braces are not read as the words that they are written as", () => {
  assert.deepEqual(textsOf("x ~ ~/a b~"), [["x", "/home/ann", "/home/ann/a", "b~"]]);
  assert.deepEqual(textsOf("x a{b,c}"), [["x", "ab"], ["x", "ac"]]);
  assert.notDeepEqual(textsOf("x a*"), [["x", "a*"]]);
});

Deno.test("quotes around plain words change no verdict", () => {
  const said = DELETE_RULES.flatMap(({ yes, no }) => [...yes, ...no])
    .map((one) => one.split(" ")).filter((words) => words.every((one) => /^[\w./:+-]+$/.test(one)));
  assert.ok(said.length > 200);
  const verdict = (command: string) =>
    checkCommand(command, { permission: "open", cwd: "/space place/app", shell: "bash" }).kind;
  const words = fc.constantFrom(...said);
  fc.assert(
    fc.property(fc.oneof(words, fc.tuple(words, words).map(([a, b]) => [...a, ...b])), (one) => {
      assert.equal(verdict(one.map((text) => `"${text}"`).join(" ")), verdict(one.join(" ")));
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("a program falls under its own rules, then under those for any", () => {
  const index = ruleIndex([{ names: "*" }, { names: "a b" }, { names: "?" }, { names: "a" }]);
  const names = (name: string) => rulesFor(index, name).map((one) => one.names);
  assert.deepEqual(names("a"), ["a b", "a", "*"]);
  assert.deepEqual(names("b"), ["a b", "*"]);
  assert.deepEqual(names("c"), ["?", "*"]);
  assert.deepEqual(rulesFor(ruleIndex([{ names: "a" }]), "c"), []);
});

import assert from "node:assert/strict";
import { DANGER_RULES, GUARDED_RULES } from "../../src/shell/danger_rules.ts";
import { DELETE_RULES } from "../../src/shell/delete_rules.ts";
import { FILE_RULES } from "../../src/shell/file_work.ts";
import { checkCommand } from "../../src/shell/gate.ts";
import { INTERACTIVE_RULES } from "../../src/shell/interactive_rules.ts";
import type { Permission } from "../../src/types.ts";
import examples from "./shell_commands.json" with { type: "json" };

const CWD = "/work place/app";

function check(command: string, permission: Permission = "open", fileWork = false) {
  return checkCommand(command, { permission, cwd: CWD, home: "/home/ann", fileWork });
}

function expectKind(commands: readonly string[], kind: string, more: Partial<{
  permission: Permission;
  fileWork: boolean;
}> = {}) {
  const wrong = commands
    .map((one) => ({ one, got: check(one, more.permission, more.fileWork).kind }))
    .filter(({ got }) => got !== kind);
  assert.deepEqual(wrong, []);
}

Deno.test("the 40 labelled examples come out right", () => {
  const wrong = examples.map((example) => {
    const { verdict, kind } = check(example.command);
    const got = verdict === "allow" ? "harmless" : kind;
    return { command: example.command, expected: example.expected, got };
  }).filter(({ expected, got }) => expected !== got);
  assert.deepEqual(wrong, []);
});

for (const rule of DELETE_RULES) {
  Deno.test(`delete rule ${rule.names.slice(0, 40)}: its examples`, () => {
    expectKind(rule.yes, "delete");
    assert.deepEqual(rule.no.filter((one) => check(one).verdict !== "allow"), []);
  });
}

for (const rule of DANGER_RULES) {
  Deno.test(`danger rule ${rule.names.slice(0, 40)}: its examples`, () => {
    expectKind(rule.yes, "danger");
    assert.deepEqual(rule.no.filter((one) => check(one).verdict !== "allow"), []);
    for (const one of rule.yes) assert.equal(check(one, "guarded").verdict, "refuse", one);
  });
}

for (const rule of GUARDED_RULES) {
  Deno.test(`guarded rule ${rule.names}: its examples`, () => {
    for (const one of rule.yes) assert.equal(check(one, "guarded").verdict, "refuse", one);
    for (const one of rule.no) assert.notEqual(check(one, "guarded").verdict, "refuse", one);
  });
}

for (const rule of INTERACTIVE_RULES) {
  Deno.test(`interactive rule ${rule.names.slice(0, 40)}: its examples`, () => {
    expectKind(rule.yes, "interactive");
    assert.deepEqual(rule.no.filter((one) => check(one).kind === "interactive"), []);
  });
}

for (const rule of FILE_RULES) {
  Deno.test(`iron rule ${rule.names} → ${rule.redirectsTo}: its examples`, () => {
    for (const one of rule.yes) {
      const { kind, reason } = check(one, "open", true);
      assert.deepEqual([one, kind, reason], [one, "file_work", rule.redirectsTo]);
    }
    assert.deepEqual(rule.no.filter((one) => check(one, "open", true).verdict !== "allow"), []);
  });
}

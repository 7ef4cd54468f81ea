import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { checkCommand, describeVerdict } from "../../src/shell/policy/gate.ts";
import core from "./corpus/core.txt" with { type: "text" };
import extended from "./corpus/extended.txt" with { type: "text" };
import harmless from "./corpus/harmless.txt" with { type: "text" };
import interactive from "./corpus/interactive.txt" with { type: "text" };

/** One command a line; `  | ` goes on with the command above, `## ` is a heading. */
function commands(text: string): string[] {
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("## "))
    .join("\n").replaceAll("\n  | ", "\0").split("\n").map((one) => one.replaceAll("\0", "\n"));
}

function check(command: string) {
  return checkCommand(command, { permission: "open", cwd: "/space/app", home: "/home/ann" });
}

Deno.test("every core delete is asked about", () => {
  const all = commands(core);
  assert.ok(all.length >= 170);
  assert.deepEqual(all.filter((one) => check(one).verdict !== "ask"), []);
  console.log(`${all.length} of ${all.length} core deletes ask`);
});

Deno.test("git, databases, clouds, PowerShell and cmd: at least 81 of 85 are asked about", () => {
  const all = commands(extended);
  assert.ok(all.length >= 85);
  const missed = all.filter((one) => check(one).verdict !== "ask");
  assert.ok(missed.length <= all.length * 4 / 85, missed.join("\n"));
  console.log(`${all.length - missed.length} of ${all.length} others ask`);
});

Deno.test("at least 62 of 63 interactive commands are refused, each with a hint in both languages", () => {
  const all = commands(interactive);
  assert.ok(all.length >= 63);
  const passed = all.filter((one) => {
    const verdict = check(one);
    const hints = [describeVerdict(chinese, verdict), describeVerdict(english, verdict)];
    return verdict.kind !== "interactive" || verdict.verdict !== "refuse" ||
      hints.some((hint) => hint.length < 15);
  });
  assert.ok(passed.length <= all.length / 63, passed.join("\n"));
  console.log(`${all.length - passed.length} of ${all.length} interactive commands refused`);
});

Deno.test("at most 2 of 266 everyday commands raise a false alarm", () => {
  const all = commands(harmless);
  assert.ok(all.length >= 266);
  const stopped = all.filter((one) => check(one).verdict !== "allow");
  assert.ok(stopped.length <= all.length * 2 / 266, stopped.join("\n"));
  console.log(`${stopped.length} false alarms of ${all.length} everyday commands`);
});

import assert from "node:assert/strict";
import { Analysis } from "../../../src/shell/policy/analysis.ts";
import { jobName, verificationOf } from "../../../src/shell/policy/command_purpose.ts";
import { checkCommand } from "../../../src/shell/policy/gate.ts";
import { onlyReads, surelyReads } from "../../../src/shell/policy/only_reads.ts";
import { bashDeclaration } from "../../../src/tools/bash/bash_declaration.ts";
import core from "../corpus/core.txt" with { type: "text" };
import harmless from "../corpus/harmless.txt" with { type: "text" };
import interactive from "../corpus/interactive.txt" with { type: "text" };

const COMMANDS = `${core}\n${harmless}\n${interactive}`.split("\n")
  .filter((line) => line !== "" && !/^(?:## | {2}\| )/.test(line));
const home = "/home/ann";
const where = { cwd: "/w", workspace: "/w", env: { PATH: "/usr/bin:/bin", HOME: home } };
const options = { permission: "open", cwd: "/w", workspace: "/w", home, fileWork: true } as const;

Deno.test("an analysis judges a command as each judge for itself does, whoever asks first", () => {
  assert.ok(COMMANDS.length > 500);
  for (const command of COMMANDS) {
    const [one, other] = [new Analysis(command), new Analysis(command)];
    assert.deepEqual(one.verdict(options, false), checkCommand(command, options), command);
    assert.deepEqual(one.verification("/w", "/w", home), verificationOf(command, "/w", "/w"));
    assert.deepEqual(other.verification("/w", "/w", home), verificationOf(command, "/w", "/w"));
    assert.deepEqual(other.verdict(options, false), checkCommand(command, options), command);
    assert.equal(one.onlyReads(), onlyReads(command), command);
    assert.equal(one.onlyReads(where), surelyReads(command, where), command);
  }
});

Deno.test("an analysis names a job after its command", () => {
  for (const command of ["deno task dev", "cd web && PORT=1 nohup npm start > log 2>&1 &"]) {
    assert.equal(new Analysis(command).jobName([], "/w", home), jobName(command, []));
  }
});

Deno.test("what never ends may run in the background, and is refused before", () => {
  const analysis = new Analysis("tail -f log");
  assert.equal(analysis.verdict(options, false).kind, "interactive");
  assert.equal(analysis.verdict(options, true).verdict, "allow");
});

Deno.test("a call's analysis goes with it until its command is another text", async () => {
  const analysis = bashDeclaration.analyse!({ command: "ls" });
  const made = await analysis();
  assert.equal(await analysis(), made);
  assert.equal(Analysis.of("ls", made), made);
  assert.notEqual(Analysis.of("ls -l", made), made);
  assert.notEqual(Analysis.of("ls"), made);
});

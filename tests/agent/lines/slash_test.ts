import assert from "node:assert/strict";
import { commands } from "../../../src/app/commands.ts";
import { commandNamed, readSlash } from "../../../src/agent/lines/slash.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { TestAgent } from "../../support/test_agent.ts";

const agentWith = () => {
  const model = new ScriptedModel(() => ({ text: "ok" }));
  return { model, t: new TestAgent({ model, commands: () => commands }) };
};

Deno.test("what other programs call a command runs it", () => {
  const cases = { resume: "enter", sessions: "show", quit: "exit", context: "cost", usage: "cost" };
  for (const [alias, name] of Object.entries(cases)) {
    assert.equal(commandNamed(alias, commands)?.name, name);
  }
  const own = { ...commands[0]!, name: "resume", aliases: [] };
  assert.equal(commandNamed("resume", [...commands, own]), own);
});

Deno.test("no alias is another command's name or alias", () => {
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), []);
});

Deno.test("a command that only other programs have is answered with what to do instead", async () => {
  const { model, t } = agentWith();
  for (const name of ["permissions", "init", "review", "diff", "config", "login", "doctor"]) {
    await t.say(`/${name}`);
    assert.match(t.of("notice").at(-1)!.text, new RegExp(`^There is no command /${name}\\. \\S`));
  }
  assert.equal(model.requests.length, 0);
});

Deno.test("words behind what is no command are given back to their writer", async () => {
  const { model, t } = agentWith();
  await t.say("/nosuchplace looks full");
  assert.equal(t.of("turn_end")[0]!.prompt, "/nosuchplace looks full");
  for (const line of ["/show", "/nosuchplace"]) {
    await t.say(line);
    assert.equal(t.of("turn_end").at(-1)!.prompt, undefined);
  }
  assert.equal(model.requests.length, 0);
});

Deno.test("a line that begins with a path that there is goes to the model", async () => {
  const { model, t } = agentWith();
  await t.say("/tmp looks full");
  assert.equal(t.of("turn_start")[0]!.text, "/tmp looks full");
  assert.equal(model.requests.length, 1);
  const tmp = { ...commands[0]!, name: "tmp" };
  assert.deepEqual(readSlash("/tmp looks full", () => [tmp]), { name: "tmp", args: "looks full" });
});

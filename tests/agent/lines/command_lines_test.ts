import assert from "node:assert/strict";
import { join } from "node:path";
import { commandNamed, readSlash, shellCommand } from "../../../src/agent/lines/command_lines.ts";
import { commands } from "../../../src/app/commands.ts";
import { bashTool } from "../../../src/tools/bash/bash.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions } from "../../support/test_agent.ts";

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

async function withShell(
  files: Files,
  play: (agent: TestAgent, model: ScriptedModel, root: string) => Promise<void>,
  more: Partial<TestAgentOptions> = {},
): Promise<void> {
  await withWorkspace(files, async (workspace) => {
    const model = new ScriptedModel(() => ({ text: "ok" }));
    const env = { PATH: Deno.env.get("PATH") ?? "", HOME: workspace };
    const agent = new TestAgent({ model, tools: [bashTool()], workspace, env, ...more });
    await play(agent, model, workspace);
    await agent.agent.close();
  });
}

Deno.test("a line that begins with one exclamation mark is a shell line", () => {
  assert.equal(shellCommand("!ls -l"), "ls -l");
  assert.equal(shellCommand("  ! git status\n"), "git status");
  assert.equal(shellCommand("!"), "");
  assert.equal(shellCommand("!! urgent"), undefined);
  assert.equal(shellCommand("really!"), undefined);
});

Deno.test("a shell line runs without the model, which sees it with the next prompt", async () => {
  await withShell({ "a.txt": "content\n" }, async (t, model) => {
    await t.say("!cat a.txt");
    assert.equal(model.requests.length, 0);
    assert.deepEqual(
      t.events.map((e) => e.type).filter((type) => type !== "tool_progress"),
      ["turn_start", "tool_start", "tool_end", "turn_end"],
    );
    assert.equal(t.of("turn_end")[0]!.reason, "command");
    assert.match(t.of("tool_end")[0]!.text, /^content\n/);
    await t.say("what was it?");
    const [ran, line] = model.requests[0]!.messages;
    assert.match(ran!.text, /^\[narnat\] .*\n\$ cat a\.txt\ncontent\n/);
    assert.equal(line!.text, "what was it?");
    assert.equal(t.agent.controller.current().turns, 1);
  });
});

Deno.test("cd of a shell line stays for the next call", async () => {
  await withShell({ "sub/x": "" }, async (t, _model, root) => {
    await t.say("!cd sub");
    assert.equal(t.agent.controller.current().cwd, join(root, "sub"));
  });
});

Deno.test("a delete asks; No leaves the file and tells the model nothing", async () => {
  await withShell({ "keep.txt": "x" }, async (t, _model, root) => {
    t.send("!rm keep.txt");
    const ask = await t.until((event) => event.type === "ask");
    assert.ok(ask.type === "ask" && ask.kind === "delete");
    t.agent.bus.send({ type: "answer", lane: "main", id: ask.id, value: false });
    await t.agent.idle();
    assert.equal(await Deno.readTextFile(join(root, "keep.txt")), "x");
    assert.deepEqual(t.messages, []);
    assert.equal(t.of("tool_end")[0]!.ok, false);
  }, { consentPolicy: "ask" });
});

Deno.test("a stop ends the command and the model learns how far it came", async () => {
  await withShell({}, async (t) => {
    t.send("!echo begun; sleep 30");
    await t.until((event) => event.type === "tool_progress" && event.text.includes("begun"));
    const began = performance.now();
    t.stop();
    await t.agent.idle();
    assert.ok(performance.now() - began < 5000, "it did not wait for the sleep");
    assert.equal(t.of("turn_end")[0]!.reason, "interrupted");
    assert.match(t.messages[0]!.text, /\$ echo begun; sleep 30/);
  });
});

Deno.test("a shell line typed during a turn waits for its end", async () => {
  await withShell({}, async (t) => {
    t.send("question");
    t.send("!echo later");
    await t.agent.idle();
    assert.deepEqual(t.of("turn_start").map((e) => e.text), ["question", "!echo later"]);
    assert.deepEqual(t.of("turn_end").map((e) => e.reason), ["done", "command"]);
  });
});

Deno.test("without Bash a shell line says so and ends", async () => {
  await withShell({}, async (t) => {
    await t.say("!ls");
    assert.equal(t.of("notice")[0]!.level, "warn");
    assert.equal(t.of("turn_end")[0]!.reason, "command");
  }, { tools: [] });
});

Deno.test("what was not run is told to who typed it, not to a model", async () => {
  await withShell({ "keep.txt": "x" }, async (t) => {
    await t.say("!vim a.txt");
    assert.match(t.of("tool_end")[0]!.text, /^Not run: vim needs a terminal of its own/);
    t.send("!rm keep.txt");
    const ask = await t.until((event) => event.type === "ask");
    assert.ok(ask.type === "ask");
    t.agent.bus.send({ type: "answer", lane: "main", id: ask.id, value: false });
    await t.agent.idle();
    assert.deepEqual(t.of("tool_end").at(-1)!.detail, { kind: "declined" });
  }, { consentPolicy: "ask" });
});

Deno.test("a lone exclamation mark is no prompt: a hint says what it is for", async () => {
  await withShell({}, async (t, model) => {
    await t.say(" ! ");
    assert.equal(model.requests.length, 0);
    assert.deepEqual(t.of("tool_start"), []);
    assert.match(t.of("notice")[0]!.text, /!command runs a shell line/);
    assert.equal(t.of("turn_end")[0]!.reason, "command");
    await t.say("!! really");
    assert.equal(model.requests.length, 1);
  });
});

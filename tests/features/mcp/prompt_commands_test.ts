import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import { argumentsIn, serverPrompts } from "../../../src/features/mcp/prompt_commands.ts";
import type { ServerPrompt, SessionController } from "../../../src/base/types.ts";
import { fakeConfig, stageAll } from "./stage.ts";
import { eventually } from "../../support/processes.ts";
import { testController } from "../../support/test_controller.ts";

const { signal } = new AbortController();
const prompt = (name: string, args: readonly string[] = [], server = "git"): ServerPrompt => ({
  server,
  name,
  description: `What ${name} does\nat length`,
  arguments: args.map((arg) => ({
    name: arg.replace("?", ""),
    description: `the ${arg}`,
    required: !arg.endsWith("?"),
  })),
});

Deno.test("a prompt of a server's is asked with its text behind the line", async () => {
  await using servers = stageAll([fakeConfig("fake", { more: true })]);
  await servers.settled(AbortSignal.timeout(10_000));
  await eventually(() => servers.prompts().length > 0, 20_000);
  const [first] = servers.prompts();
  const controller: SessionController = { ...testController().controller, servers };
  const [command] = serverPrompts([first!], []);
  assert.equal(command!.name, `fake:${first!.name}`);
  const args = first!.arguments.map(({ name }) => `${name}=blue`).join(" ");
  const asking = await command!.asks!(args, controller, signal);
  const [text] = asking!.behind!;
  assert.ok(text!.startsWith(`[narnat] The user asks with the prompt ${first!.name}`), text);
  assert.ok(text!.split("\n\n")[1]!.length > 0, text);
  assert.equal(asking!.typed, args, "what the server says names no file of the user's");
});

Deno.test("prompts are commands under their server's name, as slash lines can name them", () => {
  const commands = serverPrompts([
    prompt("commit", ["style", "scope?"]),
    prompt("look at.it", [], "my server"),
    prompt("1st", [], "2nd"),
    prompt("taken"),
    prompt("commit"),
  ], ["git:taken"]);
  assert.deepEqual(commands.map(({ name }) => name), [
    "git:commit",
    "my-server:look-at-it",
    "mcp-2nd:mcp-1st",
  ]);
  assert.equal(commands[0]!.usage?.(english), "style [scope]");
  assert.equal(commands[0]!.help(english), "What commit does");
});

Deno.test("arguments go by place or by name, quotes keep words together, the last takes the rest", () => {
  const names = ["style", "scope", "text"];
  assert.deepEqual(argumentsIn("short src and the rest", names), {
    style: "short",
    scope: "src",
    text: "and the rest",
  });
  assert.deepEqual(argumentsIn('scope="a b" short more words', names), {
    style: "short",
    scope: "a b",
    text: "more words",
  });
  assert.deepEqual(argumentsIn("text= hello", names), { text: "hello" });
  assert.deepEqual(argumentsIn("other=1", names), { style: "other=1" });
  assert.deepEqual(argumentsIn("", names), {});
  assert.deepEqual(argumentsIn("some words", []), {});
});

Deno.test("a prompt that needs more says what, and its arguments complete", async () => {
  const [command] = serverPrompts([prompt("commit", ["style", "scope?"])], []);
  const { controller } = testController();
  await assert.rejects(
    async () => await command!.asks!("", controller, signal),
    /\/git:commit needs style too\. Usage: \/git:commit style \[scope\]/,
  );
  assert.deepEqual((await command!.complete!(controller)).map(({ value }) => value), [
    "style=",
    "scope=",
  ]);
});

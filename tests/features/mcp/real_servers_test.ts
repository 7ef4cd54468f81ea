/** With the servers that people use; npm installs them once into a cache folder. */
import assert from "node:assert/strict";
import { mcpTool } from "../../../src/features/mcp/tools.ts";
import { said, stageAll, TestCaller } from "./stage.ts";
import { eventually } from "../../support/processes.ts";
import { installRealServers, realConfig } from "./real_servers.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { ToolRunner } from "../../support/tool_context.ts";
import { slow } from "../../support/soak.ts";

const installed = await installRealServers();
const ignore = typeof installed === "string";
const dir = typeof installed === "string" ? "" : installed.dir;
if (typeof installed === "string") {
  console.error(`WARNING: no real MCP servers, their tests are skipped: ${installed}`);
}
const { signal } = new AbortController();

slow({
  name: "server-filesystem reads, writes and lists, and keeps to its folder",
  ignore,
  fn: () =>
    withWorkspace({ "a.txt": "from the file\n" }, async (root) => {
      await using servers = stageAll([realConfig(dir, "filesystem", [root])]);
      await servers.settled(signal);
      const runner = new ToolRunner(root);
      const run = async (name: string, input: object) => {
        const offered = servers.tools().find(({ tool }) => tool.name === name);
        assert.ok(offered, `${name} in ${servers.tools().map(({ name }) => name)}`);
        return await runner.run(mcpTool(offered), input);
      };
      assert.match((await run("read_text_file", { path: `${root}/a.txt` })).text, /from the file/);
      const path = `${root}/b.txt`;
      assert.equal((await run("write_file", { path, content: "written" })).ok, true);
      assert.equal(await Deno.readTextFile(path), "written");
      assert.match((await run("list_directory", { path: root })).text, /\[FILE\] b\.txt/);
      const outside = await run("read_text_file", { path: "/etc/passwd" });
      assert.equal(outside.ok, false);
      assert.match(outside.text, /outside allowed directories/);
      const readers = servers.tools().filter(({ tool }) => tool.readOnly);
      assert.ok(readers.some(({ tool }) => tool.name === "read_text_file"));
      assert.ok(!readers.some(({ tool }) => tool.name === "write_file"));
    }),
});

Deno.test({
  name: "server-memory remembers from one call to the next",
  ignore,
  fn: () =>
    withWorkspace({}, async (root) => {
      const env = { MEMORY_FILE_PATH: `${root}/memory.json` };
      await using servers = stageAll([realConfig(dir, "memory", [], env)]);
      await servers.settled(signal);
      const server = servers.connection("memory")!;
      assert.equal(server.state, "ready", server.why);
      const entities = [{ name: "narnat", entityType: "agent", observations: ["likes 中文"] }];
      await server.call("create_entities", { entities }, new TestCaller());
      const found = await server.call("search_nodes", { query: "中文" }, new TestCaller());
      assert.match(said(found), /narnat/);
    }),
});

slow({
  name: "server-everything: progress, images, structure, resources, prompts, elicitation",
  ignore,
  async fn() {
    await using servers = stageAll([realConfig(dir, "everything")]);
    await servers.settled(signal);
    const server = servers.connection("everything")!;
    assert.equal(server.state, "ready", server.why);
    assert.deepEqual(server.list.warnings, []);
    const caller = new TestCaller();
    const call = (name: string, input: object) => server.call(name, { ...input }, caller);

    assert.match(said(await call("echo", { message: "hé" })), /hé/);
    await call("trigger-long-running-operation", { duration: 1, steps: 4 });
    assert.equal(caller.told.length, 4);
    const image = await call("get-tiny-image", {});
    assert.ok(image.content.some(({ type }) => type === "image"));
    const weather = await call("get-structured-content", { location: "New York" });
    assert.ok(weather.structured);
    const links = await call("get-resource-links", { count: 2 });
    assert.equal(links.content.filter(({ type }) => type === "resource_link").length, 2);

    const resources = await server.resources(signal);
    const plain = resources.find(({ template }) => !template);
    assert.ok(plain && resources.some(({ template }) => template));
    assert.ok((await server.readResource(plain.uri, signal))[0]?.text);
    const prompts = await server.prompts(signal);
    assert.ok(prompts.length > 0);
    const simple = prompts.find(({ arguments: all }) => all.every(({ required }) => !required));
    assert.ok((await server.getPrompt(simple!.name, {}, signal)).length > 0);

    // What it offers depends on what the client can do.
    const asks = () => server.list.tools.find(({ name }) => /elicitation/.test(name));
    assert.ok(await eventually(() => asks() !== undefined));
    caller.answer = { name: "Ada" };
    const answer = await call(asks()!.name, {});
    assert.equal(caller.questions.length, 1);
    assert.ok((caller.questions[0]?.fields?.length ?? 0) > 0);
    assert.match(JSON.stringify(answer.content), /Ada/);
  },
});

slow({
  name: "the tools of @playwright/mcp are listed, each in a schema that providers take",
  ignore,
  async fn() {
    await using servers = stageAll([realConfig(dir, "playwright", ["--headless"])]);
    await servers.settled(signal);
    const server = servers.connection("playwright")!;
    assert.equal(server.state, "ready", server.why);
    assert.deepEqual(server.list.warnings, []);
    assert.ok(server.list.tools.length >= 20);
    for (const { name, input } of server.list.tools) {
      assert.equal(input["type"], "object", name);
      assert.ok(!["anyOf", "oneOf", "allOf", "$schema"].some((key) => key in input), name);
    }
    assert.ok(servers.tools().some(({ name }) => name === "mcp_playwright_browser_navigate"));
  },
});

slow({
  name: "real servers side by side leave no process behind",
  ignore,
  fn: () =>
    withWorkspace({}, async (root) => {
      const env = { MEMORY_FILE_PATH: `${root}/memory.json` };
      const word = root;
      const servers = stageAll([
        realConfig(dir, "everything", ["stdio", word]),
        realConfig(dir, "filesystem", [root]),
        realConfig(dir, "memory", [word], env),
        realConfig(dir, "playwright", ["--headless", "--output-dir", root]),
      ]);
      await servers.settled(signal);
      assert.ok(servers.list().every(({ state }) => state === "ready"));
      assert.ok(await count(word) >= 4);
      await servers.shutdown();
      assert.ok(servers.list().every(({ state }) => state === "closed"));
      assert.equal(await count(word), 0);
    }),
});

/** Processes that have this word in their command line. */
async function count(word: string): Promise<number> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-cf", "--", word] }).output();
  return Number(new TextDecoder().decode(stdout).trim());
}

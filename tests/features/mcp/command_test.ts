import { english, type T } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { mcp } from "../../../src/features/mcp/command.ts";
import { serverPrompts } from "../../../src/features/mcp/prompt_commands.ts";
import { lateServers } from "../../../src/features/mcp/late.ts";
import type { ConnectedServers } from "../../../src/features/mcp/types.ts";
import type { ServerInfo, SessionController } from "../../../src/base/types.ts";
import { fakeConfig, stageAll } from "./stage.ts";
import { eventually } from "../../support/processes.ts";
import { testController } from "../../support/test_controller.ts";
import { slow } from "../../support/soak.ts";

/** A controller over real servers, once they have connected. */
async function stage(t: T = english) {
  const servers = stageAll(
    [
      fakeConfig("dead", { diesWith: 3 }),
      fakeConfig("full", { more: true }),
      fakeConfig("off", {}, { enabled: false }),
      fakeConfig("theirs", {}, { scope: "project" }),
    ],
    { t },
    () => false,
  );
  await servers.settled(AbortSignal.timeout(20_000));
  // resources and prompts come a moment later than the tools
  const all = () => servers.prompts().length > 0 && servers.resources().length > 0;
  assert.ok(await eventually(all, 20_000));
  const controller: SessionController = { ...testController([], t).controller, servers };
  return { controller, servers, [Symbol.asyncDispose]: () => servers.shutdown() };
}

Deno.test("servers are listed a row each: state, what they have, and why not", async () => {
  await using at = await stage();
  const rows = (await mcp.run("", at.controller)).split("\n");
  assert.equal(rows.length, 4);
  assert.match(rows[0]!, /^dead +error +.*has ended \(exit 3\)/);
  assert.match(rows[1]!, /^full +ready +\d+ tools, \d+ resources?, \d+ prompts?, \d+ ms$/);
  assert.match(rows[2]!, /^off +off$/);
  assert.match(rows[3]!, /^theirs +not trusted$/);
});

Deno.test("a server is shown with its tools, what they are for, and the end of its stderr", async () => {
  await using at = await stage();
  const text = await mcp.run("full", at.controller);
  assert.match(text, /^full: ready/);
  assert.match(text, /^ {2}echo +Says it again$/m);
  assert.match(text, /the end of its stderr:\nstarted \d+/);
  assert.match(await mcp.run("dead", at.controller), /^dead: error.*exit 3/);
});

Deno.test("what is asked while servers are loaded and connect is answered behind that", async () => {
  const loading = Promise.withResolvers<ConnectedServers>();
  const servers = lateServers(() => loading.promise, () => loading.promise.then(() => {}));
  const controller: SessionController = { ...testController([], english).controller, servers };
  servers.start(() => true);
  const answers = [mcp.run("", controller), mcp.run("one", controller)];
  loading.resolve(stageAll([fakeConfig("one")], {}, () => false));
  const [overview, one] = await Promise.all(answers);
  assert.match(overview!, /^one +ready/);
  assert.match(one!, /^ {2}echo +Says it again$/m);
  await servers.shutdown();
});

Deno.test("in Chinese a server's row has Chinese marks", async () => {
  await using at = await stage(chinese);
  assert.match(
    await mcp.run("full", at.controller),
    /^full：就绪，\d+ 个工具，\d+ 项资源，\d+ 个提示，\d+ ms\n/,
  );
  assert.doesNotMatch((await mcp.run("", at.controller)).split("\n")[1]!, /,/);
});

slow("a server is switched off and on for the session, and connected again", async () => {
  await using at = await stage();
  const pid = () => /^started (\d+)$/m.exec(at.servers.stderr("full"))?.[1];
  const before = pid();
  assert.match(
    await mcp.run("reconnect full", at.controller),
    /^full: ready.*from the next turn on$/,
  );
  assert.ok(before !== undefined && pid() !== undefined && pid() !== before);
  assert.match(await mcp.run("disable full", at.controller), /^full: off/);
  await assert.rejects(
    async () => await mcp.run("reconnect full", at.controller),
    /\/mcp enable full/,
  );
  assert.match(await mcp.run("enable full", at.controller), /^full: ready/);
});

Deno.test("a server with spaces in its name is named as it is", async () => {
  const named = "my 服务器 v2.1";
  await using servers = stageAll([fakeConfig(named, { more: true }), fakeConfig("reconnect")]);
  await servers.settled(AbortSignal.timeout(20_000));
  assert.ok(await eventually(() => servers.prompts().length > 0));
  const controller: SessionController = { ...testController([], english).controller, servers };
  const shown = await mcp.run(named, controller);
  assert.match(shown, /^my 服务器 v2\.1: ready/);
  const [command] = serverPrompts(servers.prompts(), []);
  assert.ok(shown.includes(`  /${command!.name}`), shown);
  assert.match(await mcp.run(`reconnect ${named}`, controller), /^my 服务器 v2\.1: ready/);
});

Deno.test("what cannot be done says why: unknown, misspelt, failing, untrusted", async () => {
  await using at = await stage();
  const run = async (args: string) => await mcp.run(args, at.controller);
  await assert.rejects(() => run("ful"), /did you mean full\?/);
  await assert.rejects(() => run("zzzzzzzz"), /dead, full, off, theirs/);
  await assert.rejects(() => run("reconnect"), /^Error: Usage: \/mcp/);
  await assert.rejects(() => run("full now"), /full now/);
  await assert.rejects(() => run("reconnect dead"), /dead: error.*exit 3/);
  for (const verb of ["reconnect", "enable"]) {
    await assert.rejects(() => run(`${verb} theirs`), /not trusted yet; \/trust asks again/);
  }
});

Deno.test("names and what may be done with each complete", async () => {
  const info = (name: string, state: ServerInfo["state"]): ServerInfo => ({
    name,
    state,
    what: "x",
    tools: [],
    resources: 0,
    prompts: 0,
    why: "",
    file: "/f",
  });
  const { controller } = testController();
  const servers = { ...controller.servers, list: () => [info("a", "ready"), info("b", "off")] };
  const all = await mcp.complete!({ ...controller, servers });
  assert.deepEqual(all.map(({ value }) => value), [
    "a",
    "b",
    "reconnect a",
    "disable a",
    "enable b",
  ]);
  assert.match(await mcp.run("", testController([], chinese).controller), /没有配置 MCP 服务器/);
});

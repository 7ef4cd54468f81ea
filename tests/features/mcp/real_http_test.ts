/** With a server that people use, over HTTP. */
import assert from "node:assert/strict";
import { said, stage, TestCaller } from "./stage.ts";
import { installRealServers, serveEverything } from "./real_servers.ts";
import { slow } from "../../support/soak.ts";

const installed = await installRealServers();
const ignore = typeof installed === "string";
const dir = typeof installed === "string" ? "" : installed.dir;
if (typeof installed === "string") {
  console.error(`WARNING: no real MCP servers, their tests are skipped: ${installed}`);
}

for (const over of ["streamableHttp", "sse"] as const) {
  slow({
    name: `server-everything is reached over ${over}: tools, resources, prompts, progress`,
    ignore,
    async fn() {
      await using server = await serveEverything(dir, over);
      await using connection = stage({}, { reach: { type: "http", url: server.url, headers: {} } });
      await connection.opened;
      assert.equal(connection.state, "ready", connection.why);
      const caller = new TestCaller();
      assert.equal(said(await connection.call("echo", { message: "hi" }, caller)), "Echo: hi");
      const slow = { duration: 0.4, steps: 2 };
      await connection.call("trigger-long-running-operation", slow, caller);
      assert.ok(caller.told.length > 0, "progress was told");
      const { signal } = caller;
      const [first] = await connection.resources(signal);
      assert.notEqual((await connection.readResource(first!.uri, signal))[0]?.text ?? "", "");
      const prompts = await connection.prompts(signal);
      assert.ok(prompts.length > 0);
    },
  });
}

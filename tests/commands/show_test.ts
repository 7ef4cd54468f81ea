import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { sessionTable, show } from "../../src/commands/show.ts";
import { info, testDesk } from "../support/test_desk.ts";

Deno.test("/show numbers the stored sessions and marks names", async () => {
  const { desk } = testDesk([info("20261120-a", { name: "mine" }), info("20261119-b")]);
  const lines = (await show.run("", desk)).split("\n");
  assert.match(lines[0]!, /^ {3}1 {2}20261120-a {2}\S+ \d\d:\d\d {4}2 {2}\[mine\] a question$/);
  assert.match(lines[1]!, /^ {3}2 {2}20261119-b/);
});

Deno.test("times are the user's own", async () => {
  const source = `import { sessionTable } from ${
    JSON.stringify(import.meta.resolve("../../src/commands/show.ts"))
  };
    console.log(sessionTable([${JSON.stringify(info("20261119-b"))}], "en"));`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", source],
    env: { TZ: "Asia/Shanghai" },
  }).output();
  assert.match(new TextDecoder().decode(stdout), /2026-11-20 16:00/);
});

Deno.test("/show says when there is none", async () => {
  assert.match(await show.run("", testDesk().desk), /No stored sessions/);
  assert.match(await show.run("", testDesk([], chinese).desk), /还没有/);
});

Deno.test("/show lists the newest twenty and says how many more there are", async () => {
  const { desk } = testDesk(Array.from({ length: 25 }, (_, i) => info(`s${i}`)));
  const lines = (await show.run("", desk)).split("\n");
  assert.equal(lines.length, 21);
  assert.match(lines[20]!, /^5 older ones/);
});

Deno.test("/show marks a session that another narnat uses", async () => {
  const all = [info("one", { busy: true }), info("two")];
  const lines = (await show.run("", testDesk(all).desk)).split("\n");
  assert.match(lines[0]!, /\(in use\) a question$/);
  assert.doesNotMatch(lines[1]!, /in use/);
  assert.match(await show.run("", testDesk(all, chinese).desk), /（使用中）/);
});

Deno.test("a session that was summed up is marked as archived", () => {
  const table = sessionTable([info("b", { parent: "a" }), info("a", { handedTo: "b" })], chinese);
  const [young, old] = table.split("\n");
  assert.ok(old!.includes("（已归档）"));
  assert.ok(!young!.includes("（已归档）"));
});

import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { search, searchTable } from "../../../src/features/history_search/command.ts";
import { localTime } from "../../../src/commands/sessions.ts";
import { testController } from "../../support/test_controller.ts";

const AT = localTime("2026-11-20T08:00:00Z");

Deno.test("/search lists session, time, speaker and snippet under each other, in both languages", async () => {
  const { controller, asked } = testController();
  assert.deepEqual((await search.run("the port", controller)).split("\n"), [
    `20261120-080000-abcd  ${AT}  user       which «port»?`,
    `20261120-080000-abcd  ${AT}  assistant  «port» 8080`,
    "/enter ID opens a session",
  ]);
  assert.deepEqual(asked, ["search the port"]);
  assert.deepEqual((await search.run("端口", testController([], chinese).controller)).split("\n"), [
    `20261120-080000-abcd  ${AT}  用户  which «port»?`,
    `20261120-080000-abcd  ${AT}  助手  «port» 8080`,
    "/enter ID 进入该会话",
  ]);
});

Deno.test("where only the memory has it no session is spoken of", () => {
  const hit = { session: "MEMORY.md", time: "2026-11-20T08:00:00Z", snippet: "«port»" };
  const hits = [{ ...hit, who: "memory" as const }];
  assert.match(searchTable({ hits, more: false }, "port", english), /^MEMORY\.md[^\n]*«port»$/);
});

Deno.test("/search says when there is nothing, and when there is more", async () => {
  const { controller } = testController();
  assert.equal(await search.run("none", controller), "No session matches: none");
  assert.match(
    await search.run("many", controller),
    /\nthere are more: [^]*\n\/enter ID opens a session$/,
  );
});

import assert from "node:assert/strict";
import { copy } from "../../src/commands/copy.ts";
import { testDesk } from "../support/test_desk.ts";

const answer = (text: string) => ({ role: "assistant", text, calls: [], thinking: [] }) as const;

Deno.test("/copy takes the last answer that says something", async () => {
  const { desk, asked, session } = testDesk();
  session.append(answer("first"));
  session.append(answer("\n\n  最后一次\nanswer \n"));
  session.append({ ...answer("  "), calls: [{ id: "1", name: "Read", input: "{}" }] });
  session.append({ role: "user", text: "next" });
  assert.equal(await copy.run("", desk), "");
  assert.deepEqual(asked, ["copy   最后一次\nanswer"]);
});

Deno.test("/copy without an answer says so", async () => {
  await assert.rejects(async () => await copy.run("", testDesk().desk), /no answer to copy/);
});

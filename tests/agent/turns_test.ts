import assert from "node:assert/strict";
import type { Message } from "../../src/base/types.ts";
import { SessionFile } from "../../src/session/store.ts";
import { sessionStore } from "../support/parts.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, tool } from "../support/test_agent.ts";

/** What is wrong with the pairing of calls and results. */
function unpaired(messages: readonly Message[]): string[] {
  return messages.flatMap((message, i) => {
    if (message.role !== "assistant") return [];
    const answers = messages.slice(i + 1, i + 1 + message.calls.length);
    return message.calls.filter((call, n) => {
      const answer = answers[n];
      return answer?.role !== "tool" || answer.id !== call.id;
    }).map((call) => call.id);
  });
}

/** Makes the `n`-th append from now fail, as a disk does; a session itself does not hand that on. */
function failAppend(agent: TestAgent, n: number): void {
  const session = agent.agent.controller.current() as SessionFile;
  const real = session.append.bind(session);
  let count = 0;
  session.append = (...args) => {
    if (++count === n) {
      throw Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
    }
    real(...args);
  };
}

for (
  const [n, what] of [[1, "question"], [2, "answer"], [3, "first result"], [
    4,
    "second result",
  ]] as const
) {
  Deno.test(`a fault of the disk at the ${what} ends the turn, and the next one is whole`, async () => {
    await withWorkspace({}, async (dir) => {
      const model = new ScriptedModel((request) =>
        request.messages.at(-1)?.text === "again"
          ? { text: "Fine." }
          : { calls: [{ name: "Look", input: { n: 1 } }, { name: "Look", input: { n: 2 } }] }
      );
      const t = new TestAgent({
        model,
        dir,
        tools: [tool("Look", () => ({ ok: true, text: "x" }))],
      });
      failAppend(t, n);
      await t.say("go");
      const [error] = t.of("error");
      assert.equal(error?.kind, "disk");
      assert.match(error!.text, /No space left/);
      assert.equal(t.of("turn_end")[0]!.reason, "error");
      await t.say("again");
      assert.equal(t.of("turn_end")[1]!.reason, "done");
      for (const request of model.requests) assert.deepEqual(unpaired(request.messages), []);
      const { id, messages } = t.agent.controller.current();
      await t.agent.close();

      const store = sessionStore(dir);
      const { session, bad } = store.open(id);
      assert.equal(bad, 0);
      assert.deepEqual(session.messages, messages, "the disk has what the session had");
      session.close();
    });
  });
}

import assert from "node:assert/strict";
import { pairingErrorsOf } from "../support/fake_wire.ts";
import { type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { outcome, protocols, textOf, withProvider } from "./setup.ts";

const call = (id: string) => ({ role: "assistant", content: null, tool_calls: [{ id }] });
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "x" });
const use = (id: string) => ({ role: "assistant", content: [{ type: "tool_use", id }] });
const user = (...content: unknown[]) => ({ role: "user", content });
const used = (id: string) => ({ type: "tool_result", tool_use_id: id });
const text = { type: "text", text: "x" };

Deno.test("paired calls and results are no error", () => {
  assert.deepEqual(
    pairingErrorsOf({
      messages: [
        { role: "user", content: "x" },
        { role: "assistant", content: null, tool_calls: [{ id: "a" }, { id: "b" }] },
        result("b"),
        result("a"),
        call("c"),
        result("c"),
      ],
    }),
    [],
  );
  assert.deepEqual(pairingErrorsOf({ messages: [use("a"), user(used("a"), text)] }), []);
});

Deno.test("each way of breaking a pair is an error", () => {
  const broken: unknown[][] = [
    [call("a")],
    [call("a"), { role: "user", content: "x" }],
    [result("a")],
    [call("a"), result("a"), result("a")],
    [call("a"), result("b")],
    [call("a"), result("a"), call("a"), result("a")],
    [call(""), result("")],
    [use("a"), user(text)],
    [use("a"), user(text, used("a"))],
    [user(used("a"))],
    [user(text), user(text)],
  ];
  for (const messages of broken) {
    assert.notDeepEqual(pairingErrorsOf({ messages }), [], JSON.stringify(messages));
  }
});

for (const protocol of protocols) {
  Deno.test(`${protocol}: a script may answer what it was asked, and has an end`, async () => {
    const script = (_: unknown, index: number): Reply => ({ text: `answer ${index}` });
    await withProvider(protocol, script, async (client) => {
      assert.equal(textOf((await outcome(client)).events), "answer 0");
      assert.equal(textOf((await outcome(client)).events), "answer 1");
    });
    await withProvider(protocol, [], async (client) => {
      assert.equal(textOf((await outcome(client)).events), "(script ended)");
    });
  });
}

Deno.test("a closed provider lets go of stalled connections", { timeout: 10_000 }, async () => {
  const provider = await startFakeProvider([{ fault: "stall_before_headers" }]);
  const waiting = fetch(provider.url + "/chat/completions", { method: "POST", body: "{}" });
  while (provider.requests.length === 0) await new Promise((wake) => setTimeout(wake, 2));
  const refused = assert.rejects(waiting);
  await provider.close();
  await refused;
  assert.deepEqual(provider.pairingErrors, ["request 0: no messages"]);
});

import assert from "node:assert/strict";
import { errorMessage, isOfSystem } from "../../src/base/errors.ts";

Deno.test("an error says its message, anything else itself", () => {
  assert.equal(errorMessage(new TypeError("no such key")), "no such key");
  assert.deepEqual(["thrown", undefined, 7].map(errorMessage), ["thrown", "undefined", "7"]);
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  assert.fail("nothing was thrown");
}

Deno.test("what the system refuses is told from a bug", () => {
  assert.ok(isOfSystem(thrownBy(() => Deno.openSync("/no/such/file"))));
  assert.ok(!isOfSystem(thrownBy(() => (undefined as unknown as string).length)));
  assert.ok(!isOfSystem("text"));
});

Deno.test({
  name: "a process that ends while its file is read is the system's refusal, though it has no code",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
    using file = Deno.openSync(`/proc/${child.pid}/status`);
    child.kill();
    await child.status;
    assert.ok(isOfSystem(thrownBy(() => file.readSync(new Uint8Array(10)))));
  },
});

import assert from "node:assert/strict";
import { errorMessage } from "../../src/base/error_message.ts";

Deno.test("an error says its message, anything else itself", () => {
  assert.equal(errorMessage(new TypeError("no such key")), "no such key");
  assert.deepEqual(["thrown", undefined, 7].map(errorMessage), ["thrown", "undefined", "7"]);
});

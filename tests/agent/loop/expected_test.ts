import assert from "node:assert/strict";
import { streamedTokens } from "../../../src/agent/loop/expected.ts";

Deno.test("Chinese takes more tokens of a text than its letters do", () => {
  assert.equal(streamedTokens(""), 0);
  assert.equal(streamedTokens("a".repeat(1000)), 280);
  assert.equal(streamedTokens("字".repeat(1000)), 700);
  assert.equal(streamedTokens(`${"a".repeat(1000)}${"字".repeat(1000)}`), 980);
});

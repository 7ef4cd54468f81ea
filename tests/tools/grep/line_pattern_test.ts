import assert from "node:assert/strict";
import { compileLines, SlowPatternError } from "../../../src/tools/grep/line_pattern.ts";

Deno.test("a pattern tells whether some line matches", async () => {
  const matches = await compileLines("ready in \\d+");
  assert.ok(typeof matches === "function");
  assert.deepEqual([matches(["a", "ready in 12 ms"]), matches(["ready"]), matches([])], [
    true,
    false,
    false,
  ]);
  const any = await compileLines("(?i)LISTENING");
  assert.ok(typeof any === "function" && any(["listening on 80"]));
});

Deno.test("what is no regular expression is told why", async () => {
  assert.match(String(await compileLines("(")), /Unterminated group/);
});

Deno.test("a catastrophic pattern is given up in good time", async () => {
  const matches = await compileLines("^(a+)+$");
  assert.ok(typeof matches === "function");
  const began = performance.now();
  assert.throws(() => matches(["a".repeat(60) + "!"]), SlowPatternError);
  assert.ok(performance.now() - began < 5000);
  assert.equal(matches(["aaa"]), true);
});

import assert from "node:assert/strict";
import { cost } from "../../src/commands/cost.ts";
import { testDesk } from "../support/test_desk.ts";

Deno.test("/cost says input, cached share, output and cost of the session", async () => {
  const { desk, session } = testDesk();
  session.spend({ input: 1_234_567, output: 8_900, cached: 987_654, cost: 0.4321 });
  assert.equal(
    await cost.run("", desk),
    "input tokens: 1,234,567 (80% cached)\noutput tokens: 8,900\ncost: $0.4321",
  );
});

Deno.test("/cost says when the price is not known, in both languages", async () => {
  for (const [lang, word] of [["en", /cost: unknown \(.*prices/], ["zh", /费用: 未知/]] as const) {
    const { desk, session } = testDesk([], lang);
    session.spend({ input: 10, output: 5, cached: 0, cost: null });
    const text = await cost.run("", desk);
    assert.match(text, word);
  }
});

Deno.test("before anything is used there is no price, known or not", async () => {
  assert.match(await cost.run("", testDesk().desk), /^cost: 0 tokens$/m);
  assert.match(await cost.run("", testDesk([], "zh").desk), /^费用: 0 token$/m);
});

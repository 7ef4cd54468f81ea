import assert from "node:assert/strict";
import { sectionsOf, stale } from "../../scripts/docs.ts";

Deno.test("the generated pages and the schema are what the tables say: deno task docs", async () => {
  assert.deepEqual(await stale(), []);
});

Deno.test("a key without documentation in both languages is refused", () => {
  assert.throws(
    () =>
      sectionsOf(
        "  // # A | 甲\n\n  /**\n   * One.\n   * 一。\n   */\n  api_key: {},\n  base_url: {},\n",
      ),
    /no documentation in two languages: base_url,/,
  );
});

/** What a run makes Deno load. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadedBy } from "../support/loaded.ts";
import { ROOT } from "../support/narnat.ts";
import { slow } from "../support/soak.ts";

slow(
  "a question is asked and answered without a timer, whose first use loads Node's modules",
  async () => {
    const cwd = await Deno.makeTempDir({ prefix: "narnat-test-" });
    try {
      const { atEnd } = await loadedBy(join(ROOT, "main.ts"), ["-p", "go"], { cwd, home: cwd });
      assert.ok(atEnd.some((url) => url.endsWith("/src/models/wire/answer.ts")), String(atEnd));
      assert.deepEqual(atEnd.filter((url) => url.startsWith("node:")), []);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  },
);

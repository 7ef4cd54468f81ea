import assert from "node:assert/strict";
import { tryModel } from "../../src/app/doctor.ts";
import { configFor } from "../models/setup.ts";
import { startFakeProvider } from "../support/fake_provider.ts";

Deno.test("a model is tried once, and what is wrong with it promises no other attempt", async () => {
  const provider = await startFakeProvider(() => ({ fault: "status", status: 429, body: "{}" }));
  try {
    const trouble = await tryModel({ ...configFor(provider.url), model: "test-model" });
    assert.equal(trouble?.kind, "rate");
    assert.doesNotMatch(trouble.text, /attempt \d/);
    assert.doesNotMatch(trouble.found, /attempt \d/);
    assert.ok(trouble.text.startsWith(`${trouble.found}\n`), "with advice");
    assert.equal(provider.requests.length, 1);
  } finally {
    await provider.close();
  }
});

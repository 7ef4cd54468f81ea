import assert from "node:assert/strict";
import type { Line } from "../../../src/models/provider.ts";
import { send } from "../../../src/models/wire/send.ts";
import { ModelError } from "../../../src/base/types.ts";
import { Watchdog } from "../../../src/base/watchdog.ts";
import { type Reply, startFakeProvider } from "../../support/fake_provider.ts";

async function sent(reply: Reply): Promise<{ error: unknown; open: number }> {
  const provider = await startFakeProvider([reply]);
  const controller = new AbortController();
  const line: Line = {
    endpoint: { host: "test", apiKey: undefined },
    fetch,
    headerMs: 50,
    stallMs: 50,
    watchdog: new Watchdog(),
    now: Date.now,
  };
  try {
    const url = provider.url + "/chat/completions";
    const error = await send(line, url, {}, "{}", controller.signal).then(
      (response) => response.body?.cancel(),
      (error) => error,
    );
    controller.abort();
    for (let i = 0; provider.openConnections() > 0 && i < 1000; i++) {
      await new Promise((wake) => setTimeout(wake, 5));
    }
    return { error, open: provider.openConnections() };
  } finally {
    await provider.close();
  }
}

Deno.test("a provider that never begins to answer is a network error", async () => {
  const { error, open } = await sent({ fault: "stall_before_headers" });
  assert.ok(error instanceof ModelError);
  assert.equal(error.kind, "network");
  assert.match(error.message, /no response within 0.05 s/);
  assert.equal(open, 0);
});

Deno.test("a redirect is not followed, for it would carry the key elsewhere", async () => {
  const elsewhere = await startFakeProvider([]);
  try {
    const location = elsewhere.url + "/chat/completions";
    const { error } = await sent({ fault: "status", status: 307, headers: { location } });
    assert.ok(error instanceof ModelError);
    assert.equal(error.kind, "refused");
    assert.ok(error.message.includes(location));
    assert.equal(elsewhere.requests.length, 0);
  } finally {
    await elsewhere.close();
  }
});

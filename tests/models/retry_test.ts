import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { fault } from "../../src/models/errors.ts";
import { createModel, realHost } from "../../src/models/mod.ts";
import { sleep, withRetry } from "../../src/models/retry.ts";
import { type ModelClient, ModelError, type ModelEvent } from "../../src/base/types.ts";
import type { Reply } from "../support/fake_provider.ts";
import { configFor, hostWith, outcome, protocols, textOf, withProvider } from "./setup.ts";
import { freePort } from "../support/processes.ts";

const limited = (headers = {}): Reply => ({
  fault: "status",
  status: 429,
  headers,
  body: '{"error":{"message":"slow down"}}',
});

for (const protocol of protocols) {
  Deno.test(`${protocol}: after two faults the third attempt answers`, async () => {
    const waits: number[] = [];
    const script: Reply[] = [limited(), { fault: "cut", text: "void" }, { text: "fine" }];
    await withProvider(protocol, script, async (client, provider) => {
      const { events, error } = await outcome(client);
      assert.equal(error, undefined);
      assert.equal(provider.requests.length, 3);
      const bodies = new Set(provider.requests.map((request) => request.body));
      assert.equal(bodies.size, 1);
      const retries = events.filter((event) => event.type === "retry");
      assert.deepEqual(
        retries.map(({ attempt, waitMs, kind }) => ({ attempt, waitMs, kind })),
        [
          { attempt: 1, waitMs: 1000, kind: "rate" },
          { attempt: 2, waitMs: 2000, kind: "network" },
        ],
      );
      assert.match(retries[0]!.text, /^429 slow down; next is attempt 2 of 6$/);
      assert.deepEqual(waits, [1000, 2000]);
      const last = events.findLastIndex((event) => event.type === "retry");
      assert.equal(textOf(events.slice(last)), "fine");
    }, { host: hostWith(waits) });
  });

  Deno.test(`${protocol}: after five retries the error is thrown`, async () => {
    const waits: number[] = [];
    await withProvider(protocol, () => limited(), async (client, provider) => {
      const { error } = await outcome(client);
      assert.ok(error instanceof ModelError);
      assert.equal(error.kind, "rate");
      assert.equal(provider.requests.length, 6);
      assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16000]);
    }, { host: hostWith(waits) });
  });
}

Deno.test("the wait the server asks for is honoured in all its spellings", async () => {
  const now = Date.parse("2026-11-20T10:00:00Z");
  for (
    const [headers, ms] of [
      [{ "retry-after": "7" }, 7000],
      [{ "retry-after": "0.5" }, 500],
      [{ "retry-after": "Fri, 20 Nov 2026 10:00:30 GMT" }, 30_000],
      [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
      [{ "retry-after": "120" }, 120_000],
      [{ "retry-after": "0" }, 1000],
      [{ "retry-after": "soon" }, 1000],
    ] as const
  ) {
    const waits: number[] = [];
    await withProvider("openai", [limited(headers)], async (client) => {
      assert.equal((await outcome(client)).error, undefined);
    }, { host: { ...hostWith(waits), now: () => now } });
    assert.deepEqual(waits, [ms]);
  }
});

Deno.test("a wait above two minutes is not waited for, but told", async () => {
  const waits: number[] = [];
  await withProvider("openai", [limited({ "retry-after": "121" })], async (client, provider) => {
    const { error } = await outcome(client);
    assert.ok(error instanceof ModelError);
    assert.equal(error.retryAfterMs, 121_000);
    assert.equal(provider.requests.length, 1);
    assert.deepEqual(waits, []);
  }, { host: hostWith(waits) });
});

Deno.test("other kinds are not retried", async () => {
  for (const status of [400, 401, 402, 404, 413]) {
    await withProvider("openai", [{ fault: "status", status }], async (client, provider) => {
      assert.ok((await outcome(client)).error instanceof ModelError);
      assert.equal(provider.requests.length, 1);
    });
  }
});

Deno.test("the wait varies by a quarter either way", async () => {
  for (const [random, expected] of [[0, 750], [0.999999, 1250]] as const) {
    const waits: number[] = [];
    await withProvider("openai", [limited()], async (client) => {
      await outcome(client);
    }, { host: { ...hostWith(waits), random: () => random } });
    assert.deepEqual(waits, [expected]);
  }
});

Deno.test("nothing is retried after done", async () => {
  let attempts = 0;
  const client: ModelClient = {
    async *stream(): AsyncGenerator<ModelEvent> {
      attempts++;
      yield {
        type: "done",
        message: { role: "assistant", text: "", calls: [], thinking: [] },
        usage: { input: 0, output: 0, cached: 0, cost: null },
        stop: "end",
      };
      throw new ModelError("network", "late");
    },
  };
  const { events, error } = await outcome(
    withRetry(client, hostWith(), { maxRetries: 5, t: english }),
  );
  assert.equal(events.length, 1);
  assert.ok(error instanceof ModelError);
  assert.equal(attempts, 1);
});

Deno.test(
  "the real sleep ends at once on abort, with the reason",
  { timeout: 10_000 },
  async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const sleeping = realHost().sleep(3_600_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(sleeping, (error) => error === reason);
    await assert.rejects(sleep(3_600_000, AbortSignal.abort(reason)), (error) => error === reason);
    await sleep(1, new AbortController().signal);
  },
);

for (const protocol of protocols) {
  for (const host of ["127.0.0.1", "localhost"]) {
    Deno.test(`${protocol}: a server that is not started on ${host} is tried thrice`, async () => {
      const waits: number[] = [];
      const path = protocol === "openai" ? "/v1" : "/anthropic";
      const client = await createModel(
        configFor(`http://${host}:${freePort()}${path}`),
        hostWith(waits),
      );
      const { error } = await outcome(client);
      assert.ok(error instanceof ModelError);
      assert.equal(error.kind, "network");
      assert.match(error.message, /refused/i);
      assert.deepEqual(waits, [1000, 2000]);
    });
  }
}

Deno.test("a host that is not found, and one elsewhere that refuses, keep their five retries", async () => {
  for (
    const [host, why] of [
      ["api.example.com", "tcp connect error: Connection refused (os error 111)"],
      ["localhost.example.com:80", "tcp connect error: Connection refused (os error 111)"],
      ["api.example.com", "dns error: failed to lookup address information"],
      ["localhost:11434", "connection reset"],
    ] as const
  ) {
    const waits: number[] = [];
    const client: ModelClient = {
      // deno-lint-ignore require-yield -- it never gets an answer
      async *stream(): AsyncGenerator<ModelEvent> {
        throw await Promise.resolve(
          fault("network", { host, apiKey: undefined }, "the connection failed: {why}", { why }),
        );
      },
    };
    await outcome(withRetry(client, hostWith(waits), { maxRetries: 5, t: english }));
    assert.equal(waits.length, 5, `${host} ${why}`);
  }
});

Deno.test("a server that answers nothing is asked for ten minutes in all, one that breaks off as often as ever", async () => {
  for (
    const [silentMs, text, expected] of [[300_000, false, 2], [2000, false, 6], [
      300_000,
      true,
      6,
    ]] as const
  ) {
    let time = 0;
    let attempts = 0;
    const client: ModelClient = {
      async *stream() {
        attempts++;
        time += silentMs;
        if (text) yield { type: "text", delta: "so far" };
        throw new ModelError("network", "no response");
      },
    };
    const host = { ...hostWith(), now: () => time };
    const { events } = await outcome(withRetry(client, host, { maxRetries: 5, t: english }));
    assert.equal(attempts, expected);
    const last = events.findLast(({ type }) => type === "retry");
    assert.match(
      last?.type === "retry" ? last.text : "",
      new RegExp(`attempt ${expected} of ${expected}$`),
    );
  }
});

Deno.test("the limit for silence holds before the headers too", async () => {
  await withProvider(
    "openai",
    [{ fault: "stall_before_headers" }, { text: "fine" }],
    async (client) => {
      const { events, error } = await outcome(client);
      assert.equal(error, undefined);
      const retry = events.find(({ type }) => type === "retry");
      assert.match(retry?.type === "retry" ? retry.text : "", /no response within 0.15 s/);
    },
    { config: { headerMs: 150 }, host: hostWith() },
  );
});

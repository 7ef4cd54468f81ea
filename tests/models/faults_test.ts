import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { describeModelError } from "../../src/models/mod.ts";
import { ModelError } from "../../src/base/types.ts";
import { type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { createModel } from "../../src/models/mod.ts";
import {
  answer,
  configFor,
  hostWith,
  outcome,
  protocols,
  secret,
  textOf,
  withProvider,
} from "./setup.ts";

/** The error of a single reply, after all retries. */
async function errorOf(protocol: typeof protocols[number], reply: Reply): Promise<ModelError> {
  let error: unknown;
  await withProvider(protocol, () => reply, async (client) => {
    error = (await outcome(client)).error;
  }, { config: { stallMs: 150 } });
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

const status = (code: number, body: unknown, headers = {}): Reply => ({
  fault: "status",
  status: code,
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

for (const protocol of protocols) {
  const cases: [string, Reply, string, number][] = [
    ["401 is auth", status(401, { error: { message: "Authentication Fails" } }), "auth", 401],
    ["403 is auth", status(403, { error: { message: "Forbidden" } }), "auth", 403],
    ["404 is refused", status(404, { error: { message: "no such model" } }), "refused", 404],
    ["400 is refused", status(400, { error: { message: "bad field" } }), "refused", 400],
    ["402 is refused", status(402, { error: { message: "Insufficient Balance" } }), "refused", 402],
    [
      "429 for want of credit is refused",
      status(429, { error: { message: "You exceeded", code: "insufficient_quota" } }),
      "refused",
      429,
    ],
    ["429 is rate", status(429, { error: { message: "slow down" } }), "rate", 429],
    ["529 is rate", status(529, { error: { type: "overloaded_error" } }), "rate", 529],
    ["500 is network", status(500, "oops"), "network", 500],
    ["502 with HTML is network", status(502, "<html>Bad Gateway</html>"), "network", 502],
    ["503 is network", status(503, ""), "network", 503],
    ["504 is network", status(504, ""), "network", 504],
    ["413 is overflow", status(413, "<html>too large</html>"), "overflow", 413],
    [
      "400 for length is overflow",
      status(400, { error: { message: "This model's maximum context length is 65536 tokens." } }),
      "overflow",
      400,
    ],
    [
      "a redirect is refused",
      { fault: "status", status: 307, headers: { location: "http://elsewhere/" } },
      "refused",
      307,
    ],
    ["a reset before headers is network", { fault: "reset" }, "network", 0],
    ["a cut in the text is network", { fault: "cut", text: "half an answer" }, "network", 0],
    [
      "a cut in a call is network",
      { fault: "cut", calls: [{ name: "Read", input: { path: "a" } }] },
      "network",
      0,
    ],
    ["a stall right after the headers is network", { fault: "stall" }, "network", 0],
    ["a stall in the text is network", { fault: "stall", text: "half" }, "network", 0],
    ["a missing finish is network", { fault: "missing_finish", text: "whole?" }, "network", 0],
    ["an empty stream is network", { fault: "empty" }, "network", 0],
    ["HTML with 200 is protocol", { fault: "html200" }, "protocol", 0],
    ["foreign JSON with 200 is protocol", { fault: "json200", body: '{"ok":true}' }, "protocol", 0],
    ["a malformed chunk is protocol", { fault: "malformed", text: "then" }, "protocol", 0],
    [
      "an error with 200 is told by its code",
      { fault: "json200", body: '{"error":{"message":"who are you","code":401}}' },
      "auth",
      401,
    ],
    [
      "an overload in the stream is rate",
      {
        fault: "error_in_stream",
        text: "half",
        error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      },
      "rate",
      0,
    ],
    [
      "an overflow in the stream is overflow",
      {
        fault: "error_in_stream",
        error: { error: { code: 400, message: "prompt is too long: 210000 tokens > 200000" } },
      },
      "overflow",
      400,
    ],
    [
      "an unknown error in the stream is network",
      { fault: "error_in_stream", error: { error: { message: "worker died" } } },
      "network",
      0,
    ],
  ];
  for (const [name, reply, kind, code] of cases) {
    Deno.test(`${protocol}: ${name}`, async () => {
      const error = await errorOf(protocol, reply);
      assert.equal(error.kind, kind, error.message);
      assert.equal(error.status, code);
      assert.match(error.message, /^Cannot get an answer from 127\.0\.0\.1:\d+: ./);
      for (const t of [chinese, english]) {
        const text = describeModelError(t, error);
        assert.ok(text.includes("127.0.0.1"), text);
        assert.ok(text.split("\n").length >= 2, text);
      }
    });
  }

  Deno.test(`${protocol}: a whole answer as JSON is accepted`, async () => {
    const reply: Reply = {
      fault: "json200",
      text: "whole",
      calls: [{ name: "Read", input: { path: "a" } }],
      usage: { input: 30, output: 4, cached: 20 },
    };
    await withProvider(protocol, [reply], async (client) => {
      const { message, usage, stop } = await answer(client);
      assert.equal(message.text, "whole");
      assert.deepEqual(message.calls.map((call) => JSON.parse(call.input)), [{ path: "a" }]);
      assert.deepEqual(usage, { input: 30, output: 4, cached: 20, cost: null });
      assert.equal(stop, "calls");
    });
  });

  Deno.test(`${protocol}: a refused connection is network`, async () => {
    const gone = await startFakeProvider([]);
    await gone.close();
    const base = protocol === "openai" ? gone.url : gone.anthropicUrl;
    const { error } = await outcome(await createModel(configFor(base), hostWith()));
    assert.ok(error instanceof ModelError);
    assert.equal(error.kind, "network");
    assert.match(error.message, /refused/i);
  });

  Deno.test(`${protocol}: what was streamed before a fault was shown`, async () => {
    await withProvider(protocol, [{ fault: "malformed", text: "seen before" }], async (client) => {
      const { events, error } = await outcome(client);
      assert.equal(textOf(events), "seen before");
      assert.ok(error instanceof ModelError);
    });
  });

  Deno.test(`${protocol}: the key is never in a message`, async () => {
    const reply = status(401, { error: { message: `Incorrect key ${secret} given` } });
    const error = await errorOf(protocol, reply);
    assert.ok(!error.message.includes(secret), error.message);
    assert.ok(!String(error.cause).includes(secret));
    assert.match(error.message, /\*\*\* given/);
  });

  Deno.test(`${protocol}: control characters of the server do not reach the terminal`, async () => {
    const error = await errorOf(
      protocol,
      status(400, { error: { message: "\u001b[31ma\u001b[2Jb\nc\u0007" } }),
    );
    assert.match(error.message, /400 ab c$/);
  });
}

Deno.test("without a key the request is sent without one, and 401 says that none is configured", async () => {
  for (const protocol of protocols) {
    await withProvider(protocol, [status(401, "{}")], async (client, provider) => {
      const { error } = await outcome(client);
      assert.match(String(error), /no API key is configured/);
      const { headers } = provider.requests[0]!;
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["x-api-key"], undefined);
    }, { config: { apiKey: undefined } });
  }
});

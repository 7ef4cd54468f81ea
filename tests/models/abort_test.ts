import assert from "node:assert/strict";
import { createModel, realHost } from "../../src/models/mod.ts";
import type { ModelEvent } from "../../src/base/types.ts";
import type { Reply } from "../support/fake_provider.ts";
import { configFor, outcome, protocols, requestOf, withProvider } from "./setup.ts";

/** Far above what an abort takes, far below what any other way out would. */
const bound = { timeout: 10_000 };

const call = { name: "Read", input: { path: "a/long/enough/path.ts" } };

for (const protocol of protocols) {
  const stages: [string, Reply, ModelEvent["type"] | "request"][] = [
    ["before the headers", { fault: "stall_before_headers" }, "request"],
    ["in the text", { fault: "stall", text: "half of it" }, "text"],
    ["in the thinking", { fault: "stall", thinking: "hm" }, "thinking"],
    ["in a call", { fault: "stall", calls: [call] }, "call"],
    [
      "in the wait of a retry",
      { fault: "status", status: 429, headers: { "retry-after": "100" } },
      "retry",
    ],
  ];
  for (const [stage, reply, when] of stages) {
    Deno.test(
      `${protocol}: an abort ${stage} throws its reason and releases the connection`,
      bound,
      async () => {
        await withProvider(protocol, [reply], async (client, provider) => {
          const controller = new AbortController();
          const reason = new Error("stopped by the user");
          let seen = false;
          if (when === "request") {
            waitFor(() => provider.requests.length === 1).then(() => controller.abort(reason));
          }
          await assert.rejects(async () => {
            for await (const event of client.stream(requestOf(), controller.signal)) {
              if (event.type !== when) continue;
              seen = true;
              // as a key press would: while the stream waits for more
              setTimeout(() => controller.abort(reason), 5);
            }
          }, (error) => error === reason);
          assert.ok(seen || when === "request");
          await waitFor(() => provider.openConnections() === 0);
          assert.equal(provider.requests.length, 1);
        }, { config: { stallMs: 60_000 }, host: realHost() });
      },
    );
  }

  Deno.test(
    `${protocol}: a request is told to be sent when the provider has it, before any answer`,
    bound,
    async () => {
      await withProvider(protocol, [{ fault: "stall" }], async (client, provider) => {
        const controller = new AbortController();
        const arrived: number[] = [];
        const onSent = () => {
          arrived.push(provider.requests.length);
          controller.abort(new Error("enough"));
        };
        await assert.rejects(async () => {
          for await (const _ of client.stream(requestOf({ onSent }), controller.signal));
        }, /enough/);
        assert.deepEqual(arrived, [1]);
      }, { config: { stallMs: 60_000 }, host: realHost() });
    },
  );

  Deno.test(
    `${protocol}: a consumer that stops reading releases the connection`,
    bound,
    async () => {
      await withProvider(protocol, [{ fault: "stall", text: "abc" }], async (client, provider) => {
        for await (const _ of client.stream(requestOf(), new AbortController().signal)) break;
        await waitFor(() => provider.openConnections() === 0);
      }, { config: { stallMs: 60_000 } });
    },
  );

  Deno.test(`${protocol}: with an aborted signal nothing is sent`, bound, async () => {
    await withProvider(protocol, [], async (client, provider) => {
      const reason = new Error("before it began");
      const { error } = await outcome(client, requestOf(), AbortSignal.abort(reason));
      assert.equal(error, reason);
      assert.equal(provider.requests.length, 0);
    });
  });

  Deno.test(`${protocol}: an abort does not wait for a fetch that hangs`, bound, async () => {
    const reason = new Error("stop");
    const controller = new AbortController();
    const hanging = () => {
      setTimeout(() => controller.abort(reason), 5);
      return new Promise<Response>(() => {});
    };
    const base = protocol === "openai" ? "http://x.invalid/v1" : "http://x.invalid/anthropic";
    const client = await createModel(configFor(base), { ...realHost(), fetch: hanging });
    const { error } = await outcome(client, requestOf(), controller.signal);
    assert.equal(error, reason);
  });

  Deno.test(
    `${protocol}: an abort does not wait for a body that cannot be cancelled`,
    bound,
    async () => {
      const reason = new Error("stop");
      const controller = new AbortController();
      const body = new ReadableStream({
        type: "bytes",
        pull: () => {
          setTimeout(() => controller.abort(reason), 5);
          return new Promise(() => {});
        },
        cancel: () => new Promise(() => {}),
      });
      const headers = { "content-type": "text/event-stream" };
      const base = protocol === "openai" ? "http://x.invalid/v1" : "http://x.invalid/anthropic";
      const client = await createModel(configFor(base), {
        ...realHost(),
        fetch: () => Promise.resolve(new Response(body, { headers })),
      });
      const { error } = await outcome(client, requestOf(), controller.signal);
      assert.equal(error, reason);
    },
  );
}

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((wake) => setTimeout(wake, 2));
}

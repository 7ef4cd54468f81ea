/** Answers that are too much, or too little, or never come. */
import assert from "node:assert/strict";
import { createModel } from "../../src/models/mod.ts";
import { ModelError } from "../../src/base/types.ts";
import { type RawReply, rawServer } from "./raw_server.ts";
import { delta, message, sse } from "./served.ts";
import { answer, configFor, hostWith, outcome, protocols } from "./setup.ts";
import { slow } from "../support/soak.ts";

const MEGABYTE = "x".repeat(1_000_000);
const said = {
  openai: sse(delta({ content: "Hello" }, "stop")),
  anthropic: message([[{ type: "text", text: "Hello" }]]),
};

/** What one request comes to; without retries but those that are asked for. */
async function served(
  protocol: typeof protocols[number],
  reply: (index: number) => RawReply,
  more: { stallMs?: number; retries?: number } = {},
) {
  const server = rawServer(reply);
  try {
    const base = protocol === "openai" ? server.url : server.anthropicUrl;
    const config = configFor(base, { stallMs: more.stallMs ?? 5000 });
    const client = await createModel(config, hostWith(), more.retries ?? 0);
    return { ...await outcome(client), requests: server.count() };
  } finally {
    await server.close();
  }
}

/** 300 pieces, and how many of them were asked for. */
function flood(first: string, piece: string, type?: string) {
  const sent = { count: 0 };
  const pieces = function* () {
    yield first;
    for (; sent.count < 300; sent.count++) yield piece;
  };
  return { sent, reply: () => ({ pieces: pieces(), ...type === undefined ? {} : { type } }) };
}

const content = {
  openai: delta({ content: MEGABYTE }),
  anthropic: {
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: MEGABYTE },
  },
};
const input = {
  openai: delta({
    tool_calls: [{ index: 0, id: "c", function: { name: "Read", arguments: MEGABYTE } }],
  }),
  anthropic: {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "c", name: "Read", input: { path: MEGABYTE } },
  },
};

for (const protocol of protocols) {
  const floods: [string, ReturnType<typeof flood>][] = [
    ["text", flood("", sse(content[protocol]))],
    ["input of a call", flood("", sse(input[protocol]))],
    ["one line", flood("data: {", MEGABYTE)],
    ["one event of many lines", flood("", `data: ${MEGABYTE}\n`)],
    ["what is no event stream", flood("", MEGABYTE)],
    ["one JSON text", flood("{", MEGABYTE, "application/json")],
  ];
  for (const [what, { sent, reply }] of floods) {
    slow(
      `${protocol}: an endless answer, ${what}, is read no further than 16 million characters`,
      async () => {
        const { error } = await served(protocol, reply);
        assert.ok(error instanceof ModelError, String(error));
        assert.equal(error.kind, "protocol");
        assert.match(error.message, /more than 16 million characters/);
        // what the sockets hold is on its way
        assert.ok(sent.count < 60, `${sent.count} MB were taken`);
      },
    );
  }

  for (const begun of [0, 1, 2, 3, 40]) {
    Deno.test(`${protocol}: an answer cut after ${begun} bytes is asked for again`, async () => {
      const { events, error, requests } = await served(protocol, (index) => ({
        pieces: [index === 0 ? said[protocol].slice(0, begun) : said[protocol]],
      }), { retries: 1 });
      assert.equal(error, undefined, String(error));
      assert.equal(requests, 2);
      assert.ok(events.some(({ type }) => type === "retry"));
    });
  }

  const alive = [": ping\n\n", "data:\n\n", 'event: ping\ndata: {"type":"ping"}\n\n'];
  const begun = {
    openai: sse(delta({ role: "assistant", content: "" })),
    anthropic: sse({ type: "message_start", message: {} }),
  };
  for (const sign of alive) {
    for (
      const first of [
        "",
        begun[protocol],
        said[protocol].slice(0, said[protocol].indexOf("\n\n") + 2),
      ]
    ) {
      Deno.test(`${protocol}: ${JSON.stringify(sign)} behind ${first.length} characters bridges no more than three stall limits`, async () => {
        const pieces = function* () {
          yield first.replace('"stop"', "null");
          for (;;) yield sign;
        };
        const reply = () => ({ pieces: pieces(), gapMs: 5 });
        const { error } = await served(protocol, reply, { stallMs: 60 });
        assert.ok(error instanceof ModelError, String(error));
        assert.equal(error.kind, "network");
        assert.match(error.message, /nothing but signs of life for 0\.18 s|no data for 0\.06 s/);
      });
    }
  }

  Deno.test(`${protocol}: a chunk nested without end is malformed, no crash`, async () => {
    const deep = '{"a":'.repeat(200_000) + "1" + "}".repeat(200_000);
    const { error } = await served(protocol, () => ({ pieces: [`data: ${deep}\n\n`] }));
    assert.match(String(error), /malformed chunk/);
  });
}

Deno.test("signs of life put the stall off where the answer comes in time", async () => {
  const server = rawServer(() => ({ pieces: [": a\n\n", ": b\n\n", said.openai], gapMs: 150 }));
  try {
    // the gaps together are longer than one limit
    const client = await createModel(configFor(server.url, { stallMs: 250 }), hostWith());
    assert.equal((await answer(client)).message.text, "Hello");
  } finally {
    await server.close();
  }
});

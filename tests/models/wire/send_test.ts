import fc from "fast-check";
import assert from "node:assert/strict";
import { ModelError } from "../../../src/base/types.ts";
import { Watchdog } from "../../../src/base/watchdog.ts";
import { createModel } from "../../../src/models/mod.ts";
import type { Line } from "../../../src/models/provider.ts";
import { send, SseDecoder, type SseEvent } from "../../../src/models/wire/send.ts";
import { type Reply, startFakeProvider } from "../../support/fake_provider.ts";
import { delta, sse } from "../served.ts";
import { configFor, hostWith, outcome, requestOf } from "../setup.ts";

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

const bytes = (text: string) => new TextEncoder().encode(text);

function decode(...chunks: readonly Uint8Array[]): SseEvent[] {
  const decoder = new SseDecoder();
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

const recorded = '\uFEFF: connected\r\n\r\nevent: a\r\ndata: {"text":"你好 😀"}\r\n\r\n' +
  "data: one\ndata: two\n\ndata:none\rdata:  two blanks\r\r: ping\n\nid: 7\nretry: 10\n" +
  "event: last\ndata\n\ndata: [DONE]\n\n";

const expected: SseEvent[] = [
  { event: "a", data: '{"text":"你好 😀"}' },
  { event: "", data: "one\ntwo" },
  { event: "", data: "none\n two blanks" },
  { event: "last", data: "" },
  { event: "", data: "[DONE]" },
];

Deno.test("fields, comments, line ends and the byte order mark are read as the standard says", () => {
  assert.deepEqual(decode(bytes(recorded)), expected);
});

Deno.test("a recorded stream cut in two at any byte gives the same events", () => {
  const all = bytes(recorded);
  for (let at = 0; at <= all.length; at++) {
    assert.deepEqual(decode(all.subarray(0, at), all.subarray(at)), expected, `cut at ${at}`);
  }
});

Deno.test("a recorded stream byte by byte gives the same events", () => {
  assert.deepEqual(decode(...Array.from(bytes(recorded), (one) => Uint8Array.of(one))), expected);
});

Deno.test("any events cut anywhere, with empty chunks between, come out as they were", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n\uFEFF]/g, ""));
  const event = fc.record({
    event: line,
    data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
  }, { noNullPrototype: true });
  const cuts = fc.array(fc.nat(2000), { maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 5 }),
      cuts,
      fc.constantFrom("\n", "\r\n", "\r"),
      (events, places, end) => {
        const all = bytes(
          events.map((one) =>
            `event: ${one.event}${end}` +
            one.data.split("\n").map((text) => `data: ${text}${end}`).join("") + end
          ).join(""),
        );
        const at = [0, ...places.map((place) => place % (all.length + 1)), all.length];
        at.sort((a, b) => a - b);
        const chunks = at.slice(1).map((to, i) => all.subarray(at[i], to));
        assert.deepEqual(decode(...chunks), events);
      },
    ),
  );
});

Deno.test("an event without its blank line at the end still counts", () => {
  assert.deepEqual(decode(bytes("data: last words")), [{ event: "", data: "last words" }]);
});

const HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const ANSWER = chunk(sse(delta({ content: "ok" }, "stop"), "data: [DONE]\n\n"));

/** A server that sends the end of each answer's body when it is told to. */
function lateEnds() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const closed: Promise<void>[] = [];
  const serve = async (connection: Deno.Conn) => {
    const buffer = new Uint8Array(65_536);
    let text = "";
    try {
      for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
        text += new TextDecoder().decode(buffer.subarray(0, n));
        if (!/"stream":true.*\}$/.test(text)) continue;
        text = "";
        await connection.write(new TextEncoder().encode(HEAD + ANSWER));
      }
    } catch {
      // reset
    }
  };
  const accepting = (async () => {
    for await (const connection of listener) {
      connections.push(connection);
      closed.push(serve(connection));
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}/v1`,
    connections,
    /** Resolves when the client has let go of the connections there are. */
    letGo: () => Promise.all(closed),
    end: (which: number) => connections[which]!.write(new TextEncoder().encode("0\r\n\r\n")),
    async close() {
      listener.close();
      await accepting;
      for (const connection of connections) connection.close();
    },
  };
}

Deno.test("the connection of an answer serves the next one, though the end of its body comes later", async () => {
  const server = lateEnds();
  try {
    const client = await createModel(configFor(server.url), hostWith(), 0);
    for (let asked = 1;; asked++) {
      assert.ok(asked <= 50, "each request has opened a connection");
      const { events, error } = await outcome(client);
      assert.equal(error, undefined);
      assert.equal(events.at(-1)?.type, "done");
      // the end may be read only behind the next request
      if (server.connections.length < asked) break;
      await server.end(asked - 1);
      await new Promise((wake) => setTimeout(wake, 10));
    }
  } finally {
    await server.close();
  }
});

Deno.test("a connection whose answer is over, but whose body does not end, is let go", async () => {
  const server = lateEnds();
  try {
    const { error } = await outcome(await createModel(configFor(server.url), hostWith(), 0));
    assert.equal(error, undefined);
    await server.letGo();
  } finally {
    await server.close();
  }
});

/** What a client makes of bytes that come in these pieces. */
async function read(...pieces: readonly string[]) {
  const body = new ReadableStream({
    type: "bytes",
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const headers = { "content-type": "text/event-stream" };
  const fetch = () => Promise.resolve(new Response(body, { headers }));
  const client = await createModel(configFor("http://x.invalid/v1"), { ...hostWith(), fetch }, 0);
  const { events, error } = await outcome(client);
  return { told: events.filter(({ type }) => type !== "done"), error };
}

const call = (more: object) => delta({ tool_calls: [{ index: 0, ...more }] });

Deno.test("what came in one piece is told in one piece, in its order", async () => {
  const { told, error } = await read(
    sse(
      ...["a", "b", "c"].map((reasoning) => delta({ reasoning })),
      ...["d", "e"].map((content) => delta({ content })),
      delta({ reasoning: "f" }),
      ...["g", "h"].map((content) => delta({ content })),
      call({ id: "c1", function: { name: "Read", arguments: "" } }),
      ...['{"file', '_path":', '"a"}'].map((input) => call({ function: { arguments: input } })),
    ),
    sse(delta({ content: "i" }), delta({}, "stop")),
  );
  assert.equal(error, undefined);
  assert.deepEqual(told, [
    { type: "thinking", delta: "abc" },
    { type: "text", delta: "de" },
    { type: "thinking", delta: "f" },
    { type: "text", delta: "gh" },
    { type: "call", name: "Read" },
    { type: "input", delta: '{"file_path":"a"}' },
    { type: "text", delta: "i" },
  ]);
});

Deno.test("what came in one piece with a fault is told before it", async () => {
  const { told, error } = await read(
    sse(delta({ content: "a" }), delta({ content: "b" }), { error: { message: "gone" } }),
  );
  assert.deepEqual(told, [{ type: "text", delta: "ab" }]);
  assert.match(String(error), /gone/);
});

/** A client of an answer whose words come every few milliseconds for more than a second, and then nothing. */
function streaming() {
  const words: string[] = [];
  const began = performance.now();
  let over = false;
  let timer: ReturnType<typeof setInterval>;
  const body = new ReadableStream({
    type: "bytes",
    start(controller) {
      timer = setInterval(() => {
        words.push(`word${words.length} `);
        controller.enqueue(new TextEncoder().encode(sse(delta({ content: words.at(-1) }))));
        over = performance.now() - began > 1300;
        if (over) clearInterval(timer);
      }, 4);
    },
    cancel: () => clearInterval(timer),
  });
  const headers = { "content-type": "text/event-stream" };
  const fetch = () => Promise.resolve(new Response(body, { headers }));
  const host = { ...hostWith(), fetch };
  const client = createModel(configFor("http://x.invalid/v1"), host, 0);
  return { client, whole: () => over ? words.join("") : undefined };
}

Deno.test("an answer that goes on streaming is told as often as it is seen, all that has come", async () => {
  const { client: made, whole } = streaming();
  const client = await made;
  const abort = new AbortController();
  const reason = new Error("stopped by the user");
  const times: number[] = [];
  let text = "";
  await assert.rejects(async () => {
    for await (const event of client.stream(requestOf(), abort.signal)) {
      assert.ok(event.type === "text");
      text += event.delta;
      times.push(performance.now());
      if (text === whole()) abort.abort(reason);
    }
  }, (error) => error === reason);
  const from = times[0]! + 600;
  const late = times.filter((time) => time > from).length;
  const ms = times.at(-1)! - from;
  assert.ok(late <= ms / 55 + 2, `${late} times in ${ms} ms`);
});

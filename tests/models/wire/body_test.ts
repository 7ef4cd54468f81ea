/** How an answer is read off its connection. */
import assert from "node:assert/strict";
import { createModel } from "../../../src/models/mod.ts";
import { delta, sse } from "../served.ts";
import { configFor, hostWith, outcome, requestOf } from "../setup.ts";

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

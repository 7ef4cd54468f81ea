import assert from "node:assert/strict";
import { boundedFetch, TooLong } from "../../../../src/features/mcp/wire/http_fetch.ts";

const MB = 1 << 20;

/** What is read of an answer that comes in these pieces. */
async function read(pieces: Iterable<string | Uint8Array>, type: string, status = 200) {
  const body = ReadableStream.from(pieces).pipeThrough(
    new TransformStream<string | Uint8Array, Uint8Array>({
      transform: (piece, out) =>
        out.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece),
    }),
  );
  const answer = new Response(body, { status, headers: { "content-type": type } });
  const response = await boundedFetch(() => Promise.resolve(answer))("http://a.example/");
  let bytes = 0;
  for await (const piece of response.body!) bytes += piece.length;
  return bytes;
}

function* repeated(times: number, ...pieces: readonly (string | Uint8Array)[]) {
  for (let n = 0; n < times; n++) yield* pieces;
}

Deno.test("a stream goes on without end as long as each event is of bounds, wherever it is cut", async () => {
  const line = new Uint8Array(MB).fill(120);
  for (const end of [["\n\n"], ["\n", "\n"], ["\r\n", "\r\n"], ["\r\n\r", "\n"]]) {
    const bytes = await read(repeated(70, line, ...end), "text/event-stream");
    assert.ok(bytes > 70 * MB, JSON.stringify(end));
  }
});

Deno.test("an event of many lines is one message, and JSON has no events", async () => {
  const line = new Uint8Array(MB).fill(120);
  await assert.rejects(read(repeated(70, line, "\n"), "text/event-stream"), TooLong);
  await assert.rejects(read(repeated(70, line, "\n\n"), "application/json"), TooLong);
});

Deno.test("of an answer that is an error only the beginning is read", async () => {
  const page = new Uint8Array(MB).fill(120);
  assert.equal(await read(repeated(200, page), "text/html", 500), 64 << 10);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { SseDecoder, type SseEvent } from "../../../src/models/wire/sse.ts";

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

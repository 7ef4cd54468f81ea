import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { bodies, remembering } from "../../../src/models/wire/wire_text.ts";
import type { Message } from "../../../src/base/types.ts";
import { worded } from "../setup.ts";
import { runs } from "../../support/soak.ts";

Deno.test("a body has the fields in their order, the messages where they are put", () => {
  assert.equal(
    worded(bodies()({ a: 1 }, ['{"r":1}', '{"r":2}'], { b: 2 })),
    '{"a":1,"messages":[{"r":1},{"r":2}],"b":2}',
  );
  assert.equal(worded(bodies()({ a: 1 }, ["1"], {})), '{"a":1,"messages":[1]}');
  assert.equal(worded(bodies()({ a: 1 }, [], {})), '{"a":1,"messages":[]}');
});

Deno.test("a body is the same whatever bodies came before it, and leaves those as they were", () => {
  const text = fc.oneof(fc.constantFrom("1", '"é"', '"消息"'), fc.json());
  const large = fc.constant(`"${"x".repeat(4_000_000)}"`);
  const part = fc.oneof({ weight: 40, arbitrary: text }, { weight: 1, arbitrary: large });
  const request = fc.record({
    head: fc.constantFrom({ a: 1 }, { a: 2 }),
    /** How many messages of the body before it begins with. */
    kept: fc.nat(6),
    more: fc.array(part, { maxLength: 4 }),
    tail: fc.constantFrom({}, { b: 2 }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 8 }), (requests) => {
      const body = bodies();
      let messages: string[] = [];
      const made = requests.map(({ head, kept, more, tail }) => {
        messages = [...messages.slice(0, kept), ...more];
        return { bytes: body(head, messages, tail), alone: bodies()(head, messages, tail) };
      });
      // compared as a whole: millions of bytes one by one take minutes
      for (const { bytes, alone } of made) assert.ok(Buffer.from(bytes).equals(alone));
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("a message is worded once for each model, one with images anew", () => {
  let made = 0;
  const told = remembering((model) => ({ role }) => `${model} ${role} ${++made}`);
  const plain: Message = { role: "user", text: "a" };
  assert.equal(told("m")(plain), told("m")(plain));
  assert.equal(made, 1);
  assert.equal(told("n")(plain), "n user 2");
  assert.equal(told("m")({ ...plain }), "m user 3", "an equal one is another");
  const seen: Message = { ...plain, images: [{ mediaType: "image/png", data: "" }] };
  told("m")(seen);
  told("m")(seen);
  assert.equal(made, 5);
});

Deno.test("a message is worded once as long as requests have it, and forgotten when none has", () => {
  let made = 0;
  const told = remembering(() => () => ++made);
  const [kept, left]: Message[] = [{ role: "user", text: "a" }, { role: "user", text: "b" }];
  told("m")(left!);
  for (let request = 0; request < 300; request++) assert.equal(told("m")(kept!), 2);
  assert.equal(told("m")(left!), 3);
});

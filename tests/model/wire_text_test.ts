import assert from "node:assert/strict";
import { bodyText, remembering } from "../../src/model/wire_text.ts";
import type { Message } from "../../src/types.ts";

Deno.test("a body has the fields in their order, the messages where they are put", () => {
  assert.equal(
    bodyText({ a: 1 }, ['{"r":1}', '{"r":2}'], { b: 2 }),
    '{"a":1,"messages":[{"r":1},{"r":2}],"b":2}',
  );
  assert.equal(bodyText({ a: 1 }, ["1"], {}), '{"a":1,"messages":[1]}');
  assert.equal(bodyText({ a: 1 }, [], {}), '{"a":1,"messages":[]}');
});

Deno.test("a message is worded once for each model, one with images anew", () => {
  let made = 0;
  const told = remembering((message, model) => `${model} ${message.role} ${++made}`);
  const plain: Message = { role: "user", text: "a" };
  assert.equal(told(plain, "m"), told(plain, "m"));
  assert.equal(made, 1);
  assert.equal(told(plain, "n"), "n user 2");
  assert.equal(told({ ...plain }, "m"), "m user 3", "an equal one is another");
  const seen: Message = { ...plain, images: [{ mediaType: "image/png", data: "" }] };
  told(seen, "m");
  told(seen, "m");
  assert.equal(made, 5);
});

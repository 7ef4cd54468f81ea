import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Field } from "../../../src/base/types.ts";
import { readField, shownValue, typedValue } from "../../../src/terminal/panels/fields.ts";
import { runs } from "../../support/soak.ts";

const field = (more: Partial<Field> & Pick<Field, "type">): Field => ({
  name: "f",
  label: "F",
  ...more,
});
const read = (more: Partial<Field> & Pick<Field, "type">, typed: string) =>
  readField(field(more), typed, english);
const choices = ["a", "b", "c"].map((value) => ({ value, label: value.toUpperCase() }));

Deno.test("what is typed becomes a value of the field's type", () => {
  assert.deepEqual(read({ type: "text" }, " hi "), { value: " hi " });
  assert.deepEqual(read({ type: "number" }, " 1.5 "), { value: 1.5 });
  assert.deepEqual(read({ type: "integer" }, "-3"), { value: -3 });
  assert.deepEqual(read({ type: "boolean" }, "是"), { value: true });
  assert.deepEqual(read({ type: "boolean" }, "No"), { value: false });
  assert.deepEqual(read({ type: "lines" }, " one \n\n two"), { value: ["one", "two"] });
  assert.deepEqual(read({ type: "choice", choices }, "2"), { value: "b" });
  assert.deepEqual(read({ type: "choices", choices }, "3, 1"), { value: ["c", "a"] });
});

Deno.test("what is left empty has no value, and what is required may not be", () => {
  for (const type of ["text", "number", "integer", "boolean", "choice"] as const) {
    assert.deepEqual(read({ type, choices }, "  "), { value: undefined });
    assert.ok("wrong" in read({ type, choices, required: true }, "  "), type);
  }
  assert.ok("wrong" in read({ type: "lines", required: true }, "\n \n"));
  assert.ok("wrong" in read({ type: "choices", choices, required: true }, ""));
});

Deno.test("what does not fit is said in words", () => {
  const wrong = (more: Partial<Field> & Pick<Field, "type">, typed: string) => {
    const found = read(more, typed);
    return "wrong" in found ? found.wrong : undefined;
  };
  assert.equal(wrong({ type: "number" }, "1x"), "this must be a number");
  assert.equal(wrong({ type: "integer" }, "1.5"), "this must be a whole number");
  assert.equal(wrong({ type: "number" }, "Infinity"), "this must be a number");
  assert.equal(wrong({ type: "number", minimum: 0 }, "-1"), "this must be 0 or more");
  assert.equal(wrong({ type: "integer", maximum: 9 }, "10"), "this must be 9 or less");
  assert.equal(wrong({ type: "text", minimum: 2 }, "a"), "at least 2 characters");
  assert.equal(wrong({ type: "text", maximum: 1 }, "ab"), "at most 1 character");
  assert.equal(wrong({ type: "text", maximum: 1 }, "👍"), undefined);
  assert.equal(wrong({ type: "boolean" }, "maybe"), "this must be y or n");
  for (const typed of ["0", "4", "x", "1 2"]) {
    assert.equal(wrong({ type: "choice", choices }, typed), "this must be a number from 1 to 3");
  }
});

Deno.test("Property: a list that is typed as it is shown to be edited stays what it is", () => {
  const item = fc.string({ minLength: 1, unit: "grapheme" })
    .map((text) => text.replace(/[\r\n]/g, "").trim()).filter((text) => text !== "");
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (value) => {
      assert.deepEqual(read({ type: "lines" }, typedValue({ value })), { value });
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("a value reads as people say it, on one line an item", () => {
  assert.deepEqual(shownValue(field({ type: "lines" }), ["a", "b\x1b[2J"], english), [
    "1. a",
    "2. b",
  ]);
  assert.deepEqual(shownValue(field({ type: "choices", choices }), ["a", "c"], english), ["A, C"]);
  assert.deepEqual(shownValue(field({ type: "boolean" }), true, chinese), ["是"]);
  assert.deepEqual(shownValue(field({ type: "text" }), undefined, english), []);
});

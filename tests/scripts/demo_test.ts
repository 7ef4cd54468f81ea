import assert from "node:assert/strict";

Deno.test("the demo mends its project without colours in a pipe, and cleans up", async () => {
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("../../scripts/demo.ts", import.meta.url).href, "--lang", "en"],
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(output.stdout);
  assert.equal(output.code, 0, text + new TextDecoder().decode(output.stderr));
  assert.match(
    text,
    /2 passed \| 1 failed[\s\S]*\+ {2}return amount >= FREE_SHIPPING_FROM[\s\S]*3 passed/,
  );
  // deno-lint-ignore no-control-regex -- looking for an escape sequence
  assert.doesNotMatch(text, /\x1b/);
  assert.match(text, /Next: run narnat --model demo/);
  const dir = /failing test: (\S+)/.exec(text)?.[1];
  assert.ok(dir);
  await assert.rejects(Deno.stat(dir), Deno.errors.NotFound);
});

Deno.test("the demo refuses a language it does not speak", async () => {
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("../../scripts/demo.ts", import.meta.url).href, "--lang", "fr"],
    stdin: "null",
  }).output();
  assert.equal(output.code, 2);
  assert.match(new TextDecoder().decode(output.stderr), /--lang is "fr", expected zh or en/);
});

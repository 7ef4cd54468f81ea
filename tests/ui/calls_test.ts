import assert from "node:assert/strict";
import type { Json } from "../../src/types.ts";
import { callText } from "../../src/ui/calls.ts";
import type { Look } from "../../src/ui/rows.ts";
import { createStyle } from "../../src/ui/style.ts";

const en: Look = { style: createStyle("none"), lang: "en", workspace: "/space" };

Deno.test("a call reads as its tool and what it is about", () => {
  const of = (name: string, input: Json) => callText(name, input, en);
  assert.equal(of("Edit", { file_path: "/space/src/a.ts", old_string: "x" }), "Edit src/a.ts");
  assert.equal(of("Read", { file_path: "/etc/hosts" }), "Read /etc/hosts");
  assert.equal(of("Grep", { pattern: "foo", path: "/space/src" }), "Grep foo src");
  assert.equal(of("Bash", { command: "deno test\n  -A" }), "Bash deno test   -A");
  assert.equal(of("TodoWrite", { todos: [] }), "TodoWrite");
  assert.equal(of("mcp_x_y", { n: 1, what: "that" }), "mcp_x_y that");
  assert.equal(of("Bash", "{not json"), "Bash {not json");
  assert.equal(of("Bash", { command: "ls \x1b]0;evil\x07\x1b[2J" }), "Bash ls");
});

Deno.test("a call that is cut short does not end in half a character", () => {
  for (let n = 196; n < 202; n++) {
    const text = callText("Bash", { command: "a".repeat(n) + "👍👍👍👍👍" }, en);
    assert.ok(text.isWellFormed() && !text.includes("\ufffd"), text);
  }
});

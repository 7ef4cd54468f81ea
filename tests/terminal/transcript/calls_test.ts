import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import type { Json } from "../../../src/base/types.ts";
import { callText, wholeCall } from "../../../src/terminal/transcript/calls.ts";
import type { Look } from "../../../src/terminal/transcript/rows.ts";
import { createStyle } from "../../../src/terminal/style.ts";

const en: Look = { style: createStyle("none"), t: english, workspace: "/space" };

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

Deno.test("calls of agents, teams, plans and servers read well", () => {
  const look: Look = { ...en, servers: () => ["my", "my server", "other"] };
  const of = (name: string, input: Json) => callText(name, input, look);
  assert.equal(of("Spawn", { task: "find the bug\nin all", label: "bug" }), "Spawn bug");
  assert.equal(of("Spawn", { task: "find it" }), "Spawn find it");
  assert.equal(of("Plan", { steps: ["a", "b"] }), "Plan 2 steps");
  const members = [{ name: "ann", role: "x" }, { name: "bob", role: "y" }];
  assert.equal(of("Team", { action: "create", members }), "Team create ann, bob");
  assert.equal(of("Team", { action: "send", to: "ann", text: "hi" }), "Team → ann: hi");
  assert.equal(of("Team", { action: "broadcast", text: "hi" }), "Team broadcast: hi");
  assert.equal(of("Send", { to: "bob", text: "hi" }), "Send → bob: hi");
  assert.equal(of("mcp_my_server_read_file", { path: "/space/a" }), "my server · read_file a");
  assert.equal(of("mcp_my_get", { id: 1 }), "my · get");
  assert.equal(of("mcp_gone_get", {}), "mcp_gone_get");
  assert.equal(wholeCall("Spawn", { task: "a\nb", label: "c" }, look), "a\nb");
  assert.equal(wholeCall("Plan", { steps: ["a", "b"] }, look), "1. a\n2. b");
});

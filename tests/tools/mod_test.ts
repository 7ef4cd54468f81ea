import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { builtinTools, toolsFor } from "../../src/tools/mod.ts";
import { createSearcher } from "../../src/search/mod.ts";

const tools = builtinTools({ searcher: createSearcher({ entry: "" }) });
const NAMES = [
  "Read",
  "Write",
  "Edit",
  "Glob",
  "Grep",
  "Bash",
  "WebSearch",
  "WebFetch",
  "TodoWrite",
];

Deno.test("there are nine tools, in their order", () => {
  assert.deepEqual(createToolbox(tools).definitions.map((each) => each.name), NAMES);
});

Deno.test("the definitions stay small", () => {
  const sizes = createToolbox(tools).definitions.map((each) =>
    new TextEncoder().encode(JSON.stringify(each)).length
  );
  for (const [i, size] of sizes.entries()) {
    // Bash is two tools: commands, and the jobs they leave
    assert.ok(size <= (NAMES[i] === "Bash" ? 960 : 600), `${NAMES[i]}: ${size} bytes`);
  }
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 4700);
});

Deno.test("no two tools answer to the same name", () => {
  const owners = new Map<string, string>();
  for (const tool of tools) {
    for (const name of [tool.name, ...tool.aliases ?? []]) {
      assert.equal(owners.get(name.toLowerCase()) ?? tool.name, tool.name, name);
      owners.set(name.toLowerCase(), tool.name);
    }
  }
});

Deno.test("a tool is found by name, by alias and in any case", () => {
  const toolbox = createToolbox(tools);
  const found = (name: string, input: object) => {
    const call = toolbox.prepare(name, JSON.stringify(input), english);
    return typeof call === "string" ? call : [call.tool.name, call.input];
  };
  assert.deepEqual(found("Read", { file_path: "a" }), ["Read", { file_path: "a" }]);
  assert.deepEqual(found("read_file", { path: "a" }), ["Read", { file_path: "a" }]);
  assert.deepEqual(found("GREP", { pattern: "a" }), ["Grep", { pattern: "a" }]);
  assert.deepEqual(found("edit_file", { path: "a", old_str: "b", new_str: "c" }), [
    "Edit",
    { file_path: "a", old_string: "b", new_string: "c" },
  ]);
});

Deno.test("an unknown tool is answered with the ones there are, the nearest named", () => {
  const toolbox = createToolbox(tools);
  assert.equal(
    toolbox.prepare("Raed", "{}", english),
    `Error: Tool 'Raed' not found. Available: ${NAMES.join(", ")}. Did you mean Read?`,
  );
  assert.equal(
    toolbox.prepare("quantum", "{}", english),
    `Error: Tool 'quantum' not found. Available: ${NAMES.join(", ")}.`,
  );
});

Deno.test("of hundreds of tools an unknown one is answered with the first and the nearest", () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ ...tools[0]!, name: `mcp_s_tool_${n}` }));
  const answer = createToolbox([...tools, ...many]).prepare("mcp_s_tol_499", "{}", english);
  assert.match(String(answer), /TodoWrite, mcp_s_tool_0, .*, …\. Did you mean mcp_s_tool_499\?$/);
  assert.ok(String(answer).length < 2000);
});

Deno.test("tools whose permission is missing are not offered", () => {
  const names = (...granted: ("read" | "write" | "run" | "net")[]) =>
    toolsFor(new Set(granted), tools).map((tool) => tool.name);
  assert.deepEqual(names("read", "write", "run", "net"), NAMES);
  assert.deepEqual(names("read"), ["Read", "Glob", "Grep", "TodoWrite"]);
  assert.deepEqual(names(), ["TodoWrite"]);
});

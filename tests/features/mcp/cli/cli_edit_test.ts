import fc from "fast-check";
import assert from "node:assert/strict";
import {
  stripJsonComments,
  valueText,
  withKey,
  withoutKey,
} from "../../../../src/config/json_text.ts";
import {
  serverNames,
  withoutServer,
  withServer,
  withServerOn,
} from "../../../../src/features/mcp/cli/cli_edit.ts";
import { runs } from "../../../support/soak.ts";

const parse = (text: string) => JSON.parse(stripJsonComments(text));

const BEFORE = `{
  // of the team
  "mcpServers": {
    // reads files
    "files": { "command": "files", "args": ["."] },
    "web": { "url": "https://web.example", "enabled": true } // slow
  },
  "other": [1, 2]
}
`;

Deno.test("a server is added and removed, and comments and the rest of the file stay", () => {
  const more = withServer(BEFORE, "memory", { command: "mem", env: { A: "1" } });
  assert.deepEqual(serverNames(more).toSorted(), ["files", "memory", "web"]);
  assert.deepEqual(parse(more).mcpServers.memory, { command: "mem", env: { A: "1" } });
  for (const kept of ["// of the team", "// reads files", "// slow", '"other": [1, 2]']) {
    assert.ok(more.includes(kept), more);
  }
  const less = withoutServer(more, "files");
  assert.deepEqual(serverNames(less).toSorted(), ["memory", "web"]);
  assert.ok(less.includes("// of the team") && less.includes("// slow"), less);
  assert.deepEqual(serverNames(withoutServer(withoutServer(less, "memory"), "web")), []);
});

Deno.test("a new file and one without servers become readable JSON", () => {
  const text = withServer("", "a", { command: "x", args: ["y"] });
  assert.equal(
    text,
    `{\n  "mcpServers": {\n    "a": {\n      "command": "x",\n      "args": [\n        "y"\n      ]\n    }\n  }\n}\n`,
  );
  assert.equal(
    withServer(`{\n  "mcpServers": {}\n}\n`, "a", { command: "x" }),
    `{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n`,
  );
});

Deno.test("switching a server off and on uses the key it has", () => {
  const off = withServerOn(withServerOn(BEFORE, "files", false), "web", false);
  assert.equal(parse(off).mcpServers.files.disabled, true);
  assert.equal(parse(off).mcpServers.web.enabled, false);
  assert.equal("disabled" in parse(off).mcpServers.web, false);
  const on = withServerOn(withServerOn(off, "files", true), "web", true);
  assert.equal(parse(on).mcpServers.files.disabled, false);
  assert.equal(parse(on).mcpServers.web.enabled, true);
});

Deno.test("a list of servers stays a list", () => {
  const list = `{"mcpServers": [{"name": "a", "command": "x"}], "k": 1}`;
  const more = withServer(list, "b", { url: "http://b.example" });
  assert.deepEqual(parse(more), {
    mcpServers: [{ name: "a", command: "x" }, { name: "b", url: "http://b.example" }],
    k: 1,
  });
  assert.equal(parse(withServerOn(more, "a", false)).mcpServers[0].disabled, true);
  assert.deepEqual(serverNames(withoutServer(more, "a")), ["b"]);
});

Deno.test("what is no JSON object is refused and not overwritten", () => {
  for (const text of ["{", "[]", '"x"']) {
    assert.throws(() => withServer(text, "a", { command: "x" }), SyntaxError);
  }
});

Deno.test("of any object, a key that is set reads back, and one that is taken out is gone", () => {
  const key = fc.constantFrom("a", "b", 'q"', "中", "c");
  const layout = fc.constantFrom(undefined, 2, "\t");
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), layout, key, (object, space, name) => {
      const text = JSON.stringify(object, null, space);
      const set = withKey(text, name, '{"new":[1]}');
      // not the object itself: JSON knows no -0
      assert.deepEqual(parse(set), { ...JSON.parse(text), [name]: { new: [1] } });
      assert.deepEqual(parse(valueText(set, name)!), { new: [1] });
      const { [name]: _, ...rest } = object;
      assert.deepEqual(parse(withoutKey(text, name)), JSON.parse(JSON.stringify(rest)));
      assert.deepEqual(parse(withoutKey(set, name)), JSON.parse(JSON.stringify(rest)));
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("servers that a narnat.json names in snake_case are changed where they stand", () => {
  const text = '{"mcp_servers": {"a": {"command": "x"}}, "model": "m"}';
  assert.deepEqual(serverNames(text), ["a"]);
  assert.deepEqual(parse(withServerOn(text, "a", false)), {
    mcp_servers: { a: { command: "x", disabled: true } },
    model: "m",
  });
  assert.deepEqual(parse(withoutServer(text, "a")), { mcp_servers: {}, model: "m" });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { createNames } from "../../../src/features/mcp/names.ts";
import { runs } from "../../support/soak.ts";

Deno.test("a plain name is the server's and the tool's", () => {
  const { nameOf } = createNames();
  assert.equal(nameOf("playwright", "browser_navigate"), "mcp_playwright_browser_navigate");
  assert.equal(nameOf("my server", "get.user"), "mcp_my_server_get_user");
});

Deno.test("names in Chinese, of signs only, and long ones get a hash that tells them apart", () => {
  const { nameOf } = createNames();
  const pairs = [["文件", "读取"], ["文件", "写入"], ["a", "!!"], ["a", "??"]] as const;
  const names = [
    ...pairs.map(([server, tool]) => nameOf(server, tool)),
    nameOf("s", "x".repeat(100)),
    nameOf("s", "x".repeat(101)),
  ];
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^mcp_[A-Za-z0-9_-]{1,60}$/);
});

Deno.test("a name in Chinese is the same whatever was named before it", () => {
  const { nameOf } = createNames();
  nameOf("文件", "读取");
  assert.equal(nameOf("文件", "写入"), createNames().nameOf("文件", "写入"));
  assert.equal(nameOf("a", "??"), createNames().nameOf("a", "??"));
});

Deno.test("a name in Chinese keeps what letters there are", () => {
  const { nameOf } = createNames();
  assert.match(nameOf("文件", "create_entities"), /^mcp_create_entities_[0-9a-f]{8}$/);
  assert.match(nameOf("my文件", "读取file"), /^mcp_my_file_[0-9a-f]{8}$/);
  assert.match(nameOf("文件", "读取"), /^mcp_[0-9a-f]{8}$/);
});

Deno.test("what would collide gets a hash, across servers and whatever the case", () => {
  const { nameOf } = createNames(["Mcp_x_taken"]);
  const names = [
    nameOf("a", "b_c"),
    nameOf("a_b", "c"),
    nameOf("a", "B_C"),
    nameOf("a", "b c"),
    nameOf("x", "taken"),
  ];
  assert.equal(names[0], "mcp_a_b_c");
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
  assert.notEqual(names[4], "mcp_x_taken");
});

Deno.test("every name fits, is nobody else's, and stays", () => {
  const word = fc.oneof(fc.string({ unit: "grapheme", maxLength: 90 }), fc.constantFrom("a", "a_"));
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 30 }), (pairs) => {
      const names = createNames();
      const given = new Map<string, string>();
      for (const [server, tool] of pairs) {
        const name = names.nameOf(server, tool);
        assert.match(name, /^mcp_[A-Za-z0-9_-]{1,60}$/);
        assert.equal(names.nameOf(server, tool), name);
        given.set(JSON.stringify([server, tool]), name.toLowerCase());
      }
      assert.equal(new Set(given.values()).size, given.size);
    }),
    { numRuns: runs(300) },
  );
});

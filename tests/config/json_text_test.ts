import fc from "fast-check";
import assert from "node:assert/strict";
import { saveUserSettings, stripJsonComments, withSettings } from "../../src/config/json_text.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

Deno.test("the saved user file is private and keeps what it held", async () => {
  await withWorkspace({}, (root) => {
    const path = `${root}/.narnat/narnat.json`;
    saveUserSettings(path, { api_key: "one", model: "m" });
    saveUserSettings(path, { model: "n" });
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), { api_key: "one", model: "n" });
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
  });
});

Deno.test("a setting changes in place: comments, order, layout and the other keys stay", () => {
  const before = `{
  // the house's endpoint: "theme": "light"
  "base_url": "https://llm.example/v1", /* theme */
  "theme": "light", // by day
  "prices": { "theme": { "input": 1, "output": 2, "cached": 0 } },
}
`;
  assert.equal(
    withSettings(before, { theme: "dark" }),
    before.replace('"light", //', '"dark", //'),
  );
});

Deno.test("a new setting comes first, in the file's own indentation and line ends", () => {
  assert.equal(
    withSettings('{\n\t"a": 1\n}', { theme: "dark" }),
    '{\n\t"theme": "dark",\n\t"a": 1\n}',
  );
  assert.equal(
    withSettings('{\r\n    "a": 1\r\n}\r\n', { theme: "dark" }),
    '{\r\n    "theme": "dark",\r\n    "a": 1\r\n}\r\n',
  );
  assert.equal(withSettings('{"a": 1}', { theme: "dark" }), '{"theme": "dark", "a": 1}');
  assert.equal(withSettings("{ }\n", { theme: "dark" }), '{\n  "theme": "dark"\n}\n');
  assert.equal(withSettings("", { theme: "dark" }), '{\n  "theme": "dark"\n}\n');
  assert.throws(() => withSettings("[1]", { theme: "dark" }), SyntaxError);
  assert.throws(() => withSettings("{", { theme: "dark" }), SyntaxError);
});

Deno.test("a file keeps its mode unless a key is put into it, and a link stays a link", async () => {
  await withWorkspace({ "dotfiles/narnat.json": "{}" }, (root) => {
    const [real, link] = [`${root}/dotfiles/narnat.json`, `${root}/narnat.json`];
    Deno.chmodSync(real, 0o644);
    Deno.symlinkSync(real, link);
    saveUserSettings(link, { theme: "dark" });
    assert.equal(Deno.statSync(real).mode! & 0o777, 0o644);
    assert.ok(Deno.lstatSync(link).isSymlink);
    saveUserSettings(link, { api_key: "k" });
    assert.equal(Deno.statSync(real).mode! & 0o777, 0o600);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(real)), { theme: "dark", api_key: "k" });
  });
});

Deno.test("whatever a file holds, setting a key changes that key alone", () => {
  // Two keys that are one escape each would meet a fault of V8 15's JSON.parse, which mixes them up.
  const keys = fc.constantFrom("theme", "model", "a", '"', "{", "//");
  const file = fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 }));
  fc.assert(fc.property(file, fc.constantFrom(0, 1, 2, "\t"), (value, indent) => {
    const text = withSettings(JSON.stringify(value, null, indent), { theme: "dark" });
    const clean = stripJsonComments(text);
    assert.deepEqual(JSON.parse(clean), { ...JSON.parse(JSON.stringify(value)), theme: "dark" });
  }));
});

Deno.test("a key that the file spells in camelCase is changed where it stands", () => {
  assert.equal(
    withSettings('{"baseUrl": "http://a"}', { base_url: "http://b" }),
    '{"baseUrl": "http://b"}',
  );
  assert.equal(
    withSettings('{"apiKey": "a", "api_key": "b"}', { api_key: "c" }),
    '{"apiKey": "a", "api_key": "c"}',
  );
});

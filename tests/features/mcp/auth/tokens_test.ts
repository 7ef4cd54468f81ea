import assert from "node:assert/strict";
import {
  readLogin,
  tokenKey,
  withTokens,
  writeLogin,
} from "../../../../src/features/mcp/auth/tokens.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";

const login = (access_token: string) => ({ tokens: { access_token, token_type: "Bearer" } });

Deno.test("logins are kept by the server's address, for the user alone, and one at a time goes", async () => {
  await withWorkspace({}, (root) => {
    const path = `${root}/home/mcp-tokens.json`;
    const [a, b] = ["https://a.example/mcp", "https://a.example/mcp?x=1"].map(tokenKey);
    assert.deepEqual(readLogin(path, a!), {});
    writeLogin(path, a!, login("1"));
    writeLogin(path, b!, login("2"));
    assert.equal(readLogin(path, a!).tokens?.access_token, "1");
    writeLogin(path, a!, undefined);
    assert.deepEqual(readLogin(path, a!), {});
    assert.equal(readLogin(path, b!).tokens?.access_token, "2");
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    assert.deepEqual([...Deno.readDirSync(`${root}/home`)].map(({ name }) => name), [
      "mcp-tokens.json",
    ]);
  });
});

Deno.test("a name or a password in the address, and its fragment, make no other server", () => {
  assert.equal(tokenKey("https://me:pw@a.example/mcp#top"), "https://a.example/mcp");
});

Deno.test("a file that is not ours counts as none", async () => {
  await withWorkspace({ "t.json": "[1]", "u.json": "{" }, (root) => {
    for (const name of ["t.json", "u.json", "none.json"]) {
      assert.deepEqual(readLogin(`${root}/${name}`, "k"), {});
    }
  });
});

Deno.test("of several at once each finds what the others have written", async () => {
  await withWorkspace({}, async (root) => {
    const path = `${root}/mcp-tokens.json`;
    const keys = ["a", "b", "c", "d", "e"];
    await Promise.all(keys.map((key) =>
      withTokens(path, async () => {
        const before = readLogin(path, "count").tokens?.access_token ?? "0";
        await new Promise((resolve) => setTimeout(resolve, 5));
        writeLogin(path, key, login(key));
        writeLogin(path, "count", login(String(Number(before) + 1)));
      })
    ));
    assert.equal(readLogin(path, "count").tokens?.access_token, "5");
    assert.deepEqual(keys.map((key) => readLogin(path, key).tokens?.access_token), keys);
  });
});

import assert from "node:assert/strict";
import { connect } from "../../src/mcp/connection.ts";
import { openLink } from "../../src/mcp/link.ts";
import { logIn, logOut } from "../../src/mcp/login.ts";
import type { Wanted } from "../../src/mcp/oauth.ts";
import { readLogin, tokenKey } from "../../src/mcp/tokens.ts";
import type { Json } from "../../src/types.ts";
import { type HttpServer, serveTools } from "../support/mcp_http.ts";
import { fakeConfig, said, TestCaller } from "../support/mcp_stage.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

type Serving = ReturnType<typeof serveTools>;

/** A server that wants a login, and what narnat keeps of it. */
async function stage(
  login: NonNullable<HttpServer["login"]>,
  work: (server: Serving, wanted: Wanted) => Promise<void>,
  oauth?: Json,
) {
  await withWorkspace({}, async (root) => {
    await using server = serveTools({ login });
    const reach = {
      type: "http" as const,
      url: server.url,
      headers: { "X-Own": "own-secret" },
      ...oauth === undefined ? {} : { oauth },
    };
    await work(server, {
      server: "web",
      reach,
      tokens: `${root}/home/mcp-tokens.json`,
      lang: "en",
    });
  });
}

/** A user whose browser does what the login page says. */
const inBrowser = (seen: string[] = []) => ({
  signal: AbortSignal.timeout(10_000),
  show(url: string) {
    seen.push(url);
    void fetch(url).then((response) => response.text()).then((page) => seen.push(page));
  },
});

function connection({ server, reach, tokens }: Wanted) {
  const one = connect(fakeConfig(server, {}, { reach }), {
    lang: "en",
    version: "0",
    workspace: Deno.cwd(),
    open: openLink,
    link: { lang: "en", env: {}, mark: "", began() {}, ended() {}, tokens },
    now: () => performance.now(),
    changed() {},
  });
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() });
}

const echo = async (wanted: Wanted) => {
  await using one = connection(wanted);
  await one.opened;
  assert.equal(one.state, "ready", one.why);
  return said(await one.call("echo", { text: "hi" }, new TestCaller()));
};

Deno.test("without a login nobody is asked: the state says which command logs in", async () => {
  await stage({ uses: 99 }, async (server, wanted) => {
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "error");
    assert.match(one.why, /narnat mcp login web/);
    assert.deepEqual(server.oauth.count, { register: 0, authorize: 0, code: 0, refresh: 0 });
  });
});

Deno.test("a login registers narnat, comes back to 127.0.0.1, and is kept for the user alone", async () => {
  await stage({ uses: 99 }, async (server, wanted) => {
    const seen: string[] = [];
    await logIn(wanted, inBrowser(seen));
    const asked = new URL(seen[0]!).searchParams;
    assert.equal(asked.get("code_challenge_method"), "S256");
    assert.match(asked.get("redirect_uri")!, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(Deno.statSync(wanted.tokens).mode! & 0o777, 0o600);
    assert.equal(await echo(wanted), "echo: hi");
    assert.equal(server.oauth.count.register, 1);
    const toAuthority = server.asked.filter(({ path }) => path !== "/mcp");
    assert.ok(toAuthority.every(({ headers }) => !headers.has("x-own")), "own headers stay out");
    for (let n = 0; n < 50 && seen.length < 2; n++) await new Promise((go) => setTimeout(go, 10));
    assert.match(seen[1]!, /You are logged in/);

    assert.equal(await logOut(wanted), true);
    assert.deepEqual(readLogin(wanted.tokens, tokenKey(server.url)), {});
    assert.equal(await logOut(wanted), false);
  });
});

Deno.test("a second login is the same client at the same address", async () => {
  await stage({ uses: 99 }, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    await logIn(wanted, inBrowser());
    assert.equal(server.oauth.count.register, 1);
    assert.equal(server.oauth.count.code, 2);
  });
});

Deno.test("a token that has run out is renewed in mid-session, once for calls at once", async () => {
  await stage({ uses: 8 }, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    const before = readLogin(wanted.tokens, tokenKey(server.url)).tokens!.access_token;
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "ready", one.why);
    for (let n = 0; n < 6; n++) {
      const calls = ["a", "b"].map((text) => one.call("echo", { text }, new TestCaller()));
      assert.deepEqual((await Promise.all(calls)).map(said), ["echo: a", "echo: b"]);
    }
    assert.ok(server.oauth.count.refresh >= 1 && server.oauth.count.refresh <= 3);
    assert.notEqual(readLogin(wanted.tokens, tokenKey(server.url)).tokens!.access_token, before);
    assert.equal(server.oauth.count.authorize, 1);
  });
});

Deno.test("of two narnats at once one renews, and the other takes what it got", async () => {
  await stage({ uses: 4 }, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    await using one = connection(wanted);
    await using two = connection(wanted);
    await Promise.all([one.opened, two.opened]);
    assert.deepEqual([one.state, two.state], ["ready", "ready"], one.why + two.why);
    assert.ok(server.oauth.count.refresh >= 1);
  });
});

Deno.test("a renewal that is refused says to log in again, and the old token is gone", async () => {
  await stage({ uses: 1, refresh: "refused" }, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "error");
    assert.match(one.why, /narnat mcp login web/);
    assert.equal(readLogin(wanted.tokens, tokenKey(server.url)).tokens, undefined);
    assert.equal(server.oauth.count.authorize, 1);
  });
});

Deno.test("an answer with another state is no answer, a refusal is told, escaped on its page", async () => {
  await stage({ uses: 99 }, async (server, wanted) => {
    server.oauth.fault = "other state";
    const seen: string[] = [];
    const stop = new AbortController();
    const waiting = logIn(wanted, { ...inBrowser(seen), signal: stop.signal });
    waiting.catch(() => {});
    for (let n = 0; n < 200 && seen.length < 2; n++) await new Promise((go) => setTimeout(go, 10));
    assert.match(seen[1]!, /was not used/);
    assert.equal(server.oauth.count.code, 0);
    stop.abort();
    await assert.rejects(waiting, { name: "AbortError" });

    server.oauth.fault = "denied";
    const page: string[] = [];
    await assert.rejects(logIn(wanted, inBrowser(page)), /refused: access_denied: <b>no<\/b>/);
    for (let n = 0; n < 50 && page.length < 2; n++) await new Promise((go) => setTimeout(go, 10));
    assert.doesNotMatch(page[1]!, /<b>/);
  });
});

Deno.test("a code that another issuer claims to have given is not redeemed", async () => {
  await stage({ uses: 99 }, async (server, wanted) => {
    server.oauth.fault = "other issuer";
    await assert.rejects(logIn(wanted, inBrowser()));
    assert.equal(server.oauth.count.code, 0);
    assert.equal(readLogin(wanted.tokens, tokenKey(server.url)).tokens, undefined);
  });
});

Deno.test("the client of the configuration is used, and its port", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  await stage({ uses: 99 }, async (server, wanted) => {
    server.oauth.clients.add("ours");
    const seen: string[] = [];
    await logIn(wanted, inBrowser(seen));
    const asked = new URL(seen[0]!).searchParams;
    assert.equal(asked.get("client_id"), "ours");
    assert.equal(asked.get("redirect_uri"), `http://127.0.0.1:${port}/callback`);
    assert.equal(asked.get("scope"), "read write");
    assert.equal(server.oauth.count.register, 0);
    assert.equal(await echo(wanted), "echo: hi");
  }, { clientId: "ours", callbackPort: port, scopes: ["read", "write"] });
});

Deno.test("a server that takes us as we are is not logged in to", async () => {
  await withWorkspace({}, async (root) => {
    await using server = serveTools();
    const reach = { type: "http" as const, url: server.url, headers: {} };
    const wanted = { server: "web", reach, tokens: `${root}/t.json`, lang: "en" as const };
    await assert.rejects(logIn(wanted, inBrowser()), /does not ask for a login/);
  });
});

import assert from "node:assert/strict";
import { english } from "../../../../src/base/t.ts";
import type { Json } from "../../../../src/base/types.ts";
import { logIn, logOut } from "../../../../src/features/mcp/auth/login.ts";
import {
  readLogin,
  tokenKey,
  type Wanted,
  withTokens,
  writeLogin,
} from "../../../../src/features/mcp/auth/oauth.ts";
import { connect } from "../../../../src/features/mcp/wire/connection.ts";
import { openLink } from "../../../../src/features/mcp/wire/link.ts";
import { eventually, freePort } from "../../../support/processes.ts";
import { withWorkspace } from "../../../support/temp_workspace.ts";
import { type HttpServer, refused, serveTools } from "../http_server.ts";
import { fakeConfig, said, TestCaller } from "../stage.ts";

type Serving = ReturnType<typeof serveTools>;

/** A server that wants a login, and what narnat keeps of it. */
async function stage(
  { old, ...login }: NonNullable<HttpServer["login"]> & Pick<HttpServer, "old">,
  work: (server: Serving, wanted: Wanted) => Promise<void>,
  oauth?: Json,
) {
  await withWorkspace({}, async (root) => {
    await using server = serveTools({ login, ...old ? { old } : {} });
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
      t: english,
    });
  });
}

/** A user whose browser does what the login page says. */
const inBrowser = (seen: string[] = []) => ({
  signal: AbortSignal.timeout(60_000),
  show(url: string) {
    seen.push(url);
    void fetch(url).then((response) => response.text()).then((page) => seen.push(page));
  },
});

function connection({ server, reach, tokens }: Wanted) {
  const one = connect(fakeConfig(server, {}, { reach }), {
    redactIn: (value) => value,
    t: english,
    version: "0",
    workspace: Deno.cwd(),
    open: openLink,
    link: { t: english, env: {}, mark: "", began() {}, ended() {}, tokens },
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
  await stage({}, async (server, wanted) => {
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "error");
    assert.match(one.why, /narnat mcp login web/);
    assert.deepEqual(server.oauth.count, { register: 0, authorize: 0, code: 0, refresh: 0 });
    assert.deepEqual(server.asked.map(({ path }) => path), ["/mcp"]);
  });
});

Deno.test("a login registers narnat, comes back to 127.0.0.1, and is kept for the user alone", async () => {
  await stage({}, async (server, wanted) => {
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
    await eventually(() => seen.length >= 2, 20_000);
    assert.match(seen[1]!, /You are logged in/);

    assert.equal(await logOut(wanted), true);
    assert.deepEqual(readLogin(wanted.tokens, tokenKey(server.url)), {});
    assert.equal(await logOut(wanted), false);
  });
});

Deno.test("a second login is the same client at the same address", async () => {
  let same = false;
  // another program may have taken the address between two logins
  for (let tries = 0; tries < 20 && !same; tries++) {
    await stage({}, async (server, wanted) => {
      await logIn(wanted, inBrowser());
      await logIn(wanted, inBrowser());
      same = server.oauth.count.register === 1;
      assert.equal(server.oauth.count.code, 2);
    });
  }
  assert.ok(same);
});

/** A port that nobody else gets. */
function taken(port: number): Deno.Listener | undefined {
  try {
    return Deno.listen({ hostname: "127.0.0.1", port });
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return undefined; // another test has it
    throw error;
  }
}

Deno.test("where another program has taken the address, the second login is a new client", async () => {
  await stage({}, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    const { redirect } = readLogin(wanted.tokens, tokenKey(server.url));
    using _other = taken(Number(new URL(redirect!).port));
    await logIn(wanted, inBrowser());
    assert.equal(server.oauth.count.register, 2);
  });
});

Deno.test("a client that is not known any more registers again", async () => {
  await stage({}, async (server, wanted) => {
    const client = () => readLogin(wanted.tokens, tokenKey(server.url)).client;
    // the renewal tells
    await logIn(wanted, inBrowser());
    server.oauth.clients.clear();
    server.oauth.withdraw();
    await using one = connection(wanted);
    await one.opened;
    assert.match(one.why, /narnat mcp login web/);
    assert.equal(client(), undefined);
    // only the browser tells, and the user gives up
    const stop = new AbortController();
    const show = async (url: string) => {
      server.oauth.clients.clear();
      assert.equal(await (await fetch(url)).text(), "who?");
      stop.abort();
    };
    await assert.rejects(logIn(wanted, { signal: stop.signal, show }), { name: "AbortError" });
    assert.equal(client(), undefined);
    await logIn(wanted, inBrowser());
    // giving up another login leaves the one that holds
    const over = new AbortController();
    await assert.rejects(logIn(wanted, { signal: over.signal, show: () => over.abort() }));
    server.oauth.withdraw();
    assert.equal(await echo(wanted), "echo: hi");
  });
});

const tokensOf = (wanted: Wanted) => readLogin(wanted.tokens, tokenKey(wanted.reach.url)).tokens;

Deno.test("of two logins to one server neither takes away what the other is known as", async () => {
  await stage({}, async (server, wanted) => {
    const client = () => readLogin(wanted.tokens, tokenKey(server.url)).client?.client_id;
    const clientOf = (url: string) => new URL(url).searchParams.get("client_id");
    const signal = AbortSignal.timeout(10_000);
    const back = async (url: string) =>
      (await fetch(url, { redirect: "manual" })).headers.get("location")!;
    let first = "";
    await logIn(wanted, {
      signal,
      async show(url, paste) {
        first = url;
        const over = new AbortController();
        await logIn(wanted, { signal: over.signal, show: () => over.abort() }).catch(() => {});
        assert.equal(paste(await back(url)), "");
      },
    });
    assert.equal(client(), clientOf(first));

    // the tokens that are kept are those of the client that is kept, whoever gives up
    const over = new AbortController();
    using _other = taken(
      Number(new URL(new URL(first).searchParams.get("redirect_uri")!).port),
    );
    await assert.rejects(logIn(wanted, { signal: over.signal, show: () => over.abort() }));
    assert.equal(client(), clientOf(first));

    // both succeed: the later one counts
    await logOut(wanted);
    await logIn(wanted, {
      signal,
      async show(url, paste) {
        first = url;
        await logIn(wanted, inBrowser());
        assert.notEqual(client(), clientOf(first));
        paste(await back(url));
      },
    });
    assert.equal(client(), clientOf(first));
    server.oauth.withdraw();
    assert.equal(await echo(wanted), "echo: hi");
  });
});

Deno.test("a token that has run out is renewed in mid-session, once for calls at once", async () => {
  await stage({}, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    const before = tokensOf(wanted)!.access_token;
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "ready", one.why);
    for (const round of [1, 2]) {
      server.oauth.withdraw();
      const calls = ["a", "b", "c"].map((text) => one.call("echo", { text }, new TestCaller()));
      assert.deepEqual((await Promise.all(calls)).map(said), ["echo: a", "echo: b", "echo: c"]);
      assert.equal(server.oauth.count.refresh, round);
    }
    assert.notEqual(tokensOf(wanted)!.access_token, before);
    assert.equal(server.oauth.count.authorize, 1);
  });
});

Deno.test("a refusal of the old token that comes late does not have the new one renewed", async () => {
  await stage({}, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    await using one = connection(wanted);
    await one.opened;
    server.oauth.withdraw();
    const first = Promise.withResolvers<void>();
    server.hold(({ body }) => body.includes('"late"') ? first.promise : undefined);
    const late = one.call("echo", { text: "late" }, new TestCaller());
    assert.equal(said(await one.call("echo", { text: "a" }, new TestCaller())), "echo: a");
    first.resolve();
    assert.equal(said(await late), "echo: late");
    assert.equal(server.oauth.count.refresh, 1);
  });
});

Deno.test("of two narnats at once one renews, and the other takes what it got", async () => {
  await stage({}, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    server.oauth.withdraw();
    await using one = connection(wanted);
    await using two = connection(wanted);
    await Promise.all([one.opened, two.opened]);
    assert.deepEqual([one.state, two.state], ["ready", "ready"], one.why + two.why);
    assert.equal(server.oauth.count.refresh, 1);
  });
});

Deno.test("over the older SSE a token that has run out is renewed too, before the stream and within", async () => {
  await stage({ old: 405 }, async (server, { reach, ...rest }) => {
    const wanted = { ...rest, reach: { ...reach, type: "sse" as const } };
    await logIn(wanted, inBrowser());
    assert.equal(server.asked[0]?.method, "GET");
    server.oauth.withdraw();
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "ready", one.why);
    server.oauth.withdraw();
    assert.equal(said(await one.call("echo", { text: "a" }, new TestCaller())), "echo: a");
    assert.equal(server.oauth.count.refresh, 2);
  });
});

Deno.test("a renewal that is refused says to log in again, and the old token is gone", async () => {
  await stage({ refresh: "refused" }, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    server.oauth.withdraw();
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "error");
    assert.match(one.why, /narnat mcp login web/);
    assert.equal(tokensOf(wanted), undefined);
    assert.ok(readLogin(wanted.tokens, tokenKey(server.url)).client, "the client is known still");
    assert.equal(server.oauth.count.authorize, 1);
  });
});

Deno.test("while whoever gives the tokens is out of order, the login is kept, and that is said", async () => {
  await stage({ refresh: "down" }, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    server.oauth.withdraw();
    await using one = connection(wanted);
    await one.opened;
    assert.equal(one.state, "error");
    assert.match(
      one.why,
      /login to web could not be renewed: .*503.*; try \/mcp reconnect web later/,
    );
    assert.ok(tokensOf(wanted)?.refresh_token);
    assert.equal(server.oauth.count.refresh, 1);
  });
});

Deno.test({
  name: "an authority that Deno's permissions do not name is not asked, and that is said",
  permissions: { read: true, write: true, env: true, net: ["127.0.0.1"] },
  async fn() {
    await stage({}, async (server, wanted) => {
      server.oauth.told = { authorization_servers: [`http://localhost:${server.port}`] };
      await assert.rejects(logIn(wanted, inBrowser()), /no permission to reach localhost:/);
    });
  },
});

Deno.test("a server that names another authority, or another resource, is not given a renewed token", async () => {
  await stage({}, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    server.oauth.withdraw();
    assert.equal(await echo(wanted), "echo: hi");
    server.oauth.withdraw();
    const asked: string[] = [];
    await using other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      asked.push(new URL(request.url).pathname);
      return new Response(null, { status: 404 });
    });
    const { origin } = new URL(`http://127.0.0.1:${other.addr.port}`);
    for (const told of [{ authorization_servers: [origin] }, { resource: `${origin}/mcp` }]) {
      server.oauth.told = told;
      await using one = connection(wanted);
      await one.opened;
      assert.equal(one.state, "error");
      assert.match(one.why, /narnat mcp login web/);
    }
    assert.ok(asked.length > 0 && !asked.includes("/token"), asked.join(" "));
    assert.equal(server.oauth.count.refresh, 1);
  });
});

Deno.test("an answer with another state is no answer, a refusal is told, escaped on its page", async () => {
  await stage({}, async (server, wanted) => {
    server.oauth.fault = "other state";
    const seen: string[] = [];
    const stop = new AbortController();
    const waiting = logIn(wanted, { ...inBrowser(seen), signal: stop.signal });
    waiting.catch(() => {});
    await eventually(() => seen.length >= 2, 20_000);
    assert.match(seen[1]!, /was not used/);
    assert.equal(server.oauth.count.code, 0);
    stop.abort();
    await assert.rejects(waiting, { name: "AbortError" });

    server.oauth.fault = "denied";
    const page: string[] = [];
    await assert.rejects(logIn(wanted, inBrowser(page)), /refused: access_denied: <b>no<\/b>/);
    await eventually(() => page.length >= 2, 20_000);
    assert.doesNotMatch(page[1]!, /<b>/);
  });
});

Deno.test("the address of a browser that cannot come back is pasted, and judged like one that does", async () => {
  await stage({}, async (server, wanted) => {
    const said: string[] = [];
    await logIn(wanted, {
      signal: AbortSignal.timeout(10_000),
      async show(url, paste) {
        const { headers } = await fetch(url, { redirect: "manual" });
        const back = headers.get("location")!;
        const foreign = back.replace(/state=[^&]*/, "state=x");
        // the address that was shown, and every line of one that was copied with a break in it
        const part = ["hello", url, back.slice(0, back.indexOf("&iss=")), back.slice(0, -3)];
        said.push(...[foreign, ...part, back.slice(-3)].map(paste));
        assert.equal(server.oauth.count.code, 0);
        said.push(paste(` ${back}\n`));
      },
    });
    assert.match(said[0]!, /does not belong to the login .*was not used/);
    for (const text of said.slice(1, -1)) assert.match(text, /not the whole address it ends at/);
    assert.equal(said.length, 7);
    assert.equal(said.at(-1), "");
    assert.equal(await echo(wanted), "echo: hi");
  });
});

Deno.test("a refusal that is pasted is told once", async () => {
  await stage({}, async (server, wanted) => {
    server.oauth.fault = "denied";
    const said: string[] = [];
    const show = async (url: string, paste: (address: string) => string) => {
      said.push(paste((await fetch(url, { redirect: "manual" })).headers.get("location")!));
    };
    await assert.rejects(
      logIn(wanted, { signal: AbortSignal.timeout(10_000), show }),
      /the login was refused: access_denied/,
    );
    assert.deepEqual(said, [""]);
  });
});

Deno.test("a browser is sent to no address that is neither https nor this machine", async () => {
  await stage({}, async (server, wanted) => {
    for (const bad of ["http://10.0.0.1/authorize", "file:///authorize"]) {
      server.oauth.metadata = { authorization_endpoint: bad };
      const seen: string[] = [];
      await assert.rejects(logIn(wanted, inBrowser(seen)), /is not https: /);
      assert.deepEqual(seen, []);
    }
  });
});

Deno.test("only this machine reaches the address a browser comes back to", async () => {
  await stage({}, async (_server, wanted) => {
    const show = async (url: string, paste: (address: string) => string) => {
      const back = new URL(new URL(url).searchParams.get("redirect_uri")!);
      back.hostname = "127.0.0.2";
      await assert.rejects(fetch(back), TypeError);
      const { headers } = await fetch(url, { redirect: "manual" });
      paste(headers.get("location")!);
    };
    await logIn(wanted, { signal: AbortSignal.timeout(60_000), show });
  });
});

Deno.test("a server that redirects, or is out of order, is not said to want no login", async () => {
  await withWorkspace({}, async (root) => {
    await using other = serveTools();
    const login = async (server: HttpServer) => {
      await using at = serveTools(server);
      const reach = { type: "http" as const, url: at.url, headers: { "X-Own": "own-secret" } };
      await logIn({ server: "web", reach, tokens: `${root}/t.json`, t: english }, inBrowser());
    };
    await assert.rejects(login({ redirectTo: other.url }), /redirects to .*not followed/);
    assert.deepEqual(other.asked, []);
    await assert.rejects(login({ status: 503 }), /answered HTTP 503/);
  });
});

Deno.test("a code that another issuer claims to have given is not redeemed", async () => {
  await stage({}, async (server, wanted) => {
    server.oauth.fault = "other issuer";
    await assert.rejects(logIn(wanted, inBrowser()));
    assert.equal(server.oauth.count.code, 0);
    assert.equal(readLogin(wanted.tokens, tokenKey(server.url)).tokens, undefined);
  });
});

Deno.test("the client of the configuration is used, and its port", async () => {
  const port = freePort();
  await stage({}, async (server, wanted) => {
    server.oauth.clients.add("ours");
    const seen: string[] = [];
    await logIn(wanted, inBrowser(seen));
    const asked = new URL(seen[0]!).searchParams;
    assert.equal(asked.get("client_id"), "ours");
    assert.equal(asked.get("redirect_uri"), `http://127.0.0.1:${port}/callback`);
    assert.equal(asked.get("scope"), "read write");
    assert.equal(server.oauth.count.register, 0);
    assert.equal(readLogin(wanted.tokens, tokenKey(server.url)).client, undefined);
    assert.equal(await echo(wanted), "echo: hi");
  }, { clientId: "ours", callbackPort: port, scopes: ["read", "write"] });
});

Deno.test("a server that takes us as we are is not logged in to", async () => {
  await withWorkspace({}, async (root) => {
    await using server = serveTools();
    const reach = { type: "http" as const, url: server.url, headers: {} };
    const wanted = { server: "web", reach, tokens: `${root}/t.json`, t: english };
    await assert.rejects(logIn(wanted, inBrowser()), /does not ask for a login/);
    await server[Symbol.asyncDispose]();
    await refused(server.url);
    await assert.rejects(logIn(wanted, inBrowser()), /refuses connections/);
  });
});

Deno.test("a header of the user's own is no place for a login", async () => {
  await stage({}, async (server, { reach, ...rest }) => {
    const wanted = { ...rest, reach: { ...reach, headers: { Authorization: "Bearer x" } } };
    await assert.rejects(logIn(wanted, inBrowser()), /take it out of headers/);
    assert.deepEqual(server.asked, []);
  });
});

Deno.test("where narnat may not register itself, what to write is said; so is a port that is taken", async () => {
  await stage({}, async (server, wanted) => {
    server.oauth.metadata = { registration_endpoint: undefined };
    await assert.rejects(logIn(wanted, inBrowser()), /registration.*\n.*"oauth": \{"clientId"/);
    const { port } = server;
    const oauth = { clientId: "ours", callbackPort: port };
    const taken = { ...wanted, reach: { ...wanted.reach, oauth } };
    await assert.rejects(
      logIn(taken, inBrowser()),
      new RegExp(`callbackPort ${port} cannot be had`),
    );
  });
});

Deno.test("a server that wants more than the login gave is told with the command, which asks for it", async () => {
  await stage({ calls: "write" }, async (server, wanted) => {
    await logIn(wanted, inBrowser());
    await assert.rejects(echo(wanted), {
      message: /wants rights .*\(scope write\): narnat mcp login web/,
    });
    await logIn(wanted, inBrowser());
    assert.deepEqual(server.oauth.scopes, ["all", "all write"]);
    assert.equal(await echo(wanted), "echo: hi");
    assert.equal(readLogin(wanted.tokens, tokenKey(wanted.reach.url)).stepUp, undefined);
  });
});

Deno.test("an issuer by another name is named with the way out, and taken where the user names it", async () => {
  const other = "https://login.example";
  await stage({}, async (server, wanted) => {
    server.oauth.metadata = { issuer: other };
    await assert.rejects(logIn(wanted, inBrowser()), {
      message:
        /calls itself https:\/\/login\.example where it should be http:\/\/127.*"oauth": \{"issuer":"https:\/\/login\.example"\}/,
    });
    assert.equal(server.oauth.count.authorize, 0);
  });
  const works = async (server: Serving, wanted: Wanted) => {
    server.oauth.metadata = {
      issuer: other,
      authorization_response_iss_parameter_supported: false,
    };
    server.oauth.issuer = other;
    await logIn(wanted, inBrowser());
    assert.equal(await echo(wanted), "echo: hi");
    server.oauth.withdraw();
    assert.equal(await echo(wanted), "echo: hi", "it is renewed");
  };
  await stage({}, works, { issuer: other });
  await stage({}, async (server, wanted) => {
    server.oauth.metadata = { issuer: "https://third.example" };
    await assert.rejects(logIn(wanted, inBrowser()), {
      message: /calls itself https:\/\/third\.example where it should be https:\/\/login\.example/,
    });
  }, { issuer: other });
});

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

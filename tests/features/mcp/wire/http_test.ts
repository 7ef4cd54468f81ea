import assert from "node:assert/strict";
import { fakeConfig, said, stage, TestCaller } from "../stage.ts";
import { type HttpServer, refused, serveTools } from "../http_server.ts";
import { eventually } from "../../../support/processes.ts";
import type { ServerConfig } from "../../../../src/features/mcp/types.ts";
import { slow } from "../../../support/soak.ts";

/** Too long for a name: no server of names is asked, which may take its time. */
const NO_HOST = `${"no-such-host-".repeat(6)}x.invalid`;
const ALL = { read: true, write: true, env: true, run: true, sys: true } as const;

type More = Partial<ServerConfig> & { readonly headers?: { [name: string]: string } };

/** A connection to a server at this address. */
function reach(url: string, { headers = {}, ...more }: More = {}, type: "http" | "sse" = "http") {
  return stage({}, { reach: { type, url, headers }, ...more });
}

/** What becomes of a connection to a server with this fault. */
async function failing(fault: HttpServer, more: More = {}) {
  await using server = serveTools(fault);
  await using connection = reach(server.url, more);
  await connection.opened;
  return { state: connection.state, why: connection.why, server };
}

const echo = (connection: ReturnType<typeof reach>, text = "hi") =>
  connection.call("echo", { text }, new TestCaller());

Deno.test("tools are listed and called over Streamable HTTP, with the headers of the configuration", async () => {
  for (const events of [undefined, true] as const) {
    await using server = serveTools(events ? { events } : {});
    await using connection = reach(server.url, { headers: { "X-Key": "k1" } });
    await connection.opened;
    assert.equal(connection.state, "ready", connection.why);
    assert.deepEqual(connection.list.tools.map(({ name }) => name), ["echo"]);
    assert.equal(said(await echo(connection)), "echo: hi");
    assert.ok(server.asked.every(({ headers }) => headers.get("x-key") === "k1"));
    await connection.close();
    assert.equal(server.asked.at(-1)?.method, "DELETE", "the session is said to be over");
  }
});

Deno.test("a server that speaks only the older SSE is reached all the same", async () => {
  for (const [type, old] of [["http", 405], ["http", 404], ["http", 400], ["sse", 405]] as const) {
    await using server = serveTools({ old });
    await using connection = reach(server.url, {}, type);
    await connection.opened;
    assert.equal(connection.state, "ready", connection.why);
    assert.equal(said(await echo(connection)), "echo: hi");
  }
});

Deno.test("an SSE stream that ends closes the connection, and the next call is told", async () => {
  const server = serveTools({ old: 405 });
  await using connection = reach(server.url, {}, "sse");
  await connection.opened;
  await server[Symbol.asyncDispose]();
  await eventually(() => connection.state !== "ready", 20_000);
  assert.equal(connection.state, "closed");
  await assert.rejects(echo(connection), /disconnected/);
});

Deno.test("a server that stumbles over the question for newer ones is asked the old way", async () => {
  for (const stumbles of ["500", "page", "202"] as const) {
    await using server = serveTools({ stumbles });
    await using connection = reach(server.url, { startMs: 5000 });
    await connection.opened;
    assert.equal(connection.state, "ready", connection.why);
  }
});

Deno.test("a session that the server forgot is begun anew once, and nobody notices", async () => {
  await using server = serveTools();
  await using connection = reach(server.url);
  await connection.opened;
  server.forget();
  assert.equal(said(await echo(connection, "a")), "echo: a");
  assert.equal(server.count("initialize"), 2);
  assert.equal(server.count("notifications/initialized"), 2);
  assert.equal(said(await echo(connection, "b")), "echo: b");
  assert.equal(server.count("initialize"), 2);
  // of several calls at once one begins it, for one that is told late too
  server.forget();
  const told = Promise.withResolvers<void>();
  server.hold(({ body }) => body.includes('"late"') ? told.promise : undefined);
  const late = echo(connection, "late");
  await Promise.all(["c", "d", "e"].map((text) => echo(connection, text)));
  told.resolve();
  assert.equal(said(await late), "echo: late");
  assert.equal(server.count("initialize"), 3);
  // and none is begun to be ended
  server.forget();
  await connection.close();
  assert.equal(server.count("initialize"), 3);
});

Deno.test("a server that calls the forgotten session a bad request is understood too", async () => {
  await using server = serveTools({ forgets: 400 });
  await using connection = reach(server.url);
  await connection.opened;
  server.forget();
  assert.equal(said(await echo(connection)), "echo: hi");
  // what else is bad about a request is no reason
  await using strict = serveTools({ refuses: "no such argument" });
  await using other = reach(strict.url);
  await other.opened;
  await assert.rejects(echo(other), /HTTP 400: no such argument/);
  assert.equal(strict.count("initialize"), 1);
});

Deno.test("a server that does not answer the goodbye holds nobody up", async () => {
  await using server = serveTools();
  const connection = reach(server.url);
  await connection.opened;
  const never = Promise.withResolvers<void>();
  server.hold(({ method }) => method === "DELETE" ? never.promise : undefined);
  const timer = setTimeout(() => never.reject(new Error("it was waited for")), 20_000);
  await Promise.race([connection.close(), never.promise]);
  clearTimeout(timer);
  never.resolve();
});

Deno.test("a server that was started anew at its address is found again by the next call", async () => {
  const first = serveTools();
  await using connection = reach(first.url);
  await connection.opened;
  await first[Symbol.asyncDispose]();
  await refused(first.url);
  await assert.rejects(echo(connection), /refuses connections/);
  await using _second = serveTools({}, first.port);
  assert.equal(said(await echo(connection)), "echo: hi");
});

Deno.test("HTTP 401 says how to log in, or that the header of the configuration is wrong", async () => {
  const { state, why } = await failing({ status: 401 });
  assert.equal(state, "error");
  assert.match(why, /wants a login \(HTTP 401\); run narnat mcp login fake/);
  const own = await failing({ status: 401 }, { headers: { authorization: "Bearer secret-x" } });
  assert.match(own.why, /does not take the Authorization header/);
  assert.doesNotMatch(own.why, /secret-x/);
});

Deno.test("HTTP 403 says that access is denied", async () => {
  const { state, why } = await failing({ status: 403 });
  assert.equal(state, "error");
  assert.match(why, /denies access \(HTTP 403\)/);
});

Deno.test("HTTP 404 says that no server answers there", async () => {
  const { state, why, server } = await failing({ status: 404 });
  assert.equal(state, "error");
  assert.ok(why.includes(`no MCP server answers at ${server.url} (HTTP 404)`), why);
  await using nothing = serveTools({ status: 404 });
  await using connection = reach(`${nothing.url}?key=secret-x`);
  await connection.opened;
  assert.match(connection.why, /no MCP server answers/);
  assert.doesNotMatch(connection.why, /secret-x/);
});

Deno.test("HTTP 500 says what the server said, but no page of HTML", async () => {
  const { state, why } = await failing({ status: 500, text: '{"error":{"message":"disk full"}}' });
  assert.equal(state, "error");
  assert.equal(why, "the server answered HTTP 500: disk full");
  const page = await failing({ status: 503, text: "<html>oops</html>" });
  assert.equal(page.why, "the server answered HTTP 503");
});

Deno.test("a refused connection says that the server does not run", async () => {
  const server = serveTools();
  await server[Symbol.asyncDispose]();
  await using connection = reach(server.url);
  await connection.opened;
  assert.equal(connection.state, "error");
  assert.match(connection.why, /127\.0\.0\.1:\d+ refuses connections/);
});

Deno.test("a page in the place of JSON says that it is no MCP message, whatever it calls itself", async () => {
  for (const page of ["html", "json"] as const) {
    const { state, why } = await failing({ page });
    assert.equal(state, "error");
    assert.match(why, /no MCP message \(a web page\?\)/, page);
  }
});

Deno.test("a redirect to another host is not followed, and no header goes there", async () => {
  await using other = serveTools();
  const { state, why } = await failing(
    { redirectTo: `http://localhost:${other.port}/mcp` },
    { headers: { authorization: "Bearer secret-x" } },
  );
  assert.equal(state, "error");
  assert.match(why, /redirects to http:\/\/localhost:\d+\/mcp, which was not followed/);
  assert.deepEqual(other.asked, []);
});

Deno.test("a connection lost in mid-stream ends the call, and the session goes on", async () => {
  await using server = serveTools({ cutsCall: true });
  await using connection = reach(server.url);
  await connection.opened;
  await assert.rejects(echo(connection), /connection broke in the middle of the answer/);
  assert.equal(connection.state, "ready");
  assert.equal(
    (await connection.readResource("memo://one", new TestCaller().signal))[0]?.text,
    "the memo",
  );
});

Deno.test("an answer that is cut in the middle of its JSON is told as a lost connection", async () => {
  await using server = serveTools({ cutsJson: true });
  await using connection = reach(server.url);
  await connection.opened;
  await assert.rejects(echo(connection), /connection broke in the middle of the answer/);
  assert.equal(connection.state, "ready");
});

Deno.test("an endless stream ends with the time of the call", async () => {
  await using server = serveTools({ endless: "comments" });
  await using connection = reach(server.url, { timeoutMs: 1000 });
  await connection.opened;
  await assert.rejects(echo(connection), /timed out after 1 s/);
  assert.equal(connection.state, "ready");
});

Deno.test("an endless stream in the place of initialize ends with the time of the start", async () => {
  const { state, why } = await failing({ endlessStart: true }, { startMs: 1000 });
  assert.equal(state, "error");
  assert.match(why, /did not answer initialize within 1 s/);
});

slow("a line without end is not kept in memory beyond 64 MB", async () => {
  await using server = serveTools({ endless: "line" });
  await using connection = reach(server.url);
  await connection.opened;
  await assert.rejects(echo(connection), /connection broke|64 MB/);
});

Deno.test("an address without a name is told as unreachable, without what its query holds", async () => {
  await using connection = reach(`http://${NO_HOST}/mcp?key=secret-x`);
  await connection.opened;
  assert.equal(connection.state, "error");
  assert.ok(connection.why.includes(`${NO_HOST} cannot be reached: there is no host of that`));
  assert.doesNotMatch(connection.why, /secret-x/);
});

Deno.test({
  name: "a host that Deno's permissions do not name is not asked, and that is said",
  permissions: { ...ALL, net: ["127.0.0.1"] },
  async fn() {
    await using server = serveTools();
    await using connection = reach(`http://localhost:${server.port}/mcp`);
    await connection.opened;
    assert.match(connection.why, /no permission to reach localhost:/);
  },
});

Deno.test("a faulty address among good servers takes none of them along", async () => {
  await using good = serveTools();
  await using bad = serveTools({ status: 500 });
  const { stageAll } = await import("../stage.ts");
  const config = (name: string, url: string) =>
    fakeConfig(name, {}, { reach: { type: "http", url, headers: {} } });
  await using servers = stageAll([config("bad", bad.url), config("good", good.url)]);
  await servers.settled(AbortSignal.timeout(10_000));
  assert.deepEqual(servers.list().map(({ state }) => state), ["error", "ready"]);
  assert.deepEqual(servers.tools().map(({ name, needs }) => [name, needs]), [[
    "mcp_good_echo",
    "net",
  ]]);
});

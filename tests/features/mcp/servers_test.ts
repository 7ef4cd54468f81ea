import assert from "node:assert/strict";
import fc from "fast-check";
import type { ServerConfig } from "../../../src/features/mcp/types.ts";
import { fakeConfig, said, stageAll, TestCaller, toldPid } from "./stage.ts";
import { secretsOf } from "../../support/parts.ts";
import { carrying, eventually, hasEnded } from "../../support/processes.ts";
import { runs, slow } from "../../support/soak.ts";

const { signal } = new AbortController();
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

Deno.test("one server that fails takes none of the others along", async () => {
  await using servers = stageAll([
    fakeConfig("dies", { diesWith: 1 }),
    { ...fakeConfig("faulty"), reach: undefined, fault: "mcp.json: no command" },
    fakeConfig("good"),
    fakeConfig("silent", { initializeMs: -1 }, { startMs: 1000 }),
  ]);
  await servers.settled(signal);
  const states = servers.list().map(({ name, state }) => [name, state]);
  assert.deepEqual(states, [
    ["dies", "error"],
    ["faulty", "error"],
    ["good", "ready"],
    ["silent", "error"],
  ]);
  assert.equal(servers.list()[1]?.why, "mcp.json: no command");
  assert.ok(servers.tools().every(({ server }) => server === "good"));
  const echo = servers.tools().find(({ name }) => name === "mcp_good_echo");
  assert.equal(said(await echo!.call({ text: "hi" }, new TestCaller())), "hi");
});

Deno.test("servers start side by side", async () => {
  const names = ["a", "b", "c", "d", "e"];
  await using servers = stageAll(names.map((name) => fakeConfig(name, { initializeMs: -1 })));
  const started = () => names.every((name) => servers.stderr(name).includes("started"));
  assert.ok(await eventually(started));
  assert.ok(servers.list().every(({ state }) => state === "connecting"));
});

Deno.test("tools stand in the order of the servers' names and of each server's list", async () => {
  await using servers = stageAll([
    fakeConfig("a", { tools: [tool("z"), tool("y")] }),
    fakeConfig("b", { tools: [tool("x")], initializeMs: 100 }),
    fakeConfig("c", { tools: [tool("a"), tool("b")] }),
  ]);
  await servers.settled(signal);
  assert.deepEqual(servers.tools().map(({ name }) => name), [
    "mcp_a_z",
    "mcp_a_y",
    "mcp_b_x",
    "mcp_c_a",
    "mcp_c_b",
  ]);
});

Deno.test("only the tools that the configuration allows are offered", async () => {
  await using servers = stageAll([
    fakeConfig("some", {}, { tools: ["echo", "slow", "fail"], withoutTools: ["slow"] }),
  ]);
  await servers.settled(signal);
  assert.deepEqual(servers.tools().map(({ tool }) => tool.name), ["echo", "fail"]);
});

Deno.test("the tools that are told of are those that are offered; a name that no tool has is told", async () => {
  const given = { tools: [tool("ok"), tool("al")] };
  await using servers = stageAll([
    fakeConfig("some", given, { tools: ["ok", "okk"], withoutTools: ["zz"] }),
    fakeConfig("fine", given, { withoutTools: ["al"] }),
    fakeConfig("poor", { noList: true }, { tools: ["ok"] }),
  ]);
  await servers.settled(signal);
  const [fine, poor, some] = servers.list().toSorted((a, b) => a.name < b.name ? -1 : 1);
  assert.deepEqual([some?.tools, fine?.tools], [["ok"], ["ok"]]);
  assert.deepEqual(servers.describe("some").map(({ name }) => name), ["ok"]);
  assert.match(some?.why ?? "", /unknown tools: okk, zz .*ok, al/);
  assert.equal(fine?.why, "");
  assert.doesNotMatch(poor?.why ?? "", /no tool ok/);
});

Deno.test("a project's server waits for trust, the user's does not", async () => {
  const configs = [fakeConfig("mine"), fakeConfig("theirs", {}, { scope: "project" })];
  await using servers = stageAll(configs, {}, () => false);
  await servers.settled(signal);
  assert.deepEqual(servers.list().map(({ state }) => state), ["ready", "untrusted"]);
  await assert.rejects(servers.reconnect("theirs"), /not trusted/);
  assert.equal((await servers.enable("theirs", true)).state, "untrusted");
  const { ms } = servers.list()[0]!;
  servers.start(() => true);
  await servers.settled(signal);
  assert.deepEqual(servers.list().map(({ state }) => state), ["ready", "ready"]);
  assert.equal(servers.list()[0]?.ms, ms, "the one that was there was not started again");
});

Deno.test("a list that was had before is offered at once; a call waits for its server", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const config = fakeConfig("kept", { initializeMs: 300 });
    {
      await using servers = stageAll([config], { cacheDir });
      assert.deepEqual(servers.tools(), []);
      await servers.settled(signal);
      assert.ok(servers.tools().length > 0);
    }
    await using servers = stageAll([config], { cacheDir });
    assert.equal(servers.list()[0]?.state, "connecting");
    const echo = servers.tools().find(({ name }) => name === "mcp_kept_echo");
    assert.equal(said(await echo!.call({ text: "waited" }, new TestCaller())), "waited");
    for (const { name } of Deno.readDirSync(cacheDir)) {
      assert.equal((Deno.statSync(`${cacheDir}/${name}`).mode ?? 0) & 0o777, 0o600);
    }
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("a server whose tools are known is connected to after what is urgent, or when somebody waits for it", async () => {
  const cacheDir = await Deno.makeTempDir();
  const state = (servers: ReturnType<typeof stageAll>, name: string) =>
    servers.list().find((info) => info.name === name)?.state;
  try {
    const configs = ["a", "b", "c", "d"].map((name) => fakeConfig(name));
    {
      await using servers = stageAll(configs, { cacheDir });
      await servers.settled(signal);
    }
    const first = Promise.withResolvers<void>();
    const fresh = fakeConfig("new");
    await using servers = stageAll([...configs, fresh], { cacheDir, first: first.promise });
    await servers.known(signal);
    // what is not known yet waits for nothing
    assert.equal(state(servers, "new"), "ready");
    assert.ok(servers.tools().some(({ name }) => name === "mcp_a_echo"));
    const waiting = ["a", "b", "c", "d"];
    assert.deepEqual(waiting.map((name) => servers.stderr(name)), ["", "", "", ""]);
    const echo = servers.tools().find(({ name }) => name === "mcp_a_echo");
    assert.equal(said(await echo!.call({ text: "hi" }, new TestCaller())), "hi");
    assert.equal((await servers.reconnect("b")).state, "ready");
    await servers.enable("c", false);
    assert.equal((await servers.enable("c", true)).state, "ready");
    assert.deepEqual(waiting.map((name) => state(servers, name)), [
      ...["ready", "ready", "ready", "connecting"],
    ]);
    first.resolve();
    assert.ok(await eventually(() => state(servers, "d") === "ready"));
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("a server that waits for what is urgent is shut down without having been started", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const config = fakeConfig("kept");
    {
      await using servers = stageAll([config], { cacheDir });
      await servers.settled(signal);
    }
    const servers = stageAll([config], { cacheDir, first: new Promise(() => {}) });
    const { opened } = servers.connection("kept")!;
    await servers.shutdown();
    await opened;
    assert.deepEqual([servers.stderr("kept"), servers.list()[0]?.state], ["", "closed"]);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("secrets in what a server says of its tools are kept nowhere and told to nobody", async () => {
  const root = await Deno.makeTempDir();
  const [cacheDir, knownDir] = [`${root}/cache`, `${root}/known`];
  const key = "k3y-0f-the-test-Zq81xWm4";
  try {
    const config = fakeConfig("one", { description: `Asks with ${key}` });
    const { redactIn: redactIn } = secretsOf({ TOKEN: key });
    await using servers = stageAll([config], { cacheDir, knownDir, redactIn });
    await servers.settled(signal);
    const echo = servers.tools().find(({ name }) => name === "mcp_one_echo");
    assert.equal(echo?.tool.description, "Asks with «secret:TOKEN»");
    for (const dir of [cacheDir, knownDir]) {
      const [file] = [...Deno.readDirSync(dir)];
      const kept = Deno.readTextFileSync(`${dir}/${file!.name}`);
      assert.ok(kept.includes("Asks with «secret:TOKEN»") && !kept.includes(key), kept);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a damaged list of before is as good as none", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const config = fakeConfig("kept");
    for (const text of ["", "{", '{"tools":[{"name":1}]}', '{"tools":{}}']) {
      await Deno.writeTextFile(`${cacheDir}/${config.hash.slice(0, 32)}.json`, text);
      await using servers = stageAll([config], { cacheDir });
      assert.deepEqual(servers.tools(), []);
    }
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("a server that has died keeps its tools, calls say so, and reconnect brings it back", async () => {
  await using servers = stageAll([fakeConfig("one")]);
  await servers.settled(signal);
  const before = servers.tools().map(({ name }) => name);
  Deno.kill(toldPid(servers.connection("one")!, "started"), "SIGKILL");
  assert.ok(await eventually(() => servers.list()[0]?.state === "closed"));
  assert.deepEqual(servers.tools().map(({ name }) => name), before);
  const [echo] = servers.tools();
  await assert.rejects(echo!.call({ text: "x" }, new TestCaller()), { kind: "closed" });
  assert.equal((await servers.reconnect("one")).state, "ready");
  assert.equal(said(await echo!.call({ text: "again" }, new TestCaller())), "again");
});

Deno.test("a server is taken off and let on again", async () => {
  await using servers = stageAll([fakeConfig("off", {}, { enabled: false }), fakeConfig("one")]);
  await servers.settled(signal);
  assert.equal(servers.list()[0]?.state, "off");
  assert.equal((await servers.enable("off", true)).state, "ready");
  const pid = toldPid(servers.connection("one")!, "started");
  assert.equal((await servers.enable("one", false)).state, "off");
  assert.ok(hasEnded(pid));
  assert.ok(servers.tools().every(({ server }) => server === "off"));
  await assert.rejects(servers.reconnect("one"), /is off/);
  await assert.rejects(servers.reconnect("nobody"), /no MCP server nobody; there are: /);
});

Deno.test("what changes is told", async () => {
  let changes = 0;
  await using servers = stageAll([fakeConfig("one")], { onChange: () => void changes++ });
  await servers.settled(signal);
  assert.ok(changes > 0);
});

slow("servers end when narnat is killed with SIGKILL, with what they have started", async () => {
  const configs = [
    fakeConfig("stubborn", { ignoresEnd: true, ignoresTerm: true, grandchild: "own group" }),
  ];
  const program = `
    import { stageAll } from ${JSON.stringify(new URL("./stage.ts", import.meta.url).href)};
    const servers = stageAll(${JSON.stringify(configs)}, { guard: true });
    await servers.settled(new AbortController().signal);
    while (!servers.stderr("stubborn").includes("grandchild")) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(servers.stderr("stubborn"));
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const narnat = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--ext=ts", "--no-check", program],
    stdout: "piped",
  }).spawn();
  let text = "";
  for await (const chunk of narnat.stdout.values({ preventCancel: true })) {
    text += new TextDecoder().decode(chunk);
    if (/grandchild \d+\n/.test(text)) break;
  }
  const pids = (["started", "grandchild"] as const).map((word) =>
    toldPid({ stderr: () => text }, word)
  );
  narnat.kill("SIGKILL");
  await narnat.status;
  await narnat.stdout.cancel();
  assert.ok(await eventually(() => pids.every(hasEnded), 10_000));
});

// A fake that answers with nothing to start: the property is about many sets of connections.
const cat: ServerConfig["reach"] = { type: "stdio", command: "cat", args: [], env: {}, cwd: "/" };

Deno.test("Feature: agent-system-optimization, Property 5: after shutdown all connections are closed and none is active", async () => {
  const kinds = {
    ready: { type: "stdio", ...shellServer(), env: {}, cwd: "/" },
    silent: cat,
    dies: { ...cat, command: "false" },
    absent: { ...cat, command: "no-such-program-at-all" },
  } as const;
  const kind = fc.constantFrom(...Object.keys(kinds) as (keyof typeof kinds)[]);
  const plan = fc.tuple(fc.array(kind, { maxLength: 4 }), fc.constantFrom(0, 5, 60));
  await fc.assert(
    fc.asyncProperty(plan, async ([names, ms]) => {
      const configs = names.map((name, at): ServerConfig => ({
        ...fakeConfig(`${name}${at}`),
        reach: kinds[name],
      }));
      const pids: number[] = [];
      const servers = stageAll(configs);
      await new Promise((resolve) => setTimeout(resolve, ms));
      for (const { name } of configs) {
        const pid = /started (\d+)/.exec(servers.stderr(name))?.[1];
        if (pid !== undefined) pids.push(Number(pid));
      }
      await servers.shutdown();
      const active = servers.list().filter(({ state }) => state !== "closed");
      assert.deepEqual(active, []);
      assert.ok(pids.every(hasEnded));
    }),
    { numRuns: runs(100) },
  );
});

/** A server in plain shell: quick to start a hundred times. */
function shellServer(): { command: string; args: string[] } {
  const answer = (id: string, result: string) =>
    `printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' ${id} '${result}'`;
  const script = `echo "started $$" >&2
while read -r line; do
  id=\${line##*\\"id\\":}; id=\${id%%[!0-9]*}
  case $line in
    *'"initialize"'*) ${
    answer(
      '"$id"',
      '{"protocolVersion":"2025-06-18","serverInfo":{"name":"sh","version":"1"},"capabilities":{"tools":{}}}',
    )
  } ;;
    *tools/list*) ${answer('"$id"', '{"tools":[]}')} ;;
  esac
done`;
  return { command: "sh", args: ["-c", script] };
}

Deno.test("a server that is to be connected again by several at once is connected once", async () => {
  const word = crypto.randomUUID();
  await using servers = stageAll([fakeConfig("one", { tools: [tool(word)] })]);
  await servers.settled(signal);
  const again = await Promise.all([1, 2, 3].map(() => servers.reconnect("one")));
  assert.deepEqual(again.map(({ state }) => state), ["ready", "ready", "ready"]);
  assert.equal(await carrying(word), 1);
  await servers.shutdown();
  assert.equal(await carrying(word), 0);
});

Deno.test("a server that fails offers nothing, be its list known from before", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    {
      await using servers = stageAll([fakeConfig("kept")], { cacheDir });
      await servers.settled(signal);
    }
    await using servers = stageAll([fakeConfig("kept", { diesWith: 1 })], { cacheDir });
    assert.ok(servers.tools().length > 0);
    await servers.settled(signal);
    assert.deepEqual(servers.tools(), []);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("after shutdown no server starts any more", async () => {
  const word = crypto.randomUUID();
  const off = fakeConfig("off", { tools: [tool(word)] }, { enabled: false });
  await using servers = stageAll([fakeConfig("on", { tools: [tool(word)] }), off]);
  await servers.settled(signal);
  await servers.shutdown();
  servers.start(() => true);
  await servers.reconnect("on");
  await servers.enable("off", true);
  assert.equal(await carrying(word), 0);
  assert.deepEqual(servers.list().map(({ state }) => state), ["closed", "closed"]);
});

slow("who failed the last time is waited for a moment only, until it has tools", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const hung = (startMs: number) => fakeConfig("hung", { initializeMs: 60_000 }, { startMs });
    {
      await using servers = stageAll([hung(100)], { cacheDir });
      await servers.known(signal);
      assert.equal(servers.list()[0]?.state, "error");
    }
    {
      await using servers = stageAll([hung(60_000)], { cacheDir });
      await servers.known(signal);
      assert.equal(servers.list()[0]?.state, "connecting");
    }
    const slow = (startMs: number) => fakeConfig("slow", { initializeMs: 500 }, { startMs });
    for (const [startMs, state] of [[100, "error"], [60_000, "ready"]] as const) {
      await using servers = stageAll([slow(startMs)], { cacheDir });
      await servers.known(signal);
      assert.equal(servers.list()[0]?.state, state);
    }
    await using servers = stageAll([slow(60_000)], { cacheDir });
    assert.ok(servers.tools().length > 0);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

/** What a server may do wrong, with real processes. */
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { said, stage, TestCaller, toldPid } from "./stage.ts";
import { carrying, eventually, hasEnded } from "../../support/processes.ts";
import { slow } from "../../support/soak.ts";

slow("a server that never answers initialize is ended and in error", async () => {
  await using server = stage({ initializeMs: -1 }, { startMs: 1000 });
  await server.opened;
  assert.equal(server.state, "error");
  assert.match(server.why, /initialize was not answered within 1 s/);
  assert.ok(hasEnded(toldPid(server, "started")));
});

slow("a server that dies at start is in error, with its last words", async () => {
  await using server = stage({ diesWith: 3 });
  await server.opened;
  assert.equal(server.state, "error");
  assert.match(server.why, /has ended \(exit 3\): .*no configuration found/s);
});

Deno.test("a program that is not there is in error, with its name", async () => {
  await using server = stage({}, {
    reach: { type: "stdio", command: "no-such-program-at-all", args: [], env: {}, cwd: "/" },
  });
  await server.opened;
  assert.equal(server.state, "error");
  assert.match(server.why, /no-such-program-at-all was not found/);
});

Deno.test("a folder that is not there is told of, and not the program", async () => {
  const cwd = "/no/such/folder";
  await using server = stage({}, {
    reach: { type: "stdio", command: "true", args: [], env: {}, cwd },
  });
  await server.opened;
  assert.match(server.why, /there is no folder \/no\/such\/folder/);
  assert.doesNotMatch(server.why, /was not found/);
});

Deno.test("a command with its arguments in it is told how to write them", async () => {
  for (const command of ["no-such-npx -y foo", "/tmp/no-such-npx -y foo"]) {
    await using server = stage({}, {
      reach: {
        type: "stdio",
        command,
        args: ["z"],
        env: {},
        cwd: command[0] === "/" ? "/tmp" : "/",
      },
    });
    await server.opened;
    assert.match(server.why, /"command":"no-such-npx","args":\["-y","foo","z"\]/);
  }
});

Deno.test("a server that dies in a call is closed: this call and the next ones say so", async () => {
  await using server = stage({ diesInCall: true });
  await server.opened;
  const disconnected = {
    name: "ServerError",
    kind: "closed",
    message: /The MCP server fake is disconnected[^]*exit 7/,
  };
  await assert.rejects(server.call("echo", { text: "x" }, new TestCaller()), disconnected);
  assert.equal(server.state, "closed");
  await assert.rejects(server.call("roots", {}, new TestCaller()), disconnected);
});

Deno.test("in Chinese the calls of a server that has ended say MCP 服务器已断开", async () => {
  await using server = stage({ diesInCall: true }, {}, chinese);
  await server.opened;
  const call = () => server.call("echo", { text: "x" }, new TestCaller());
  await assert.rejects(call(), { message: /^MCP 服务器已断开/ });
  await assert.rejects(call(), { message: /^MCP 服务器已断开/ });
});

Deno.test("a server that is killed from outside is closed", async () => {
  await using server = stage();
  await server.opened;
  Deno.kill(toldPid(server, "started"), "SIGKILL");
  assert.ok(await eventually(() => server.state === "closed"));
  await assert.rejects(server.call("echo", { text: "x" }, new TestCaller()), { kind: "closed" });
});

Deno.test("garbage among the messages is passed over and kept for people", async () => {
  await using server = stage({ garbage: 50 });
  await server.opened;
  assert.equal(server.state, "ready");
  assert.equal(said(await server.call("echo", { text: "fine" }, new TestCaller())), "fine");
  assert.match(server.stderr(), /\[stdout\] starting… step 49/);
});

slow("an answer of 100 MB fails its call at once; the server goes on", async () => {
  await using server = stage({ answerBytes: 100 * 1024 * 1024 });
  await server.opened;
  await assert.rejects(server.call("echo", { text: "x" }, new TestCaller()), {
    kind: "refused",
    message: /longer than 64 MB/,
  });
  assert.equal(server.state, "ready");
  assert.match(said(await server.call("roots", {}, new TestCaller())), /file:/);
});

slow("an answer of 20 MB arrives whole", async () => {
  await using server = stage({ answerBytes: 20 * 1024 * 1024 });
  await server.opened;
  const text = said(await server.call("echo", { text: "x" }, new TestCaller()));
  assert.equal(text.length, 20 * 1024 * 1024);
});

Deno.test("an answer that is no JSON fails its call at once; the server goes on", async () => {
  await using server = stage({ brokenAnswer: true });
  await server.opened;
  await assert.rejects(server.call("echo", { text: "x" }, new TestCaller()), {
    kind: "refused",
    message: /cannot be parsed/,
  });
  assert.equal(server.state, "ready");
});

slow("an answer with something odd in it is taken all the same", async () => {
  const result = '"result":{"content":[{"type":"text","text":"fine"}]}';
  for (
    const line of [
      `{"jsonrpc":"2.0","id":ID,${result},"error":null}`,
      `{"jsonrpc":"2.0","id":ID,${result},"elapsed":3}`,
      `{"jsonrpc":"2.0","id":ID,${result.replace("{", '{"_meta":5,')}}`,
    ]
  ) {
    await using server = stage({ rawAnswer: line }, { timeoutMs: 5000 });
    await server.opened;
    assert.equal(said(await server.call("echo", { text: "x" }, new TestCaller())), "fine");
  }
});

slow("an answer that answers nothing fails its call at once, with what it said", async () => {
  const cases: readonly (readonly [line: string, message: RegExp])[] = [
    ['{"jsonrpc":"2.0","id":ID}', /cannot be parsed/],
    ['{"jsonrpc":"2.0","id":ID,"result":null}', /cannot be parsed/],
    ['{"jsonrpc":"2.0","id":ID,"result":"done"}', /cannot be parsed/],
    ['{"jsonrpc":"2.0","id":ID,"error":"no such file"}', /no such file/],
    ['{"jsonrpc":"2.0","id":ID,"error":{"message":"no code"}}', /no code/],
    ['{"jsonrpc":"2.0","id":ID,"error":{"code":1,"reason":"odd"}}', /"reason":"odd"/],
  ];
  for (const [rawAnswer, message] of cases) {
    await using server = stage({ rawAnswer }, { timeoutMs: 5000 });
    await server.opened;
    const call = server.call("echo", { text: "x" }, new TestCaller());
    await assert.rejects(call, { kind: "refused", message });
    assert.equal(server.state, "ready");
  }
});

Deno.test("an error as long as a book is told with its beginning", async () => {
  const rawAnswer = `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"Why${
    "y".repeat(50_000)
  }"}}`;
  await using server = stage({ rawAnswer });
  await server.opened;
  await assert.rejects(server.call("echo", { text: "x" }, new TestCaller()), (error: Error) => {
    assert.match(error.message, /Whyyy/);
    assert.ok(error.message.length < 3000, `${error.message.length}`);
    return true;
  });
});

Deno.test("a tool with a name as long as a book, or with a schema as large as one, is left out", async () => {
  const tools = [
    { name: "n".repeat(30_000), inputSchema: { type: "object" } },
    { name: "large", inputSchema: { type: "object", description: "x".repeat(60_000) } },
    { name: "good", inputSchema: { type: "object" } },
  ];
  await using server = stage({ tools });
  await server.opened;
  assert.deepEqual(server.list.tools.map(({ name }) => name), ["good"]);
  const [long, large] = server.list.warnings;
  assert.ok(long!.length < 400, `${long!.length}`);
  assert.match(large!, /large was left out: its inputSchema is larger than/);
});

slow("a connection that is closed at whatever step of its opening leaves no process", async () => {
  const word = crypto.randomUUID();
  for (let steps = 0; steps < 24; steps++) {
    const server = stage({ tools: [word] });
    for (let step = 0; step < steps; step++) await Promise.resolve();
    await server.close();
    await server.opened;
  }
  assert.equal(await carrying(word), 0);
});

slow("a flood of messages leaves room for other work", async () => {
  await using server = stage();
  await server.opened;
  const caller = new TestCaller();
  let atOnce = 0;
  let told = 0;
  const other = setInterval(() => {
    atOnce = Math.max(atOnce, caller.told.length - told);
    told = caller.told.length;
  }, 0);
  await server.call("flood", { steps: 40_000 }, caller);
  clearInterval(other);
  assert.equal(caller.told.length, 40_000);
  assert.ok(atOnce < 4000, `${atOnce} of them at once`);
});

Deno.test("a list of endless pages is cut, with a warning", async () => {
  await using server = stage({ paging: "endless" });
  await server.opened;
  assert.equal(server.state, "ready");
  assert.equal(server.list.tools.length, 100);
  assert.match(server.list.warnings.join(), /never ends/);
});

Deno.test("of thousands of tools the first ones are taken, with a warning", async () => {
  const tools = Array.from({ length: 3000 }, (_, n) => ({ name: `t${n}` }));
  await using server = stage({ tools });
  await server.opened;
  assert.equal(server.list.tools.length, 1000);
  assert.match(server.list.warnings.join(), /the first 1000 were taken/);
});

Deno.test("a list whose page leads to itself ends", async () => {
  await using server = stage({ paging: "again" });
  await server.opened;
  assert.equal(server.state, "ready");
  assert.deepEqual(server.list.tools.map(({ name }) => name), ["tool0", "tool1"]);
  assert.equal(server.list.warnings.length, 1);
});

Deno.test("a list that fails leaves the server connected, with a warning", async () => {
  await using server = stage({ noList: true });
  await server.opened;
  assert.equal(server.state, "ready");
  assert.deepEqual(server.list.tools, []);
  assert.match(server.list.warnings.join(), /the list is broken/);
  assert.equal(said(await server.call("echo", { text: "x" }, new TestCaller())), "x");
});

slow("a list that never comes leaves the server connected, with a warning", async () => {
  await using server = stage({ silentList: true }, { startMs: 1000 });
  await server.opened;
  assert.equal(server.state, "ready");
  assert.match(server.list.warnings.join(), /it did not come within 1 s/);
  assert.equal(said(await server.call("echo", { text: "x" }, new TestCaller())), "x");
});

Deno.test("malformed tools among good ones are left out, each with a warning", async () => {
  const good = { name: "good", description: null, inputSchema: { type: "object" } };
  await using server = stage({
    tools: [
      good,
      { name: "no_schema_object", inputSchema: "text" },
      { name: "array", inputSchema: { type: "array" } },
      { description: "no name", inputSchema: { type: "object" } },
      null,
      { ...good, name: "also_good", annotations: { readOnlyHint: true } },
      { ...good, description: "a second one" },
    ],
  });
  await server.opened;
  assert.equal(server.state, "ready");
  assert.deepEqual(
    server.list.tools.map(({ name, readOnly }) => [name, readOnly]),
    [["good", false], ["also_good", true]],
  );
  const warnings = server.list.warnings.join("\n");
  for (const name of ["no_schema_object", "array", "#4", "#5"]) {
    assert.match(warnings, new RegExp(`The tool ${name} was left out`));
  }
  assert.match(warnings, /A second tool good was left out/);
});

Deno.test("a schema with anyOf at its top becomes a plain object's", async () => {
  const inputSchema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    anyOf: [
      { properties: { a: { type: "string" } }, required: ["a"] },
      { properties: { b: { type: "number" } }, required: ["b"] },
    ],
  };
  await using server = stage({ tools: [{ name: "either", inputSchema }] });
  await server.opened;
  assert.deepEqual(server.list.tools[0]?.input, {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "number" } },
  });
});

slow("a server that ignores the end of its stdin and SIGTERM is killed", async () => {
  await using server = stage({ ignoresEnd: true, ignoresTerm: true });
  await server.opened;
  const pid = toldPid(server, "started");
  await server.close();
  assert.equal(server.state, "closed");
  assert.ok(hasEnded(pid));
});

for (const grandchild of ["same group", "own group"] as const) {
  Deno.test(`no process that a server has started is left: ${grandchild}`, async () => {
    await using server = stage({ grandchild });
    await server.opened;
    assert.ok(await eventually(() => /grandchild \d/.test(server.stderr())));
    const pid = toldPid(server, "grandchild");
    assert.ok(!hasEnded(pid));
    await server.close();
    assert.ok(await eventually(() => hasEnded(pid)));
  });

  Deno.test(`what a server that dies has started dies too: ${grandchild}`, async () => {
    await using server = stage({ grandchild, diesInCall: true });
    await server.opened;
    assert.ok(await eventually(() => /grandchild \d/.test(server.stderr())));
    const pid = toldPid(server, "grandchild");
    await assert.rejects(server.call("echo", { text: "x" }, new TestCaller()));
    assert.ok(await eventually(() => hasEnded(pid)));
  });
}

Deno.test("a call that takes too long times out, the server is told and goes on", async () => {
  await using server = stage({}, { timeoutMs: 1000 });
  await server.opened;
  await assert.rejects(server.call("slow", { ms: 60_000 }, new TestCaller()), {
    kind: "timed out",
    message: /slow of the MCP server fake timed out after 1 s/,
  });
  assert.equal(said(await server.call("echo", { text: "on" }, new TestCaller())), "on");
  const cancelled = await server.call("cancelled", {}, new TestCaller());
  assert.equal(JSON.parse(said(cancelled)).length, 1);
});

slow("signs of progress put a call's timeout off", async () => {
  await using server = stage({}, { timeoutMs: 1000 });
  await server.opened;
  const answer = await server.call("progress", { steps: 6, ms: 250 }, new TestCaller());
  assert.equal(said(answer), "through");
});

slow("a call that tells progress for ever times out all the same", async () => {
  await using server = stage({}, { timeoutMs: 200 });
  await server.opened;
  await assert.rejects(server.call("progress", { steps: 1e9, ms: 20 }, new TestCaller()), {
    kind: "timed out",
    // between two steps on a busy machine, or after all of them
    message: /progress of the MCP server fake timed out after \d+ s/,
  });
});

Deno.test("a connection that is closed while it opens is closed, and nothing is left", async () => {
  await using server = stage({ initializeMs: -1 });
  assert.ok(await eventually(() => /started \d/.test(server.stderr())));
  const pid = toldPid(server, "started");
  await server.close();
  await server.opened;
  assert.equal(server.state, "closed");
  assert.ok(hasEnded(pid));
});

slow(
  "what came in the place of an answer is told with the call that timed out, and only then",
  async () => {
    await using server = stage({ rawAnswer: "Traceback: no such table" }, { timeoutMs: 700 });
    await server.opened;
    await assert.rejects(server.call("echo", { text: "x" }, new TestCaller()), {
      kind: "timed out",
      message: /timed out.*\nMeanwhile it sent 1 line .* the last one: Traceback: no such table$/,
    });
    await using silent = stage({}, { timeoutMs: 700 });
    await silent.opened;
    await assert.rejects(silent.call("slow", { ms: 60_000 }, new TestCaller()), {
      message: /timed out after 1 s and was cancelled$/,
    });
  },
);

slow(
  "a server that talks instead of answering at its start is told with what it said",
  async () => {
    const reach = {
      type: "stdio" as const,
      command: "sh",
      args: ["-c", "echo Listening on port 3000; exec sleep 60"],
      env: {},
      cwd: Deno.cwd(),
    };
    await using server = stage({}, { reach, startMs: 700 });
    await server.opened;
    assert.match(server.why, /\nMeanwhile it sent 1 line .*: Listening on port 3000$/);
    await using late = stage({ silentList: true, garbage: 2 }, { startMs: 3000 });
    await late.opened;
    assert.doesNotMatch(late.list.warnings.join(), /Meanwhile/, "nothing came in the list's place");
  },
);

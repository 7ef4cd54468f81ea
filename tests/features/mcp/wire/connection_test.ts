import assert from "node:assert/strict";
import { fakeCommand, said, stage, TestCaller } from "../stage.ts";
import { eventually } from "../../../support/processes.ts";

Deno.test("a server that starts is ready, with its tools in its own order", async () => {
  await using server = stage();
  assert.equal(server.state, "connecting");
  await server.opened;
  assert.equal(server.state, "ready");
  assert.equal(server.why, "");
  assert.ok((server.ms ?? 0) > 0);
  assert.deepEqual(server.list.tools.slice(0, 3).map(({ name }) => name), [
    "echo",
    "slow",
    "progress",
  ]);
  assert.deepEqual(server.list.warnings, []);
});

Deno.test("a call brings the answer, text of any language whole", async () => {
  await using server = stage();
  await server.opened;
  const text = "读取 é 🎉 \u2028 end";
  assert.equal(said(await server.call("echo", { text }, new TestCaller())), text);
});

Deno.test("calls that overlap each get their own answer", async () => {
  await using server = stage();
  await server.opened;
  const texts = Array.from({ length: 20 }, (_, at) => `number ${at}`);
  const answers = await Promise.all(
    texts.map((text) => server.call("echo", { text }, new TestCaller())),
  );
  assert.deepEqual(answers.map(said), texts);
});

Deno.test("progress reaches whoever calls", async () => {
  await using server = stage();
  await server.opened;
  const caller = new TestCaller();
  await server.call("progress", { steps: 3 }, caller);
  assert.deepEqual(caller.told, ["1/3 at it", "2/3 at it", "3/3 at it"]);
});

Deno.test("progress that comes together with the answer is told before it", async () => {
  await using server = stage();
  await server.opened;
  const caller = new TestCaller();
  await server.call("progress", { steps: 40, ms: 0 }, caller);
  assert.equal(caller.told.length, 40);
});

Deno.test("a tool's own failure is an answer, not an error", async () => {
  await using server = stage();
  await server.opened;
  const answer = await server.call("fail", {}, new TestCaller());
  assert.equal(answer.isError, true);
  assert.equal(said(answer), "it did not work");
});

Deno.test("a request that the server refuses tells server, tool and reason", async () => {
  await using server = stage();
  await server.opened;
  await assert.rejects(server.call("nothing", {}, new TestCaller()), {
    name: "ServerError",
    kind: "refused",
    message: /nothing of the MCP server fake failed: .*unknown tool nothing/,
  });
});

Deno.test("a call that is stopped rejects with the reason, and the server is told", async () => {
  await using server = stage();
  await server.opened;
  const caller = new TestCaller();
  const call = server.call("slow", { ms: 60_000 }, caller);
  caller.stop();
  await assert.rejects(call, { name: "AbortError" });
  const cancelled = await server.call("cancelled", {}, new TestCaller());
  assert.equal(JSON.parse(said(cancelled)).length, 1);
});

Deno.test("a list that changes is listed again", async () => {
  await using server = stage();
  await server.opened;
  await server.call("grow", {}, new TestCaller());
  const has = () => server.list.tools.some(({ name }) => name === "grown");
  assert.ok(await eventually(has));
});

Deno.test("what a server asks for is filled in by the user of the running call", async () => {
  await using server = stage();
  await server.opened;
  const caller = new TestCaller();
  caller.answer = { name: "Ada", age: 36, tags: ["a", "b"], note: "" };
  const requestedSchema = {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "yours", minLength: 1, maxLength: 9 },
      age: { type: "integer", minimum: 0, default: 30 },
      size: { type: "string", enum: ["s", "m"], enumNames: ["small", "medium"] },
      tags: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, maxItems: 2 },
      note: { type: "string", format: "email" },
    },
    required: ["name"],
  };
  const answer = await server.call("ask", { message: "Who is it?", requestedSchema }, caller);
  assert.deepEqual(JSON.parse(said(answer)), {
    action: "accept",
    content: { name: "Ada", age: 36, tags: ["a", "b"] },
  });
  assert.deepEqual(caller.questions, [{
    kind: "input",
    question: "The MCP server fake asks you: Who is it?",
    fields: [
      {
        name: "name",
        label: "Name (yours)",
        type: "text",
        required: true,
        minimum: 1,
        maximum: 9,
      },
      { name: "age", label: "age", type: "integer", value: 30, minimum: 0 },
      {
        name: "size",
        label: "size",
        type: "choice",
        choices: [{ value: "s", label: "small" }, { value: "m", label: "medium" }],
      },
      {
        name: "tags",
        label: "tags",
        type: "choices",
        choices: ["a", "b", "c"].map((value) => ({ value, label: value })),
        maximum: 2,
      },
      { name: "note", label: "note", type: "text", format: "email" },
    ],
  }]);
});

Deno.test("what nobody fills in is declined", async () => {
  await using server = stage();
  await server.opened;
  const input = { message: "?", requestedSchema: { type: "object", properties: {} } };
  const answer = await server.call("ask", input, new TestCaller());
  assert.deepEqual(JSON.parse(said(answer)), { action: "decline" });
});

Deno.test("the time a person takes to fill in does not count against the call", async () => {
  await using server = stage({}, { timeoutMs: 300 });
  await server.opened;
  const caller = new TestCaller();
  caller.fill = async () => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    return { name: "late" };
  };
  const properties = { name: { type: "string" } };
  const input = { message: "?", requestedSchema: { type: "object", properties } };
  const answer = await server.call("ask", input, caller);
  assert.equal(JSON.parse(said(answer)).action, "accept");
});

Deno.test("once it is filled in the time counts again", async () => {
  await using server = stage({}, { timeoutMs: 1000 });
  await server.opened;
  const requestedSchema = { type: "object", properties: {} };
  const input = { message: "?", requestedSchema, thenMs: 60_000 };
  await assert.rejects(server.call("ask", input, new TestCaller()), { kind: "timed out" });
});

Deno.test("the workspace is the root that a server is told", async () => {
  await using server = stage();
  await server.opened;
  const { roots } = JSON.parse(said(await server.call("roots", {}, new TestCaller())));
  assert.deepEqual(roots.map(({ uri }: { uri: string }) => uri), [`file://${Deno.cwd()}`]);
});

Deno.test("folders that a server's arguments name are its roots instead of the workspace", async () => {
  const { command, args } = fakeCommand();
  const reach = { type: "stdio" as const, command, env: {}, cwd: "/" };
  const named = ["/usr/bin", "no/such/folder", "./usr", "stdio"];
  await using server = stage({}, { reach: { ...reach, args: [...args, ...named] } });
  await server.opened;
  const { roots } = JSON.parse(said(await server.call("roots", {}, new TestCaller())));
  assert.deepEqual(roots.map(({ uri }: { uri: string }) => uri), [
    "file:///usr/bin",
    "file:///usr",
  ]);
});

Deno.test("a server has the variables that programs need and its own, no others", async () => {
  Deno.env.set("SOME_PROVIDER_SECRET", "not for servers");
  try {
    await using server = stage({}, { env: { MINE: "yes", LANG: "zh_CN.UTF-8" } });
    await server.opened;
    const env = JSON.parse(said(await server.call("env", {}, new TestCaller())));
    assert.equal(env.MINE, "yes");
    assert.equal(env.LANG, "zh_CN.UTF-8");
    assert.equal(env.PATH, Deno.env.get("PATH"));
    assert.equal(env.SOME_PROVIDER_SECRET, undefined);
  } finally {
    Deno.env.delete("SOME_PROVIDER_SECRET");
  }
});

Deno.test("resources and prompts are listed, read and got", async () => {
  await using server = stage({ more: true });
  await server.opened;
  const { signal } = new AbortController();
  const resource = {
    uri: "fake://one",
    name: "one",
    description: "",
    mediaType: "text/plain",
    template: false,
  };
  assert.deepEqual(await server.resources(signal), [resource]);
  assert.deepEqual(await server.readResource("fake://one", signal), [
    { uri: "fake://one", mediaType: "text/plain", text: "the one" },
  ]);
  assert.deepEqual(await server.prompts(signal), [{
    name: "greet",
    description: "",
    arguments: [{ name: "who", description: "", required: true }],
  }]);
  assert.deepEqual(await server.getPrompt("greet", { who: "Ada" }, signal), [
    { role: "user", content: { type: "text", text: "Greet Ada" } },
  ]);
  assert.ok(await eventually(() => server.promptList.length === 1));
});

Deno.test("a server without resources and prompts is not asked for them", async () => {
  await using server = stage();
  await server.opened;
  const { signal } = new AbortController();
  assert.deepEqual(await server.resources(signal), []);
  assert.deepEqual(await server.prompts(signal), []);
});

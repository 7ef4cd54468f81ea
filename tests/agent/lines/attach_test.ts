import assert from "node:assert/strict";
import { join } from "node:path";
import { ModelError } from "../../../src/base/types.ts";
import { edit } from "../../../src/tools/edit/edit.ts";
import { read } from "../../../src/tools/read/read.ts";
import { IMAGES } from "../../fixtures/images.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions, tool } from "../../support/test_agent.ts";

async function withAgent(
  files: Files,
  steps: readonly Step[],
  play: (agent: TestAgent, model: ScriptedModel, root: string) => Promise<void>,
  more: Partial<TestAgentOptions> = {},
): Promise<void> {
  await withWorkspace(files, async (workspace) => {
    const model = new ScriptedModel(steps);
    const agent = new TestAgent({ model, tools: [read, edit], workspace, ...more });
    await play(agent, model, workspace);
    await agent.agent.close();
  });
}

const users = (agent: TestAgent) =>
  agent.messages.filter((one) => one.role === "user").map((one) => one.text);

Deno.test("an attached file stands behind its line as Read gives it, and the screen is told", async () => {
  await withAgent({ "src/a.ts": "one\ntwo\n" }, [{ text: "ok" }], async (t, model) => {
    await t.say("explain @src/a.ts, please");
    const [line, attached] = users(t);
    assert.equal(line, "explain @src/a.ts, please");
    assert.match(attached!, /^\[narnat\] .*src\/a\.ts.*\n1 \| one\n2 \| two$/);
    assert.equal(users(t).length, 2);
    assert.deepEqual(model.requests[0]!.messages.map((one) => one.role), ["user", "user"]);
    assert.deepEqual(t.of("tool_start").map((e) => e.name), ["Read"]);
    assert.deepEqual(t.of("tool_end").map((e) => [e.id, e.ok]), [[
      t.of("tool_start")[0]!.id,
      true,
    ]]);
    assert.equal(t.agent.controller.current().turns, 1);
    assert.deepEqual(t.agent.controller.current().prompts, ["explain @src/a.ts, please"]);
  });
});

Deno.test("an attached file counts as read: the model may edit it at once", async () => {
  const input = { file_path: "a.ts", old_string: "one", new_string: "1" };
  const steps = [{ calls: [{ name: "Edit", input }] }, { text: "done" }];
  await withAgent({ "a.ts": "one\n" }, steps, async (t, _model, root) => {
    await t.say("@a.ts change it");
    assert.equal(t.of("tool_end").at(-1)!.ok, true, t.of("tool_end").at(-1)!.text);
    assert.equal(await Deno.readTextFile(join(root, "a.ts")), "1\n");
  });
});

Deno.test("blanks, Chinese names, folders and paths outside are attached too", async () => {
  const files = { "a b.txt": "blank", "文档/说明.md": "zh", "文档/x": "" };
  await withAgent(files, [{ text: "ok" }], async (t, _model, root) => {
    const outside = await Deno.makeTempFile({ suffix: ".txt" });
    await Deno.writeTextFile(outside, "outside");
    await t.say(`@"a b.txt" 看@文档/说明.md的内容，@文档/ 和 @${outside}。`);
    await Deno.remove(outside);
    const [, ...attached] = users(t);
    assert.equal(attached.length, 4);
    assert.match(attached[0]!, /1 \| blank/);
    assert.match(attached[1]!, /1 \| zh/);
    assert.match(attached[2]!, /x\n说明\.md/);
    assert.match(attached[3]!, /1 \| outside/);
    assert.ok(!t.messages.some((one) => one.text.includes(`${root}/a b`)));
  });
});

Deno.test("a file named twice is attached once; e-mail and decorators are left alone", async () => {
  await withAgent({ "a.ts": "x", "example.com": "no" }, [{ text: "ok" }], async (t) => {
    await t.say("@a.ts @./a.ts me@example.com `@Component x`");
    assert.equal(users(t).length, 2);
    assert.deepEqual(t.of("notice"), []);
  });
});

Deno.test("a lone @name that is nothing stays text, with a notice; code of several lines has none", async () => {
  await withAgent({}, [{ text: "ok" }, { text: "ok" }], async (t) => {
    await t.say("look at @nonexist, please");
    assert.match(t.of("notice")[0]!.text, /nonexist/);
    await t.say("@Injectable\nclass A {}");
    assert.equal(t.of("notice").length, 1);
  });
});

Deno.test("a missing path stays text, with a notice", async () => {
  await withAgent({}, [{ text: "ok" }], async (t) => {
    await t.say("look at @src/none.ts");
    assert.deepEqual(users(t), ["look at @src/none.ts"]);
    assert.match(t.of("notice")[0]!.text, /src\/none\.ts/);
  });
  await withAgent({}, [{ text: "ok" }], async (t) => {
    await t.say("@没有的文件.md看一下");
    assert.match(t.of("notice")[0]!.text, /没有的文件\.md[^看]*$/);
  });
});

Deno.test("an image goes with the message where the model takes it", async () => {
  const png = Uint8Array.fromBase64(IMAGES.png);
  await withAgent({ "a.png": png }, [{ text: "ok" }], async (t) => {
    await t.say("what is @a.png");
    const attached = t.messages[1]!;
    assert.ok(attached.role === "user" && attached.images?.[0]?.mediaType === "image/png");
  }, { imageTypes: ["image/png"] });
  await withAgent({ "a.png": png }, [{ text: "ok" }], async (t) => {
    await t.say("what is @a.png");
    const attached = t.messages[1]!;
    assert.ok(attached.role === "user" && attached.images === undefined);
  });
});

Deno.test("only what was typed is searched for paths, not what was pasted or piped", async () => {
  await withAgent({ "a.ts": "x", "b.ts": "y" }, [{ text: "ok" }], async (t) => {
    t.agent.bus.send({ type: "line", lane: "main", text: "@a.ts\n@b.ts", typed: "@a.ts" });
    await t.agent.idle();
    assert.deepEqual(users(t).length, 2);
  });
});

Deno.test("a line that joins a running turn brings its files along", async () => {
  let t: TestAgent;
  const wait = tool("Wait", () => {
    t.send("also @b.ts");
    return { ok: true, text: "waited" };
  });
  await withAgent(
    { "b.ts": "bee" },
    [{ calls: [{ name: "Wait" }] }, { text: "ok" }],
    async (agent, model) => {
      t = agent;
      await t.say("go");
      assert.match(users(t).at(-1)!, /1 \| bee/);
      const [before, now] = model.requests;
      assert.deepEqual(now!.messages.slice(0, 1), before!.messages.slice(0, 1));
      assert.equal(t.of("notice")[0]!.joined, "also @b.ts");
    },
    { tools: [read, tool("Wait", (input, context) => wait.run(input, context))] },
  );
});

Deno.test("a turn that nothing answered takes the attached files back with its line", async () => {
  const steps = [{ error: new ModelError("auth", "no key") }, { text: "ok" }];
  await withAgent({ "a.ts": "x\n".repeat(1500) }, steps, async (t) => {
    await t.say("@a.ts");
    assert.deepEqual(t.messages, []);
    assert.equal(t.of("turn_end")[0]!.prompt, "@a.ts");
    await t.say("@a.ts");
    assert.match(users(t)[1]!, /1 \| x\n/, "it is shown again, not pointed to");
  });
});

Deno.test("too much at once is left out and named", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 22 }, (_, i) => [`f${i}.txt`, String(i)]),
  );
  await withAgent(files, [{ text: "ok" }], async (t) => {
    await t.say(Object.keys(files).map((name) => `@${name}`).join(" "));
    assert.equal(users(t).length, 21);
    assert.match(t.of("notice")[0]!.text, /f20\.txt, f21\.txt/);
  });
});

Deno.test("without Read nothing is attached", async () => {
  await withAgent({ "a.ts": "x" }, [{ text: "ok" }], async (t) => {
    await t.say("@a.ts @b.ts");
    assert.equal(users(t).length, 1);
    assert.deepEqual(t.of("tool_start"), []);
  }, { tools: [] });
});

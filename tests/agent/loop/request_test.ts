import assert from "node:assert/strict";
import { withRoomFor } from "../../../src/agent/loop/request.ts";
import { english } from "../../../src/base/t.ts";
import type { Image, ToolMessage } from "../../../src/base/types.ts";
import { IMAGES } from "../../fixtures/images.ts";
import { chinese } from "../../support/chinese.ts";
import { sessionStore } from "../../support/parts.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, tool } from "../../support/test_agent.ts";

const image: Image = { mediaType: "image/png", data: IMAGES.png };
const showing = (images: readonly Image[]): ToolMessage => ({
  role: "tool",
  id: "1",
  name: "Look",
  ok: true,
  text: "",
  images,
});
Deno.test("a result's images are kept with it, in memory and on disk, and reach no event", async () => {
  await withWorkspace({}, async (root) => {
    const types: (readonly string[])[] = [];
    const look = tool("Look", (_, context) => {
      types.push(context.imageTypes);
      return { ok: true, text: "a picture", images: [image] };
    });
    const agent = new TestAgent({
      model: new ScriptedModel([{ calls: [{ name: "Look" }] }, { text: "seen" }]),
      tools: [look],
      dir: root,
      imageTypes: ["image/png"],
    });
    await agent.say("look");
    assert.deepEqual(types, [["image/png"]]);
    const kept = agent.messages.find((one) => one.role === "tool");
    assert.deepEqual(kept?.images, [image]);
    assert.doesNotMatch(JSON.stringify(agent.events), /iVBOR/);
    const { id } = agent.agent.controller.current();
    await agent.agent.close();

    const { session, bad } = sessionStore(root).open(id);
    assert.equal(bad, 0);
    assert.deepEqual(session.messages.find((one) => one.role === "tool"), kept);
    session.close();
  });
});

Deno.test("a session takes 20 images, or 16 million characters of them, and says so", () => {
  const nothing = { images: {}, note: "", notices: [] };
  assert.deepEqual(withRoomFor(undefined, [], english), nothing);
  assert.deepEqual(withRoomFor([], [], english), nothing);
  const many = (count: number) => Array.from({ length: count }, () => showing([image]));
  assert.deepEqual(withRoomFor([image], many(19), english), {
    images: { images: [image] },
    note: "",
    notices: [],
  });
  const full = withRoomFor([image], many(20), english);
  assert.deepEqual(full.images, {});
  assert.match(full.note, /^\nIts picture is left out: this conversation carries 20 images/);
  assert.match(full.notices[0]!, /^An image was not sent: this session carries 20 already/);
  const heavy = { ...image, data: "A".repeat(4_800_000) };
  const three = [showing([heavy, heavy]), showing([heavy])];
  assert.deepEqual(withRoomFor([image], three, english).note, "");
  assert.match(withRoomFor([heavy], three, chinese).note, /^\n画面未附上：本次会话已有 3 张图片/);
});

Deno.test("what a tool tells the user of its result is a warning, and nothing to the model", async () => {
  const look = tool("Look", () => ({ ok: true, text: "p", notices: ["p.png was not sent"] }));
  const agent = new TestAgent({
    model: new ScriptedModel([{ calls: [{ name: "Look" }] }, { text: "seen" }]),
    tools: [look],
  });
  await agent.say("look");
  const { level, text } = agent.of("notice")[0]!;
  assert.deepEqual([level, text], ["warn", "p.png was not sent"]);
  assert.doesNotMatch(JSON.stringify(agent.messages), /was not sent/);
});

Deno.test("images that the model of the session does not see are told once for each model", async () => {
  const look = tool("Look", () => ({ ok: true, text: "p", images: [image] }));
  const script = [{ calls: [{ name: "Look" }] }, { text: "seen" }, { text: "a" }, { text: "b" }];
  const agent = new TestAgent({
    model: new ScriptedModel(script),
    tools: [look],
    imageTypes: ["image/png"],
  });
  await agent.say("look");
  assert.deepEqual(agent.of("notice"), []);
  await agent.agent.controller.useModel("blind");
  await agent.say("and now?");
  await agent.say("again");
  const told = agent.of("notice").map(({ text }) => text);
  assert.equal(told.length, 1);
  assert.match(told[0]!, /^1 image of this session is not sent to blind.*"images": true/);
});

Deno.test("parallel results do not share the same room", async () => {
  const look = tool("Look", () => ({ ok: true, text: "p", images: Array(6).fill(image) }));
  const calls = Array.from({ length: 5 }, (_, n) => ({ name: "Look", input: { n } }));
  const agent = new TestAgent({
    model: new ScriptedModel([{ calls }, { text: "seen" }]),
    tools: [look],
    imageTypes: ["image/png"],
  });
  await agent.say("look");
  const results = agent.messages.filter((one) => one.role === "tool");
  assert.deepEqual(results.map((one) => one.images?.length ?? 0), [6, 6, 6, 0, 0]);
  assert.match(results[3]!.text, /left out: this conversation carries 18 images/);
  assert.match(agent.of("tool_end")[4]!.text, /left out/);
});

Deno.test("a session from before images is read as ever", async () => {
  await withWorkspace({
    "old.jsonl": [
      { type: "session", version: 1, id: "old", time: "2026-01-01T00:00:00.000Z", workspace: "/w" },
      {
        type: "message",
        time: "2026-01-01T00:00:01.000Z",
        message: { role: "user", text: "hi" },
        asked: true,
      },
      {
        type: "message",
        time: "2026-01-01T00:00:02.000Z",
        message: {
          role: "assistant",
          text: "",
          thinking: [],
          calls: [{ id: "1", name: "Look", input: "{}" }],
        },
      },
      {
        type: "message",
        time: "2026-01-01T00:00:03.000Z",
        message: { role: "tool", id: "1", name: "Look", ok: true, text: "x".repeat(9000) },
      },
    ].map((entry) => JSON.stringify(entry) + "\n").join(""),
  }, (root) => {
    const store = sessionStore(root);
    assert.deepEqual(store.list(), [store.read("old").info]);
    const { session } = store.open("old");
    assert.deepEqual(session.messages.map((one) => one.role), ["user", "assistant", "tool"]);
    session.close();
  });
});

/** What happens when the provider says that the conversation does not fit. */
import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { ModelError } from "../../src/base/types.ts";
import { addTurn, contextStage, fill } from "./stage.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

const WINDOW = 32_768;
const BUDGET = WINDOW - 8192 - 1024;

const overflow = (text = "maximum context length exceeded") => new ModelError("overflow", text);

Deno.test("an unknown window is taken for a usual one until a refusal names it", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { model: "who-knows" });
    assert.equal(stage.contextManager.window, undefined);
    fill(stage, "one", BUDGET);
    await stage.contextManager.beforeCall(stage.host);
    assert.equal(stage.asked.length, 0);
    const error = overflow("This model's maximum context length is 16384 tokens. However, …");
    assert.equal(await stage.contextManager.onOverflow(stage.host, error), undefined);
    assert.equal(stage.contextManager.window, 16_384);
    assert.ok(stage.tokens < 16_384 * 0.6);
    assert.match(stage.notices[0]!, /16\.4k/);
  });
});

Deno.test("what a refusal told of a model's window counts in its other sessions, where it is less", async () => {
  await withWorkspace({}, async (root) => {
    const learnt = new Map<string, number>();
    const open = (model: string, contextWindow?: number) =>
      contextStage(root, undefined, { model, contextWindow, learnt });
    const stage = open("who-knows");
    fill(stage, "one", BUDGET);
    await stage.contextManager.onOverflow(
      stage.host,
      overflow("maximum context length is 16384 tokens"),
    );
    const other = open("who-knows");
    assert.equal(other.contextManager.window, 16_384);
    fill(other, "one", BUDGET);
    await other.contextManager.beforeCall(other.host);
    assert.ok(other.asked.length > 0);
    assert.equal(open("another").contextManager.window, undefined);
    assert.equal(open("who-knows", 128_000).contextManager.window, 16_384);
    assert.equal(open("who-knows", 16_384).contextManager.window, 16_384);
    assert.equal(open("who-knows", 8192).contextManager.window, 8192);
  });
});

Deno.test("refused again and again, half of what is seen is dropped each time, at last all of it", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { model: "who-knows", t: chinese });
    const { session } = stage;
    for (let i = 0; i < 20; i++) addTurn(session, `t${i}`, [400, 400]);
    session.append({ role: "user", text: "and now?" }, { asked: true });
    const seen: number[] = [];
    let why: string | undefined;
    while ((why = await stage.contextManager.onOverflow(stage.host, overflow())) === undefined) {
      seen.push(session.view.length);
      assert.ok(session.view.at(-1)!.text === "and now?");
    }
    assert.equal(why, "对话历史已被清理，请重新描述需求");
    assert.match(stage.notices.at(-1)!, /maximum context length exceeded/);
    assert.ok(seen.length > 3 && seen.length < 12, seen.join());
    assert.deepEqual(session.view, []);
    assert.equal(session.messages.length, 121, "the stored session keeps everything");
    session.append({ role: "user", text: "described again" }, { asked: true });
    assert.deepEqual(await stage.contextManager.beforeCall(stage.host), session.messages.slice(-1));
  });
});

Deno.test("a line that can never fit is given back, and the history stays", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: WINDOW });
    const { session } = stage;
    for (let i = 0; i < 5; i++) addTurn(session, `t${i}`, [400]);
    const view = session.view.slice();
    session.append({ role: "user", text: "pasted ".repeat(40_000) }, { asked: true });
    await stage.contextManager.beforeCall(stage.host);
    assert.equal(stage.asked.length, 0, "no summary can help");
    const why = await stage.contextManager.onOverflow(stage.host, overflow());
    assert.match(why!, /does not fit the model's window of 32\.8k tokens/);
    session.retract();
    assert.deepEqual(session.view, view);
  });
});

Deno.test("a refusal that names no window is tried once more as it is, then with a summary, then with half", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: 200_000 });
    const { session } = stage;
    for (let i = 0; i < 6; i++) {
      session.append({ role: "user", text: `question ${i} `.repeat(200) }, { asked: true });
      const text = `answer ${i} `.repeat(400);
      session.append({ role: "assistant", text, calls: [], thinking: [] });
    }
    session.append({ role: "user", text: "and now?" }, { asked: true });
    const view = session.view.slice();
    const refuse = () =>
      stage.contextManager.onOverflow(
        stage.host,
        new ModelError("overflow", "413 Request Entity Too Large nginx", { status: 413 }),
      );
    assert.equal(await refuse(), undefined);
    assert.deepEqual(session.view, view);
    assert.equal(stage.asked.length, 0);

    assert.equal(await refuse(), undefined);
    assert.equal(stage.asked.length, 1, "a summary was asked for");
    assert.match(session.view[0]!.text, /the summary/);
    assert.ok(session.view.length < view.length);
    const summarised = session.view.length;

    assert.equal(await refuse(), undefined);
    assert.equal(stage.asked.length, 1);
    assert.ok(session.view.length < summarised);
  });
});

Deno.test("a refusal with 413 that names the window makes room at once", async () => {
  await withWorkspace({}, async (root) => {
    const stage = contextStage(root, undefined, { contextWindow: 200_000 });
    for (let i = 0; i < 6; i++) addTurn(stage.session, `t${i}`, [1500]);
    stage.session.append({ role: "user", text: "and now?" }, { asked: true });
    const before = stage.tokens;
    const words = "413 maximum context length exceeded";
    const error = new ModelError("overflow", words, { status: 413 });
    assert.equal(await stage.contextManager.onOverflow(stage.host, error), undefined);
    assert.ok(stage.tokens < before);
  });
});

Deno.test("a first prompt that is refused as too large is answered with what the server said", async () => {
  await withWorkspace({}, async (root) => {
    const said = "413 Request exceeds the maximum size.";
    for (
      const [t, told] of [[english, /besides this prompt/], [chinese, /除这条提示外/]] as const
    ) {
      const stage = contextStage(root, undefined, { model: "who-knows", t });
      stage.session.append({ role: "user", text: "a short question" }, { asked: true });
      const error = new ModelError("overflow", said, { status: 413 });
      let why: string | undefined;
      for (let i = 0; i < 9 && why === undefined; i++) {
        why = await stage.contextManager.onOverflow(stage.host, error);
      }
      assert.match(why!, /413 Request exceeds the maximum size[.。][^.。]/);
      assert.match(why!, told);
      assert.doesNotMatch(why!, /清理|cleared/);
    }
  });
});

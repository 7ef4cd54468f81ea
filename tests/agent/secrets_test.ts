/** Secrets on their way through a lane: lines, commands, titles, errors. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { NO_CHECKPOINTS } from "../../src/agent/none.ts";
import { builtinTools } from "../../src/tools/mod.ts";
import type { Checkpoints } from "../../src/base/types.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { secretsOf } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, tool } from "../support/test_agent.ts";

const PASSWORD = "p@ss w0rd-xyz";
/** Writes a token that stands nowhere in the command. */
const MAKES_ENV = "printf 'API_TOKEN=made-w0%s-%s\\n' rd-77 xq81ZZ > .env.local; cat .env.local";

async function stage(
  play: (t: TestAgent, root: string, model: ScriptedModel) => Promise<void>,
  model = new ScriptedModel(() => ({ text: "ok" })),
) {
  await withWorkspace({ "w/.env": `DB_PASSWORD="${PASSWORD}"\n` }, async (root) => {
    const searcher = createSearcher();
    const workspace = join(root, "w");
    const t = new TestAgent({
      model,
      workspace,
      dir: join(root, "sessions"),
      env: Deno.env.toObject(),
      secrets: secretsOf({}, workspace),
      tools: builtinTools({ searcher }),
    });
    try {
      await play(t, root, model);
      await t.agent.close();
      const told = JSON.stringify([t.events, t.messages, model.requests]);
      assert.ok(!told.includes("w0rd-xyz"), told);
      for (const { name } of Deno.readDirSync(join(root, "sessions"))) {
        const text = Deno.readTextFileSync(join(root, "sessions", name));
        assert.ok(!text.includes("w0rd-xyz"), text);
      }
    } finally {
      searcher.close();
    }
  });
}

for (
  const first of [
    `use ${PASSWORD}`,
    `!echo '${PASSWORD}'`,
    `/save ${PASSWORD}`,
    `/nosuch ${PASSWORD}`,
  ]
) {
  Deno.test(`the very first line is told without what the files hold: ${first}`, () =>
    stage(async (t) => {
      await t.say(first);
      await t.say("and on");
    }));
}

Deno.test("a session's title and its prompts hold no secret", () =>
  stage(async (t) => {
    await t.say(`connect with ${PASSWORD}`);
    const [info] = await t.agent.controller.list();
    assert.equal(info!.title, "connect with «secret:DB_PASSWORD»");
    assert.deepEqual(t.agent.controller.current().prompts, ["connect with «secret:DB_PASSWORD»"]);
  }));

Deno.test("a line that comes back because nothing answered it holds none", () =>
  stage(async (t) => {
    await t.say(`go ${PASSWORD}`);
    assert.equal(t.of("turn_end")[0]!.prompt, "go «secret:DB_PASSWORD»");
  }, new ScriptedModel(() => ({ error: new Error(`no ${PASSWORD} here`) }))));

Deno.test("a session that was written before it was known for one is told without it", () =>
  stage(async (t, root, model) => {
    await t.say("hello");
    const { id } = t.agent.controller.current();
    const path = join(root, "sessions", `${id}.jsonl`);
    await t.agent.controller.fresh();
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replaceAll("hello", `hello ${PASSWORD}`));
    await t.agent.controller.enter(id);
    await t.say("go on");
    assert.match(JSON.stringify(model.requests.at(-1)), /hello «secret:DB_PASSWORD»/);
    Deno.removeSync(path);
  }));

Deno.test("a `.env` that comes into being in a turn is known to the next look at it", () =>
  stage(
    async (t, root) => {
      await t.say("set it up");
      const [made, read, shown] = t.of("tool_end").map(({ text }) => text);
      assert.doesNotMatch(made!, /made-w0rd/);
      assert.match(read!, /1 \| API_TOKEN=«secret:API_TOKEN»/);
      assert.match(shown!, /^API_TOKEN=«secret:API_TOKEN»/);
      assert.ok(!JSON.stringify(t.messages).includes("made-w0rd"));
      Deno.removeSync(join(root, "w/.env.local"));
    },
    new ScriptedModel([
      // as a login or a generator would: the model has never seen the value
      { calls: [{ name: "Bash", input: { command: MAKES_ENV } }] },
      { calls: [{ name: "Read", input: { file_path: ".env.local" } }] },
      { calls: [{ name: "Bash", input: { command: "sort .env.local" } }] },
      { text: "done" },
    ]),
  ));

Deno.test("a layer that breaks says why without the secret in its words", async () => {
  await withWorkspace({ "w/.env": `DB_PASSWORD="${PASSWORD}"\n` }, async (root) => {
    const checkpoints: Checkpoints = {
      ...NO_CHECKPOINTS,
      begin: (lane, turn) => ({
        ...NO_CHECKPOINTS.begin(lane, turn),
        before: () => Promise.reject(new Error(`cannot log in with ${PASSWORD}`)),
      }),
    };
    const change = tool("Change", () => ({ ok: true, text: "done" }), {
      readOnly: false,
      needs: ["write"],
    });
    const model = new ScriptedModel([{ calls: [{ name: "Change", input: {} }] }, { text: "ok" }]);
    const secrets = secretsOf({}, join(root, "w"));
    secrets.refresh();
    const t = new TestAgent({
      model,
      workspace: join(root, "w"),
      secrets,
      checkpoints,
      tools: [change],
    });
    await t.say("go");
    await t.agent.close();
    const text = t.messages.find(({ role }) => role === "tool")!.text;
    assert.match(text, /internal error: cannot log in with «secret:DB_PASSWORD»/);
    // it says once what stands for a secret
    assert.match(text, /«secret:…» stands for/);
  });
});

Deno.test("the question for trust comes as it is to be judged: no file of the project hides a part of it", async () => {
  await withWorkspace({ "w/.env": "SETUP_TOKEN=tools/setup-01.sh\n" }, async (root) => {
    const secrets = secretsOf({}, join(root, "w"));
    secrets.refresh();
    const model = new ScriptedModel([]);
    const t = new TestAgent({ model, secrets, consentPolicy: "ask" });
    const command = "one: bash tools/setup-01.sh";
    const asking = new AbortController();
    const answer = t.agent.controller.ask({ kind: "trust", question: "?", command }, asking.signal);
    const asked = await t.until(({ type }) => type === "ask");
    assert.ok(asked.type === "ask" && asked.command === command, JSON.stringify(asked));
    asking.abort();
    assert.equal(await answer, false);
    await t.agent.close();
  });
});

Deno.test("what a delete is about comes as it is to be judged, whatever a file of the project calls a secret", async () => {
  await withWorkspace({ "w/.env": "API_TOKEN=precious-notes-x81q\n" }, async (root) => {
    const secrets = secretsOf({}, join(root, "w"));
    secrets.refresh();
    const asks = tool("Asks", async (_input, { ask }) => {
      const targets = [join(root, "w/precious-notes-x81q")];
      await ask({ kind: "delete", question: "?", command: "rm -rf precious-notes-x81q", targets });
      return { ok: true, text: "asked" };
    });
    const t = new TestAgent({
      model: new ScriptedModel([{ calls: [{ name: "Asks", input: {} }] }, { text: "ok" }]),
      dir: join(root, "sessions"),
      secrets,
      tools: [asks],
    });
    await t.say("tidy up");
    await t.agent.close();
    const asked = t.events.find(({ type }) => type === "ask");
    assert.ok(asked?.type === "ask");
    assert.deepEqual(asked.targets, [join(root, "w/precious-notes-x81q")]);
    assert.equal(asked.command, "rm -rf «secret:API_TOKEN»");
  });
});

Deno.test("what a turn's checkpoint is called holds no secret, nor does what a question was answered with", async () => {
  await withWorkspace({ "w/.env": `DB_PASSWORD="${PASSWORD}"\n` }, async (root) => {
    const begun: string[] = [];
    const checkpoints: Checkpoints = {
      ...NO_CHECKPOINTS,
      begin(lane, turn) {
        begun.push(turn.text);
        return NO_CHECKPOINTS.begin(lane, turn);
      },
    };
    const asks = tool("Asks", async (_input, { fill }) => {
      const question = { kind: "input", question: `is it ${PASSWORD}?` } as const;
      return { ok: await fill({ ...question, fields: [] }) === undefined, text: "asked" };
    });
    const t = new TestAgent({
      model: new ScriptedModel([{ calls: [{ name: "Asks", input: {} }] }, { text: "ok" }]),
      workspace: join(root, "w"),
      dir: join(root, "sessions"),
      secrets: secretsOf({}, join(root, "w")),
      tools: [asks],
      checkpoints,
    });
    await t.say(`connect with ${PASSWORD}`);
    await t.agent.close();
    assert.deepEqual(begun, ["connect with «secret:DB_PASSWORD»"]);
    for (const { name } of Deno.readDirSync(join(root, "sessions"))) {
      const text = Deno.readTextFileSync(join(root, "sessions", name));
      assert.match(text, /is it «secret:DB_PASSWORD»\?/);
      assert.ok(!text.includes("w0rd-xyz"), text);
    }
  });
});

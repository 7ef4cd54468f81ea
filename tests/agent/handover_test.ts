import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionFile } from "../../src/session/store.ts";
import {
  type AgentEvent,
  type ModelClient,
  ModelError,
  type ModelRequest,
  type Todo,
} from "../../src/base/types.ts";
import { ScriptedModel, type Step } from "../support/scripted_model.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { TestAgent, tool } from "../support/test_agent.ts";

const TODOS: readonly Todo[] = [{ content: "open", activeForm: "opening", status: "pending" }];
const FILE = "last_session_summary.md";

const storeIn = (root: string) =>
  sessionStore(join(root, ".narnat/sessions"), { workspace: root, now: () => new Date() });

/** A stored session of so many questions; returns its id. */
function stored(root: string, turns: number, more: (session: SessionFile) => void = () => {}) {
  const session = storeIn(root).create();
  for (let turn = 1; turn <= turns; turn++) {
    session.append({ role: "user", text: `question ${turn}` }, { asked: true });
    session.append({ role: "assistant", text: `answer ${turn}`, calls: [], thinking: [] });
  }
  more(session);
  session.close();
  return session.id;
}

function agentIn(root: string, model: ScriptedModel, more = {}): TestAgent {
  const narnatDir = join(root, ".narnat");
  return new TestAgent({
    model,
    dir: join(narnatDir, "sessions"),
    narnatDir,
    workspace: root,
    tools: [tool("Look", () => ({ ok: true, text: "seen" }))],
    ...more,
  });
}

const summarised = (request: { readonly toolChoice?: string }): Step =>
  request.toolChoice === "unwanted" ? { text: "the summary" } : { text: "the answer" };

async function onFull(
  script: ConstructorParameters<typeof ScriptedModel>[0],
  use: (stage: {
    agent: TestAgent;
    model: ScriptedModel;
    old: string;
    root: string;
    file: () => string;
  }) => Promise<void>,
  turns = 120,
  more: (session: SessionFile) => void = () => {},
): Promise<void> {
  await withWorkspace({ [`.narnat/${FILE}`]: "" }, async (root) => {
    const old = stored(root, turns, more);
    const model = new ScriptedModel(script);
    const agent = agentIn(root, model);
    await agent.agent.resume(old);
    const file = () => Deno.readTextFileSync(join(root, ".narnat", FILE));
    try {
      await use({ agent, model, old, root, file });
    } finally {
      await agent.agent.close();
    }
  });
}

Deno.test("the 121st question is held, the session summed up, and answered in a new one", async () => {
  await onFull(summarised, async ({ agent, model, old, root, file }) => {
    await agent.say("question 121");
    const [summary, answer, ...others] = model.requests;
    assert.deepEqual(others, []);
    assert.equal(summary!.messages.length, 241);
    assert.equal(summary!.toolChoice, "unwanted");
    assert.deepEqual(summary!.tools, answer!.tools);
    assert.deepEqual(answer!.messages, [{ role: "user", text: "question 121" }]);
    assert.ok(answer!.system.startsWith(summary!.system));
    assert.match(answer!.system, /the summary[^]*- question 120\n[^]*$/);

    const now = agent.agent.controller.current();
    assert.notEqual(now.id, old);
    assert.equal(now.turns, 1);
    assert.equal(now.held, undefined);
    assert.equal(file(), "");
    assert.deepEqual(
      agent.events.map(({ type }) => type).filter((type) => !["text", "writing"].includes(type)),
      [
        "turn_start",
        "compress_start",
        "usage",
        "compress_end",
        "notice",
        "usage",
        "turn_end",
      ],
    );
    assert.deepEqual(agent.of("turn_end").map(({ reason, prompt }) => [reason, prompt]), [
      ["done", undefined],
    ]);
    const list = storeIn(root).list();
    assert.deepEqual(list.map(({ id, handedTo }) => [id, handedTo]), [
      [now.id, undefined],
      [old, now.id],
    ]);
    assert.equal(storeIn(root).read(old).messages.length, 240);
  });
});

Deno.test("the handover ends when the held question has been sent, and at the latest when its turn has", async () => {
  for (const tells of [true, false]) {
    const seen: [string, number][] = [];
    await onFull(summarised, async ({ agent, model }) => {
      const ends = () => agent.of("compress_end").length;
      const stream = model.stream.bind(model);
      model.stream = (request, signal) => {
        seen.push(["asked", ends()]);
        if (tells) request.onSent?.();
        seen.push(["sent", ends()]);
        return stream(request, signal);
      };
      await agent.say("question 121");
      assert.deepEqual(seen.slice(2), [["asked", 0], ["sent", tells ? 1 : 0]]);
      const types = agent.events.map(({ type }) => type);
      assert.ok(types.indexOf("compress_end") < types.lastIndexOf("text"));
    });
  }
  const failing = (request: ModelRequest): Step =>
    request.toolChoice === "unwanted"
      ? { text: "the summary" }
      : { error: new ModelError("auth", "no key") };
  await onFull(failing, async ({ agent }) => {
    await agent.say("question 121");
    assert.deepEqual(
      agent.events.map(({ type }) => type).filter((type) =>
        /compress_end|error|turn_end/.test(type)
      ),
      ["compress_end", "error", "turn_end"],
    );
  });
});

Deno.test("the 120th question is asked as it is; slash and shell lines do not count", async () => {
  await onFull(summarised, async ({ agent, old }) => {
    await agent.say("/status");
    await agent.say("question 120");
    assert.equal(agent.agent.controller.current().id, old);
    assert.deepEqual(agent.of("compress_start"), []);
  }, 119);
});

Deno.test("notices come at 50 and 100, for a line that joins a running turn too", async () => {
  for (const [turns, told] of [[48, /^50 turns/], [98, /^100 turns/]] as const) {
    const script = (_: unknown, index: number): Step =>
      index === 0 ? { calls: [{ name: "Look" }] } : { text: "answer" };
    await onFull(script, async ({ agent }) => {
      agent.send("first");
      agent.send("joins it");
      await agent.agent.idle();
      assert.equal(agent.agent.controller.current().turns, turns + 2);
      const notices = agent.of("notice").map(({ text }) => text);
      assert.equal(notices.filter((text) => told.test(text)).length, 1, String(notices));
    }, turns);
  }
});

Deno.test("what would be the 121st question does not join; it waits for the handover", async () => {
  const script = (request: { toolChoice?: string }, index: number): Step =>
    index === 0 ? { calls: [{ name: "Look" }] } : summarised(request);
  await onFull(script, async ({ agent, old }) => {
    agent.send("question 120");
    agent.send("question 121");
    await agent.agent.idle();
    assert.notEqual(agent.agent.controller.current().id, old);
    assert.deepEqual(agent.agent.controller.current().prompts, ["question 121"]);
  }, 119);
});

for (
  const [what, step, told] of [
    ["an empty summary", { text: "  \n" }, /no summary/],
    ["calls instead of a summary", { calls: [{ name: "Look" }] }, /no summary/],
    ["a provider that refuses", { error: new ModelError("auth", "401 no key") }, /401 no key/],
    ["a provider that breaks off", {
      text: "half",
      error: new ModelError("network", "cut"),
    }, /cut/],
  ] as const
) {
  Deno.test(`${what} leaves the session as it was and gives the line back`, async () => {
    await onFull(
      what.startsWith("calls")
        ? [step, step, summarised({ toolChoice: "unwanted" }), { text: "the answer" }]
        : [step, summarised({ toolChoice: "unwanted" }), { text: "the answer" }],
      async ({ agent, old, root, file }) => {
        const before = storeIn(root).read(old);
        await agent.say("question 121");
        const [error] = agent.of("error");
        assert.equal(error?.kind, "compress");
        assert.match(error!.text, /^Compression failed: /);
        assert.match(error!.text, told);
        assert.deepEqual(agent.of("compress_end").map(({ ok }) => ok), [false]);
        assert.deepEqual(agent.of("turn_end").map((e) => [e.reason, e.prompt]), [
          ["error", "question 121"],
        ]);
        const session = agent.agent.controller.current();
        assert.equal(session.id, old);
        assert.equal(session.held, undefined);
        assert.equal(file(), "");
        const { info, messages } = storeIn(root).read(old);
        assert.deepEqual(messages, before.messages);
        assert.equal(info.handedTo, undefined);

        await agent.say("question 121");
        assert.notEqual(agent.agent.controller.current().id, old);
      },
    );
  });
}

Deno.test("a new session that the disk will not take leaves the old one, the line and an empty file", async () => {
  await onFull(summarised, async ({ agent, old, file }) => {
    const { inherit } = SessionFile.prototype;
    try {
      SessionFile.prototype.inherit = () => {
        assert.match(file(), /the summary/);
        throw Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
      };
      await agent.say("question 121");
    } finally {
      SessionFile.prototype.inherit = inherit;
    }
    assert.match(agent.of("error")[0]!.text, /No space left/);
    assert.equal(agent.of("turn_end")[0]!.prompt, "question 121");
    assert.equal(agent.agent.controller.current().id, old);
    assert.equal(file(), "");
  });
});

Deno.test("ESC stops the handover: the session stays, the line comes back", async () => {
  await onFull([{ text: "half a summ", hang: true }], async ({ agent, old, file }) => {
    agent.send("question 121");
    await agent.until(({ type }) => type === "compress_start");
    agent.stop();
    await agent.agent.idle();
    assert.deepEqual(agent.of("turn_end").map((e) => [e.reason, e.prompt]), [
      ["interrupted", "question 121"],
    ]);
    assert.deepEqual(agent.of("error"), []);
    assert.match(agent.of("notice").at(-1)!.text, /^Cancelled; the session is unchanged\./);
    assert.equal(agent.agent.controller.current().id, old);
    assert.equal(agent.agent.controller.current().held, undefined);
    assert.equal(file(), "");
  });
});

Deno.test("who leaves during a handover finds the line held, as after a kill", async () => {
  const leave = {
    "the screen or a signal": (agent: TestAgent) =>
      agent.agent.bus.send({ type: "stop", lane: "main", leaving: true }),
    "the end of narnat": (agent: TestAgent) => agent.agent.close(),
  };
  for (const [what, go] of Object.entries(leave)) {
    await onFull([{ text: "half a summ", hang: true }], async ({ agent, old, root }) => {
      agent.send("question 121");
      await agent.until(({ type }) => type === "compress_start");
      await go(agent);
      await agent.agent.idle();
      assert.equal(agent.agent.controller.current().held?.text, "question 121", what);
      await agent.agent.close();
      const { session } = storeIn(root).open(old);
      assert.equal(session.held?.text, "question 121", what);
      session.close();
    });
  }
});

Deno.test("/compact hands over on demand, /undo-compact goes back, and forth it goes again", async () => {
  await onFull(
    summarised,
    async ({ agent, model, old, root }) => {
      await agent.say("/compact the ports");
      assert.match(model.requests[0]!.messages.at(-1)!.text, /: the ports$/);
      const next = agent.agent.controller.current();
      assert.equal(next.carried?.parent, old);
      assert.deepEqual(next.todos, TODOS);
      assert.deepEqual([...next.changed], [["a.ts", false]]);
      await agent.say("/compact");
      assert.match(agent.of("notice").at(-1)!.text, /^There is nothing to compress/);
      assert.equal(agent.of("compress_start").length, 1);

      await agent.say("/undo-compact");
      assert.equal(agent.agent.controller.current().id, old);
      assert.equal(agent.agent.controller.current().turns, 3);
      assert.equal(storeIn(root).list()[0]!.id, old);
      assert.equal(storeIn(root).read(old).info.handedTo, undefined);
      await agent.say("/undo-compact");
      assert.match(agent.of("notice").at(-1)!.text, /none to go back to/);
      assert.equal(agent.of("turn_end").length, 4);
    },
    3,
    (session) => {
      const message = { role: "user", text: "x" } as const;
      session.append(message, { todos: TODOS, changed: ["a.ts"] });
    },
  );
});

Deno.test("while a summary is written it is told, and /status is answered at once", async () => {
  const scripted = new ScriptedModel(summarised);
  const model: ModelClient = {
    async *stream(request, signal) {
      if (request.toolChoice === "unwanted") {
        for (let part = 0; part < 12; part++) {
          yield { type: "text", delta: "more " };
          await sleep(100);
        }
      }
      yield* scripted.stream(request, signal);
    },
  };
  const agent = new TestAgent({ model });
  await agent.say("question 1");
  const before = agent.events.length;
  agent.send("/compact", { watched: true });
  await agent.until(({ type }) => type === "compress_start");
  agent.send("/status", { watched: true });
  await agent.agent.idle();
  const seen = agent.events.slice(before);
  const told = seen.filter(({ type }) => type === "writing");
  assert.deepEqual(told.map((e) => e.type === "writing" && [e.name, e.chars > 0]), [
    ["", false],
    ["", true],
  ]);
  const at = (test: (event: AgentEvent) => boolean) => seen.findIndex(test);
  const status = at((event) => event.type === "notice" && /^model:/i.test(event.text));
  assert.ok(status >= 0 && status < at(({ type }) => type === "compress_end"));
  assert.equal(seen.filter(({ type }) => type === "turn_end").length, 1);
  await agent.agent.close();
});

Deno.test("a stop ends /compact, the session stays, and the next one is compressed as ever", async () => {
  let asked = 0;
  const agent = new TestAgent({
    model: new ScriptedModel((request) =>
      request.toolChoice !== "unwanted"
        ? { text: "answer" }
        : asked++ === 0
        ? { text: "half", hang: true }
        : { text: "the summary" }
    ),
  });
  await agent.say("question 1");
  const { id } = agent.agent.controller.current();
  agent.send("/compact");
  await agent.until(({ type }) => type === "compress_start");
  await sleep(5);
  agent.stop();
  await agent.agent.idle();
  assert.equal(agent.agent.controller.current().id, id);
  assert.match(agent.of("notice").at(-1)!.text, /^Cancelled/);
  await agent.say("/compact");
  assert.notEqual(agent.agent.controller.current().id, id);
  await agent.agent.close();
});

Deno.test("/exit does not wait for a compression, but for a line that waits before it", async () => {
  const agent = new TestAgent({
    model: new ScriptedModel([{ text: "answer" }, { text: "half", hang: true }]),
  });
  await agent.say("question 1");
  agent.send("/compact", { watched: true });
  await agent.until(({ type }) => type === "compress_start");
  agent.send("question 2", { watched: true });
  agent.send("/exit", { watched: true });
  assert.equal(agent.exited, false);
  agent.agent.bus.send({ type: "unqueue", lane: "main", text: "question 2" });
  agent.agent.bus.send({ type: "unqueue", lane: "main", text: "/exit" });
  agent.send("/exit", { watched: true });
  assert.equal(agent.exited, true);
  await agent.agent.close();
});

Deno.test("back in a session whose turns are used up, what the next question costs is told", async () => {
  await onFull(summarised, async ({ agent, old }) => {
    await agent.say("question 121");
    await agent.say("/undo-compact");
    assert.equal(agent.agent.controller.current().id, old);
    const warned = agent.of("notice").filter(({ level }) => level === "warn");
    assert.deepEqual(warned.length, 1);
    assert.match(warned[0]!.text, /its 120 turns: the next question compresses it again/);
  });
});

Deno.test("a failed compression says the way out, and a done one what it made and cost", async () => {
  const failing = () => ({ error: new ModelError("rate", "too many requests") });
  await onFull(failing, async ({ agent }) => {
    await agent.say("/compact");
    assert.match(
      agent.of("notice").at(-1)!.text,
      /too many requests\nThe session is as it was. Try again.*\/model.*--model/,
    );
  }, 3);
  await onFull(summarised, async ({ agent }) => {
    await agent.say("/compact");
    const notice = agent.of("notice").at(-1)!;
    assert.match(
      notice.text,
      /^Summarised 3 turns \([\d.]+k? → [\d.]+k? tokens, 11 characters, spent 110 tokens, .*is archived/,
    );
    assert.equal(notice.context, true);
    const [end] = agent.of("compress_end");
    assert.equal(end!.to, agent.agent.controller.current().id);
    assert.deepEqual(end!.usage, { input: 100, output: 10, cached: 0, cost: 0.001 });
  }, 3);
});

Deno.test("/undo-compact works after a restart", async () => {
  await onFull(summarised, async ({ agent, old, root }) => {
    await agent.say("/compact");
    const next = agent.agent.controller.current().id;
    await agent.agent.close();
    const again = agentIn(root, new ScriptedModel(summarised));
    await again.agent.resume(next);
    await again.say("/undo-compact");
    assert.equal(again.agent.controller.current().id, old);
    await again.agent.close();
  }, 2);
});

Deno.test("a model that calls tools instead of summarising is asked again with the tools off", async () => {
  const script = (request: { toolChoice?: string }): Step =>
    request.toolChoice === "unwanted"
      ? { calls: [{ name: "Look" }] }
      : request.toolChoice === "none"
      ? { text: "the summary" }
      : { text: "the answer" };
  await onFull(script, async ({ agent, old }) => {
    await agent.say("question 121");
    const { id, carried } = agent.agent.controller.current();
    assert.notEqual(id, old);
    assert.match(carried!.summary, /the summary/);
  });
});

Deno.test("handed over twice, files and requests accumulate and the first summary is there to see", async () => {
  const change = tool("Change", ({ path }) => ({ ok: true, text: "ok", changed: [path] }));
  const script = (request: ModelRequest, index: number): Step =>
    request.toolChoice === "unwanted"
      ? { text: `summary ${index}; before: ${/summary \d+/.exec(request.system)?.[0] ?? "none"}` }
      : request.messages.at(-1)!.role === "user"
      ? { calls: [{ name: "Change", input: { path: `f${index}.ts` } }] }
      : { text: "ok" };
  await withWorkspace({}, async (root) => {
    const model = new ScriptedModel(script);
    const agent = agentIn(root, model, { tools: [change] });
    for (const line of ["the task", "/compact", "go on", "/compact"]) await agent.say(line);
    const { carried } = agent.agent.controller.current();
    assert.deepEqual(carried?.changed.map(([path]) => path), ["f0.ts", "f3.ts"]);
    assert.deepEqual(carried?.prompts, ["the task", "go on"]);
    assert.match(carried!.summary, /summary \d; before: summary 2\n[^]*the task[^]*f0\.ts/);
    assert.equal(agent.agent.controller.current().usage.input, 100 * model.requests.length);
    await agent.agent.close();
  });
});

Deno.test("a budget that is spent is not spent on a summary", async () => {
  await withWorkspace({}, async (root) => {
    const usage = { input: 100, output: 10, cached: 0, cost: 0 };
    const old = stored(root, 120, (session) => session.spend(usage));
    const model = new ScriptedModel(summarised);
    const agent = agentIn(root, model, { limits: { tokens: 50 } });
    await agent.agent.resume(old);
    await agent.say("question 121");
    assert.deepEqual(agent.of("turn_end").map((e) => [e.reason, e.prompt]), [
      ["budget", "question 121"],
    ]);
    await agent.say("/compact");
    assert.equal(agent.agent.controller.current().id, old);
    assert.equal(model.requests.length, 0);
    await agent.agent.close();
  });
});

/** Calls `before` ahead of each change of a file by this process until it is disposed. */
function watchWrites(before: () => void): Disposable {
  const { truncateSync, rename, link } = Deno;
  const file = Deno.FsFile.prototype;
  const { writeSync } = file;
  file.writeSync = function (bytes) {
    before();
    return writeSync.call(this, bytes);
  };
  const wrapped = <T extends unknown[], R>(real: (...args: T) => R) => (...args: T): R => {
    before();
    return real(...args);
  };
  Object.assign(Deno, {
    truncateSync: wrapped(truncateSync),
    rename: wrapped(rename),
    link: wrapped(link),
  });
  return {
    [Symbol.dispose]() {
      file.writeSync = writeSync;
      Object.assign(Deno, { truncateSync, rename, link });
    },
  };
}

function copy(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copy(join(from, name), join(to, name));
    else Deno.copyFileSync(join(from, name), join(to, name));
  }
}

Deno.test("cut off between any two writes, the old or the new session is there whole, with the line", async () => {
  await onFull(summarised, async ({ agent, old, root }) => {
    const snapshots: string[] = [];
    const snap = () => {
      const to = join(root, `cut-${snapshots.length}`);
      copy(join(root, ".narnat"), join(to, ".narnat"));
      snapshots.push(to);
    };
    {
      using _watch = watchWrites(snap);
      await agent.say("question 121");
      snap();
    }
    const found: string[] = [];
    for (const at of snapshots) {
      const then = agentIn(at, new ScriptedModel(summarised));
      const [newest] = await then.agent.controller.list();
      await then.agent.resume(newest!.id);
      const { id, turns, held, carried, prompts, messages } = then.agent.controller.current();
      const left = Deno.readTextFileSync(join(at, ".narnat", FILE));
      if (id === old) {
        assert.deepEqual([turns, messages.length], [120, 240]);
        found.push(held === undefined ? "before" : `old: ${held.text}`);
      } else {
        assert.equal(carried?.parent, old);
        assert.match(carried!.summary, /the summary/);
        assert.equal(left, "", "what is taken over is emptied");
        found.push(`new: ${held?.text ?? prompts[0]}`);
      }
      await then.agent.close();
    }
    const runs = found.filter((state, i) => state !== found[i - 1]);
    assert.deepEqual(runs, ["before", "old: question 121", "new: question 121"]);
    assert.ok(found.filter((state) => state.startsWith("old")).length > 2, String(found));
    assert.ok(found.filter((state) => state.startsWith("new")).length > 2, String(found));
    assert.equal(found.filter((state) => state === "before").length, 1);
  });
});

Deno.test("a line that was held is asked in the new session after a restart, once", async () => {
  await withWorkspace({}, async (root) => {
    const old = stored(root, 120, (session) => session.hold({ text: "question 121" }));
    const agent = agentIn(root, new ScriptedModel(summarised));
    await agent.agent.resume(old);
    assert.equal(agent.agent.controller.current().held?.text, "question 121");
    await agent.say("question 121");
    const { held, prompts } = agent.agent.controller.current();
    assert.deepEqual([held, prompts], [undefined, ["question 121"]]);
    await agent.agent.close();
    const { bad } = await agentIn(root, new ScriptedModel([])).agent.resume(old);
    assert.equal(bad, 0);
  });
});

Deno.test("an archived session that is asked something again is archived no more", async () => {
  await onFull(summarised, async ({ agent, old, root }) => {
    await agent.say("/compact");
    await agent.say(`/enter ${old}`);
    assert.notEqual(storeIn(root).read(old).info.handedTo, undefined);
    await agent.say("again");
    assert.equal(storeIn(root).read(old).info.handedTo, undefined);
  }, 2);
});

Deno.test("a fork of a session that began with a summary begins with it too", async () => {
  await onFull(summarised, async ({ agent, model, old }) => {
    await agent.say("/compact");
    const spent = agent.agent.controller.current().usage.input;
    await agent.say("one");
    await agent.say("/back");
    await agent.say("other");
    assert.match(model.requests.at(-1)!.system, /the summary/);
    assert.deepEqual(model.requests.at(-1)!.messages, [{ role: "user", text: "other" }]);
    assert.equal(agent.agent.controller.current().usage.input, spent + 200);
    await agent.say("/undo-compact");
    assert.equal(agent.agent.controller.current().id, old);
  }, 2);
});

Deno.test("a name goes on with the conversation, there and back", async () => {
  await onFull(summarised, async ({ agent, old }) => {
    await agent.say("/save work");
    await agent.say("/compact");
    const next = agent.agent.controller.current();
    assert.equal(next.name, "work");
    await agent.say("/clear");
    await agent.say("/enter work");
    assert.equal(agent.agent.controller.current().id, next.id);
    await agent.say("go on");
    await agent.say("/save work");
    assert.match(agent.of("notice").at(-1)!.text, /^Saved as "work"/);
    await agent.say("/undo-compact");
    await agent.say("/clear");
    await agent.say("/enter work");
    assert.equal(agent.agent.controller.current().id, old);
  }, 2);
});

Deno.test("where nothing is kept on disk, the old session is there while narnat runs", async () => {
  await withWorkspace({}, async (workspace) => {
    const model = new ScriptedModel(summarised);
    const agent = new TestAgent({ model, workspace });
    await agent.say("question 1");
    const old = agent.agent.controller.current();
    await agent.say("/compact");
    assert.match(agent.of("notice").at(-1)!.text, /is there until narnat ends/);
    await agent.say("question 2");
    assert.deepEqual((await agent.agent.controller.list()).map(({ title }) => title), [
      "question 2",
      "question 1",
    ]);
    await agent.say("/undo-compact");
    assert.equal(agent.agent.controller.current().id, old.id);
    await agent.say("question 3");
    const request = model.requests.at(-1)!;
    assert.deepEqual(request.messages.map(({ text }) => text), [
      "question 1",
      "the answer",
      "question 3",
    ]);
    await agent.agent.close();
  });
});

Deno.test("where nothing is kept on disk, /new asks no model and promises no memory", async () => {
  const model = new ScriptedModel(summarised);
  const agent = new TestAgent({ model });
  await agent.say("question 1");
  await agent.say("/new");
  assert.equal(model.requests.length, 1);
  assert.match(agent.of("notice").at(-1)!.text, /there until narnat ends: nothing is kept on disk/);
  await agent.agent.close();
});

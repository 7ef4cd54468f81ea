/** Agents on a real provider, with the real tools, files and processes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Json } from "../../src/base/types.ts";
import { answersIn, askedOf, withAgents } from "../features/subagents/stage.ts";
import type { CapturedRequest, Reply } from "../support/fake_provider.ts";
import { alive, eventually, uniqueSleep } from "../support/processes.ts";
import { slow } from "../support/soak.ts";

const STEPS = 20;
const callsOf = (reply: Reply) => "calls" in reply ? reply.calls ?? [] : [];
const call = (name: string, input: Json): Reply => ({ calls: [{ name, input }] });

slow(
  "eight agents at once, one killed and one failing: eight results, and nothing is left running",
  async () => {
    const [job, work] = [uniqueSleep(), uniqueSleep()];
    const step = (which: number, n: number): Reply => {
      if (which === 2 && n === 5) {
        return { fault: "status", status: 400, body: '{"error":{"message":"bad request"}}' };
      }
      if (which === 3 && n === 6) return call("Bash", { command: job, run_in_background: true });
      if (which === 3 && n === 7) return call("Bash", { command: work });
      if (n === STEPS) return { text: `worker ${which} is done` };
      const file_path = `out-${which}.txt`;
      if (n === 1) return call("Write", { file_path, content: `step 1 of ${which}\n` });
      if (n % 3 === 0) return call("Read", { file_path });
      if (n % 3 === 1) return call("Bash", { command: `echo ${which}.${n}` });
      return call("Edit", { file_path, old_string: `of ${which}`, new_string: `of ${which} ${n}` });
    };
    const script = ({ json }: CapturedRequest): Reply => {
      const which = /^worker (\d)$/.exec(askedOf(json))?.[1];
      if (which !== undefined) return step(Number(which), answersIn(json) + 1);
      if (answersIn(json) > 0) return { text: "I go on when they have answered." };
      return {
        calls: Array.from({ length: 8 }, (_, i) => ({
          name: "Spawn",
          input: { task: `worker ${i + 1}`, label: `worker ${i + 1}` },
        })),
      };
    };
    await withAgents(script, async ({ t, root, provider, jobs }) => {
      t.send("do it in eight parts");
      assert.ok(
        await eventually(async () => await alive(work) > 0 && await alive(job) > 0, 30_000),
      );
      const third = t.agent.agents.list("main").find(({ label }) => label === "worker 3")!;
      assert.equal(third.doing, "Bash");
      t.agent.agents.stop(third.id);
      await t.agent.idle();

      const infos = t.agent.agents.list("main");
      const states = ["done", "failed", "stopped", "done", "done", "done", "done", "done"];
      assert.deepEqual(infos.map(({ state }) => state), states);
      const steps = infos.map(({ steps }) => steps);
      assert.deepEqual(steps.filter((_, i) => states[i] === "done"), Array(6).fill(STEPS));
      const results = t.messages.filter((m) =>
        m.role === "user" && m.text.startsWith("[narnat] Sub")
      );
      assert.equal(results.length, 8);
      for (const [i, { id }] of infos.entries()) {
        const [result] = results.filter(({ text }) => text.includes(`(id: ${id})`));
        const said = states[i] === "done"
          ? new RegExp(`worker ${i + 1} is done`)
          : states[i] === "failed"
          ? /bad request/
          : /was stopped/;
        assert.match(result!.text, said);
      }
      assert.equal(t.messages.at(-1)!.role, "assistant");
      assert.deepEqual(provider.pairingErrors, []);
      assert.equal(
        await Deno.readTextFile(join(root, "out-8.txt")),
        `step 1 of 8 17 14 11 8 5 2\n`,
      );

      assert.deepEqual([await alive(job), await alive(work)], [0, 0]);
      assert.deepEqual(jobs.list().filter(({ state }) => state === "running"), []);
      assert.ok(await eventually(() => provider.openConnections() === 0));
      // their sessions are on disk, and in no list
      const sub = [...Deno.readDirSync(join(root, ".narnat/sessions/sub"))].map(({ name }) => name);
      assert.equal(sub.filter((name) => name.endsWith(".jsonl")).length, 8);
      assert.equal((await t.agent.controller.list()).length, 1);
      const { usage } = t.agent.controller.current();
      const theirs = infos.reduce((sum, { usage }) => sum + usage.input, 0);
      assert.ok(theirs > 0 && usage.input > theirs, "theirs and its own");
    }, { mostAgents: 8 });
  },
);

slow("what an agent leaves running ends with it; what the session runs goes on", async () => {
  const [own, its] = [uniqueSleep(), uniqueSleep()];
  const run = (command: string) => call("Bash", { command, run_in_background: true });
  const script = ({ json }: CapturedRequest): Reply => {
    if (askedOf(json) === "task") return answersIn(json) > 0 ? { text: "begun" } : run(its);
    if (answersIn(json) > 1) return { text: "ok" };
    return answersIn(json) > 0 ? call("Spawn", { task: "task", wait: true }) : run(own);
  };
  await withAgents(script, async ({ t, root, jobs }) => {
    await t.say("go");
    const running = jobs.list().filter(({ state }) => state === "running");
    assert.deepEqual(running.map(({ command }) => command), [own]);
    assert.ok(await eventually(async () => await alive(its) === 0));
    assert.equal(await alive(own), 1);
    // its session is found by its id
    const dir = join(root, ".narnat/sessions/sub");
    const [{ name }] = [...Deno.readDirSync(dir)] as [Deno.DirEntry];
    const { id } = t.agent.agents.list("main")[0]!;
    assert.ok((await Deno.readTextFile(join(dir, name))).includes(`"name":"sub:${id} task"`));
  });
});

Deno.test("an agent has the project's rules and its kind's tools, model and prompt, and no way to lead others", async () => {
  const kinds = [{
    name: "reader",
    description: "Reads",
    tools: ["read_file", "Grep", "Task", "Nonesuch"],
    model: "small-model",
    prompt: "You only read.",
  }, { name: "odd", description: "", model: "sonnet", prompt: "Odd." }];
  const script = ({ json }: CapturedRequest): Reply => {
    if (askedOf(json).startsWith("task")) return { text: "read" };
    if (answersIn(json) > 0) return { text: "ok" };
    const spawn = (task: string, type?: string) => ({
      name: "Spawn",
      input: { task, wait: true, ...type ? { type } : {} },
    });
    return { calls: [spawn("task 1", "reader"), spawn("task 2"), spawn("task 3", "odd")] };
  };
  await withAgents(script, async ({ t, provider }) => {
    await t.say("go");
    const of = (task: string) => provider.requests.find(({ json }) => askedOf(json) === task)!.json;
    const names = (task: string) =>
      of(task).tools.map((tool: { function: { name: string } }) => tool.function.name);
    assert.deepEqual(names("task 1"), ["Read", "Grep"]);
    assert.deepEqual(names("task 2").length, 9);
    assert.equal(of("task 1").model, "small-model");
    assert.equal(of("task 2").model, "test-model");
    assert.equal(of("task 3").model, "test-model");
    const system = of("task 1").messages[0].content;
    assert.match(system, /Always use tabs/);
    assert.match(system, /You are a subagent[^]*You only read\.$/);
    assert.doesNotMatch(of("task 2").messages[0].content, /You only read/);
    const notices = t.of("notice").map(({ text }) => text).join("\n");
    assert.match(notices, /reader: there is no tool Nonesuch/);
    assert.match(notices, /odd: there is no model sonnet, so test-model is used/);
  }, {
    kinds,
    files: { ".narnat/rules/01.md": "Always use tabs." },
    models: ["test-model", "small-model"],
  });
});

const KIND = { name: "small", description: "", model: "small-model", prompt: "Be brief." };

Deno.test("the provider's models are listed once for all agents, and again when that failed", async () => {
  let asked = 0;
  const script = ({ json }: CapturedRequest): Reply => {
    if (askedOf(json).startsWith("task")) return { text: json.model };
    const n = answersIn(json);
    return n < 3 ? call("Spawn", { task: `task ${n}`, type: "small", wait: true }) : { text: "ok" };
  };
  await withAgents(script, async ({ t }) => {
    await t.say("go");
    const used = t.messages.filter((m) => m.role === "tool").map(({ text }) => text);
    assert.deepEqual(used, ["test-model", "small-model", "small-model"]);
    assert.equal(asked, 2);
  }, {
    kinds: [KIND],
    models: () => asked++ === 0 ? Promise.reject(new Error("down")) : Promise.resolve([KIND.model]),
  });
});

slow("of the sessions of agents the last 300 are kept, and nothing else is touched", async () => {
  const dir = ".narnat/sessions/sub";
  const old = Array.from({ length: 310 }, (_, i) => `20200101-${String(100_000 + i)}-abcd.jsonl`);
  const script = ({ json }: CapturedRequest): Reply =>
    answersIn(json) > 0 || askedOf(json) !== "go"
      ? { text: "ok" }
      : { calls: [call("Spawn", { task: "a" }), call("Spawn", { task: "b" })].flatMap(callsOf) };
  await withAgents(script, async ({ t, root }) => {
    await t.say("go");
    const left = [...Deno.readDirSync(join(root, dir))].map(({ name }) => name).sort();
    assert.equal(left.length, 300 + 2 + 1);
    assert.deepEqual(left.slice(0, 300), old.slice(10));
    assert.equal(left.at(-1), "notes.txt");
  }, {
    files: Object.fromEntries([...old, "notes.txt"].map((name) => [`${dir}/${name}`, ""])),
  });
});

Deno.test("a provider that does not tell its models holds no stop up", async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const script = (): Reply => call("Spawn", { task: "task", type: "small", wait: true });
  await withAgents(script, async ({ t, provider }) => {
    t.send("go");
    await asked;
    t.stop();
    await t.agent.idle();
    assert.deepEqual(t.agent.agents.list().map(({ state }) => state), ["stopped"]);
    assert.deepEqual(t.of("notice").filter(({ text }) => /small-model/.test(text)), []);
    assert.equal(provider.requests.length, 1);
  }, {
    kinds: [KIND],
    models: (signal) =>
      new Promise((_, reject) => {
        ask();
        signal!.addEventListener("abort", () => reject(signal!.reason));
      }),
  });
});

Deno.test("an agent asks nobody: a refusal is its result, and the user is not asked", async () => {
  const script = ({ json }: CapturedRequest): Reply => {
    if (askedOf(json) === "task") {
      return answersIn(json) > 0
        ? { text: "it was refused" }
        : call("Bash", { command: "rm keep.txt" });
    }
    return answersIn(json) > 0 ? { text: "ok" } : call("Spawn", { task: "task", wait: true });
  };
  await withAgents(script, async ({ t, root, provider }) => {
    await t.say("go");
    assert.equal(await Deno.readTextFile(join(root, "keep.txt")), "kept");
    const own = provider.requests.filter(({ json }) => askedOf(json) === "task").at(-1)!.json;
    assert.match(own.messages.at(-1).content, /declined|refused/i);
    const main = t.agent.controller.current().id;
    assert.deepEqual(t.of("ask").filter(({ session }) => session === main), []);
    assert.equal(
      t.messages.find((m) => m.role === "tool")!.text,
      "it was refused\n\n(narnat: these calls were refused and not run: Bash rm keep.txt)",
    );
  }, { consentPolicy: "ask", files: { "keep.txt": "kept" } });
});

Deno.test("a request of an agent begins with the bytes of the one before", async () => {
  const script = ({ json }: CapturedRequest): Reply => {
    if (askedOf(json) === "task") {
      return answersIn(json) < 5
        ? call("Glob", { pattern: `*.${answersIn(json)}` })
        : { text: "x" };
    }
    return answersIn(json) > 0 ? { text: "ok" } : call("Spawn", { task: "task", wait: true });
  };
  await withAgents(script, async ({ t, provider }) => {
    await t.say("go");
    const own = provider.requests.filter(({ json }) => askedOf(json) === "task");
    assert.equal(own.length, 6);
    for (const [i, { json }] of own.entries()) {
      const next = own[i + 1]?.json;
      if (!next) break;
      assert.deepEqual(next.tools, json.tools);
      assert.deepEqual(next.messages.slice(0, json.messages.length), json.messages);
    }
  });
});

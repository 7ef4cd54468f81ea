import { english, type T } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import type { AgentInfo, Agents, SessionController } from "../../../src/base/types.ts";
import { agents } from "../../../src/features/subagents/command.ts";
import { agentsStage, firstLine } from "./stage.ts";
import { NO_AGENTS, testController } from "../../support/test_controller.ts";

const usage = { input: 1200, output: 100, cached: 0, cost: 0.002 };
const one = (more: Partial<AgentInfo>): AgentInfo => ({
  id: "ab12cd34",
  label: "look around",
  kind: "",
  state: "running",
  steps: 3,
  doing: "Grep",
  usage,
  ms: 4210,
  ...more,
});

/** A controller whose agents are these. */
function controllerWith(infos: readonly AgentInfo[], t: T = english) {
  const stopped: string[] = [];
  const room: Agents = {
    ...NO_AGENTS,
    list: () => infos,
    said: (id) => id === "ab12cd34" ? "I have seen it" : "",
    stop(id) {
      const { state } = infos.find((info) => info.id === id)!;
      if (state !== "running") return false;
      stopped.push(id);
      return true;
    },
  };
  const controller: SessionController = { ...testController([], t).controller, agents: room };
  return { controller, stopped };
}

const SOME = [
  one({}),
  one({ id: "ff00ff00", label: "检查", kind: "reviewer", state: "failed", doing: "", steps: 1 }),
  one({ id: "bob", label: "backend", member: true, state: "done", doing: "" }),
];

Deno.test("agents are listed a row each, with state, tool, steps, time and cost", async () => {
  const text = await agents.run("", controllerWith(SOME).controller);
  const rows = text.split("\n");
  assert.equal(rows.length, 3);
  assert.match(
    rows[0]!,
    /^ab12cd34 +look around +running +Grep +3 steps +4\.2s +1\.3k tokens, \$0\.0020$/,
  );
  assert.match(rows[1]!, /^ff00ff00 +检查 \(reviewer\) +failed +1 step /);
  assert.match(rows[2]!, /^bob +backend +ready/);
  assert.match(await agents.run("", controllerWith(SOME, chinese).controller), /运行中/);
  assert.equal(await agents.run("", controllerWith([]).controller), "There are no agents");
});

Deno.test("what one said is shown by its id or the beginning of it", async () => {
  const { controller } = controllerWith(SOME);
  assert.match(await agents.run("ab12cd34", controller), /\n\nI have seen it$/);
  assert.match(await agents.run("ab", controller), /I have seen it/);
  assert.match(await agents.run("ff", controller), /said nothing yet/);
  assert.match(await agents.run("检查", controller), /^ff00ff00 /);
  assert.throws(
    () => agents.run("zz", controller),
    /No agent zz; there are: ab12cd34, ff00ff00, bob/,
  );
});

Deno.test("one is stopped, or all that work", async () => {
  const { controller, stopped } = controllerWith(SOME);
  assert.equal(await agents.run("stop ab12cd34", controller), "stopped ab12cd34");
  assert.throws(() => agents.run("stop ff", controller), /does not run/);
  assert.equal(await agents.run("stop all", controller), "stopped ab12cd34");
  assert.equal(await agents.run("stop look around", controller), "stopped ab12cd34");
  assert.deepEqual(stopped, ["ab12cd34", "ab12cd34", "ab12cd34"]);
  assert.throws(() => agents.run("stop", controller), /^Error: \/agents lists them/);
  assert.throws(() => agents.run("kill ab12cd34", controller), /agents stop/);
});

Deno.test("the ids are offered, also those that can be stopped", async () => {
  const values = (await agents.complete!(controllerWith(SOME).controller)).map(({ value }) =>
    value
  );
  assert.deepEqual(values, [
    "bob",
    "ff00ff00",
    "ab12cd34",
    "stop bob",
    "stop ab12cd34",
    "stop all",
  ]);
});

Deno.test("agents are seen and stopped while the turn that waits for them runs", async () => {
  const { t } = agentsStage((request) =>
    firstLine(request) === "task"
      ? { text: "busy", hang: true }
      : request.messages.length === 1
      ? { calls: [{ name: "Spawn", input: { task: "task", wait: true } }] }
      : { text: "ok" }
  );
  t.send("go");
  await t.until((event) => event.type === "text" && event.delta === "busy");
  t.send("/agents", { watched: true });
  await t.until((event) => event.type === "notice" && /task +running +thinking/.test(event.text));
  t.send("/agents stop all", { watched: true });
  await t.agent.idle();
  assert.match(t.messages.find((m) => m.role === "tool")!.text, /was stopped[^]*busy/);
  assert.equal(t.of("turn_end").find(({ turn }) => turn === 1)!.reason, "done");
});

Deno.test("an agent that is none is named, and that there is none at all", async () => {
  for (const [t, found] of [[english, "none"], [chinese, "无"]] as const) {
    const asked = async () => await agents.run("nope", controllerWith([], t).controller);
    await assert.rejects(asked, new RegExp(`nope.*${found}$`));
  }
});

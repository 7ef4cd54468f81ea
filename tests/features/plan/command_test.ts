import { english, type T } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { plan } from "../../../src/features/plan/command.ts";
import type { SessionController } from "../../../src/base/types.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";
import { TestAgent } from "../../support/test_agent.ts";
import { testController } from "../../support/test_controller.ts";

/** A controller whose mode is its own. */
function stage(t: T = english) {
  const state = { on: false };
  const { controller } = testController([], t);
  const moded: SessionController = Object.create(controller, {
    planMode: { get: () => state.on },
    usePlanMode: { value: (on: boolean) => void (state.on = on) },
  });
  return { state, controller: moded };
}

Deno.test("/plan turns the mode on and off and says so", async () => {
  const { state, controller } = stage();
  assert.match(await plan.run("", controller), /^Plan mode is on: read-only/);
  assert.ok(state.on);
  assert.equal(await plan.run("", controller), "Plan mode is off");
  await plan.run("on", controller);
  await plan.run("ON", controller);
  assert.ok(state.on);
  await plan.run("off", controller);
  assert.ok(!state.on);
  assert.match(await plan.run("on", stage(chinese).controller), /^规划模式已开启/);
});

Deno.test("/plan completes what would change the mode", async () => {
  const { state, controller } = stage();
  assert.deepEqual((await plan.complete!(controller)).map((one) => one.value), ["on"]);
  state.on = true;
  assert.deepEqual((await plan.complete!(controller)).map((one) => one.value), ["off"]);
});

Deno.test("/plan with words turns the mode on and asks the model with them", async () => {
  const model = new ScriptedModel(() => ({ text: "a plan" }));
  const t = new TestAgent({ model });
  await t.say("/plan a new parser");
  assert.equal(t.agent.controller.planMode, true);
  assert.deepEqual(model.requests[0]!.messages.map((m) => m.text.slice(0, 24)), [
    "/plan a new parser",
    "[narnat] Plan mode is on",
  ]);
  await t.say("/plan off");
  assert.equal(t.agent.controller.planMode, false);
  assert.equal(model.requests.length, 1);
});

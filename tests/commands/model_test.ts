import assert from "node:assert/strict";
import { model } from "../../src/commands/model.ts";
import { ScriptedModel } from "../support/scripted_model.ts";
import { TestAgent } from "../support/test_agent.ts";
import { testController } from "../support/test_controller.ts";

Deno.test("/model lists what there is and marks the current one", async () => {
  const { controller, asked } = testController();
  assert.equal(
    await model.run("", controller),
    "* m\n  n-large\n  demo\n/model <name> switches (tab completes)",
  );
  assert.deepEqual(asked, []);
});

Deno.test("/model takes a listed one, and the demo always", async () => {
  const { controller, asked } = testController();
  assert.match(await model.run("n-large", controller), /^Model: n-large from the next turn/);
  const silent = { ...controller, models: () => Promise.reject(new Error("offline")) };
  await model.run("demo", silent);
  assert.deepEqual(asked, ["model n-large", "model demo"]);
  assert.match(await model.run("m", controller), /in use already/);
});

Deno.test("/model refuses one that is not there and names what is near", async () => {
  const { controller, asked } = testController();
  await assert.rejects(
    async () => await model.run("n-larg", controller),
    /no model n-larg; near it: n-large/,
  );
  await assert.rejects(async () => await model.run("xyzzy", controller), /\/model lists them/);
  assert.deepEqual(asked, []);
});

Deno.test("where the provider does not tell, /model says why, and takes a name at its word", async () => {
  const { controller, asked } = testController();
  const silent = { ...controller, models: () => Promise.reject(new Error("404 no list")) };
  assert.equal(
    await model.run("", silent),
    "* m\n  demo\n404 no list\n/model <name> switches (tab completes)",
  );
  assert.match(await model.run("any", silent), /nobody knows yet/);
  assert.deepEqual(asked, ["model any"]);
});

Deno.test("another model answers from the next turn on, named in its prompt; the way back finds the same prompt", async () => {
  const scripted = new ScriptedModel(() => ({ text: "ok" }));
  const t = new TestAgent({ model: scripted, modelName: "scripted" });
  await t.say("one");
  await t.say("/model other");
  assert.equal(t.agent.controller.model, "other");
  await t.say("two");
  await t.say("/clear");
  await t.say("three");
  await t.say("/model scripted");
  await t.say("four");
  assert.deepEqual(scripted.requests.map((r) => r.model), [
    "scripted",
    "other",
    "other",
    "scripted",
  ]);
  const [first, second, third, fourth] = scripted.requests.map((r) => r.system);
  assert.equal(first, fourth);
  assert.equal(second, third);
  assert.equal(second, first!.replaceAll("scripted", "other"));
});

import assert from "node:assert/strict";
import { commands } from "../../src/app/commands.ts";
import {
  clear,
  enter,
  fresh,
  remove,
  save,
  sessionChoices,
  sessionTable,
  show,
} from "../../src/commands/sessions.ts";
import { chinese } from "../support/chinese.ts";
import { info, testController } from "../support/test_controller.ts";

Deno.test("/show numbers the stored sessions and marks names", async () => {
  const { controller } = testController([info("20261120-a", { name: "mine" }), info("20261119-b")]);
  const lines = (await show.run("", controller)).split("\n");
  assert.match(lines[0]!, /^ {3}1 {2}20261120-a {2}\S+ \d\d:\d\d {4}2 {2}\[mine\] a question$/);
  assert.match(lines[1]!, /^ {3}2 {2}20261119-b/);
});

Deno.test("times are the user's own", async () => {
  const source = `import { sessionTable } from ${
    JSON.stringify(import.meta.resolve("../../src/commands/sessions.ts"))
  };
    console.log(sessionTable([${JSON.stringify(info("20261119-b"))}], "en"));`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", source],
    env: { TZ: "Asia/Shanghai" },
  }).output();
  assert.match(new TextDecoder().decode(stdout), /2026-11-20 16:00/);
});

Deno.test("/show says when there is none", async () => {
  assert.match(await show.run("", testController().controller), /No stored sessions/);
  assert.match(await show.run("", testController([], chinese).controller), /还没有/);
});

Deno.test("/show lists the newest twenty and says how many more there are", async () => {
  const { controller } = testController(Array.from({ length: 25 }, (_, i) => info(`s${i}`)));
  const lines = (await show.run("", controller)).split("\n");
  assert.equal(lines.length, 21);
  assert.match(lines[20]!, /^5 older ones/);
});

Deno.test("/show marks a session that another narnat uses", async () => {
  const all = [info("one", { busy: true }), info("two")];
  const lines = (await show.run("", testController(all).controller)).split("\n");
  assert.match(lines[0]!, /\(in use\) a question$/);
  assert.doesNotMatch(lines[1]!, /in use/);
  assert.match(await show.run("", testController(all, chinese).controller), /（使用中）/);
});

Deno.test("a session that was summed up is marked as archived", () => {
  const table = sessionTable([info("b", { parent: "a" }), info("a", { handedTo: "b" })], chinese);
  const [young, old] = table.split("\n");
  assert.ok(old!.includes("（已归档）"));
  assert.ok(!young!.includes("（已归档）"));
});

Deno.test("the stored sessions are offered by id, with date, name and title, without the current one", async () => {
  const { controller, session } = testController([
    info("one", { name: "work" }),
    info("two", { title: "why?" }),
  ]);
  const own = info(session.id);
  const two = info("two", { busy: true });
  const list = () => Promise.resolve([own, info("one", { name: "work" }), two]);
  const choices = await sessionChoices({ ...controller, list });
  assert.deepEqual(choices.map(({ value }) => value), ["one", "two"]);
  const helps = choices.map(({ help }) => help.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d/, "DATE"));
  assert.deepEqual(helps, ["DATE  [work] a question", "DATE  (in use) a question"]);
});

Deno.test("enter, delete, model and theme say what their argument may be", async () => {
  const { controller } = testController([info("one")]);
  for (const name of ["enter", "delete", "model", "theme"]) {
    const choices = await commands.find((command) => command.name === name)!.complete!(controller);
    assert.ok(choices.length > 0, name);
  }
});

Deno.test("/clear starts afresh and names the old session when there was one", async () => {
  const { controller, asked, session } = testController();
  session.append({ role: "user", text: "q" });
  assert.match(await clear.run("", controller), new RegExp(session.id));
  assert.doesNotMatch(await clear.run("", controller), /stored/);
  assert.deepEqual(asked, ["fresh", "fresh"]);
});

Deno.test("/new starts afresh and has the old session summarised when there was one", async () => {
  const { controller, asked, session } = testController();
  session.append({ role: "user", text: "q" });
  assert.match(await fresh.run("", controller), new RegExp(`${session.id}.*summarised`));
  assert.doesNotMatch(await fresh.run("", controller), /summarised/);
  assert.deepEqual(asked, ["fresh, archived", "fresh, archived"]);
});

Deno.test("/enter switches and says where one is", async () => {
  const { controller, asked } = testController([info("one", { name: "work" })]);
  assert.match(await enter.run("work", controller), /one \(work\), 2 turns/);
  assert.deepEqual(asked, ["enter work"]);
});

Deno.test("/enter without a session lists them, by number, id, date and first words, and how to take one", async () => {
  const busy = info("two", { title: "why?", busy: true });
  const { controller, asked } = testController([info("one", { name: "work" }), busy]);
  assert.match(
    await enter.run("", controller),
    /^ +1 {2}one {2}\d{4}-\d\d-\d\d \d\d:\d\d .*\[work\] a question\n +2 {2}two .*\(in use\) why\?\nChoose one: \/enter and its number, name or ID$/,
  );
  assert.deepEqual(asked, []);
  assert.equal(await enter.run("", testController().controller), "No stored sessions yet");
});

Deno.test("/delete removes and names what is gone", async () => {
  const { controller, asked } = testController([info("one")]);
  assert.match(await remove.run("one", controller), /Deleted one \(a question\)/);
  assert.deepEqual(asked, ["remove one"]);
});

Deno.test("/delete without a session lists them and removes nothing", async () => {
  const { controller, asked } = testController([info("one")]);
  assert.match(
    await remove.run("", controller),
    /1 {2}one .*\nChoose one: \/delete and its number/,
  );
  assert.deepEqual(asked, []);
});

Deno.test("/delete says when the user did not want it after all", async () => {
  const { controller } = testController([info("one")]);
  const kept = { ...controller, remove: () => Promise.resolve(undefined) };
  await assert.rejects(async () => await remove.run("one", kept), /Not deleted/);
});

Deno.test("/save takes the given name, the name it has, or the first question", async () => {
  const { controller, asked, session } = testController();
  session.append({ role: "user", text: "  how many\nlines " }, { asked: true });
  await save.run("", controller);
  await save.run("my   name", controller);
  await save.run("", controller);
  assert.deepEqual(asked, ["save how many", "save my name", "save my name"]);
});

Deno.test("/save refuses an empty session and a taken name", async () => {
  const { controller, session } = testController([info("1", { name: "taken" })]);
  await assert.rejects(async () => await save.run("x", controller), /empty/);
  session.append({ role: "user", text: "q" });
  await assert.rejects(async () => await save.run("taken", controller), /already/);
});

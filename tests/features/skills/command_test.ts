import { english } from "../../../src/base/t.ts";
import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { skill } from "../../../src/features/skills/command.ts";
import type { Skill } from "../../../src/base/types.ts";
import { testController } from "../../support/test_controller.ts";

const of = (name: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description: `what ${name} does`,
  path: `.narnat/skills/${name}/SKILL.md`,
  always: false,
  missing: [],
  ...more,
});

const SKILLS = [
  of("review"),
  of("审查", { always: true }),
  of("deploy", { missing: ["docker", "$TOKEN"], always: true }),
];

Deno.test("/skill lists the skills and how they stand", async () => {
  assert.equal(
    await skill.run("", testController([], english, SKILLS).controller),
    [
      "$review                        what review does",
      "$审查    always loaded         what 审查 does",
      "$deploy  needs docker, $TOKEN  what deploy does",
      "/skill NAME words, or $NAME in a line, asks with one; narnat skills shows all there is",
    ].join("\n"),
  );
  assert.match(
    await skill.run("", testController([], chinese, SKILLS).controller),
    /缺少 docker, \$TOKEN/,
  );
  assert.match(
    await skill.run("", testController([], chinese).controller),
    /^没有技能。技能是 \.narnat\/skills/,
  );
});

Deno.test("/skill with a name of one is for the model, with any other it is refused", async () => {
  const { controller } = testController([], english, SKILLS);
  const { signal } = new AbortController();
  for (const args of ["review", "$review a.ts", "review\nmore", "审查 这个"]) {
    assert.deepEqual(await skill.asks!(args, controller, signal), {}, args);
  }
  for (const args of ["", "reviewer", "-", "re view"]) {
    assert.equal(await skill.asks!(args, controller, signal), undefined, args);
  }
  await assert.rejects(
    async () => await skill.run("revew a.ts", controller),
    /Did you mean review\?/,
  );
  await assert.rejects(async () => await skill.run("xyzzy", controller), /\/skill lists them/);
});

Deno.test("/skill completes names with what they do", async () => {
  assert.deepEqual(
    (await skill.complete!(testController([], english, SKILLS).controller))[0],
    { value: "review", help: "what review does" },
  );
});

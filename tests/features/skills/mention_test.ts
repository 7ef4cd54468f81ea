import assert from "node:assert/strict";
import { join } from "node:path";
import { ModelError } from "../../../src/base/types.ts";
import { ScriptedModel, type Step } from "../../support/scripted_model.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { TestAgent, type TestAgentOptions, tool } from "../../support/test_agent.ts";

const REVIEW = "---\nname: review\ndescription: Reviews\n---\nLook twice.\n";
const LACKING =
  `---\nname: lacking\ndescription: d\nmetadata: {"nanobot":{"requires":{"env":["UNSET"]}}}\n---\nDo.\n`;
const FILES: Files = {
  ".narnat/skills/review/SKILL.md": REVIEW,
  ".agents/skills/lacking/SKILL.md": LACKING,
  ".narnat/skills/审查/SKILL.md": "---\nname: 审查\ndescription: 中文\n---\n看两遍。\n",
};

async function withAgent(
  steps: readonly Step[],
  play: (agent: TestAgent, model: ScriptedModel, root: string) => Promise<void>,
  more: Partial<TestAgentOptions> = {},
): Promise<void> {
  await withWorkspace(FILES, async (workspace) => {
    const model = new ScriptedModel(steps);
    const agent = new TestAgent({ model, workspace, ...more });
    await play(agent, model, workspace);
    await agent.agent.close();
  });
}

const users = (agent: TestAgent) =>
  agent.messages.filter((one) => one.role === "user").map((one) => one.text);

Deno.test("a skill that a line names stands behind it, and the session knows", async () => {
  await withAgent([{ text: "ok" }], async (t, model) => {
    await t.say("use $review on a.ts");
    const [line, skill] = users(t);
    assert.equal(line, "use $review on a.ts");
    assert.match(
      skill!,
      /^\[narnat\] Skill review \(\.narnat\/skills\/review\/SKILL\.md\).*\nLook twice\.$/,
    );
    assert.equal(users(t).length, 2);
    assert.deepEqual(model.requests[0]!.messages.map(({ text }) => text), users(t));
    assert.match(model.requests[0]!.system, /- review: Reviews/);
    const session = t.agent.controller.current();
    assert.deepEqual([...session.skills], ["review"]);
    assert.deepEqual([session.turns, session.prompts], [1, ["use $review on a.ts"]]);
    assert.deepEqual(t.of("notice").map(({ text }) => text), ["Loaded the skill review"]);
  });
});

Deno.test("/skill name words is a turn with the skill; without words too", async () => {
  await withAgent([{ text: "one" }, { text: "two" }], async (t) => {
    await t.say("/skill review a.ts");
    await t.say("/skill $lacking");
    const [first, review, second, lacking] = users(t);
    assert.deepEqual([first, second], ["/skill review a.ts", "/skill $lacking"]);
    assert.match(review!, /Look twice\.$/);
    assert.match(lacking!, /\n\(What it needs and was not found: \$UNSET\)\nDo\.$/);
    assert.deepEqual(t.of("turn_end").map(({ reason }) => reason), ["done", "done"]);
    assert.match(t.of("notice").at(-1)!.text, /lacking; what it needs and was not found: \$UNSET/);
    assert.equal(t.agent.controller.current().turns, 2);
  });
});

Deno.test("/skill with an unknown name asks nothing of the model and names what is near", async () => {
  await withAgent([], async (t, model) => {
    await t.say("/skill reviw it");
    assert.equal(t.of("notice")[0]!.text, "There is no skill reviw. Did you mean review?");
    assert.deepEqual([model.requests.length, t.messages.length], [0, 0]);
  });
});

Deno.test("a disabled, a broken and a misspelt skill are told, and the line goes out", async () => {
  const off: Files = {
    ".narnat/skills/off/SKILL.md": "---\nname: off\ndescription: d\nenabled: false\n---\nNo.\n",
    ".agent/skills/broken.json": '{"name":\n  "x"',
  };
  await withAgent([{ text: "ok" }], async (t, model, root) => {
    for (const [path, text] of Object.entries(off)) {
      await Deno.mkdir(join(root, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(root, path), text as string);
    }
    await t.say("$off go, $reveiw this and $broken, $审茶 too; `$reviw`");
    assert.deepEqual(t.of("notice").map(({ level, text }) => [level, text]), [
      ["warn", "The skill off was not loaded: disabled (it says enabled: false)"],
      ["warn", "The skill broken was not loaded: is no JSON: line 2, column 6, at the end"],
      ["warn", "There is no skill reveiw. Did you mean review?"],
    ]);
    assert.equal(users(t).length, 1);
    await t.say("/skill off go");
    assert.equal(
      t.of("notice").at(-1)!.text,
      "The skill off was not loaded: disabled (it says enabled: false)",
    );
    assert.equal(model.requests.length, 1);
  });
});

Deno.test("variables, code and prices name no skill", async () => {
  await withAgent([{ text: "ok" }], async (t) => {
    await t.say(
      "echo $HOME $reviewer $review-2 $review.md `$review` a$review $$review \\$review $5",
    );
    assert.equal(users(t).length, 1);
    assert.deepEqual(t.of("notice"), []);
  });
});

Deno.test("a price is none, even where a skill is called so; /skill loads that one", async () => {
  await withAgent([], async (t, _model, root) => {
    const text = "---\nname: 100\ndescription: d\n---\nA hundred.\n";
    await Deno.mkdir(join(root, ".narnat/skills/100"), { recursive: true });
    await Deno.writeTextFile(join(root, ".narnat/skills/100/SKILL.md"), text);
    await t.say("It costs $100.");
    assert.equal(users(t).length, 1);
    await t.say("/skill 100");
    assert.match(users(t).at(-1)!, /A hundred\.$/);
  });
});

Deno.test("what stands in a block of code names no skill, what stands around it does", async () => {
  for (const fence of ["```", "~~~", "````"]) {
    await withAgent([{ text: "ok" }], async (t) => {
      await t.say(`run this:\n${fence}sh\necho $review\n  $审查\n${fence}\nplease`);
      assert.equal(users(t).length, 1);
    });
    await withAgent([{ text: "ok" }], async (t) => {
      await t.say(`${fence}\necho "$review"\n${fence}\nuse $审查`);
      assert.deepEqual([...t.agent.controller.current().skills], ["审查"]);
    });
  }
});

Deno.test("backticks that end in their own line begin no block", async () => {
  await withAgent([{ text: "ok" }], async (t) => {
    await t.say("```echo $review``` says it\nuse $审查");
    assert.deepEqual([...t.agent.controller.current().skills], ["审查"]);
  });
});

Deno.test("a name may stand within Chinese, and ends where a sentence does", async () => {
  await withAgent([{ text: "ok" }], async (t) => {
    await t.say("用$review检查一下，再用$审查。");
    assert.deepEqual([...t.agent.controller.current().skills], ["review", "审查"]);
  });
});

Deno.test("what the model still sees is not put before it again, unless the file has changed", async () => {
  await withAgent([], async (t, _model, root) => {
    await t.say("$review a and $review b");
    await t.say("$review c");
    assert.equal(users(t).length, 3);
    await Deno.writeTextFile(join(root, ".narnat/skills/review/SKILL.md"), REVIEW + "Thrice.\n");
    await t.say("$review d");
    assert.match(users(t).at(-1)!, /Thrice\.$/);
    await Deno.remove(join(root, ".narnat/skills/review/SKILL.md"));
    await t.say("$review e");
    assert.equal(users(t).at(-1), "$review e");
    assert.match(
      t.of("notice").at(-1)!.text,
      /SKILL\.md, can no longer be read; it was not loaded/,
    );
  });
});

Deno.test("a turn that nothing answered takes the skill back with its line", async () => {
  const error = new ModelError("auth", "no");
  await withAgent([{ error }], async (t) => {
    await t.say("/skill review a.ts");
    assert.equal(t.messages.length, 0);
    assert.deepEqual([...t.agent.controller.current().skills], []);
    assert.equal(t.of("turn_end")[0]!.prompt, "/skill review a.ts");
  });
});

Deno.test("a line that joins a running turn loads its skill there", async () => {
  let joined = false;
  const wait = tool("Wait", () => {
    if (!joined) t!.send("now $review");
    joined = true;
    return { ok: true, text: "waited" };
  });
  let t: TestAgent | undefined;
  await withWorkspace(FILES, async (workspace) => {
    const model = new ScriptedModel([{ calls: [{ name: "Wait" }] }, { text: "done" }]);
    t = new TestAgent({ model, workspace, tools: [wait] });
    await t.say("begin");
    assert.match(users(t).at(-1)!, /Look twice\.$/);
    assert.equal(model.requests.length, 2);
    await t.agent.close();
  });
});

Deno.test("after a handover the new prompt holds the skill in full", async () => {
  const steps = [{ text: "reviewed" }, { text: "the summary" }, { text: "go on" }];
  await withAgent(steps, async (t, model) => {
    await t.say("$review a.ts");
    assert.ok(!model.requests[0]!.system.includes("Look twice."));
    await t.say("/compact");
    await t.say("on");
    const { system, messages } = model.requests.at(-1)!;
    assert.match(
      system,
      /## Skills 编程指导\n[^]*### review\n\(\.narnat\/skills\/review\)\nLook twice\./,
    );
    assert.match(system, /the summary[^]*review/);
    assert.equal(messages.length, 1);
    assert.deepEqual([...t.agent.controller.current().skills], ["review"]);
  });
});

Deno.test("a stored session knows its skills again", async () => {
  await withWorkspace(FILES, async (workspace) => {
    const dir = join(workspace, "sessions");
    const open = () => new TestAgent({ model: new ScriptedModel([]), workspace, dir });
    const first = open();
    await first.say("$review");
    const { id } = first.agent.controller.current();
    await first.agent.close();
    const second = open();
    await second.agent.resume(id);
    assert.deepEqual([...second.agent.controller.current().skills], ["review"]);
    await second.agent.close();
  });
});

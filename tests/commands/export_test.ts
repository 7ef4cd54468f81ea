import assert from "node:assert/strict";
import { NO_USAGE } from "../../src/base/figures.ts";
import { english, HOST_MARK } from "../../src/base/t.ts";
import type { Carried } from "../../src/base/types.ts";
import { copy, exportSession } from "../../src/commands/export.ts";
import { chinese } from "../support/chinese.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { testController } from "../support/test_controller.ts";

const CARRIED: Carried = {
  parent: "",
  title: "Which port?",
  summary: "# What was before\n\nThe port is 8430.",
  todos: [],
  changed: [],
  skills: [],
  cwd: "/w",
  usage: NO_USAGE,
};

/** A controller in `root` whose session has a prompt, thinking, a call with its result, and an answer. */
function talked(root: string) {
  const { controller, session } = testController();
  const input = JSON.stringify({ command: "ls <dir>", timeout: 9 });
  session.append({ role: "user", text: "列出 *files*\n" }, { asked: true });
  session.append({
    role: "assistant",
    text: "Looking.",
    thinking: [{ text: "hm" }],
    calls: [{ id: "1", name: "Bash", input }],
  });
  session.append({ role: "tool", id: "1", name: "Bash", ok: true, text: "```\na\n```" });
  session.append({ role: "user", text: `${HOST_MARK} file a\n1\tx` });
  session.append({ role: "assistant", text: "One file.", thinking: [], calls: [] });
  return { controller: { ...controller, workspace: root }, session };
}

Deno.test("/export writes the session as markdown with calls, results and thinking folded", async () => {
  await withWorkspace({}, async (root) => {
    const { controller, session } = talked(root);
    const path = `${root}/out.md`;
    assert.equal(await exportSession.run("out.md", controller), `Wrote 5 messages to ${path}`);
    assert.equal(
      await Deno.readTextFile(path),
      [
        "# 列出 \\*files\\*",
        `${session.id} · m · \`${root}\``,
        "## User",
        "列出 *files*",
        "## narnat",
        "<details><summary>thinking</summary>\n\nhm\n\n</details>",
        "Looking.",
        "<details><summary>Bash ls &lt;dir&gt;</summary>\n",
        '```json\n{\n  "command": "ls <dir>",\n  "timeout": 9\n}\n```',
        "````\n```\na\n```\n````\n\n</details>",
        `<details><summary>${HOST_MARK} file a</summary>\n`,
        "```\n1\tx\n```\n\n</details>",
        "One file.",
      ].join("\n\n").replaceAll("\n\n\n", "\n\n") + "\n",
    );
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  });
});

Deno.test("/export without a name finds one that is free; a named file is never written over", async () => {
  await withWorkspace({ "mine.md": "mine" }, async (root) => {
    const { controller, session } = talked(root);
    await exportSession.run("", controller);
    assert.match(
      await exportSession.run("", controller),
      new RegExp(`narnat-${session.id}-2\\.md$`),
    );
    await assert.rejects(
      async () => await exportSession.run("mine.md", controller),
      /is not overwritten/,
    );
    await assert.rejects(
      async () => await exportSession.run("no/such/x.md", controller),
      /Cannot export/,
    );
    assert.equal(await Deno.readTextFile(`${root}/mine.md`), "mine");
  });
});

Deno.test("/export of a session that took over says from which one, and holds its summary", async () => {
  await withWorkspace({}, async (root) => {
    const { controller, session } = testController();
    session.inherit({ ...CARRIED, parent: "20261119-070000-abcd" }, undefined);
    for (const [t, line] of [[english, "Goes on from session"], [chinese, "接续会话"]] as const) {
      await exportSession.run(`${t.lang}.md`, { ...controller, workspace: root, t });
      const text = await Deno.readTextFile(`${root}/${t.lang}.md`);
      assert.match(text, /^# Which port\?$/m);
      assert.match(text, new RegExp(`<summary>${line} 20261119-070000-abcd`));
      assert.ok(text.includes(CARRIED.summary), "the summary is there");
    }
    session.append({ role: "user", text: "and now?" }, { asked: true });
    await exportSession.run("more.md", { ...controller, workspace: root });
    const text = await Deno.readTextFile(`${root}/more.md`);
    assert.ok(text.indexOf(CARRIED.summary) < text.lastIndexOf("and now?"), "it stands first");
  });
});

Deno.test("/export of an empty session writes nothing", async () => {
  await assert.rejects(
    async () => await exportSession.run("x.md", testController().controller),
    /empty/,
  );
});

Deno.test("/export says in the user's language why it cannot write", async () => {
  await withWorkspace({}, async (root) => {
    const { controller } = talked(root);
    for (const [t, text] of [[english, "it does not exist."], [chinese, "不存在。"]] as const) {
      await assert.rejects(
        async () => await exportSession.run("no/such/x.md", { ...controller, t }),
        (error: Error) => error.message.endsWith(text) && !/os error/.test(error.message),
      );
    }
  });
});

const answer = (text: string) => ({ role: "assistant", text, calls: [], thinking: [] }) as const;

Deno.test("/copy takes the last answer that says something", async () => {
  const { controller, asked, session } = testController();
  session.append(answer("first"));
  session.append(answer("\n\n  最后一次\nanswer \n"));
  session.append({ ...answer("  "), calls: [{ id: "1", name: "Read", input: "{}" }] });
  session.append({ role: "user", text: "next" });
  assert.equal(await copy.run("", controller), "");
  assert.deepEqual(asked, ["copy   最后一次\nanswer"]);
});

Deno.test("/copy without an answer says so", async () => {
  await assert.rejects(
    async () => await copy.run("", testController().controller),
    /no answer to copy/,
  );
});

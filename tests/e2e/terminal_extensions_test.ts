/** Plans, forms and agents as a person meets them: the real program in a real terminal. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { CapturedRequest, Reply } from "../support/fake_provider.ts";
import { fakeCommand } from "../features/mcp/stage.ts";
import { eventually } from "../support/processes.ts";
import { inTerminal, slowInTerminal } from "../support/terminal.ts";

const READY = /❯ $/;
const EXTRA = '{"extra_tools": ["Plan", "Spawn"]}';

const call = (name: string, input: object): Reply => ({ calls: [{ name, input: input as never }] });
const asked = ({ json }: CapturedRequest) =>
  json.messages.filter(({ role }: { role: string }) => role === "user")
    .map(({ content }: { content: string }) => content);

slowInTerminal(
  "a plan is changed in its form and in the user's editor, then carried out step by step",
  {
    script: (_request, i) =>
      i === 0 ? call("Plan", { steps: ["look", "mend"] }) : { text: `答 ${i}` },
    files: {
      ".narnat/narnat.json": EXTRA,
      "edit.sh": '#!/bin/sh\nprintf "\\ntest it\\n" >>"$1"\n',
    },
    env: { EDITOR: "sh edit.sh" },
    size: [100, 40],
  },
  async ({ tmux, provider, start, say }) => {
    await start();
    await tmux.shows(READY);
    await say("做", /？\n {4}1\. look\n {4}2\. mend\n\n {2}否\n→ 是，执行\n {2}先修改…/);
    await tmux.key("Down", "Enter");
    await tmux.shows(/步骤，每行一步\n❯ look\n {2}mend/);
    await tmux.type(" well");
    await tmux.key("C-g");
    await tmux.shows(/❯ look\n {2}mend well\n {2}test it/);
    await tmux.key("Enter");
    const all = await tmux.shows(
      /→ 先修改…\n {4}1\. look\n {4}2\. mend well\n {4}3\. test it\n[^]*答 3\n[^]*费用未知[^]*❯ $/,
    );
    for (const step of ["1/3] look", "2/3] mend well", "3/3] test it"]) {
      assert.ok(all.includes(`\n▸ [Step ${step}\n`), all);
      assert.ok(!all.includes(`❯ [Step ${step}`), all);
    }
    assert.equal(asked(provider.requests.at(-1)!).at(-1), "[Step 3/3] test it");
  },
);

inTerminal("a server's form is filled in, and Shift-Tab shows plan mode", {
  script: ({ json }) => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", title: "名字" },
        age: { type: "integer", title: "年龄", minimum: 1 },
        sure: { type: "boolean", title: "确定" },
      },
      required: ["name", "age"],
    };
    const last = json.messages.at(-1);
    return last.role === "tool"
      ? { text: `得到 ${last.content}` }
      : call("mcp_my_srv_ask", { message: "你是谁", requestedSchema: schema });
  },
  files: {
    ".mcp.json": JSON.stringify({
      mcpServers: { my_srv: fakeCommand() },
    }),
  },
  size: [100, 40],
}, async ({ tmux, start, say }) => {
  await start();
  await tmux.shows(/→ 否\n {2}是，内容不变就一直信任/);
  await tmux.key("Down", "Enter");
  await tmux.shows(READY);
  await say("问", /你是谁[^]*• 名字\n {2}• 年龄\n {2}• 确定\n\n→ 否\n {2}填写…/);
  await tmux.key("Down", "Enter");
  await tmux.shows("名字 (1/3)");
  await tmux.type("小明\n");
  await tmux.shows("年龄 (2/3)");
  await tmux.type("0\n");
  await tmux.shows("✗ 不能小于 1");
  await tmux.key("C-u");
  await tmux.type("12\n");
  await tmux.shows("确定 (3/3)");
  await tmux.key("Up", "Enter");
  const all = await tmux.shows(/得到 [^]*费用未知[^]*❯ $/);
  assert.match(all, /"content":\{"name":"小明","age":12,"sure":true\}/);
  assert.match(all, /● my_srv · ask 你是谁/);

  const foot = async () => (await tmux.seen()).split("\n").at(-1)!;
  await tmux.key("BTab");
  assert.ok(await eventually(async () => (await foot()).includes("规划模式 (shift-tab)")));
  await tmux.key("BTab");
  assert.ok(await eventually(async () => !(await foot()).includes("规划模式")));
});

slowInTerminal(
  "agents are seen at work, one is stopped by /agents stop, another by ESC, and one answers",
  {
    script: (request) => {
      const [first = ""] = asked(request);
      const { messages } = request.json;
      const done = messages.filter(({ role }: { role: string }) => role === "tool").length;
      if (first.startsWith("job")) {
        return done === 0
          ? call("Bash", { command: `sleep ${first === "job quick" ? 0.3 : 300}` })
          : { text: "first line\nsecond line" };
      }
      if (done > 0) return { text: `主 ${messages.length}` };
      return {
        calls: ["quick", "long", "longer"].map((name) => ({
          name: "Spawn",
          input: { task: `job ${name}`, label: `${name} job` },
        })),
      };
    },
    files: { ".narnat/narnat.json": EXTRA },
    size: [100, 40],
  },
  async ({ tmux, provider, start, say, project }) => {
    await start();
    await tmux.shows(READY);
    await say("派", /◆ \w{8} long job · Bash · 1 步/);
    const shown = await tmux.shows(
      /◆ \w{8} quick job · 完成[^]*← \w{8} quick job · first line · ctrl-o[^]*2 个代理在工作 · esc 停止/,
    );
    assert.ok(!shown.includes("second line"), shown);
    assert.match(shown, /● Spawn quick job/);
    const id = /◆ (\w{8}) long job · Bash/.exec(shown)![1]!;
    await tmux.shows(/❯ $/);
    await say(`/agents stop ${id.slice(0, 4)}`, `◆ ${id} long job · 已停止`);
    // the answer of the one that was stopped begins a turn
    await tmux.shows(new RegExp(`← ${id} long job[^]*1 个代理在工作[^]*❯ $`));
    const requests = provider.requests.length;
    await tmux.key("Escape");
    const all = await tmux.shows(/已停止 1 个代理[^]*longer job · 已停止[^]*❯ $/);
    assert.ok(!all.slice(all.lastIndexOf("longer job · 已停止")).includes("个代理在工作"), all);
    assert.equal(provider.requests.length, requests);
    await say("后来呢", /❯ 后来呢\n[^]*主 \d+[^]*费用未知[^]*❯ $/);
    assert.ok(
      asked(provider.requests.at(-1)!).some((text: string) => /longer job[^]*被停止/.test(text)),
    );
    await tmux.key("C-d");
    await tmux.shows("RC=0");
    assert.ok((await Deno.stat(join(project, ".narnat"))).isDirectory);
  },
);

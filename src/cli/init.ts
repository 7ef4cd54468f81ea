/** `narnat init`: starting files, never overwriting. */
import { dirname, join, relative } from "../base/path.ts";
import type { Flags } from "../commands/flags.ts";
import type { T } from "../base/t.ts";
import { makeProjectDir, put, translatorFor, userDir, workspaceFrom } from "../base/host.ts";
import { giveToOwner } from "../app/owner.ts";

/** Comments are allowed in narnat.json; the keys here are off until the user takes the slashes away. */
const files = (t: T): { [path: string]: string } => ({
  "narnat.json": t.lang === "zh"
    ? `{
  // 本项目的设置；用户自己的在 ~/.narnat/narnat.json。密钥最好放在用户文件或环境变量 NARNAT_API_KEY 里。
  // 这里的 model、base_url、api_key、hooks、skills 要先信任才有效：narnat trust
  "extra_tools": ["Plan", "Spawn"], // 另外启用的工具：Plan 分步计划，Spawn 子代理，Team 团队
  // "model": "deepseek-v4-pro",
  // "base_url": "https://api.deepseek.com",
  // "api": "auto",            // auto | openai | anthropic；路径以 /anthropic 结尾时 auto 用 Messages 协议
  // "permission": "open",     // open：只问删除 | guarded：另有禁止清单 | ask：每次改动都问
  // "max_iterations": 200,
  // "max_cost": 1.5,          // 每个会话的美元上限
  // "context_window": 128000, // 模型窗口的 token 数；不写则按模型名称判断
  // "dream_hours": 2,         // 距上次记忆整理几小时后自动再整理；0 为从不
  // "hooks": {"turn_end": ["deno fmt"]}, // 事件发生时运行的命令
  // "disabled_skills": ["example"] // 不使用的技能
}
`
    : `{
  // Settings of this project; your own are in ~/.narnat/narnat.json. Keep the key there or in NARNAT_API_KEY.
  // model, base_url, api_key, hooks and skills of this file count once they are trusted: narnat trust
  "extra_tools": ["Plan", "Spawn"], // tools that are on besides: Plan (steps), Spawn (subagents), Team
  // "model": "deepseek-v4-pro",
  // "base_url": "https://api.deepseek.com",
  // "api": "auto",            // auto | openai | anthropic; auto speaks Messages when the path ends in /anthropic
  // "permission": "open",     // open: only deletes ask | guarded: a deny list too | ask: before every change
  // "max_iterations": 200,
  // "max_cost": 1.5,          // US dollars per session
  // "context_window": 128000, // tokens of the model's window; its name tells it otherwise
  // "dream_hours": 2,         // hours after which a session begins with a Dream; 0: never
  // "hooks": {"turn_end": ["deno fmt"]}, // commands that hear what happens
  // "disabled_skills": ["example"] // names of skills not to use
}
`,
  "narnat.md": t.lang === "zh"
    ? "<!-- 写给 narnat 的话，会加入系统提示；只有注释的文件不会发给模型。例如：测试命令是什么、代码风格、不要动哪些文件。 -->\n"
    : "<!-- What narnat should know about this project, for its system prompt; a file of comments alone is not sent. For example: the test command, the code style, files to leave alone. -->\n",
  "rules/example.md": t.lang === "zh"
    ? "<!-- 必须遵守的规则，每个文件一条。写在注释外面的才会发给模型。例如：提交前先运行测试。 -->\n"
    : "<!-- A rule that must be kept, one a file. Only what stands outside of comments is sent. For example: Run the tests before you commit. -->\n",
  "skills/example/SKILL.md": t.lang === "zh"
    ? `---
name: example
description: 一句话说明这个技能做什么、什么时候用
enabled: false
---
在这里逐步写明做法，任务匹配时模型会读取。去掉上面的 enabled: false 即可启用。
`
    : `---
name: example
description: What this skill does and when to use it, in one line
enabled: false
---
How it is done, step by step: the model reads this when a task fits. Take the line with enabled away to use it.
`,
});

/** Writes what is missing and says so. */
export async function init(flags: Flags): Promise<number> {
  const t = translatorFor(flags);
  const workspace = workspaceFrom(flags.cwd, t);
  const print = (text: string) => put(text + "\n");
  const refused = makeProjectDir(workspace, t, userDir());
  if (refused) {
    print(t("Cannot write {path}: {why}", { path: ".narnat", why: refused.why }));
    return 1;
  }
  for (const [name, content] of Object.entries(files(t))) {
    const path = join(workspace, ".narnat", name);
    const shown = relative(workspace, path);
    try {
      Deno.mkdirSync(dirname(path), { recursive: true });
      // narnat.json may come to hold a key.
      const mode = name.endsWith(".json") ? { mode: 0o600 } : {};
      Deno.writeTextFileSync(path, content, { createNew: true, ...mode });
      print(t("wrote {path}", { path: shown }));
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) {
        print(t("kept {path}, it is there already", { path: shown }));
        continue;
      }
      print(t("Cannot write {path}: {why}", { path: shown, why: (error as Error).message }));
      return 1;
    }
  }
  await giveToOwner(workspace);
  return 0;
}

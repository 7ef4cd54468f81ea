/**
 * The table of all keys that a narnat.json may hold. A new key is one entry here: the types, the
 * merge, the errors, `docs/configuration.md` and `docs/config.schema.json` derive from it. The
 * comment above an entry is its documentation, in English and in Chinese; scripts/docs.ts reads it
 * from this file, so no start loads it.
 */
import type { Text } from "../base/t.ts";
import {
  amount,
  type Check,
  extraTools,
  looseSandbox,
  oneOf,
  prices,
  sandbox,
  type SandboxValue,
  servers,
  skillItems,
  text,
  texts,
  url,
  whole,
  yesOrNo,
} from "./check.ts";
import { hookSettings } from "./hooks.ts";

/** Decides which value of a project's file is looser than its user's. */
export interface Tighten {
  /**
   * Says whether `theirs` is looser than `own`, the user's value or the default. A list names the
   * looser parts of a value of which the rest counts.
   */
  looser(theirs: never, own: never, user: { readonly budget: boolean }): boolean | string[];
  /** Words the refusal; `config.loose_refused` when left out. */
  readonly told?: Text;
}

/**
 * Says what a project's file may do with a key: set it (`free`), add to the user's value (`adds`),
 * set it once the user trusts it (`trusted`), not set it (`never`), or only tighten it.
 */
export type ProjectRule = "free" | "adds" | "trusted" | "never" | Tighten;

export interface Key {
  readonly check: Check<unknown>;
  readonly project: ProjectRule;
  /** Counts where nobody sets the key. */
  readonly default?: unknown;
  /** The environment variable that sets the key. */
  readonly env?: string;
  /** The command-line flag that sets the key. */
  readonly flag?: string;
}

const atMost: Tighten = {
  looser: (theirs: number, own: number | undefined) => own !== undefined && theirs > own,
};
const atLeast: Tighten = {
  looser: (theirs: number, own: number | undefined) => own !== undefined && theirs < own,
};
const onlyOn: Tighten = { looser: (theirs: boolean, own?: boolean) => !theirs && own !== false };

const PERMISSIONS = ["open", "guarded", "ask"] as const;
type Permission = (typeof PERMISSIONS)[number];

export const KEYS = {
  // # The model | 模型

  /**
   * The key of the model's provider.
   * 模型服务商的密钥。
   */
  api_key: { check: text, project: "trusted", env: "NARNAT_API_KEY" },
  /**
   * The provider's OpenAI-compatible or Messages endpoint. A project's address counts only with the project's own `api_key`, or where you have no key.
   * 服务商的地址（OpenAI 兼容或 Messages 协议）。项目的地址只有带自己的 `api_key`，或你没有密钥时才有效。
   */
  base_url: { check: url, project: "trusted", env: "NARNAT_BASE_URL", flag: "--base-url" },
  /**
   * The model that is asked. `openrouter/…` and its like choose a provider whose key is in the environment; `demo` is the built-in offline model.
   * 使用的模型。`openrouter/…` 这样的名称选择密钥在环境变量里的服务商；`demo` 是内置的离线模型。
   */
  model: { check: text, project: "trusted", env: "NARNAT_MODEL", flag: "--model" },
  /**
   * The protocol. `auto` speaks Messages to Anthropic's own address and where the path ends in `/anthropic`, else OpenAI chat completions.
   * 协议。`auto`：Anthropic 自己的地址和以 `/anthropic` 结尾的路径用 Messages，其他用 OpenAI chat completions。
   */
  api: {
    check: oneOf("auto", "openai", "anthropic"),
    project: "trusted",
    default: "auto",
    flag: "--api",
  },
  /**
   * The largest answer asked for, in tokens (otherwise the provider's; 32000 for Messages).
   * 一次回答最多的 token 数（不写则由服务商决定；Messages 为 32000）。
   */
  max_output_tokens: { check: whole(1), project: "free" },
  /**
   * Tokens of the model's window (otherwise told by its name; 128000 for an unknown model, until a refusal names it).
   * 模型窗口的 token 数（不写则按名称判断；不认识的为 128000，直到服务商报错说明）。
   */
  context_window: { check: whole(4096), project: "free" },
  /**
   * Whether the model takes images (otherwise told by its name). `false` also opens a session that a provider refuses for an image in it.
   * 模型是否接受图片（不写则按名称判断）。`false` 也能打开因含有图片而被拒绝的会话。
   */
  images: { check: yesOrNo, project: "free" },
  /**
   * Whether requests in the Messages protocol mark with `cache_control` what the provider is to keep (otherwise yes); `false` for a server that refuses the field.
   * Messages 协议的请求是否用 `cache_control` 标出要缓存的部分（不写为是）；不认识这个字段的服务器用 `false`。
   */
  prompt_cache: { check: yesOrNo, project: onlyOn },
  /**
   * Seconds without a byte after which an answer counts as stalled; an answer that brings only signs of life gets three times as long. Before its first byte a server gets 300 s where this is not set. One that stays silent is asked for ten minutes in all.
   * 多少秒没有数据就算中断；只有心跳的回答可等三倍。没有设置时，第一个字节之前可等 300 秒；一直没有回应的服务器总共只试十分钟。
   */
  stall_seconds: { check: whole(1), project: atLeast, default: 120 },
  /**
   * Prices in US dollars per million tokens (`cached`: as `input` when left out). Built in for common models at their vendors' own hosts; elsewhere the cost is unknown, never guessed. A project's do not count where you have a budget.
   * 价格，美元每百万 token（`cached` 省略时同 `input`）。常见模型在厂商自己的地址上已内置；其他显示为未知，从不猜测。你设了费用上限时项目的不算。
   */
  prices: {
    check: prices,
    project: {
      looser: (_theirs, _own, { budget }) => budget,
      told:
        "prices in {file} is ignored: you have set a budget, so prices are your own narnat.json's",
    },
    default: {},
  },

  // # Permissions and budgets | 权限和费用

  /**
   * `open`: only deletes ask; `guarded`: a deny list too; `ask`: before every change.
   * `open`：只有删除要问；`guarded`：另有禁止清单；`ask`：每次改动都问。
   */
  permission: {
    check: oneOf(...PERMISSIONS),
    project: {
      looser: (theirs: Permission, own: Permission) =>
        PERMISSIONS.indexOf(theirs) < PERMISSIONS.indexOf(own),
    },
    default: "open",
    flag: "--permission",
  },
  /**
   * No tool uses a file outside of the workspace.
   * 任何工具都不使用工作区之外的文件。
   */
  workspace_only: {
    check: yesOrNo,
    project: { looser: (theirs: boolean, own: boolean) => !theirs && own },
    default: false,
    flag: "--workspace-only",
  },
  /**
   * Bash runs in a sandbox: `true`, or `{"network": false, "write": ["~/.cache"]}`.
   * Bash 在沙箱中运行：`true`，或 `{"network": false, "write": ["~/.cache"]}`。
   */
  sandbox: {
    check: sandbox,
    project: { looser: (theirs: SandboxValue, own?: SandboxValue) => looseSandbox(own, theirs) },
  },
  /**
   * The hard budget of a session, in US dollars.
   * 每个会话的费用上限，美元。
   */
  max_cost: { check: amount, project: atMost, flag: "--max-cost" },
  /**
   * The hard budget of a session, in tokens.
   * 每个会话的 token 上限。
   */
  max_total_tokens: { check: whole(1), project: atMost, flag: "--max-total-tokens" },
  /**
   * The budget of a day on the local clock, of all your narnats together, in US dollars.
   * 一天（按本地时钟）内你的所有 narnat 的费用上限，美元。
   */
  max_cost_per_day: { check: amount, project: atMost },
  /**
   * The same in tokens.
   * 同上，token。
   */
  max_tokens_per_day: { check: whole(1), project: atMost },
  /**
   * Model calls per turn.
   * 每轮最多的模型调用次数。
   */
  max_iterations: { check: whole(1), project: atMost, default: 200, flag: "--max-iterations" },
  /**
   * Whether secrets are hidden from the model and from all that narnat writes.
   * 是否对模型和 narnat 写下的一切隐藏密钥。
   */
  redact: {
    check: yesOrNo,
    project: {
      looser: (theirs: boolean) => !theirs,
      told: '{file}: "redact": false counts only in your own file; ignored',
    },
    default: true,
  },

  // # The prompt | 系统提示

  /**
   * Text added at the end of the system prompt; a project's stands behind yours.
   * 加在系统提示末尾的文字；项目的排在你的后面。
   */
  append_system_prompt: { check: text, project: "adds", flag: "--append-system-prompt" },
  /**
   * Rules that must be kept, numbered in the prompt before those of `rules/*.md`.
   * 必须遵守的规则，编号列在系统提示里，排在 `rules/*.md` 之前。
   */
  rules: { check: texts('a list of rules: ["Run the tests first"]'), project: "adds" },
  /**
   * Skills of git repositories: `[{"name", "repo", "skill", "enabled"}]`.
   * git 仓库里的技能：`[{"name", "repo", "skill", "enabled"}]`。
   */
  skills: { check: skillItems, project: "trusted" },
  /**
   * Names of skills not to use: `["review"]`.
   * 不使用的技能：`["review"]`。
   */
  disabled_skills: { check: texts('a list of names: ["review", "deploy"]'), project: "adds" },
  /**
   * Hours after which a session at the terminal begins with a Dream; 0 for never.
   * 距上次记忆整理多少小时后，终端会话自动再整理；0 为从不。
   */
  dream_hours: {
    check: amount,
    // a Dream more often than the user's costs the user's money
    project: {
      looser: (theirs: number, own: number) => theirs > 0 && (own === 0 || theirs < own),
    },
    default: 2,
  },

  // # Tools and servers | 工具和服务器

  /**
   * Tools that are on besides the nine: any of `"Plan"`, `"Spawn"`, `"Team"`.
   * 九个工具之外启用的工具：`"Plan"`、`"Spawn"`、`"Team"`。
   */
  extra_tools: { check: extraTools, project: "free", default: [] },
  /**
   * How many agents work at once; the others wait.
   * 同时工作的子代理数，其余等待。
   */
  agents_at_once: { check: whole(1), project: "free", default: 4 },
  /**
   * MCP servers, as `mcpServers` of an `mcp.json` names them; those of the `mcp.json` files win.
   * MCP 服务器，写法同 `mcp.json` 的 `mcpServers`；同名时以 `mcp.json` 文件里的为准。
   */
  mcp_servers: { check: servers, project: "trusted" },
  /**
   * Commands that hear what happens: `{"turn_end": ["deno fmt"]}`; a project's run behind yours.
   * 事件发生时运行的命令：`{"turn_end": ["deno fmt"]}`；项目的在你的之后运行。
   */
  hooks: { check: hookSettings, project: "trusted" },
  /**
   * Glob and Grep leave out what `.ignore` and `.rgignore` name, here and in the folders above.
   * Glob 和 Grep 略去 `.ignore`、`.rgignore` 写明的文件，包括上级文件夹里的。
   */
  ignore_files: { check: yesOrNo, project: "free", default: true },
  /**
   * A SearXNG instance that WebSearch asks before all others.
   * WebSearch 首先询问的 SearXNG。
   */
  searxng_url: { check: url, project: "never" },
  /**
   * The key of Brave's search, asked before the engines that need none.
   * Brave 搜索的密钥；有密钥的先于不需要密钥的。
   */
  brave_api_key: { check: text, project: "never", env: "BRAVE_API_KEY" },
  /**
   * The key of Tavily's search.
   * Tavily 搜索的密钥。
   */
  tavily_api_key: { check: text, project: "never", env: "TAVILY_API_KEY" },
  /**
   * The key of Bocha's search.
   * 博查搜索的密钥。
   */
  bocha_api_key: { check: text, project: "never", env: "BOCHA_API_KEY" },

  // # Limits | 限度

  /**
   * The most seconds that a Bash command may run before it is stopped; a call that names no time gets 120 of them at most.
   * 一条 Bash 命令最多运行的秒数；没有写明时间的调用最多 120 秒。
   */
  "limits.bash_seconds": { check: whole(1, 600), project: atMost, default: 600 },
  /**
   * The most characters of a command's output that the model sees, head and tail; the whole output is on disk.
   * 模型看到的命令输出最多多少字符（开头和结尾）；全文在磁盘上。
   */
  "limits.output_chars": { check: whole(1000, 30_000), project: atMost, default: 30_000 },
  /**
   * The most characters of one Read; a file of up to 500 lines gets twice as many where nothing is set.
   * 一次 Read 最多多少字符；没有设置时，500 行以内的文件可有两倍。
   */
  "limits.read_chars": { check: whole(1000, 100_000), project: atMost },
  /**
   * Prompts after which a session is summarised and handed over to a new one.
   * 提问多少次后总结会话并交给新会话。
   */
  "limits.turns": { check: whole(1, 120), project: atMost, default: 120 },

  // # Undo | 撤销

  /**
   * Whether what turns change can be undone.
   * 各轮的改动是否可以撤销。
   */
  checkpoints: { check: yesOrNo, project: onlyOn, default: true },
  /**
   * Megabytes of the largest file that is covered.
   * 检查点之内最大的文件，MB。
   */
  checkpoint_file_mb: { check: whole(1), project: atLeast, default: 50 },
  /**
   * Megabytes of all covered files together, and again of what earlier turns found.
   * 检查点之内全部文件的总量，MB；此前各轮的内容另有同样多。
   */
  checkpoint_total_mb: { check: whole(1), project: atLeast, default: 2000 },
  /**
   * How many days turns can be undone.
   * 多少天之内可以撤销。
   */
  checkpoint_days: { check: whole(1), project: atLeast, default: 30 },

  // # The terminal | 终端

  /**
   * The language of narnat's texts (otherwise from `LANG`).
   * narnat 的语言（不写则看 `LANG`）。
   */
  lang: { check: oneOf("zh", "en"), project: "free", flag: "--lang" },
  /**
   * The terminal's colours; `auto` goes by `COLORFGBG`, else the terminal's own. `NO_COLOR` wins.
   * 终端的颜色；`auto` 看 `COLORFGBG`，否则用终端自己的。`NO_COLOR` 优先。
   */
  theme: { check: oneOf("auto", "light", "dark", "none"), project: "free", default: "auto" },
  /**
   * Whether a question and the end of a turn of 30 s or more are announced, by a notification (OSC 9) or the bell.
   * 提问和 30 秒以上的一轮结束时是否通知（OSC 9 或响铃）。
   */
  notify: { check: yesOrNo, project: "free", default: true },
} satisfies { readonly [name: string]: Key };

type Keys = typeof KEYS;

export type KeyName = keyof Keys;

/** The names in the table's order. */
export const KEY_NAMES = Object.keys(KEYS) as KeyName[];

type ValueOf<K extends KeyName> = Keys[K]["check"] extends Check<infer V> ? V : never;

/** Settings by their key, as one source gives them. */
export type Settings = { [K in KeyName]?: ValueOf<K> };

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}`
  : S;
type Defaulted = {
  [K in KeyName]: Keys[K] extends { default: unknown } ? K : never;
}[KeyName];
type Among<Group extends string, K extends KeyName> = Group extends "" ? K & TopName
  : Extract<K, `${Group}.${string}`>;
type TopName = Exclude<KeyName, `${string}.${string}`>;
type NameIn<Group extends string, K extends string> = Camel<
  Group extends "" ? K : K extends `${Group}.${infer Inner}` ? Inner : never
>;

/** The values of a group of keys under their names in camelCase; the group "" holds the keys of none. */
export type ValuesOf<Group extends string> =
  & { readonly [K in Among<Group, Defaulted> as NameIn<Group, K>]: ValueOf<K> }
  & {
    readonly [K in Among<Group, Exclude<KeyName, Defaulted>> as NameIn<Group, K>]?:
      | ValueOf<K>
      | undefined;
  };

/** `max_cost` as `maxCost`. */
export const camelOf = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Whether keys of the table begin with `name` and a dot. */
export const isGroup = (name: string): boolean =>
  KEY_NAMES.some((key) => key.startsWith(`${name}.`));

/** The values of all keys, those of a group in an object of its own. */
export function valuesOf(settings: Settings): ValuesOf<""> & { limits: ValuesOf<"limits"> } {
  const values: { [name: string]: unknown } = {};
  for (const name of KEY_NAMES) {
    const key: Key = KEYS[name];
    const [group, inner] = name.split(".") as [string, string?];
    const place = inner === undefined ? values : values[group] ??= {};
    (place as typeof values)[camelOf(inner ?? name)] = settings[name] ?? key.default;
  }
  return values as ReturnType<typeof valuesOf>;
}

import { english, langFrom, translator } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { ConfigError } from "../../src/base/errors.ts";
import type { Settings } from "../../src/config/keys.ts";
import { loadConfig } from "../../src/config/load.ts";
import { parseSettings } from "../../src/config/parse.ts";
import { childEnvironment } from "../../src/config/place.ts";
import type { EndpointTrust } from "../../src/config/project.ts";
import { withWorkspace } from "../support/temp_workspace.ts";

interface Given {
  readonly flags?: Settings;
  readonly env?: { [name: string]: string };
  readonly user?: unknown;
  readonly project?: unknown;
}

function load({ flags = {}, env = {}, user, project }: Given, trust?: EndpointTrust) {
  const files: { [path: string]: unknown } = {
    "/home/narnat.json": user,
    "/p/narnat.json": project,
  };
  return loadConfig({
    t: translator(flags.lang ?? langFrom((name) => env[name])),
    flags,
    env: (name) => env[name],
    userFile: "/home/narnat.json",
    projectFile: "/p/narnat.json",
    ...trust ? { trust: () => trust } : {},
    readTextFile: (path) => {
      const content = files[path];
      if (content === undefined) throw new Deno.errors.NotFound(path);
      return typeof content === "string" ? content : JSON.stringify(content);
    },
  });
}

const USER = { api_key: "user-key", base_url: "https://u.example/v1", model: "u" };

Deno.test("a misspelt key of a hook and a wrong skill of a list are named", () => {
  const hooks = '{"hooks": {"turn_end": [{"comand": "x"}]}}';
  assert.throws(
    () => load({ user: hooks as never }),
    /turn_end\[0\]\.comand must be .*did you mean command\?/,
  );
  const skills = [{ name: "a", repo: "https://x.example/a" }, { name: "b" }];
  assert.throws(() => load({ user: { skills } as never }), /\(item 2 is not\)/);
});

Deno.test("where the key was found is known", () => {
  const from = (given: Given) => load(given).config.keyFrom;
  const env = { NARNAT_API_KEY: "n", OPENAI_API_KEY: "o", OPENAI_BASE_URL: "https://u.example/v1" };
  assert.equal(from({ env, user: USER }), "NARNAT_API_KEY");
  assert.equal(
    from({ env: { ...env, NARNAT_API_KEY: "" }, user: { model: "u" } }),
    "OPENAI_API_KEY",
  );
  assert.equal(from({ user: USER }), "/home/narnat.json");
  assert.equal(from({ user: USER, project: { ...USER, api_key: "p" } }), "/p/narnat.json");
  assert.equal(from({ flags: { api_key: "typed" }, user: USER }), undefined);
  assert.equal(from({ user: { model: "u", base_url: "http://localhost:1/v1" } }), undefined);
});

Deno.test("OPENAI_API_KEY and OPENAI_BASE_URL alone ask seed 003's model, and no other key does", () => {
  const OPENAI = { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "https://u.example/v1" };
  const model = (env: Given["env"], more: Given = {}) => load({ env, ...more }).config.model;
  assert.equal(model(OPENAI), "gpt-4o-mini");
  assert.equal(model({ ...OPENAI, OPENAI_MODEL: "m" }), "m");
  assert.equal(
    model({ ...OPENAI, OPENAI_BASE_URL: "https://api.deepseek.com" }),
    "deepseek-v4-pro",
  );
  assert.equal(model(OPENAI, { user: { model: "u" } }), "u");
  const others: NonNullable<Given["env"]>[] = [
    { OPENAI_BASE_URL: "http://localhost:1/v1" },
    { ...OPENAI, NARNAT_BASE_URL: "https://n.example/v1" },
    { ...OPENAI, NARNAT_API_KEY: "n" },
    { NARNAT_API_KEY: "n", NARNAT_BASE_URL: "https://n.example/v1" },
  ];
  for (const env of others) assert.throws(() => model(env), /No model is set for http/);
});

Deno.test("workspace_only can be had from anybody, and taken back by no project; Bash is boxed in with it", () => {
  const on = { workspace_only: true };
  const of = (given: Given) => load(given).config;
  assert.equal(of({}).workspaceOnly, false);
  assert.equal(of({}).sandbox, undefined);
  for (const given of [{ flags: on }, { user: on }, { project: on }, { user: on, project: {} }]) {
    const { workspaceOnly, sandbox } = of(given);
    assert.equal(workspaceOnly, true);
    assert.deepEqual(sandbox, {
      network: true,
      write: [],
      own: !("project" in given && !("user" in given)),
      workspaceOnly: true,
    });
  }
  const loose = load({ user: { ...USER, ...on }, project: { workspace_only: false } });
  assert.equal(loose.config.workspaceOnly, true);
  assert.match(loose.warnings[0]!, /workspace_only/);
  const sandbox = { network: false, write: ["/x"] };
  assert.deepEqual(of({ user: { sandbox, ...on } }).sandbox, {
    network: false,
    write: [],
    own: true,
    workspaceOnly: true,
  });
});

Deno.test("without any configuration the demo model stands in", () => {
  const { config, configured } = load({});
  assert.equal(config.model, "demo");
  assert.equal(configured, false);
});

Deno.test("an attempt at a configuration is not answered by the demo", () => {
  assert.throws(() => load({ env: { NARNAT_API_KEY: "" } }), /NARNAT_API_KEY is empty/);
  assert.throws(() => load({ user: { apikey: "k" } }), /did you mean "api_key"[\s\S]*--model demo/);
  assert.equal(
    load({ env: { NARNAT_API_KEY: "" }, flags: { model: "demo" } }).config.model,
    "demo",
  );
});

Deno.test("a Dream begins by itself after two hours, others, or never", () => {
  assert.equal(load({ user: USER }).config.dreamHours, 2);
  assert.equal(load({ user: USER, project: { dream_hours: 0 } }).config.dreamHours, 0);
  assert.throws(() => load({ user: { ...USER, dream_hours: "2" } }), /dream_hours.*a number ≥ 0/);
});

Deno.test("images are left to the model's name, or set to true or false", () => {
  assert.equal(load({ user: USER }).config.images, undefined);
  assert.equal(load({ user: { ...USER, images: true } }).config.images, true);
  assert.equal(
    load({ user: { ...USER, images: true }, project: { images: false } }).config.images,
    false,
  );
  assert.throws(() => load({ user: { ...USER, images: "yes" } }), /images.*true \| false/);
});

Deno.test("the window is left to the model's name, or set in tokens", () => {
  assert.equal(load({ user: USER }).config.contextWindow, undefined);
  assert.equal(load({ user: { ...USER, context_window: 65_536 } }).config.contextWindow, 65_536);
  assert.throws(
    () => load({ user: { ...USER, context_window: 1000 } }),
    /context_window.*a whole number ≥ 4096/,
  );
});

Deno.test("seed 000's own sample is enough", () => {
  const { config } = load({
    user: {
      api_key: "sk-xxx",
      base_url: "https://api.deepseek.com/anthropic",
      model: "deepseek-v4-pro",
    },
  });
  assert.equal(config.baseUrl, "https://api.deepseek.com/anthropic");
  assert.equal(config.api, "auto");
});

Deno.test("the order is flag, environment, project file, user file", () => {
  const all = {
    flags: { model: "flag" },
    env: { NARNAT_MODEL: "env" },
    project: { model: "project" },
    user: USER,
  };
  assert.equal(load(all).config.model, "flag");
  assert.equal(load({ ...all, flags: {} }).config.model, "env");
  assert.equal(load({ ...all, flags: {}, env: {} }).config.model, "project");
  assert.equal(load({ user: USER }).config.model, "u");
});

Deno.test("OPENAI_* works by itself and stays out where a file brings its own key", () => {
  const env = { OPENAI_API_KEY: "openai-key" };
  const alone = load({ env }).config;
  assert.deepEqual([alone.model, alone.apiKey, alone.baseUrl], [
    "gpt-4o-mini",
    "openai-key",
    "https://api.openai.com/v1",
  ]);
  assert.equal(load({ env, user: USER }).config.apiKey, "user-key");
});

Deno.test("a project file cannot send the user's key elsewhere", () => {
  const evil = { base_url: "https://evil.example/v1" };
  for (
    const given of [{ user: USER, project: evil }, { env: { NARNAT_API_KEY: "k" }, project: evil }]
  ) {
    const { config, warnings } = load(given);
    assert.notEqual(config.baseUrl, "https://evil.example/v1");
    assert.match(warnings.join(), /evil\.example/);
  }
  const own = load({ user: USER, project: { ...evil, api_key: "project-key" } }).config;
  assert.deepEqual([own.baseUrl, own.apiKey], ["https://evil.example/v1", "project-key"]);
  const flag = load({ user: USER, project: evil, flags: { base_url: "https://f.example" } });
  assert.equal(flag.config.baseUrl, "https://f.example");
  assert.deepEqual(flag.warnings, []);
});

Deno.test("search keys come from the files and the environment, which wins", () => {
  const user = { ...USER, brave_api_key: "b-user", tavily_api_key: "t-user" };
  const env = { BRAVE_API_KEY: " b-env\n", BOCHA_API_KEY: "" };
  assert.deepEqual(load({ user, env }).config.searchKeys, {
    brave: "b-env",
    tavily: "t-user",
    bocha: undefined,
  });
});

Deno.test("a wrong search key setting is named without showing it", () => {
  assert.throws(
    () => load({ user: { ...USER, brave_api_key: ["secret-brave-key"] } }),
    (error: Error) => /brave_api_key/.test(error.message) && !/secret/.test(error.message),
  );
});

Deno.test("a project file cannot choose who is told the user's searches", () => {
  const project = { searxng_url: "http://169.254.169.254/", brave_api_key: "p" };
  const { config, warnings } = load({ user: USER, project });
  assert.deepEqual([config.searxngUrl, config.searchKeys?.brave], [undefined, undefined]);
  assert.match(warnings.join(), /^searxng_url, brave_api_key in \/p\/narnat\.json ignored/);
  const own = { ...USER, searxng_url: "http://localhost:8888", brave_api_key: "u" };
  const kept = load({ user: own, project }).config;
  assert.deepEqual([kept.searxngUrl, kept.searchKeys?.brave], ["http://localhost:8888", "u"]);
});

Deno.test("a project may tighten its user's permission and budget, not loosen them", () => {
  const strict = { ...USER, permission: "ask", max_cost: 1 };
  const loose = load({ user: strict, project: { permission: "open", max_cost: 5 } }).config;
  assert.deepEqual([loose.permission, loose.maxCost], ["ask", 1]);
  const tight = load({ user: USER, project: { permission: "guarded", max_cost: 5 } }).config;
  assert.deepEqual([tight.permission, tight.maxCost], ["guarded", 5]);
});

Deno.test("a price may leave out what cached input costs, and nothing else", () => {
  const at = (price: object) => load({ user: { ...USER, prices: { u: price } } }).config.prices;
  assert.deepEqual(at({ input: 1, output: 2 }), { u: { input: 1, output: 2 } });
  for (const wrong of [{ input: 1 }, { input: 1, output: 2, cached: "0" }]) {
    assert.throws(() => at(wrong), /prices/);
  }
});

Deno.test("what a user's budget is spent on is not priced by a project", () => {
  const prices = (n: number) => ({ u: { input: n, output: n, cached: n } });
  const project = { prices: prices(0) };
  const budgets: Given[] = [
    { user: { ...USER, max_cost: 1 } },
    { user: USER, flags: { max_cost: 1 } },
  ];
  for (const given of budgets) {
    const { config, warnings } = load({ ...given, project });
    assert.deepEqual(config.prices, {});
    assert.match(warnings.join(), /^prices in \/p\/narnat\.json is ignored/);
  }
  const own = load({ user: { ...USER, max_cost: 1, prices: prices(2) }, project }).config;
  assert.deepEqual(own.prices, prices(2));
  const free = load({ user: USER, project });
  assert.deepEqual([free.config.prices, free.warnings], [prices(0), []]);
});

Deno.test("broken JSON is told with file, line and column", () => {
  assert.throws(
    () => load({ user: '{\n  "model": "a",\n  "api_key" "b"\n}' }),
    (error: Error) =>
      error instanceof ConfigError && /\/home\/narnat\.json/.test(error.message) &&
      /line 3/.test(error.message),
  );
});

Deno.test("broken JSON is told with its own line, wherever it stands, without what stands around it", () => {
  const key = "sk-0123456789abcdef";
  const broken: [string, RegExp][] = [
    [`{\n  "api_key": ${key},\n  "model": "m",\n  "lang": "zh"\n}\n`, /line 2, column 14 /],
    [`{\n  "model": "m",\n  "lang": zh,\n  "max_cost": 1\n}\n`, /line 3, column 11 /],
    [`{\n  "model": "m",\n  "lang": zh}`, /line 3, column 11 /],
    [`${key}\n\n{"model": "a long enough name"}\n`, /line 1, column 1 /],
    [`{"model": x}`, /line 1, column 11 /],
    [`{\n  "model": "m",\n  "api_key": "${key}`, /line 3/],
    [`{\n  "model": "m"\n  "api_key": "${key}"\n}`, /line 3, column 3 /],
    [`{\n  "model": "m",\n`, /line 3, column 1 /],
  ];
  for (const [source, where] of broken) {
    assert.throws(() => parseSettings(source, "f", english), (error: Error) => {
      assert.match(error.message, where);
      assert.ok(!error.message.includes(key.slice(0, 5)), error.message);
      return !error.message.includes("\n");
    });
  }
});

Deno.test("a key in the wrong place is not shown", () => {
  const key = "sk-0123456789abcdef";
  assert.throws(
    () => parseSettings(`{"base_url": "${key}"}`, "f", english),
    (error: Error) => /"base_url"/.test(error.message) && !error.message.includes(key),
  );
  const { warnings } = parseSettings(`{"${key}": 1}`, "f", english);
  assert.equal(warnings.length, 1);
  assert.ok(!warnings[0]!.includes(key));
});

Deno.test("a wrong type is told with file, line, key, found and expected; a key's value is never shown", () => {
  assert.throws(
    () => load({ user: '{\n\n"max_iterations": "many"}' }),
    /narnat\.json, line 3: "max_iterations" is "many", expected a whole number/,
  );
  assert.throws(
    () => load({ user: { api_key: 123456789 } }),
    (error: Error) => !error.message.includes("123456789"),
  );
});

Deno.test("what was expected is said in the user's language", () => {
  const told = (source: string) => {
    try {
      return parseSettings(source, "f", chinese).settings;
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(told('{"max_cost": "x"}'), 'f 第 1 行："max_cost" 的值是 "x"，应为：不小于 0 的数');
  assert.match(String(told('{"context_window": 1}')), /应为：不小于 4096 的整数$/);
  assert.match(String(told('{"disabled_skills": "a"}')), /应为：名称列表/);
  for (const key of ["model", "base_url", "prices", "max_iterations", "dream_hours"]) {
    assert.doesNotMatch(String(told(`{"${key}": false}`)), / a |URL| in US/, key);
  }
});

Deno.test("where a model or a key is missing, the misspelt key is named with it", () => {
  const endpoint = { base_url: "http://a.example/v1", api_key: "k" };
  assert.throws(
    () => load({ user: { ...endpoint, modle: "m" } }),
    /"modle".*did you mean "model"[^]*No model is set for/,
  );
  assert.throws(
    () => load({ project: { ...endpoint, Model: "m" }, flags: { lang: "zh" } }),
    /"Model".*"model"[^]*没有/,
  );
  assert.throws(
    () => load({ user: { base_url: "https://a.example/v1", model: "m", api_kye: "k" } }),
    /"api_kye".*did you mean "api_key"[^]*a\.example/,
  );
});

Deno.test("an unknown key is a warning with the nearest name", () => {
  const { warnings } = load({ user: { ...USER, apikey: "x", zzz: 1 } });
  assert.match(warnings[0]!, /"apikey".*did you mean "api_key"/);
  assert.match(warnings[1]!, /"zzz" is ignored/);
  for (const key of ["toString", "valueOf", "hasOwnProperty", "__proto__"]) {
    const { warnings } = load({ user: `{"model": "u", "${key}": 1}`, flags: { api_key: "k" } });
    assert.match(warnings.join(), new RegExp(`"${key}" is ignored`));
  }
});

Deno.test("comments and trailing commas are allowed, and keep the line numbers right", () => {
  const { settings } = parseSettings(
    '{\n// "model": "x",\n"model": "a//b", /* c */\n"api": "openai",\n}',
    "f",
    english,
  );
  assert.deepEqual(settings, { model: "a//b", api: "openai" });
  assert.throws(() => parseSettings("{\n// one\n// two\n!", "f", english), /line 4/);
});

Deno.test("a missing key or model is told with the mend", () => {
  assert.throws(() => load({ flags: { model: "gpt-5" } }), /NARNAT_API_KEY/);
  assert.throws(
    () => load({ env: { NARNAT_API_KEY: "k" }, flags: { base_url: "https://x.example/v1" } }),
    /--model/,
  );
  const local = load({ flags: { model: "llama", base_url: "http://localhost:11434/v1" } }).config;
  assert.equal(local.apiKey, undefined);
});

Deno.test("a folder in the place of the file is told", async () => {
  await withWorkspace({ "narnat.json/x": "" }, (root) => {
    assert.throws(
      () =>
        loadConfig({
          t: english,
          flags: {},
          env: () => undefined,
          userFile: `${root}/narnat.json`,
          projectFile: `${root}/none`,
          readTextFile: Deno.readTextFileSync,
        }),
      (error: Error) => error instanceof ConfigError && error.message.includes("narnat.json"),
    );
  });
});

Deno.test("child processes get no provider key, and everything else", () => {
  const env = childEnvironment(
    {
      PATH: "/bin",
      NARNAT_API_KEY: "a",
      OPENAI_API_KEY: "b",
      ANTHROPIC_AUTH_TOKEN: "c",
      BRAVE_API_KEY: "d",
      TAVILY_API_KEY: "e",
      BOCHA_API_KEY: "f",
      COPY: "the-key-itself",
      AZURE_OPENAI_API_KEY: "g",
      openai_api_key: "h",
      OPENAI_API_KEY_2: "i",
      SEARCH: "another",
      GITHUB_TOKEN: "kept",
      STRIPE_API_KEY: "kept",
    },
    "the-key-itself",
    "another",
  );
  assert.deepEqual(Object.keys(env), ["PATH", "GITHUB_TOKEN", "STRIPE_API_KEY"]);
});

Deno.test("ignore_files turns off .ignore and .rgignore, which count otherwise", () => {
  assert.equal(load({ user: USER }).config.ignoreFiles, true);
  assert.equal(load({ user: USER, project: { ignore_files: false } }).config.ignoreFiles, false);
});

Deno.test("secrets are hidden unless the user's own file says otherwise", () => {
  assert.equal(load({ user: USER }).config.redact, true);
  assert.equal(load({ user: { ...USER, redact: false } }).config.redact, false);
  const project = load({ user: USER, project: { redact: false } });
  assert.equal(project.config.redact, true);
  assert.match(
    project.warnings[0]!,
    /^\/p\/narnat\.json: "redact": false counts only in your own file/,
  );
  assert.equal(
    load({ user: { ...USER, redact: false }, project: { redact: true } }).config.redact,
    true,
  );
});

Deno.test("tools that must be asked for are off, and a name that is none of them is no setting", () => {
  assert.deepEqual(load({ user: USER }).config.extraTools, []);
  const on = load({ user: { ...USER, extra_tools: ["Spawn", "Plan"] } });
  assert.deepEqual(on.config.extraTools, ["Spawn", "Plan"]);
  assert.deepEqual(
    load({ user: { ...USER, extra_tools: ["Team"] }, project: { extra_tools: [] } }).config
      .extraTools,
    [],
  );
  assert.throws(
    () => load({ user: { ...USER, extra_tools: ["Plann"] } }),
    /extra_tools: there is no tool "Plann"; did you mean "Plan"\? There are "Plan", "Spawn", "Team"$/,
  );
});

Deno.test("four agents work at once, or as many as are set", () => {
  assert.equal(load({ user: USER }).config.agentsAtOnce, 4);
  assert.equal(load({ user: { ...USER, agents_at_once: 9 } }).config.agentsAtOnce, 9);
  assert.throws(() => load({ user: { ...USER, agents_at_once: 0 } }), /agents_at_once.*≥ 1/);
});

Deno.test("a project's hooks stand apart from the user's, which run first", () => {
  const { config } = load({
    user: { ...USER, hooks: { turn_end: ["mine"] } },
    project: { hooks: { before_tool: [{ match: "Edit|Write", command: "theirs", timeout: 2 }] } },
  });
  const shown = (hooks = config.hooks) =>
    hooks?.map(({ event, command, timeoutMs }) => [event, command, timeoutMs]);
  assert.deepEqual(shown(), [["turn_end", "mine", 10_000]]);
  assert.deepEqual(shown(config.projectHooks), [["before_tool", "theirs", 2000]]);
  const [hook] = config.projectHooks!;
  assert.deepEqual(["Edit", "Write", "EditX"].map((name) => hook!.match.test(name)), [
    true,
    true,
    false,
  ]);
});

Deno.test("a project's wrong hook or tool is left out with a warning, and takes nothing else along", () => {
  const { config, warnings } = load({
    user: { ...USER, extra_tools: ["Team"] },
    project: {
      extra_tools: ["Plann", "Spawn"],
      hooks: {
        PreToolUse: ["a"],
        before_tool: [{ match: "(", command: "b" }, "c"],
        turn_ends: ["d"],
        notify: "e",
        constructor: ["f"],
      },
    },
  });
  assert.deepEqual(config.extraTools, ["Spawn"]);
  assert.deepEqual(config.projectHooks!.map(({ command }) => command), ["c"]);
  assert.equal(warnings.length, 6, warnings.join("\n"));
  for (
    const [at, expected] of [
      /extra_tools: there is no tool "Plann"; did you mean "Plan"\?.*left out/,
      /hooks: there is no event PreToolUse; did you mean before_tool\? There are session_start, /,
      /hooks: before_tool\[0\]\.match must be a regular expression/,
      /hooks: there is no event turn_ends; did you mean turn_end\?/,
      /hooks: notify must be a list/,
      /hooks: there is no event constructor;? (?!.*native)/,
    ].entries()
  ) assert.match(warnings[at]!, expected);
  const none = load({
    user: { ...USER, extra_tools: ["Team"] },
    project: { hooks: 1, extra_tools: 2 },
  });
  assert.deepEqual(none.config.extraTools, ["Team"]);
  assert.equal(none.warnings.length, 2);
  // with no model configured the demo still answers
  assert.equal(load({ project: { hooks: [] } }).config.model, "demo");
});

Deno.test("a fault in the user's hooks names the line it stands in", () => {
  const text = `{
  "model": "demo",
  "hooks": {
    "turn_end": ["true"],
    "before_tool": [
      {"match": "Edit", "command": "x"},
      {"match": "Ed(it", "command": "y"}
    ]
  }
}`;
  assert.throws(
    () => parseSettings(text, "f.json", english),
    /^ConfigError: f\.json, line 7, hooks: before_tool\[1\]\.match must be /,
  );
  assert.throws(
    () => parseSettings(text.replace("turn_end", "turn_ends"), "f.json", chinese),
    /^ConfigError: f\.json 第 4 行，hooks：没有 turn_ends 这个事件；是否想写 turn_end？有 session_start, /,
  );
});

Deno.test("a project may keep more for undo, never less, and not turn it off", () => {
  const asked = (user: string, project: string) => {
    const { config } = load({
      user: { ...USER, ...JSON.parse(user) },
      project: JSON.parse(project),
    });
    const { checkpoints, checkpointFileMb, checkpointTotalMb, checkpointDays } = config;
    return [checkpoints, checkpointFileMb, checkpointTotalMb, checkpointDays];
  };
  assert.deepEqual(asked("{}", "{}"), [true, 50, 2000, 30]);
  assert.deepEqual(
    asked("{}", '{"checkpoints":false,"checkpoint_file_mb":1,"checkpoint_days":90}'),
    [true, 50, 2000, 90],
  );
  assert.deepEqual(
    asked('{"checkpoints":false,"checkpoint_total_mb":100}', '{"checkpoint_total_mb":10}'),
    [false, 50, 100, 30],
  );
});

Deno.test("a project may turn the sandbox on and its network off, not the other way, and opens no folder", () => {
  const asked = (user: unknown, project: unknown) =>
    load({
      user: { ...USER, ...user === undefined ? {} : { sandbox: user } },
      project: project === undefined ? {} : { sandbox: project },
    }).config.sandbox;
  const own = { write: [], own: true };
  const [on, off] = [{ ...own, network: true }, { ...own, network: false }];
  assert.equal(asked(undefined, undefined), undefined);
  assert.equal(asked(false, undefined), undefined);
  assert.deepEqual(asked(true, undefined), on);
  assert.deepEqual(asked(true, false), on);
  assert.deepEqual(asked(undefined, true), { ...on, own: false });
  assert.deepEqual(asked({}, undefined), on);
  assert.deepEqual(asked({ network: false }, { network: true }), off);
  assert.deepEqual(asked({ network: true }, { network: false, write: ["/srv"] }), off);
  assert.deepEqual(asked({ write: ["~/.npm"] }, true), { ...on, write: ["~/.npm"] });
  for (const wrong of ["on", 1, [], { netwrk: false }, { write: "~/x" }, { write: ["x"] }]) {
    assert.throws(() => asked(wrong, undefined), /"sandbox" is .*expected true \| false \| /);
  }
});

Deno.test("a project's model, key and address count once they are trusted; untrusted nothing of them does", () => {
  const project = { base_url: "https://p.example/v1", api_key: "project-key", model: "p" };
  const at = (given: Given, trust: EndpointTrust = "open") => load({ project, ...given }, trust);
  const seen = ({ config: { baseUrl, apiKey, model } }: ReturnType<typeof load>) => [
    ...[baseUrl, apiKey, model],
  ];
  const users = [USER.base_url, USER.api_key, USER.model];
  const open = at({ user: USER });
  assert.deepEqual(seen(open), users);
  assert.deepEqual(open.config.untrusted, ["base_url", "api_key", "model"]);
  assert.match(open.warnings.join(), /^base_url, api_key, model in \/p\/narnat\.json not trusted/);
  assert.deepEqual(seen(at({ user: USER }, "trusted")), Object.values(project));
  const refused = at({ user: USER }, "refused");
  assert.deepEqual([seen(refused), refused.warnings], [users, []]);

  // what holds anyway is nothing to be asked about
  const env = { NARNAT_BASE_URL: "https://e.example", NARNAT_API_KEY: "e", NARNAT_MODEL: "e" };
  assert.deepEqual(at({ env }).config.untrusted, []);
  assert.deepEqual(at({ user: project }).config.untrusted, []);
  assert.deepEqual(at({ user: USER, project: { max_cost: 1 } }).config.untrusted, []);
  const protocol: Settings = { base_url: USER.base_url, api: "anthropic" };
  assert.deepEqual(at({ user: USER, project: protocol }).config.untrusted, []);
  assert.deepEqual(at({ user: USER, flags: { model: "f" } }).config.untrusted, [
    "base_url",
    "api_key",
  ]);
  // a key that is not trusted does not keep the user's own from being used
  const openai = { OPENAI_API_KEY: "o", OPENAI_MODEL: "m" };
  assert.deepEqual(seen(at({ env: openai })), ["https://api.openai.com/v1", "o", "m"]);
  // nothing else is configured: that is no reason for the demo, unless the user has said No
  assert.throws(() => at({}), /api_key, model in .* not trusted[^]*no model, key or endpoint/);
  assert.equal(at({}, "refused").config.model, "demo");
  assert.throws(() => at({ user: { api_key: "k", base_url: "https://u.example" } }), /not trusted/);
});

Deno.test("no key of the user's goes where only the project points, trusted or not", () => {
  const evil = "https://evil.example/v1";
  const projects = [{ base_url: evil }, { base_url: evil, model: "p" }, {
    base_url: evil,
    api_key: "p",
  }];
  const keys: Given[] = [
    { user: USER },
    { env: { NARNAT_API_KEY: "user-key" } },
    { env: { OPENAI_API_KEY: "user-key" } },
    { flags: { api_key: "user-key" } },
  ];
  for (const project of projects) {
    for (const given of keys) {
      for (const trust of ["trusted", "open", "refused"] as const) {
        const { config } = load(
          { ...given, project, flags: { model: "x", ...given.flags } },
          trust,
        );
        const what = JSON.stringify([project, given, trust]);
        assert.ok(config.baseUrl !== evil || config.apiKey === "p", what);
        assert.ok(trust === "trusted" || config.baseUrl !== evil, what);
      }
    }
  }
});

Deno.test("a project asks for no more rounds and no more Dreams than its user", () => {
  const of = (project: unknown, user: unknown = USER) => {
    const { maxIterations, dreamHours } = load({ user, project }).config;
    return [maxIterations, dreamHours];
  };
  assert.deepEqual(of({ max_iterations: 9999, dream_hours: 0.001 }), [200, 2]);
  assert.deepEqual(of({ max_iterations: 9, dream_hours: 5 }), [9, 5]);
  assert.deepEqual(of({ dream_hours: 0 }), [200, 0]);
  assert.deepEqual(of({ dream_hours: 1 }, { ...USER, dream_hours: 0 }), [200, 0]);
});

Deno.test("what a project appends to the prompt stands behind the user's words, not in their place", () => {
  const of = (flags: Settings, user: string | undefined, project: string | undefined) =>
    load({
      flags,
      user: { ...USER, append_system_prompt: user },
      project: { append_system_prompt: project },
    }).config.appendSystemPrompt;
  assert.equal(of({}, "mine", "theirs"), "mine\n\ntheirs");
  assert.equal(of({}, undefined, "theirs"), "theirs");
  assert.equal(of({}, "mine", undefined), "mine");
  assert.equal(of({ append_system_prompt: "now" }, "mine", "theirs"), "now");
});

Deno.test("limits per day are read, tightened by a project, and keep its prices out", () => {
  const user = { ...USER, max_cost_per_day: 5, max_tokens_per_day: 1000 };
  const project = { max_cost_per_day: 9, max_tokens_per_day: 10, prices: {} };
  const { config, warnings } = load({ user, project });
  assert.deepEqual([config.maxCostPerDay, config.maxTokensPerDay], [5, 10]);
  assert.equal(warnings.filter((text) => text.includes("prices")).length, 1);
});

Deno.test("what of a project's settings does not count is told in one line with its file", () => {
  const told = (project: Settings, user: Settings = {}, flags: Settings = {}) => {
    const { warnings } = load({ user: { ...USER, ...user }, project, flags });
    assert.ok(warnings.length <= 1, warnings.join("\n"));
    return /^(.+) in \/p\/narnat\.json ignored: a project cannot loosen your settings$/
      .exec(warnings[0] ?? "")?.[1];
  };
  assert.equal(
    told({
      permission: "open",
      checkpoints: false,
      prompt_cache: false,
      max_cost: 9,
      max_iterations: 999,
      dream_hours: 1,
      checkpoint_days: 2,
      stall_seconds: 5,
      sandbox: { network: true, write: ["/srv"] },
    }, { permission: "ask", max_cost: 1, sandbox: { network: false } }),
    "prompt_cache, stall_seconds, permission, sandbox.write, sandbox.network, max_cost, " +
      "max_iterations, dream_hours, checkpoints, checkpoint_days",
  );
  assert.equal(told({ sandbox: false }, { sandbox: true }), "sandbox");
  assert.equal(told({ sandbox: { write: ["/srv"] } }), "sandbox.write");
  // what holds, or changes nothing, is nothing to tell of
  const same: Settings = { permission: "ask", checkpoints: false, max_cost: 1, sandbox: true };
  assert.equal(told(same, same), undefined);
  const stricter: Settings = { max_cost: 1, stall_seconds: 500, sandbox: { network: false } };
  assert.equal(told(stricter, { max_cost: 2, sandbox: true }), undefined);
  assert.equal(told({ sandbox: false }), undefined);
});

Deno.test("a project's protocol counts with its endpoint alone", () => {
  const of = (project: Settings, user: Settings = USER, flags: Settings = {}) => {
    const { config, warnings } = load({ user, project, flags }, "trusted");
    return [config.api, warnings.join("\n")] as const;
  };
  const [api, told] = of({ api: "anthropic" });
  assert.equal(api, "auto");
  assert.match(told, /^api in \/p\/narnat\.json ignored: .*base_url/);
  assert.equal(of({ api: "anthropic" }, { ...USER, api: "openai" })[0], "openai");
  assert.deepEqual(of({ api: "openai" }, { ...USER, api: "openai" }), ["openai", ""]);
  assert.deepEqual(of({ api: "anthropic" }, USER, { api: "openai" }), ["openai", ""]);
  const whole: Settings = { base_url: "https://p.example", api_key: "p", api: "anthropic" };
  assert.deepEqual(of(whole), ["anthropic", ""]);
});

Deno.test("a project only makes narnat more patient with a stream", () => {
  const of = (project: number, user?: number) =>
    load({ user: { ...USER, stall_seconds: user }, project: { stall_seconds: project } })
      .config.stallMs;
  assert.deepEqual([of(5), of(500), of(5, 30), of(60, 30)], [120e3, 500e3, 30e3, 60e3]);
  const first = (user?: number) => load({ user: { ...USER, stall_seconds: user } }).config.headerMs;
  assert.deepEqual([first(), first(120), first(2)], [300e3, 120e3, 2e3], "before the first byte");
});

Deno.test("who asked for the limit in money is known, unless it is the project alone", () => {
  const of = (given: Given) => load(given).config.maxCostFrom;
  const project = { max_cost: 5 };
  assert.equal(of({ user: USER, project }), undefined);
  assert.equal(of({ user: { ...USER, max_cost: 9 }, project }), "max_cost (/home/narnat.json)");
  assert.equal(of({ user: { ...USER, max_cost: 9 }, flags: { max_cost: 1 } }), "--max-cost");
});

Deno.test("that the whole file system cannot be opened to the sandbox is said", () => {
  for (const path of ["/", "//", "/./"]) {
    assert.throws(
      () => load({ user: { ...USER, sandbox: { write: [path] } } }),
      /"sandbox" is .*\/ itself cannot be opened/,
    );
  }
});

Deno.test("an address that is none is named where it was given, on the command line too", () => {
  for (const given of ["notaurl", "", "ftp://x", "api.example.com/v1", "http://"]) {
    assert.throws(
      () => load({ flags: { base_url: given, model: "m", api_key: "k" } }),
      (error) =>
        error instanceof ConfigError && /--base-url is “.*”, expected a URL/.test(error.message),
    );
  }
  const { config } = load({ flags: { base_url: "http://h/v1/", model: "m", api_key: "k" } });
  assert.equal(config.baseUrl, "http://h/v1");
});

Deno.test("a key may be spelt in camelCase; the table's own spelling counts beside it, and that is told", () => {
  const { config, warnings } = load({ user: { ...USER, maxCost: 2, limits: { bashSeconds: 30 } } });
  assert.deepEqual([config.maxCost, config.limits.bashSeconds, warnings], [2, 30, []]);
  const twice = load({ user: '{"model": "demo",\n"max_cost": 1,\n"maxCost": 2}' });
  assert.equal(twice.config.maxCost, 1);
  assert.deepEqual(twice.warnings, [
    '/home/narnat.json, line 3: "maxCost" is ignored, "max_cost" counts',
  ]);
  assert.throws(
    () => load({ user: '{\n"maxCost": "x"}' }),
    /line 2: "maxCost" is "x", expected a number ≥ 0/,
  );
  assert.equal(load({ user: USER, project: { maxCost: 3 } }).config.maxCost, 3);
});

Deno.test("a wrong value in a project's file is told and left out; a wrong value of the user's stops narnat", () => {
  const source = '{"model": "p",\n"max_cost": "many",\n"max_iterations": 7, "limits": 3}';
  const { config, warnings } = load({ user: USER, project: source });
  assert.deepEqual([config.model, config.maxCost, config.maxIterations], ["p", undefined, 7]);
  assert.equal(
    warnings[0],
    '/p/narnat.json, line 2: "max_cost" is "many", expected a number ≥ 0; it is ignored',
  );
  assert.match(
    warnings[1]!,
    /line 3: "limits" is 3, expected \{"bash_seconds": …, .*it is ignored/,
  );
  // with no model configured the demo still answers
  assert.equal(load({ project: { max_cost: "many" } }).config.model, "demo");
  assert.throws(() => load({ user: source }), ConfigError);
  assert.throws(
    () => load({ env: { NARNAT_BASE_URL: "x" } }),
    /NARNAT_BASE_URL is x, expected a URL/,
  );
});

Deno.test("the limits have defaults; a project lowers them and raises none", () => {
  const of = (user: unknown, project: unknown = {}) =>
    load({ user: { ...USER, limits: user }, project: { limits: project } });
  const all = { bashSeconds: 600, outputChars: 30_000, readChars: undefined, turns: 120 };
  assert.deepEqual(of({}).config.limits, all);
  const { config, warnings } = of({ bash_seconds: 60 }, { bash_seconds: 90, turns: 50 });
  assert.deepEqual(config.limits, { ...all, bashSeconds: 60, turns: 50 });
  assert.match(warnings.join(), /^limits\.bash_seconds in .* cannot loosen/);
  assert.throws(
    () => of({ bash_seconds: 601 }),
    /"limits\.bash_seconds" is 601, expected a whole number from 1 to 600/,
  );
  const near = of({ bash_second: 1 }).warnings.join();
  assert.match(near, /"limits\.bash_second" is ignored; did you mean "limits\.bash_seconds"/);
});

Deno.test("provider/model chooses a provider whose key is in the environment", () => {
  const env = { OPENROUTER_API_KEY: "r", DEEPSEEK_API_KEY: "d" };
  const at = (given: Given) => {
    const { config: { model, baseUrl, apiKey, keyFrom } } = load(given);
    return [model, baseUrl, apiKey, keyFrom];
  };
  const openrouter = ["z/glm", "https://openrouter.ai/api/v1", "r", "OPENROUTER_API_KEY"];
  const flags = { model: "openrouter/z/glm" };
  assert.deepEqual(at({ env, flags }), openrouter);
  assert.deepEqual(at({ env: { ...env, NARNAT_MODEL: "openrouter/z/glm" } }), openrouter);
  assert.deepEqual(at({ env, user: { model: "openrouter/z/glm" } }), openrouter);
  const deepseek = { base_url: "https://api.deepseek.com", api_key: "u", model: "deepseek-flash" };
  assert.deepEqual(at({ env, flags, user: deepseek }), openrouter);
  // its own address needs no other key
  assert.deepEqual(at({ flags: { model: "deepseek/deepseek-v4-pro" }, user: deepseek }), [
    "deepseek-v4-pro",
    "https://api.deepseek.com",
    "u",
    "/home/narnat.json",
  ]);
  const local = at({ flags: { model: "ollama/qwen3" }, user: deepseek });
  assert.deepEqual(local, ["qwen3", "http://localhost:11434/v1", undefined, undefined]);
});

Deno.test("provider/model without the provider's key names its variable and its host", () => {
  const told = (model: string, given: Given = {}) => {
    try {
      return load({ ...given, flags: { model } }).config.model;
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(told("deepseek/deepseek-chat"), /at api\.deepseek\.com: set DEEPSEEK_API_KEY in/);
  assert.match(told("openrouter/z/glm"), /at openrouter\.ai: set OPENROUTER_API_KEY in/);
  assert.match(told("nosuch/x"), /at api\.openai\.com: set NARNAT_API_KEY/);
  const user = { base_url: "https://u.example/v1" };
  assert.match(told("deepseek/x", { user }), /at u\.example: set NARNAT_API_KEY/);
});

Deno.test("provider/model stays a model's name where the address serves many vendors, is not known or was given with it", () => {
  const env = { OPENROUTER_API_KEY: "r", DEEPSEEK_API_KEY: "d" };
  const model = "deepseek/deepseek-v4-pro";
  const kept = (given: Given) => {
    const { config } = load({ env, ...given });
    assert.deepEqual([config.model, config.apiKey], [model, "u"]);
  };
  kept({
    flags: { model },
    user: { ...USER, base_url: "https://openrouter.ai/api/v1", api_key: "u" },
  });
  kept({ flags: { model }, user: { ...USER, api_key: "u" } });
  kept({
    flags: { model },
    env: {},
    user: { base_url: "https://api.openai.com/v1", api_key: "u" },
  });
  kept({ user: { model, base_url: "https://api.openai.com/v1", api_key: "u" } });
  // no key of the user's goes where only a project points
  const { config } = load({
    env,
    user: { ...USER, base_url: "https://api.openai.com/v1" },
    project: { model },
  });
  assert.deepEqual([config.model, config.apiKey], [model, "user-key"]);
});

/** Writes what is generated of docs/: `deno task docs`; with `--check` it only says which files are stale. */
import { dirname, join } from "node:path";
import { camelOf, type Key, KEYS } from "../src/config/keys.ts";
import { type Lang, translator } from "../src/base/t.ts";
import { commandsPage, helpTexts } from "./docs_commands.ts";
import type { Json } from "../src/base/types.ts";

const ROOT = dirname(import.meta.dirname!);

/** The documentation of one key, as the comment above its entry gives it. */
interface Documented {
  readonly name: string;
  readonly key: Key;
  readonly about: { readonly [lang in Lang]: string };
}

interface Section {
  readonly title: { readonly [lang in Lang]: string };
  readonly keys: Documented[];
}

/** Reads the sections and comments of the table's source. Throws for a key without two lines of documentation. */
export function sectionsOf(source: string): Section[] {
  const sections: Section[] = [];
  const marks =
    /^ {2}\/\/ # (.+) \| (.+)$|^ {2}\/\*\*\n {3}\* (.+)\n {3}\* (.+)\n {3}\*\/\n {2}"?([\w.]+)"?:/gm;
  for (const [, en, zh, aboutEn = "", aboutZh = "", name] of source.matchAll(marks)) {
    if (en !== undefined && zh !== undefined) sections.push({ title: { en, zh }, keys: [] });
    if (name === undefined) continue;
    const key: Key | undefined = (KEYS as { [name: string]: Key })[name];
    if (!key) throw new Error(`${name} is documented, and no key`);
    sections.at(-1)!.keys.push({ name, key, about: { en: aboutEn, zh: aboutZh } });
  }
  const found = sections.flatMap(({ keys }) => keys.map(({ name }) => name));
  const missing = Object.keys(KEYS).filter((name) => !found.includes(name));
  if (missing.length > 0) throw new Error(`no documentation in two languages: ${missing}`);
  return sections;
}

const WORDS = {
  en: {
    free: "counts",
    adds: "is added to yours",
    trusted: "counts once you trust it",
    never: "does not count",
    tighten: "only tightens yours",
    head: ["key", "value", "default", "in a project's file", "meaning"],
    none: "–",
    also: "also",
  },
  zh: {
    free: "有效",
    adds: "加在你的之后",
    trusted: "信任之后有效",
    never: "无效",
    tighten: "只能比你的更严",
    head: ["键", "值", "默认", "项目文件里的", "含义"],
    none: "–",
    also: "也可用",
  },
};

const INTRO = {
  en: `# Configuration

narnat reads \`~/.narnat/narnat.json\` (yours) and \`.narnat/narnat.json\` (the project's). The order is: flag, environment, project file, user file, default. Comments and trailing commas are allowed, and a key may be spelt in camelCase (\`maxCost\`; where both stand, \`max_cost\` counts and narnat says so). A key with a dot stands in an object: \`{"limits": {"bash_seconds": 60}}\`. \`"$schema"\` may name [config.schema.json](config.schema.json), so that an editor completes the keys.

Environment: \`NARNAT_API_KEY\`, \`NARNAT_BASE_URL\`, \`NARNAT_MODEL\`; and \`OPENAI_API_KEY\`, \`OPENAI_BASE_URL\`, \`OPENAI_MODEL\` where no file brings its own key. There is no flag for a key: it would show in the process list.

A wrong value in your file, in the environment or in a flag stops narnat with exit code 2 and names file, line, key, the value found and what was expected. A wrong value in a project's file is told and left out. An unknown key is a warning with the nearest name. A project's file cannot loosen your settings; narnat says which of its keys do not count, and \`narnat trust\` shows what waits for your trust.
`,
  zh: `# 配置

narnat 读取 \`~/.narnat/narnat.json\`（用户的）和 \`.narnat/narnat.json\`（项目的）。次序是：命令行参数、环境变量、项目文件、用户文件、默认值。可以写注释和末尾逗号，键也可以写成 camelCase（\`maxCost\`；两种都写时以 \`max_cost\` 为准并提示）。带点的键写在对象里：\`{"limits": {"bash_seconds": 60}}\`。\`"$schema"\` 可以指向 [config.schema.json](../config.schema.json)，编辑器便能补全。

环境变量：\`NARNAT_API_KEY\`、\`NARNAT_BASE_URL\`、\`NARNAT_MODEL\`；没有文件自带密钥时还有 \`OPENAI_API_KEY\`、\`OPENAI_BASE_URL\`、\`OPENAI_MODEL\`。密钥没有命令行参数：那会出现在进程列表里。

用户文件、环境变量或命令行参数里的值有错时，narnat 以退出码 2 停止，并说明文件、行、键、现值和应有的值。项目文件里的错误值会提示并忽略。未知的键会提示最接近的名称。项目的文件不能放宽你的设置；哪些键不算数会说明，等待信任的可用 \`narnat trust\` 查看。
`,
};

/** The value that a key takes, as an error would name it. */
function expectedOf({ check }: Key, lang: Lang): string {
  const nothing = Symbol();
  return check.expected(nothing, translator(lang)) ??
    check.parts?.(nothing, translator(lang)).faults[0]?.what ?? "";
}

/** As a cell of a table. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function rowOf({ name, key, about }: Documented, lang: Lang): string[] {
  const words = WORDS[lang];
  const rule = typeof key.project === "string" ? key.project : "tighten";
  const also = [key.env, key.flag].filter((one) => one !== undefined).map((one) => `\`${one}\``);
  const value = expectedOf(key, lang);
  const left = key.default === undefined ? words.none : `\`${JSON.stringify(key.default)}\``;
  return [
    `\`${name}\``,
    /^(?:"|true)/.test(value) ? value.split(" | ").map((one) => `\`${one}\``).join(", ") : value,
    left,
    words[rule],
    about[lang] + (also.length > 0 ? ` (${words.also} ${also.join(", ")})` : ""),
  ];
}

function configurationPage(sections: readonly Section[], lang: Lang): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |\n`;
  const { head } = WORDS[lang];
  const table = ({ keys }: Section) =>
    line(head) + line(head.map(() => "---")) +
    keys.map((one) => line(rowOf(one, lang))).join("");
  const made = "<!-- written by `deno task docs` from src/config/keys.ts -->\n\n";
  return made + INTRO[lang] +
    sections.map((one) => `\n## ${one.title[lang]}\n\n${table(one)}`).join("");
}

/** The JSON schema of a narnat.json. */
function configSchema(sections: readonly Section[]): Json {
  const properties: { [name: string]: Json } = { $schema: { type: "string" } };
  const put = (place: typeof properties, name: string, path: string, one: Documented) => {
    place[name] = {
      ...one.key.check.schema,
      description: one.about.en,
      ...one.key.default === undefined ? {} : { default: one.key.default as Json },
    };
    const camel = camelOf(name);
    if (camel !== name) place[camel] = { $ref: `${path}/${name}` };
  };
  for (const one of sections.flatMap(({ keys }) => keys)) {
    const [group = "", inner] = one.name.split(".");
    if (inner === undefined) put(properties, one.name, "#/properties", one);
    else {
      properties[group] ??= { type: "object", properties: {}, additionalProperties: false };
      const { properties: place } = properties[group] as { properties: typeof properties };
      put(place, inner, `#/properties/${group}/properties`, one);
    }
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "narnat.json",
    type: "object",
    properties,
    additionalProperties: false,
  };
}

/** As `deno fmt` would have it. */
async function formatted(text: string, ext: string): Promise<string> {
  const fmt = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", ext, "-"],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = fmt.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await fmt.output();
  if (!success) throw new Error("deno fmt failed");
  return new TextDecoder().decode(stdout);
}

/** The generated files by their paths in the project. */
export async function generated(): Promise<Map<string, string>> {
  const sections = sectionsOf(await Deno.readTextFile(join(ROOT, "src/config/keys.ts")));
  const [en, zh] = await Promise.all([helpTexts("en"), helpTexts("zh")]);
  return new Map([
    ["docs/commands.md", await formatted(commandsPage(en, "en"), "md")],
    ["docs/zh/commands.md", await formatted(commandsPage(zh, "zh"), "md")],
    ["docs/configuration.md", await formatted(configurationPage(sections, "en"), "md")],
    ["docs/zh/configuration.md", await formatted(configurationPage(sections, "zh"), "md")],
    [
      "docs/config.schema.json",
      await formatted(JSON.stringify(configSchema(sections), null, 2), "json"),
    ],
  ]);
}

/** Paths of the generated files that are not what they would be now. */
export async function stale(): Promise<string[]> {
  const all = [...await generated()].map(async ([path, text]) => {
    const found = await Deno.readTextFile(join(ROOT, path)).catch(() => "");
    return found === text ? [] : [path];
  });
  return (await Promise.all(all)).flat();
}

if (import.meta.main) {
  if (Deno.args.includes("--check")) {
    const paths = await stale();
    for (const path of paths) console.error(`${path} is stale: deno task docs`);
    Deno.exit(paths.length > 0 ? 1 : 0);
  }
  for (const [path, text] of await generated()) {
    await Deno.mkdir(join(ROOT, dirname(path)), { recursive: true });
    await Deno.writeTextFile(join(ROOT, path), text);
  }
}

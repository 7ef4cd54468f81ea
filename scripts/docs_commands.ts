/** What docs/commands.md says: read from narnat's own help, so that no list is kept twice. */
import { dirname, join } from "node:path";
import type { Lang } from "../src/base/t.ts";

const ROOT = dirname(import.meta.dirname!);
/** Stands before each text of the program below. */
const MARK = "\x1e";

interface Flag {
  readonly names: string;
  readonly about: string;
}

interface ShellCommand {
  readonly about: string;
  readonly words: string;
  readonly flags: readonly Flag[];
}

/** The sections of a help text, each the lines behind its head; the first has none. */
function sectionsOf(text: string): string[][] {
  return text.trim().split(/\n\n/).map((part) => part.split("\n"));
}

/** `-o [--output]  write to this file` as a table has it. */
function flagOf(line: string): Flag {
  const found =
    /^ {2}(?:(-\w) | {3}) *\[?(--[\w-]+)(?:\/(--[\w-]+))?\]?(?:\.\.\.)? {2,}(.*?)(?: +\[([^\]]*[|=][^\]]*)\])?$/
      .exec(line);
  if (!found) throw new Error(`no flag: ${line}`);
  const [, letter, name, other, about = "", values] = found;
  const names = [letter, name, other].filter((one) => one !== undefined);
  const told = values === undefined || values.includes("=")
    ? ""
    : ` (${values.split("|").map((value) => `\`${value}\``).join(", ")})`;
  return { names: names.map((one) => `\`${one}\``).join(", "), about: about + told };
}

/** Reads a command's help: its usage, what it does, its flags, and perhaps its arguments. */
function commandOf(text: string): ShellCommand {
  const [, about, flags, words] = sectionsOf(text);
  return {
    about: about!.join(" "),
    words: words?.slice(1).map((line) => line.trim().split(/ {2,}/).slice(1).join(" ")).join() ??
      "",
    flags: flags!.slice(1).filter((line) => /--\w/.test(line)).map(flagOf),
  };
}

/** Reads `/help`: the commands in its order, with what each takes and does. */
function slashCommandsOf(text: string): { name: string; about: string }[] {
  const rows = text.trim().split("\n\n")[0]!.replaceAll(/\n {26}(?=\S)/g, "  ").split("\n");
  return rows.map((row) => {
    const [name = "", about] = row.split(/ {2,}/);
    if (!name.startsWith("/") || about === undefined) throw new Error(`no command: ${row}`);
    return { name, about };
  });
}

const WORDS = {
  en: {
    intro: `# Commands

\`narnat [flags] [prompt…]\` starts a session at the terminal and answers once with \`-p\` or in a pipe. \`narnat COMMAND --help\` tells what stands here, \`/help\` in a session the slash commands, those of your own and of servers included. \`-C DIR\` (\`--cwd\`) chooses the workspace of each command, \`--lang zh|en\` the language of narnat's own texts.
`,
    flags: "Flags",
    commands: "Shell commands",
    slash: "Slash commands",
    flagHead: ["flag", "meaning"],
    commandHead: ["command", "what it does", "words behind it", "flags of its own"],
    slashHead: ["command", "what it does"],
  },
  zh: {
    intro: `# 命令

\`narnat [参数] [要说的话…]\` 在终端里开始会话；加 \`-p\` 或在管道里则回答一次就退出。\`narnat 命令 --help\` 显示这里的内容，会话里的 \`/help\` 列出斜杠命令，也包括你自己的和服务器的。每个命令都可用 \`-C 文件夹\`（\`--cwd\`）选择工作区，用 \`--lang zh|en\` 选择 narnat 自身文字的语言。
`,
    flags: "参数",
    commands: "Shell 命令",
    slash: "斜杠命令",
    flagHead: ["参数", "含义"],
    commandHead: ["命令", "作用", "后面的内容", "自己的参数"],
    slashHead: ["命令", "作用"],
  },
};

/** Flags that every command has; the introduction tells them. */
const COMMON = /`--(?:cwd|lang|help)`/;

const cell = (text: string) => text.replaceAll("|", "\\|");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** The page, from the help of narnat, of its commands by their names, and of `/help`. */
export function commandsPage(
  { root, commands, slash }: Awaited<ReturnType<typeof helpTexts>>,
  lang: Lang,
): string {
  const words = WORDS[lang];
  const rows = [...commands].map(([name, text]) => {
    const { about, words, flags } = commandOf(text);
    const own = flags.filter(({ names }) => !COMMON.test(names));
    const told = own.map(({ names, about }) => `${names}: ${about}`).join("<br>");
    return [`\`narnat ${name}\``, about, words, told];
  });
  const flags = sectionsOf(root).at(-1)!.slice(1).filter((line) => /--\w/.test(line)).map(flagOf);
  return [
    "<!-- written by `deno task docs` from narnat's own help -->\n\n" + words.intro,
    `## ${words.flags}\n\n` +
    table(words.flagHead, flags.map(({ names, about }) => [names, about])),
    `## ${words.commands}\n\n` + table(words.commandHead, rows),
    `## ${words.slash}\n\n` + table(
      words.slashHead,
      slashCommandsOf(slash).map(({ name, about }) => [`\`${name}\``, about]),
    ),
  ].join("\n");
}

/** Asks narnat for its help, in processes and an empty home of their own. */
export async function helpTexts(lang: Lang) {
  const home = await Deno.makeTempDir();
  try {
    const { denoDir } = JSON.parse(await output(["info", "--json"]));
    const narnat = async (calls: readonly (readonly string[])[]) => {
      const args = ["run", "-A", "--config", join(ROOT, "deno.json"), import.meta.filename!];
      const told = calls.map((words) => JSON.stringify(words));
      const text = await output([...args, ...told], { HOME: home, DENO_DIR: denoDir }, home);
      return text.split(MARK).slice(1);
    };
    const [completions = ""] = await narnat([["__complete", ""]]);
    const names = completions.split("\n").filter((word) => /^[a-z]/.test(word));
    const slashHelp = ["-p", "/help", "--model", "demo", "--no-session", "--lang", lang];
    const helps = names.map((name) => [name, "--help", "--lang", lang]);
    const [root = "", slash = "", ...texts] = await narnat([
      ["--help", "--lang", lang],
      slashHelp,
      ...helps,
    ]);
    return { root, slash, commands: new Map(names.map((name, at) => [name, texts[at]!])) };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function output(args: readonly string[], env = {}, cwd = ROOT): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { ...env, NO_COLOR: "1" },
    cwd,
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  const { runCli } = await import("../src/cli/cli.ts");
  for (const call of Deno.args) {
    Deno.stdout.writeSync(new TextEncoder().encode(MARK));
    const code = await runCli(JSON.parse(call));
    if (code !== 0) Deno.exit(code);
  }
  Deno.exit(0);
}

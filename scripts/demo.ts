/** `deno task demo`: narnat mends a failing project, offline, with its own demo model. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Lang, langFrom } from "../src/base/t.ts";
import type { AgentEvent, Detail, Json } from "../src/base/types.ts";
import { demoProject } from "./demo_project.ts";
import pinned from "../.dvmrc" with { type: "text" };

type Line = AgentEvent | { readonly type: "result"; readonly ok: boolean };

const words = {
  zh: {
    made: "一个小项目，带有一个错误和一个失败的测试：{dir}",
    prompt: "修复失败的测试",
    after: "另外再运行一次测试，退出码：{exit}",
    seconds: "用时 {n} 秒，没有用到密钥和网络",
    failed: "没有修好。",
    kept: "项目留在 {dir}",
    removed: "临时项目已删除（想留下来看：{task} demo --keep）",
    next: "接下来：{task} build，然后 dist/narnat --model demo -C 你的项目，输入“帮助”",
  },
  en: {
    made: "A little project with one bug and one failing test: {dir}",
    prompt: "fix the failing test",
    after: "The tests run once more, independently; exit code: {exit}",
    seconds: "{n} s, without a key and without the network",
    failed: "It was not fixed.",
    kept: "The project is kept in {dir}",
    removed: "The temporary project is removed (to keep it: {task} demo --keep)",
    next: "Next: {task} build, then dist/narnat --model demo -C YOUR_PROJECT, and type “help”",
  },
} as const;

/** Works where neither `deno` nor `narnat` is installed. */
const TASK = `npx -y deno@${pinned.trim()} task`;

const USAGE = `Usage: ${TASK} demo [--keep] [--lang zh|en]

Makes a little project with a failing test and lets narnat mend it, offline.
  --keep         leave the project to look at
  --lang zh|en   the language to do it in
`;

interface Choices {
  readonly keep: boolean;
  readonly lang: Lang;
}

/** What the arguments ask for; an exit code when there is nothing to run. */
function choicesOf(args: readonly string[]): Choices | number {
  const refuse = (why: string) => {
    console.error(`Cannot run the demo: ${why}\n\n${USAGE.trimEnd()}`);
    return 2;
  };
  let keep = false;
  let lang = langFrom((name) => Deno.env.get(name));
  const words = args.flatMap((arg) => arg.startsWith("--lang=") ? ["--lang", arg.slice(7)] : [arg]);
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === "--help" || word === "-h") {
      print(USAGE);
      return 0;
    }
    if (word === "--keep") keep = true;
    else if (word === "--lang") {
      const given = words[++at] ?? "";
      if (given !== "zh" && given !== "en") {
        return refuse(`--lang is "${given}", expected zh or en`);
      }
      lang = given;
    } else return refuse(`it knows no "${word}"`);
  }
  return { keep, lang };
}

function paint(code: string, text: string): string {
  const plain = !Deno.stdout.isTerminal() || Deno.env.get("NO_COLOR");
  return plain ? text : `\x1b[${code}m${text}\x1b[0m`;
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

async function makeProject(): Promise<string> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "narnat-demo-" }));
  for (const [path, content] of Object.entries(demoProject)) {
    await Deno.mkdir(dirname(join(dir, path)), { recursive: true });
    await Deno.writeTextFile(join(dir, path), content);
  }
  const me = ["-c", "user.name=demo", "-c", "user.email=demo@example.invalid"];
  for (const args of [["init", "-q"], ["add", "."], [...me, "commit", "-qm", "A little shop"]]) {
    const git = new Deno.Command("git", { args, cwd: dir, stdout: "null", stderr: "null" });
    // Without git the demo shows the same.
    if (!await git.output().then((output) => output.success, () => false)) break;
  }
  return dir;
}

/** The environment in which `deno` is the one that runs this script. */
function environment(): { [name: string]: string } {
  const separator = Deno.build.os === "windows" ? ";" : ":";
  return { PATH: `${dirname(Deno.execPath())}${separator}${Deno.env.get("PATH") ?? ""}` };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function inputOf(input: Json): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "";
  const first = input.command ?? input.file_path ?? input.pattern;
  return typeof first === "string" ? first : "";
}

function bodyOf(text: string, detail: Detail | undefined): string[] {
  const lines = (text: string) => text.trimEnd().split("\n").filter((line) => line.trim() !== "");
  if (detail?.kind === "diff") {
    return lines(detail.diff).map((line) =>
      line.startsWith("+") ? paint("32", line) : line.startsWith("-") ? paint("31", line) : line
    );
  }
  if (detail?.kind === "command") return lines(text);
  return [];
}

/** Shows one event; the delay lets a reader follow the words. */
async function show(event: Line): Promise<void> {
  switch (event.type) {
    case "turn_start":
      print(`\n${paint("1", `› ${event.text}`)}\n\n`);
      break;
    case "text":
      print(event.delta);
      await new Promise((resolve) => setTimeout(resolve, 8));
      break;
    case "tool_start":
      print(`\n${paint("36", `● ${event.name}`)} ${inputOf(event.input)}\n`);
      break;
    case "tool_end": {
      const failed = !event.ok && event.detail?.kind !== "command";
      const body = failed ? event.text.split("\n") : bodyOf(event.text, event.detail);
      for (const line of body) print(`  ${paint("2", "│")} ${line}\n`);
      print("\n");
      break;
    }
    case "notice":
    case "error":
      print(`\n\n${paint("33", event.text)}\n`);
      break;
  }
}

async function narnat(dir: string, prompt: string, lang: Lang): Promise<boolean> {
  const main = fileURLToPath(import.meta.resolve("../main.ts"));
  const config = fileURLToPath(import.meta.resolve("../deno.json"));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", config, main, "-p", prompt]
      .concat(["--model", "demo", "-C", dir, "--lang", lang, "--permission", "open"])
      .concat(["--output-format", "stream-json"]),
    env: environment(),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let ok = false;
  for await (const line of linesOf(child.stdout)) {
    const event = JSON.parse(line) as Line;
    if (event.type === "result") ok = event.ok;
    else await show(event);
  }
  print("\n");
  return (await child.status).success && ok;
}

async function main(args: readonly string[]): Promise<number> {
  const choices = choicesOf(args);
  if (typeof choices === "number") return choices;
  const { keep, lang } = choices;
  const tell = (key: keyof typeof words.en, value: string | number = TASK) =>
    console.log(words[lang][key].replace(/\{\w+\}/, String(value)));
  const began = performance.now();
  const dir = await makeProject();
  try {
    tell("made", dir);
    const ended = await narnat(dir, words[lang].prompt, lang);
    const check = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--quiet"],
      cwd: dir,
      stdout: "null",
      stderr: "null",
    }).output();
    console.log();
    tell("after", check.code);
    tell("seconds", ((performance.now() - began) / 1000).toFixed(1));
    if (!ended || !check.success) tell("failed");
    return ended && check.success ? 0 : 1;
  } finally {
    if (keep) tell("kept", dir);
    else {
      await Deno.remove(dir, { recursive: true });
      tell("removed");
    }
    tell("next");
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));

/** The context: what assembling the prompt costs. */
import { join } from "node:path";
import { createContextManager } from "../src/context/mod.ts";
import { promptOptions } from "../tests/support/parts.ts";
import stub from "./stub.sh" with { type: "text" };
import { benchRoom } from "./bench_room.ts";
import { bundle, script } from "./bundle.ts";

const ROUNDS = 15;
const RULES = 100;
const SKILLS = 200;
const MEMORY_BYTES = 1_000_000;
/** The first prompt of a process, with what it loads, and of a session after it. */
const PROMPT_AIM_MS = 30;

/** What the executable's launcher gives Deno. */
const STUB_FLAGS = [
  ...["-q", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-npm"],
  `--v8-flags=${/--v8-flags=(\S+)/.exec(stub)?.[1]}`,
];

interface Times {
  readonly first: number[];
  readonly later: number[];
}

const times = (): Times => ({ first: [], later: [] });

/** Prints what assembling a large prompt costs. */
export async function benchContext(): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    await fill(folder);
    const source = [import.meta.filename!];
    const built = [...STUB_FLAGS, await bundled(folder)];
    const ways: { [way: string]: Times } = { source: times(), built: times() };
    for (let round = -1; round < ROUNDS; round++) {
      for (const [way, entry] of Object.entries({ source, built })) {
        const [first, later] = await inOwnProcess(entry, folder);
        if (round < 0) continue;
        ways[way]!.first.push(first);
        ways[way]!.later.push(later);
      }
    }
    console.log(
      `prompt of ${RULES} rules, ${SKILLS} skills, ${MEMORY_BYTES / 1e6} MB of memory files`,
    );
    for (const [way, { first, later }] of Object.entries(ways)) {
      row(`  the first of a process, ${way}`, median(first));
      row(`  of a later session, ${way}`, median(later));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  console.log();
  await benchRoom();
}

function row(label: string, ms: number): void {
  const over = ms > PROMPT_AIM_MS ? " !" : "  ";
  console.log(`${label.padEnd(49)}${ms.toFixed(1).padStart(7)} ms${over} ≤ ${PROMPT_AIM_MS} ms`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

async function fill(folder: string): Promise<void> {
  const put = async (path: string, text: string) => {
    const file = join(folder, path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeTextFile(file, text);
  };
  for (let i = 0; i < RULES; i++) {
    await put(
      `.narnat/rules/${i}.md`,
      `规则正文 ${i}: names are in snake_case, 注释用中文。\n`.repeat(8),
    );
  }
  for (let i = 0; i < SKILLS; i++) {
    const needs = `{"nanobot":{"requires":{"bins":["sh","git","no-such-${i % 2}"]}}}`;
    const front = `name: skill-${i}\ndescription: Use when: task ${i} is at hand, 或者类似的任务` +
      `\nlicense: MIT\nmetadata: ${i % 2 === 0 ? needs : `'${needs}'`}`;
    await put(`.agents/skills/skill-${i}/SKILL.md`, `---\n${front}\n---\n${"step\n".repeat(1000)}`);
  }
  const half = MEMORY_BYTES / 2;
  await put(
    ".narnat/memory/MEMORY.md",
    "- 项目端口是 4711，数据库在本机。\n".repeat(half / 46 | 0),
  );
  await put(".narnat/memory/USER.md", "- prefers short answers\n".repeat(half / 48 | 0));
  await put(".narnat/memory/SOUL.md", "- is brief and friendly\n".repeat(half / 48 | 0));
}

/** Bundles this file as narnat itself is; returns the path. */
async function bundled(folder: string): Promise<string> {
  const out = join(folder, ".bundle");
  return join(out, await bundle(import.meta.filename!, out));
}

/** How long the first prompt of a fresh process takes, and one after ten more. */
async function inOwnProcess(entry: readonly string[], folder: string): Promise<[number, number]> {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", ...entry, folder],
  }).output();
  if (!success) throw new Error("Cannot measure the prompt: the process failed");
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function assembleOnce(folder: string): Promise<number> {
  const began = performance.now();
  const options = promptOptions(folder, { model: "demo", env: Deno.env.toObject() });
  const contextManager = createContextManager(options);
  await contextManager.ready();
  contextManager.system();
  return performance.now() - began;
}

async function measureHere(folder: string): Promise<void> {
  const first = await assembleOnce(folder);
  let later = 0;
  for (let again = 0; again < 10; again++) later = await assembleOnce(folder);
  console.log(JSON.stringify([first, later]));
}

if (import.meta.main) {
  const [folder] = Deno.args;
  await script(folder === undefined ? benchContext : () => measureHere(folder));
}

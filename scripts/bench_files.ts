/** Measures Read and Edit on large files against sed, and the time of regular expressions made to explode. */
import { english } from "../src/base/t.ts";
import { join } from "node:path";
import { createSearcher } from "../src/search/mod.ts";
import { edit } from "../src/tools/edit/edit.ts";
import { grepTool } from "../src/tools/grep/grep.ts";
import { read } from "../src/tools/read/read.ts";
import type { SeenFile, Tool, ToolContext, ToolInput } from "../src/base/types.ts";
import { compare, run, timed } from "./bench_compare.ts";
import { ROOT } from "./bundle.ts";

const LINES = 12_000_000;
const DEEP = 9_000_000;
const SHOWN = 2000;
const EDIT_LINES = 600_000;
const BOMBS = [
  "(a+)+$",
  "(a|a)*b",
  "(\\w+\\s?)+$",
  "(x+x+)+y",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
];

/** A controller for one folder that remembers what was read. */
class SessionController {
  readonly #seen = new Map<string, SeenFile>();
  readonly #workspace: string;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  async run(tool: Tool, input: ToolInput): Promise<void> {
    const context: ToolContext = {
      lane: "main",
      planned: false,
      workspace: this.#workspace,
      cwd: this.#workspace,
      t: english,
      permission: "open",
      signal: new AbortController().signal,
      seen: this.#seen,
      todos: [],
      imageTypes: [],
      outputDir: join(this.#workspace, "outputs"),
      env: {},
      ask: () => Promise.resolve(false),
      fill: () => Promise.resolve(undefined),
      progress: () => {},
    };
    const result = await tool.run(input, context);
    if (!result.ok) throw new Error(`Cannot measure ${tool.name}: ${result.text}`);
    for (const file of result.seen ?? []) this.#seen.set(file.path, file);
  }

  forget(): void {
    this.#seen.clear();
  }
}

const lineOf = (number: number) =>
  `line ${number} of a long file, as a server writes them: GET /items/${number % 977} 200\n`;

async function writeLines(path: string, count: number): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  const writer = file.writable.getWriter();
  for (let at = 0; at < count;) {
    let piece = "";
    for (const end = Math.min(at + 20_000, count); at < end; at++) piece += lineOf(at + 1);
    await writer.write(encoder.encode(piece));
  }
  await writer.close().catch(() => {});
}

/** Prints the rows; `folder` is one for files of its own. */
export async function benchFiles(folder: string): Promise<void> {
  const controller = new SessionController(folder);
  const large = join(folder, "large.log");
  const middle = join(folder, "middle.log");
  console.log("\nlarge files");
  await writeLines(large, LINES);
  await compare(
    `Read line ${DEEP} of 1 GB to sed`,
    () => {
      controller.forget();
      return timed(() => controller.run(read, { file_path: large, offset: DEEP, limit: SHOWN }));
    },
    () => timed(() => run("sed", ["-n", `${DEEP},${DEEP + SHOWN - 1}p`, large], folder)),
    0.3,
    5,
  );
  await Deno.remove(large);
  await writeLines(middle, EDIT_LINES);
  const copy = join(folder, "copy.log");
  await Deno.copyFile(middle, copy);
  await controller.run(read, { file_path: middle, offset: 1, limit: 10 });
  let turn = 0;
  await compare(
    "Edit of 50 MB to sed -i",
    () => {
      const [from, to] = turn++ % 2 === 0 ? ["200000 of", "200000 OF"] : ["200000 OF", "200000 of"];
      const input = { file_path: middle, old_string: `line ${from} a`, new_string: `line ${to} a` };
      return timed(() => controller.run(edit, input));
    },
    () => timed(() => run("sed", ["-i", "s/line 300000 of/line 300000 of/", copy], folder)),
    0.6,
    5,
  );
  await Deno.remove(middle);
  await Deno.remove(copy);
  await benchBombs(controller, folder);
}

/** Five expressions that cost other engines for ever; each aim is two seconds, and no work afterwards. */
async function benchBombs(controller: SessionController, folder: string): Promise<void> {
  const file = join(folder, "bomb.txt");
  const long = ["a".repeat(50_000), "x".repeat(50_000), "ab ".repeat(20_000), "甲".repeat(20_000)];
  await Deno.writeTextFile(file, long.map((line) => line + "!\n").join(""));
  const searcher = createSearcher({ entry: new URL(`file://${join(ROOT, "main.ts")}`).href });
  try {
    const grep = grepTool(searcher);
    const times: number[] = [];
    for (const pattern of BOMBS) {
      times.push(await timed(() => controller.run(grep, { pattern, path: file })));
    }
    const before = await cpuTicks();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const busy = await cpuTicks() - before;
    const worst = Math.max(...times);
    console.log(
      "five bombs, the slowest".padEnd(34) + `${worst.toFixed(0)} ms`.padStart(11) +
        `  ≤ 2000${worst > 2000 ? "  !" : ""}; afterwards ${busy} % of a core`,
    );
  } finally {
    searcher.close();
    await Deno.remove(file);
  }
}

/** Hundredths of a second this process has worked; NaN where that cannot be told. */
async function cpuTicks(): Promise<number> {
  const stat = await Deno.readTextFile("/proc/self/stat").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** Measures steps as a session takes them: a Read, a Grep, an Edit, a Bash, over and over. */
import { join } from "node:path";
import {
  type Call,
  type Loop,
  prepare,
  runLoop,
  type SessionController,
  type Variant,
} from "./bench_runs.ts";
import { script } from "./bundle.ts";

const FILES = 20;
/** Calls of one answer. */
const AT_ONCE = 30;
/** How many steps, how often, and what they may take: mean of all, of the first four each, MB. */
const LENGTHS = [
  { steps: 0, runs: 7, mb: 58 },
  { steps: 20, runs: 7, mean: 6.5, first: 25, mb: 80 },
  { steps: 200, runs: 3, mean: 4.5, mb: 90 },
  { steps: 800, runs: 2, mean: 4.5, mb: 110 },
  { steps: 2000, runs: 1, mean: 4.5, mb: 120 },
];
const STEADY_MS = 4;

const mean = (values: readonly number[]) =>
  values.reduce((sum, each) => sum + each, 0) / values.length;
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

/** The calls of a step; each Edit has a line of its own: where room is made for more, a step is left out. */
function callsIn(workspace: string): (step: number) => readonly Call[] {
  return (step) => {
    const turn = Math.floor(step / 4);
    const file_path = join(workspace, `f${turn % FILES}.txt`);
    const calls: readonly Call[] = [
      { name: "Read", input: { file_path, offset: 1 + Math.floor(turn / FILES) } },
      { name: "Grep", input: { pattern: `needle[0-9]+|no ${step}`, output_mode: "content" } },
      {
        name: "Edit",
        input: {
          file_path: join(workspace, "edit.txt"),
          old_string: `value ${turn}.`,
          new_string: `done ${turn}.`,
        },
      },
      { name: "Bash", input: { command: `printf ${step}; true` } },
    ];
    // what is edited has been read
    const read = { name: "Read", input: { file_path: join(workspace, "edit.txt") } };
    return step === 0 ? [read] : [calls[step % 4]!];
  };
}

async function fill(workspace: string): Promise<void> {
  const values = Array.from({ length: 500 }, (_, n) => `value ${n}.\n`);
  await Deno.writeTextFile(join(workspace, "edit.txt"), values.join(""));
  for (let at = 0; at < FILES; at++) {
    const lines = Array.from(
      { length: 100 },
      (_, n) => `line ${n} of ${at} needle${n % 7 || ""}\n`,
    );
    await Deno.writeTextFile(join(workspace, `f${at}.txt`), lines.join(""));
  }
}

/** One run in a workspace of its own. */
async function run(
  variant: Variant,
  steps: number,
  { env }: SessionController,
  callsOf?: (step: number) => readonly Call[],
): Promise<Loop> {
  const workspace = await Deno.realPath(await Deno.makeTempDir({ prefix: "narnat-steps-" }));
  try {
    await fill(workspace);
    return await runLoop(variant, steps, { env, workspace }, callsOf ?? callsIn(workspace));
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

export async function benchSteps(
  variants: readonly Variant[],
  controller: SessionController,
): Promise<void> {
  const row = (label: string, figures: readonly number[], unit: string, aim?: number) => {
    const over = (figure: number) => aim !== undefined && figure > aim ? " !" : "  ";
    const cells = figures.map((one) => (one.toFixed(1) + unit + over(one)).padStart(14));
    console.log(label.padEnd(38) + cells.join("") + (aim === undefined ? "" : `  ≤ ${aim}${unit}`));
  };
  console.log("steps with their tools' own time: Read, Grep, Edit, Bash in turn; ! misses the aim");
  console.log("".padEnd(38) + variants.map(({ name }) => name.padStart(12) + "  ").join(""));
  for (const { steps, runs, mean: most, first, mb } of LENGTHS) {
    const loops: Loop[][] = variants.map(() => []);
    for (let round = 0; round < runs; round++) {
      for (const [at, variant] of variants.entries()) {
        loops[at]!.push(await run(variant, steps, controller));
      }
    }
    const each = (figure: (loop: Loop) => number) => loops.map((all) => median(all.map(figure)));
    if (most !== undefined) {
      row(`mean of ${steps} steps`, each(({ trips }) => mean(trips)), " ms", most);
    }
    for (const at of first === undefined ? [] : [0, 1, 2, 3]) {
      row(`  step ${at + 1}`, each(({ trips }) => trips[at]!), " ms", first);
    }
    if (steps === 200) {
      row(
        "  steady",
        each(({ trips }) => median(trips.slice(20))),
        " ms",
        STEADY_MS,
      );
    }
    row(`memory after ${steps} steps`, each(({ peak }) => peak), " MB", mb);
  }
  const many = (step: number): readonly Call[] =>
    Array.from({ length: AT_ONCE }, (_, at) => ({
      name: "Bash",
      input: { command: `printf ${step}.${at}; true` },
    }));
  const times = variants.map((): number[] => []);
  for (let round = 0; round < 7; round++) {
    for (const [at, variant] of variants.entries()) {
      times[at]!.push((await run(variant, 2, controller, many)).trips[1]!);
    }
  }
  row(`${AT_ONCE} Bash calls in one answer`, times.map(median), " ms");
  row("  the least", times.map((all) => Math.min(...all)), " ms");
}

/** Other executables than the one that is built here may be named, to alternate with. */
async function main(): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    const { controller, variants } = await prepare(folder);
    const given = Deno.args.map((path) => ({
      name: path.split("/").slice(0, -2).at(-1) ?? path,
      command: [path],
    }));
    await benchSteps([...variants.filter(({ name }) => name === "built"), ...given], controller);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await script(main);

/** Measures narnat's speed, from source and as the built executable, in ratios to an empty Deno script. */
import { join } from "node:path";
import {
  type Loop,
  outputOf,
  prepare,
  runLoop,
  runWarm,
  type SessionController,
  type Variant,
  wall,
  type Warm,
} from "./bench_runs.ts";
import { benchArchive } from "./bench_archive.ts";
import { benchCheckpoints, benchCopies } from "./bench_checkpoints.ts";
import { benchContext } from "./bench_context.ts";
import { benchInput } from "./bench_input.ts";
import { benchSearch } from "./bench_search.ts";
import { benchSecrets } from "./bench_secrets.ts";
import { benchServers } from "./bench_servers.ts";
import { benchStart } from "./bench_start.ts";
import { benchSteps } from "./bench_steps.ts";
import { benchStream } from "./bench_stream.ts";
import { benchTerminal } from "./bench_terminal.ts";
import { ROOT, script } from "./bundle.ts";

const ROUNDS = 7;
/** Steps of the loop that fills a session with 2,000 messages. */
const LONG = 1000;
/** Finds a few hundred lines all over this repository. */
const PATTERN = "^export (async )?function \\w+";

/** Short runs of the command line that are measured from start to end. */
const COMMANDS: readonly (readonly string[])[] = [
  ["--version"],
  ["--help"],
  ["check-command", "rm -rf build"],
  ["tool", "Read", '{"file_path":"f0.txt"}'],
];

interface Samples {
  readonly commands: { readonly [command: string]: number[] };
  readonly short: Loop[];
  readonly middle: Loop[];
  readonly long: Loop[];
  readonly reads: Warm[];
  readonly greps: number[];
}

interface Base {
  readonly empty: number[];
  /** ripgrep with the same pattern; empty where there is none. */
  readonly rg: number[];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? NaN)) / 2;
}

async function measure(folder: string): Promise<void> {
  const empty = join(folder, "empty.ts");
  await Deno.writeTextFile(empty, "");
  const { controller, variants } = await prepare(folder);
  const { env, workspace } = controller;
  for (let step = 0; step < LONG; step++) {
    await Deno.writeTextFile(join(workspace, `f${step}.txt`), `one\ntwo ${step}\nthree\n`);
  }
  const here: SessionController = { env, workspace: ROOT };
  const emptyRun = [Deno.execPath(), "run", "-A", empty];
  const hasRg = await outputOf("rg", ["--version"]) !== undefined;
  const samples: readonly Samples[] = variants.map(() => ({
    commands: Object.fromEntries(COMMANDS.map((command) => [command.join(" "), []])),
    short: [],
    middle: [],
    long: [],
    reads: [],
    greps: [],
  }));
  const base: Base = { empty: [], rg: [] };
  const reads = Array.from({ length: 200 }, (_, i) => ({
    name: "Read",
    input: { file_path: `f${i}.txt` },
  }));
  const grep = { name: "Grep", input: { pattern: PATTERN, output_mode: "content" } };
  // the round before the first fills caches and is not counted
  for (let round = -1; round < ROUNDS; round++) {
    const kept = round >= 0;
    const keep = <T>(list: T[] | undefined, ...values: T[]) => void (kept && list?.push(...values));
    for (let again = 0; again < 3; again++) {
      keep(base.empty, await wall(emptyRun, controller));
      if (hasRg) keep(base.rg, await wall(["rg", "-n", PATTERN, "."], here));
      for (const [index, { command }] of variants.entries()) {
        for (const words of COMMANDS) {
          keep(
            samples[index]?.commands[words.join(" ")],
            await wall([...command, ...words], controller),
          );
        }
      }
    }
    for (const [index, variant] of variants.entries()) {
      const of = samples[index];
      keep(base.empty, await wall(emptyRun, controller));
      keep(of?.short, await runLoop(variant, 20, controller));
      keep(of?.middle, await runLoop(variant, 200, controller));
      if (round === 0 || round === ROUNDS - 1) {
        keep(of?.long, await runLoop(variant, LONG, controller));
      }
      keep(of?.reads, await runWarm(variant, reads, controller));
      const searched = await runWarm(variant, Array.from({ length: 6 }, () => grep), here);
      keep(of?.greps, ...searched.calls.slice(1));
    }
  }
  report(base, variants, samples);
  console.log();
  await benchStart(variants, controller);
  console.log();
  await benchTerminal(variants, controller);
  console.log();
  await benchStream(variants.at(-1)!.command, controller);
  console.log();
  await benchServers(variants, controller);
  console.log();
  await benchSteps(variants.filter(({ name }) => name === "built"), controller);
  console.log();
  await benchCopies(variants.at(-1)!, controller);
}

function report(base: Base, variants: readonly Variant[], samples: readonly Samples[]): void {
  const empty = median(base.empty);
  const steps = (all: readonly Loop[], from: number, to?: number) =>
    median(all.flatMap(({ overheads }) => overheads.slice(from, to)));
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
  const grown = (sizes: readonly number[]) =>
    ((sizes.at(-1) ?? NaN) - (sizes[0] ?? NaN)) / (sizes.length - 1);
  const missed: string[] = [];
  const row = (label: string, cells: readonly string[], aim: string) =>
    console.log(label.padEnd(38) + cells.map((cell) => cell.padStart(11)).join("") + aim);
  const line = (
    label: string,
    unit: "×" | " ms" | " MB" | " B",
    figure: (of: Samples) => number,
    aim?: number,
  ) => {
    const cells = samples.map((of, index) => {
      const value = figure(of);
      const over = aim !== undefined && value > aim;
      if (over) missed.push(`${label} (${variants[index]?.name})`);
      return value.toFixed(/B$/.test(unit) ? 0 : 2) + unit + (over ? " !" : "  ");
    });
    row(label, cells, aim === undefined ? "" : `≤ ${aim}${unit}`.padStart(10));
  };
  console.log(
    `× is the ratio to an empty Deno script, ${empty.toFixed(1)} ms; ` +
      `medians of ${ROUNDS} interleaved rounds; ! misses the aim\n`,
  );
  row("", variants.map(({ name }) => `${name}  `), "aim".padStart(10));
  const aims: { readonly [command: string]: number } = { "--version": 1.5 };
  for (const command of COMMANDS.map((words) => words.join(" "))) {
    const label = command.startsWith("tool") ? "tool Read, one call" : command;
    line(label, "×", (of) => median(of.commands[command] ?? []) / empty, aims[command]);
  }
  line(
    "start to first request",
    "×",
    (of) => median([...of.short, ...of.middle].map(({ first }) => first)) / empty,
    6,
  );
  line("per step, of 20", " ms", (of) => steps(of.short, 1), 5);
  line("per step, of 200", " ms", (of) => steps(of.middle, 1), 5);
  line("  steps 181 to 200", " ms", (of) => steps(of.middle, 180), 5);
  line("  these to steps 2 to 20", "×", (of) => steps(of.middle, 180) / steps(of.middle, 1, 20));
  line("per step, at 2,000 messages", " ms", (of) => steps(of.long, LONG - 50), 5);
  line("bytes of the first request", " B", (of) => of.middle[0]?.sizes[0] ?? NaN, 10_240);
  line("bytes a step adds, of 200", " B", (of) => grown(of.middle[0]?.sizes ?? []), 900);
  line("peak memory, 200 steps", " MB", (of) => median(of.middle.map(({ peak }) => peak)), 90);
  line("peak memory, 2,000 messages", " MB", (of) => median(of.long.map(({ peak }) => peak)));
  line("tool --jsonl, 200 Reads", " ms", (of) => median(of.reads.map(({ calls }) => sum(calls))));
  line("  peak memory", " MB", (of) => median(of.reads.map(({ peak }) => peak)));
  line("Grep on this repository, warm", " ms", (of) => median(of.greps));
  if (base.rg.length > 0) {
    line("  to ripgrep", "×", (of) => median(of.greps) / median(base.rg));
  }
  console.log(missed.length === 0 ? "\nevery aim is met" : `\nmissed: ${missed.join(", ")}`);
}

async function main(): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    await measure(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  console.log();
  await benchSearch([]);
  console.log();
  await benchInput();
  console.log();
  await benchContext();
  console.log();
  await benchArchive();
  console.log();
  await benchCheckpoints();
  console.log();
  benchSecrets();
}

if (import.meta.main) await script(main);

/** Measures what checkpoints cost a turn, as ratios to `git status` on the same tree in the same rounds. */
import { join } from "node:path";
import { limitsOf } from "../src/features/undo/types.ts";
import { openService } from "../src/features/undo/service.ts";
import { NO_PLACES } from "../src/search/walk/git_settings.ts";
import { prepare, runLoop, type SessionController, type Variant } from "./bench_runs.ts";
import { makeTree } from "./bench_trees.ts";
import { script } from "./bundle.ts";

const FILES = 20_000;
const BYTES = 6_000;
const CHANGED = 10;
const ROUNDS = 9;
const LOOKS = 30;
/** So many small files make a large folder, and what narnat may hold of it in MB. */
const LARGE = { files: 100_000, bytes: 200, mb: 180 };
const RUNS = 3;
/** A file younger than this is read again, as its times may hide a change. */
const SETTLED_MS = 3500;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

function timed(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function git(root: string, ...args: string[]): void {
  const identity = ["-c", "user.name=n", "-c", "user.email=n@n", "-c", "gc.auto=0"];
  const { success } = new Deno.Command("git", {
    args: [...identity, ...args],
    cwd: root,
    stdout: "null",
  }).outputSync();
  if (!success) throw new Error(`Cannot measure: git ${args[0]} failed`);
}

/** A repository of so many committed files, and what keeps its checkpoints. */
async function withTree(
  files: number,
  use: (root: string, service: ReturnType<typeof openService>) => void,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  const root = join(folder, "tree");
  try {
    makeTree(root, files, BYTES);
    await Deno.remove(join(root, ".git"), { recursive: true });
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "commit", "-qm", "all");
    const dir = join(root, ".narnat/checkpoints");
    await Deno.mkdir(dir, { recursive: true });
    await Deno.writeTextFile(join(root, ".narnat/.gitignore"), "*\n");
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const service = openService({
      dir,
      workspace: root,
      places: NO_PLACES,
      limits: limitsOf({ checkpointFileMb: 50, checkpointTotalMb: 2000, checkpointDays: 30 }),
    });
    use(root, service);
    service.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Prints the figures. */
export async function benchCheckpoints(): Promise<void> {
  await withTree(FILES, benchTurns);
  const command = { command: "true", cwd: "/", agreed: [] };
  for (const files of [200, 1000, FILES]) {
    await withTree(files, (_root, service) => {
      service.begin("main", { session: "s", turn: 1, text: "x" }, false);
      service.start("main");
      const looks = Array.from(
        { length: LOOKS },
        () => timed(() => void service.losses("main", command)),
      );
      const ms = median(looks).toFixed(1);
      console.log(`a look after a command, ${files} files`.padEnd(44) + `${ms} ms`.padStart(9));
    });
  }
}

function benchTurns(root: string, service: ReturnType<typeof openService>): void {
  let count = 0;
  const turn = (work: () => void) => {
    const key = `main ${++count}`;
    const mark = { session: "s", turn: count, text: "x" };
    const before = timed(() => service.begin(key, mark, false));
    const start = timed(() => service.start(key));
    work();
    const after = timed(() => void service.look(key));
    service.end(key);
    return { before, after: start + after };
  };
  const first = turn(() => {}).before;
  const status: number[] = [];
  const nothing: ReturnType<typeof turn>[] = [];
  const ten: ReturnType<typeof turn>[] = [];
  const places = Array.from({ length: CHANGED }, (_, i) => join(root, `changed_${i}.txt`));
  for (let round = -1; round < ROUNDS; round++) {
    const asked = timed(() => git(root, "status", "--porcelain"));
    const still = turn(() => {});
    const changed = turn(() => {
      for (const place of places) Deno.writeTextFileSync(place, `${round} ${place}\n`);
    });
    if (round < 0) continue;
    status.push(asked);
    nothing.push(still);
    ten.push(changed);
  }
  const base = median(status);
  const row = (label: string, values: readonly number[], aim?: number, times?: number) => {
    const value = median(values);
    const over = aim !== undefined && value > aim || times !== undefined && value > times * base;
    const aims = aim === undefined ? "" : `≤ ${aim} ms, ≤ ${times}×${over ? " !" : ""}`;
    console.log(
      label.padEnd(44) + `${value.toFixed(0)} ms`.padStart(9) +
        `${(value / base).toFixed(2)}×`.padStart(8) + `  ${aims}`,
    );
  };
  console.log(
    `checkpoints of ${FILES} files; × is the ratio to git status; medians of ${ROUNDS}\n`,
  );
  row("git status", status);
  row("the first look, which copies all", [first]);
  row("before a turn, beside the model's request", nothing.map(({ before }) => before));
  row("a turn that changes nothing waits", nothing.map(({ after }) => after), 150, 2);
  row(`a turn that changes ${CHANGED} files waits`, ten.map(({ after }) => after), 300, 2);
}

/** Memory of a run that copies all of a large folder, and of the next one that writes in it. */
export async function benchCopies(variant: Variant, { env }: SessionController): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "narnat-bench-" }));
  try {
    const [small, large] = [join(folder, "small"), join(folder, "large")];
    makeTree(small, 1, LARGE.bytes);
    makeTree(large, LARGE.files, LARGE.bytes);
    const peaks: [base: number, first: number, second: number][] = [];
    let count = 0;
    const peakIn = async (workspace: string) => {
      const input = { file_path: `written_${++count}.txt`, content: "new\n" };
      return (await runLoop(variant, 1, { env, workspace }, () => [{ name: "Write", input }])).peak;
    };
    for (let run = 0; run < RUNS; run++) {
      for (const root of [small, large]) {
        await Deno.remove(join(root, ".narnat"), { recursive: true }).catch(() => {});
      }
      peaks.push([await peakIn(small), await peakIn(large), await peakIn(large)]);
    }
    const base = median(peaks.map(([one]) => one));
    for (const [at, label] of [[1, "the first copy"], [2, "the next run"]] as const) {
      const peak = median(peaks.map((one) => one[at]));
      const miss = peak > LARGE.mb ? " !" : "  ";
      console.log(
        `memory of ${label}, ${LARGE.files} files`.padEnd(44) +
          `${peak.toFixed(0)} MB`.padStart(9) + `${(peak / base).toFixed(2)}×`.padStart(8) +
          `${miss}≤ ${LARGE.mb} MB; × is the ratio to a folder of one file`,
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  await benchCheckpoints();
  const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    const { controller, variants } = await prepare(folder);
    await benchCopies(variants.at(-1)!, controller);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await script(main);

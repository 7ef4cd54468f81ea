/** Measures what checkpoints cost a turn, as ratios to `git status` on the same tree in the same rounds. */
import { join } from "node:path";
import { limitsOf } from "../src/checkpoints/limits.ts";
import { openService } from "../src/checkpoints/service.ts";
import { NO_PLACES } from "../src/search/git_settings.ts";
import { makeTree } from "./bench_trees.ts";
import { script } from "./bundle.ts";

const FILES = 20_000;
const BYTES = 6_000;
const CHANGED = 10;
const ROUNDS = 9;
const LOOKS = 30;
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
      limits: limitsOf({}),
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

if (import.meta.main) await script(benchCheckpoints);

/** Measures narnat's speed, from source and as the built executable, in ratios to an empty Deno script. */
import { join } from "node:path";
import { build } from "./build.ts";
import { ROOT, script } from "./bundle.ts";

const ROUNDS = 7;
const RUN_TIMEOUT_MS = 60_000;

/** One way to start narnat. */
interface Variant {
  readonly name: string;
  readonly command: readonly string[];
}

/** What one headless run showed; times in milliseconds, memory in megabytes. */
interface Loop {
  /** From spawn to the arrival of the first request. */
  readonly first: number;
  /** For each step: from the response's end to the next request's arrival, less the tool's own time. */
  readonly overheads: readonly number[];
  readonly peak: number;
}

interface Desk {
  readonly env: { readonly [name: string]: string };
  readonly workspace: string;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? NaN)) / 2;
}

/** One answer as server-sent events: a Read of the step's own file, or the closing words. */
function answer(step: number, steps: number): string {
  const chunk = (delta: unknown, finish: string | null) =>
    `data: ${
      JSON.stringify({
        id: "bench",
        object: "chat.completion.chunk",
        model: "bench",
        choices: [{ index: 0, delta, finish_reason: finish }],
      })
    }\n\n`;
  if (step === steps) {
    return chunk({ content: "done" }, null) + chunk({}, "stop") + "data: [DONE]\n\n";
  }
  const call = {
    index: 0,
    id: `call_${step}`,
    type: "function",
    function: { name: "Read", arguments: JSON.stringify({ file_path: `f${step}.txt` }) },
  };
  return chunk({ tool_calls: [call] }, null) + chunk({}, "tool_calls") + "data: [DONE]\n\n";
}

/** Peak resident memory of a living process in megabytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024;
}

/** Runs one turn of `steps` tool calls against a provider of our own. */
async function runLoop(variant: Variant, steps: number, desk: Desk): Promise<Loop> {
  const arrivals: number[] = [];
  const ends: number[] = [];
  let peak = NaN;
  let pid = 0;
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      arrivals.push(performance.now());
      await request.body?.cancel();
      const step = arrivals.length - 1;
      if (step === steps) peak = await peakOf(pid);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(answer(step, steps)));
          controller.close();
          ends.push(performance.now());
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  );
  const started = performance.now();
  const [program = "", ...args] = variant.command;
  const child = new Deno.Command(program, {
    args: [
      ...args,
      ...["-p", "read the files", "--output-format", "stream-json", "--no-session"],
      ...["--base-url", `http://127.0.0.1:${server.addr.port}/v1`, "--model", "bench"],
      ...["--max-iterations", String(steps + 10)],
    ],
    cwd: desk.workspace,
    clearEnv: true,
    env: { ...desk.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
  }).spawn();
  pid = child.pid;
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout);
  if (code !== 0 || arrivals.length !== steps + 1) {
    throw new Error(
      `Cannot measure ${variant.name}: ${arrivals.length} of ${
        steps + 1
      } requests came, exit ${code}: ` +
        (new TextDecoder().decode(stderr).trim() || text.slice(-500)),
    );
  }
  const tools = text.split("\n").filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter((event) => event.type === "tool_end");
  const failed = tools.find((event) => !event.ok);
  if (failed) throw new Error(`Cannot measure ${variant.name}: a Read failed: ${failed.text}`);
  const overheads = tools.map((event, step) =>
    (arrivals[step + 1] ?? NaN) - (ends[step] ?? NaN) - event.ms
  );
  return { first: (arrivals[0] ?? NaN) - started, overheads, peak };
}

/** Wall time of one run to its end. */
async function wall(command: readonly string[], desk: Desk): Promise<number> {
  const [program = "", ...args] = command;
  const started = performance.now();
  const { code, stderr } = await new Deno.Command(program, {
    args,
    cwd: desk.workspace,
    clearEnv: true,
    env: { ...desk.env },
    stdin: "null",
  }).output();
  if (code !== 0) {
    throw new Error(`Cannot run ${command.join(" ")}: ${new TextDecoder().decode(stderr).trim()}`);
  }
  return performance.now() - started;
}

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

/** One line of the table. */
function row(label: string, cells: readonly string[], aim: string): void {
  console.log(
    label.padEnd(34) + cells.map((cell) => cell.padStart(12)).join("") + aim.padStart(12),
  );
}

async function measure(folder: string): Promise<void> {
  const workspace = join(folder, "workspace");
  const empty = join(folder, "empty.ts");
  const executable = join(folder, "narnat");
  await Deno.mkdir(workspace);
  await Deno.writeTextFile(empty, "");
  for (let step = 0; step < 200; step++) {
    await Deno.writeTextFile(join(workspace, `f${step}.txt`), `one\ntwo ${step}\nthree\n`);
  }
  await build(join(ROOT, "main.ts"), executable, 1);
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: folder,
    DENO_DIR: await denoDir(),
    LANG: "C.UTF-8",
    NARNAT_API_KEY: "bench",
  };
  const desk: Desk = { env, workspace };
  const emptyRun = [Deno.execPath(), "run", "-A", empty];
  const variants: readonly Variant[] = [
    { name: "source", command: [Deno.execPath(), "run", "-A", join(ROOT, "main.ts")] },
    { name: "built", command: [executable] },
  ];
  const samples = variants.map(() => ({
    version: [] as number[],
    short: [] as Loop[],
    long: [] as Loop[],
  }));
  const base: number[] = [];
  // the round before the first fills caches and is not counted
  for (let round = -1; round < ROUNDS; round++) {
    const kept = round >= 0;
    for (let again = 0; again < 3; again++) {
      const alone = await wall(emptyRun, desk);
      if (kept) base.push(alone);
      for (const [index, variant] of variants.entries()) {
        const version = await wall([...variant.command, "--version"], desk);
        if (kept) samples[index]?.version.push(version);
      }
    }
    for (const [index, variant] of variants.entries()) {
      const short = await runLoop(variant, 20, desk);
      const long = await runLoop(variant, 200, desk);
      if (kept) samples[index]?.short.push(short);
      if (kept) samples[index]?.long.push(long);
    }
  }
  report(median(base), variants, samples);
}

interface Samples {
  readonly version: readonly number[];
  readonly short: readonly Loop[];
  readonly long: readonly Loop[];
}

function report(base: number, variants: readonly Variant[], samples: readonly Samples[]): void {
  const ratio = (ms: number) => `${(ms / base).toFixed(2)}×`;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  const loops = (of: Samples) => [...of.short, ...of.long];
  const steps = (all: readonly Loop[], from: number, to?: number) =>
    median(all.flatMap(({ overheads }) => overheads.slice(from, to)));
  console.log(
    `empty Deno script: ${base.toFixed(1)} ms; medians of ${ROUNDS} interleaved rounds\n`,
  );
  row("", variants.map(({ name }) => name), "aim");
  const line = (label: string, cell: (of: Samples) => string, aim = "") =>
    row(label, samples.map(cell), aim);
  line("--version", (of) => ratio(median(of.version)), "≤ 1.5×");
  line("start to first request", (of) => ratio(median(loops(of).map((l) => l.first))), "≤ 6×");
  line("per step, 20 steps", (of) => ms(steps(of.short, 1)), "≤ 5 ms");
  line("per step, 200 steps", (of) => ms(steps(of.long, 1)), "≤ 5 ms");
  line("  its steps 2 to 20", (of) => ms(steps(of.long, 1, 20)));
  line("  its steps 181 to 200", (of) => ms(steps(of.long, 180)));
  line(
    "  last of these to first",
    (of) => `${(steps(of.long, 180) / steps(of.long, 1, 20)).toFixed(2)}×`,
    "flat",
  );
  line(
    "peak memory, 200 steps",
    (of) => `${median(of.long.map((l) => l.peak)).toFixed(0)} MB`,
    "≤ 90 MB",
  );
}

async function main(): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    await measure(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) await script(main);

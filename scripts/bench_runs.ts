/** The runs that bench.ts measures; times in milliseconds, memory in megabytes. */
import { join } from "node:path";
import { build } from "./build.ts";
import { bundleNarnat } from "./groups.ts";
import { ROOT } from "./bundle.ts";

const RUN_TIMEOUT_MS = 120_000;

/** One way to start narnat. */
export interface Variant {
  readonly name: string;
  readonly command: readonly string[];
}

/** Where the runs happen. */
export interface SessionController {
  readonly env: { readonly [name: string]: string };
  readonly workspace: string;
}

/** What one headless turn showed. */
export interface Loop {
  /** From spawn to the arrival of the first request. */
  readonly first: number;
  /** For each step: from the response's end to the next request's arrival, less the tool's own time. */
  readonly overheads: readonly number[];
  /** The same with the tool's own time. */
  readonly trips: readonly number[];
  /** Bytes of each request. */
  readonly sizes: readonly number[];
  readonly peak: number;
}

/** What one warm `tool --jsonl` process showed. */
export interface Warm {
  /** From a call's line to its answer, one for each call. */
  readonly calls: readonly number[];
  readonly peak: number;
}

/** What a command prints; undefined when it is missing or fails. */
export async function outputOf(
  command: string,
  args: readonly string[],
): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command(command, { args: [...args] }).output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch {
    return undefined;
  }
}

/** Builds narnat in `folder`, with a workspace and a home that is configured for a provider of ours. */
export async function prepare(
  folder: string,
): Promise<{ readonly controller: SessionController; readonly variants: readonly Variant[] }> {
  const workspace = join(folder, "workspace");
  const executable = join(folder, "narnat");
  await Deno.mkdir(workspace);
  await build(bundleNarnat, executable, 1);
  const denoDir: string = JSON.parse(await outputOf(Deno.execPath(), ["info", "--json"]) ?? "{}")
    .denoDir;
  const env = {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: folder,
    DENO_DIR: denoDir,
    LANG: "C.UTF-8",
    NARNAT_API_KEY: "bench",
  };
  const variants: readonly Variant[] = [
    { name: "source", command: [Deno.execPath(), "run", "-A", join(ROOT, "main.ts")] },
    { name: "built", command: [executable] },
  ];
  return { controller: { env, workspace }, variants };
}

function start(
  command: readonly string[],
  controller: SessionController,
  stdin: "null" | "piped" = "null",
) {
  const [program = "", ...args] = command;
  return new Deno.Command(program, {
    args,
    cwd: controller.workspace,
    clearEnv: true,
    env: { ...controller.env },
    stdin,
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
  }).spawn();
}

/** Peak resident memory of a living process. */
async function peakOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024;
}

/** Wall time of one run to its end; throws when it fails. */
export async function wall(
  command: readonly string[],
  controller: SessionController,
): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await start(command, controller).output();
  const ms = performance.now() - began;
  if (code === 0) return ms;
  throw new Error(`Cannot run ${command.join(" ")}: ${new TextDecoder().decode(stderr).trim()}`);
}

/** A tool call of the model's. */
export interface Call {
  readonly name: string;
  readonly input: { readonly [name: string]: unknown };
}

const readOwn = (step: number): readonly Call[] => [
  { name: "Read", input: { file_path: `f${step}.txt` } },
];

/** A piece of an answer as a server-sent event. */
export const chunk = (delta: unknown, finish: string | null) =>
  `data: ${
    JSON.stringify({
      id: "bench",
      object: "chat.completion.chunk",
      model: "bench",
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  }\n\n`;

/** One answer as server-sent events: the step's calls, or the closing words. */
function answer(step: number, steps: number, callsOf = readOwn): string {
  if (step === steps) {
    return chunk({ content: "done" }, null) + chunk({}, "stop") + "data: [DONE]\n\n";
  }
  const calls = callsOf(step).map(({ name, input }, index) => ({
    index,
    id: `call_${step}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return chunk({ tool_calls: calls }, null) + chunk({}, "tool_calls") + "data: [DONE]\n\n";
}

/** Runs one turn of `steps` steps, its session kept on disk, against a provider of our own. */
export async function runLoop(
  variant: Variant,
  steps: number,
  controller: SessionController,
  callsOf: (step: number) => readonly Call[] = readOwn,
): Promise<Loop> {
  const arrivals: number[] = [];
  const sizes: number[] = [];
  const ends: number[] = [];
  let peak = NaN;
  let pid = 0;
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      arrivals.push(performance.now());
      sizes.push(Number(request.headers.get("content-length") ?? NaN));
      await request.body?.cancel();
      const step = arrivals.length - 1;
      if (step === steps) peak = await peakOf(pid);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(answer(step, steps, callsOf)));
          controller.close();
          ends.push(performance.now());
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  );
  const began = performance.now();
  const child = start([
    ...variant.command,
    ...["-p", "read the files", "--output-format", "stream-json"],
    ...["--base-url", `http://127.0.0.1:${server.addr.port}/v1`, "--model", "bench"],
    ...["--max-iterations", String(steps + 10)],
  ], controller);
  pid = child.pid;
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout);
  if (code !== 0 || arrivals.length !== steps + 1) {
    const said = new TextDecoder().decode(stderr).trim() || text.slice(-500);
    const came = `${arrivals.length} of ${steps + 1} requests came, exit ${code}`;
    throw new Error(`Cannot measure ${variant.name}: ${came}: ${said}`);
  }
  const tools = text.split("\n").filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter((event) => event.type === "tool_end");
  const failed = tools.find((event) => !event.ok);
  if (failed) {
    throw new Error(`Cannot measure ${variant.name}: ${failed.name} failed: ${failed.text}`);
  }
  const trips = ends.slice(0, steps).map((end, step) => (arrivals[step + 1] ?? NaN) - end);
  const overheads = trips.map((trip, step) => trip - (tools[step]?.ms ?? NaN));
  return { first: (arrivals[0] ?? NaN) - began, overheads, trips, sizes, peak };
}

/** Sends tool calls one after another to one `narnat tool --jsonl`. */
export async function runWarm(
  variant: Variant,
  calls: readonly { readonly name: string; readonly input: unknown }[],
  controller: SessionController,
): Promise<Warm> {
  const child = start([...variant.command, "tool", "--jsonl"], controller, "piped");
  const writer = child.stdin.getWriter();
  const answers = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const times: number[] = [];
  let pending = "";
  for (const call of calls) {
    const began = performance.now();
    await writer.write(new TextEncoder().encode(JSON.stringify(call) + "\n"));
    while (!pending.includes("\n")) {
      const { value, done } = await answers.read();
      if (done) throw new Error(`Cannot measure ${variant.name}: tool --jsonl ended early`);
      pending += value;
    }
    times.push(performance.now() - began);
    const end = pending.indexOf("\n");
    const { ok, text } = JSON.parse(pending.slice(0, end));
    if (!ok) throw new Error(`Cannot measure ${variant.name}: ${call.name} failed: ${text}`);
    pending = pending.slice(end + 1);
  }
  const peak = await peakOf(child.pid);
  await writer.close();
  await answers.cancel();
  await child.stderr.cancel();
  await child.status;
  return { calls: times, peak };
}

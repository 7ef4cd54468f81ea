/**
 * What a streamed token costs, and what a session of so many steps holds in memory.
 * `deno run -A scripts/bench_stream.ts [EXECUTABLE…]`: of these, alternated; of one that is built where none is given.
 */
import { join } from "node:path";
import { type Desk, prepare } from "./bench_runs.ts";
import { script } from "./bundle.ts";

const TOKENS = 200_000;
const ROUNDS = 3;
const AIM_US = 4;
/** Megabytes after so many steps. */
const STEPS: readonly (readonly [steps: number, aim: number])[] = [
  [0, 58],
  [20, 80],
  [200, 90],
  [800, 110],
  [2000, 120],
];

/** The least that reads such an answer: what fetch and JSON.parse take. */
const FLOOR = `
const answer = await fetch(Deno.args[0] + "/chat/completions", { method: "POST", body: "{}" });
let rest = "", text = "";
for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
  const events = (rest + piece).split("\\n\\n");
  rest = events.pop();
  for (const event of events) {
    if (event !== "data: [DONE]") text += JSON.parse(event.slice(6)).choices[0].delta.content ?? "";
  }
}
`;

const event = (delta: unknown, finish: string | null = null) =>
  `data: ${
    JSON.stringify({
      id: "bench",
      object: "chat.completion.chunk",
      model: "bench",
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  }\n\n`;
const END = event({}, "stop") + "data: [DONE]\n\n";

/** A provider that answers a turn's request behind so many results; any other is for a summary. */
function provider(answer: (results: number) => string | Promise<string>) {
  let results = 0;
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { messages = [] } = await request.json();
    // older results are left out in a long session
    if (messages.at(-1)?.role === "tool") results++;
    else if (results > 0) return new Response(event({ content: "a summary" }) + END, { headers });
    return new Response(await answer(results), { headers });
  });
}

const headers = { "content-type": "text/event-stream" };
const urlOf = ({ addr }: { addr: Deno.NetAddr }) => `http://127.0.0.1:${addr.port}/v1`;

const asking = (url: string, ...more: readonly string[]) => [
  ...["-p", "go", "--base-url", url, "--model", "bench", "--allow-delete"],
  ...more,
];

/** Milliseconds of CPU that a command and its children take. */
async function cpuMs(command: readonly string[], { env, workspace }: Desk): Promise<number> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", '"$@" >&2 || exit; times', "sh", ...command],
    cwd: workspace,
    clearEnv: true,
    env: { ...env },
    stdin: "null",
    stderr: "null",
  }).output();
  const [, children = ""] = new TextDecoder().decode(stdout).split("\n");
  const [, a, b, c, d] = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s/.exec(children)?.map(Number) ?? [];
  if (d === undefined) throw new Error(`Cannot measure ${command.join(" ")}: it failed`);
  return ((a! + c!) * 60 + b! + d) * 1000;
}

/** Peak of a session's resident memory in megabytes, asked for with the last request. */
async function peakMb(executable: string, steps: number, { env, workspace }: Desk) {
  let pid = 0;
  let peak = NaN;
  await using server = provider(async (results) => {
    if (results < steps) return call(results, workspace) + event({}, "tool_calls");
    const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
    peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024;
    return event({ content: "done" }) + END;
  });
  await Deno.writeTextFile(join(workspace, "edit.txt"), "value 0.\n");
  const child = new Deno.Command(executable, {
    args: asking(urlOf(server), "--max-iterations", String(steps + 10)),
    cwd: workspace,
    clearEnv: true,
    env: { ...env },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  pid = child.pid;
  const { code } = await child.status;
  if (code !== 0) throw new Error(`Cannot measure ${executable}: ${steps} steps, exit ${code}`);
  return peak;
}

/** A Read, a Grep, an Edit and a command by turns, none of them twice. */
function call(step: number, workspace: string): string {
  const n = step >> 2;
  const [name, input] = ([
    ["Read", { file_path: `f${n % 20}.txt`, offset: 1 + n % 83, limit: 2 + Math.floor(n / 83) }],
    ["Grep", { pattern: `needle${n % 90}\\b|none${n}`, output_mode: "content" }],
    ["Edit", {
      file_path: join(workspace, "edit.txt"),
      old_string: `value ${n}.`,
      new_string: `value ${n + 1}.`,
    }],
    ["Bash", { command: `printf ${n}; true` }],
  ] as const)[step % 4]!;
  const call = { name, arguments: JSON.stringify(input) };
  return event({ tool_calls: [{ index: 0, id: `c${step}`, type: "function", function: call }] });
}

/** Prints the rows of these executables. */
export async function benchStream(executables: readonly string[], desk: Desk): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at} of ${i} needle${at}\n`);
    await Deno.writeTextFile(join(desk.workspace, `f${i}.txt`), lines.join(""));
  }
  const row = (label: string, figures: readonly number[], unit: string, aim: number) => {
    const cells = figures.map((n) => `${n.toFixed(unit === "MB" ? 0 : 2)}${n > aim ? " !" : "  "}`);
    console.log(`${label.padEnd(38)}${cells.map((one) => one.padStart(11)).join("")} ${unit}`);
  };
  const floor = join(desk.workspace, "floor.js");
  await Deno.writeTextFile(floor, FLOOR);
  const words = Array.from({ length: TOKENS }, (_, i) => event({ content: `word${i % 97} ` }));
  const long = words.join("") + END;
  await using many = provider(() => long);
  await using one = provider(() => words[0] + END);
  const commands = [
    (url: string) => [Deno.execPath(), "run", "-A", floor, url],
    ...executables.map((each) => (url: string) => [each, ...asking(url)]),
  ];
  const starts = commands.map(() => Infinity);
  const whole = commands.map(() => Infinity);
  // the first round unpacks, and fills caches
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, command] of commands.entries()) {
      const start = await cpuMs(command(urlOf(one)), desk);
      const all = await cpuMs(command(urlOf(many)), desk);
      if (round < 0) continue;
      starts[index] = Math.min(starts[index]!, start);
      whole[index] = Math.min(whole[index]!, all);
    }
  }
  const least = whole.map((all, index) => (all - starts[index]!) * 1000 / TOKENS);
  const [bottom = NaN, ...own] = least;
  row("CPU per streamed token, least", own, "µs", AIM_US);
  row("  the least program that reads it", own.map(() => bottom), "µs", Infinity);
  for (const [steps, aim] of STEPS) {
    const figures: number[] = [];
    for (const each of executables) figures.push(await peakMb(each, steps, desk));
    row(`peak memory, ${steps} steps (aim ${aim})`, figures, "MB", aim);
  }
}

if (import.meta.main) {
  await script(async () => {
    const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
    try {
      const { desk, variants } = await prepare(folder);
      const given = Deno.args.length > 0 ? Deno.args : variants.at(-1)!.command;
      await benchStream(given, desk);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/**
 * What a streamed token costs beside the least program that reads it.
 * `deno run -A scripts/bench_stream.ts [EXECUTABLE…]`: of these, alternated; of one that is built where none is given.
 */
import { join } from "node:path";
import { chunk, prepare, type SessionController } from "./bench_runs.ts";
import { script } from "./bundle.ts";

const TOKENS = 200_000;
const ROUNDS = 3;
const AIM_US = 4;
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

const END = chunk({}, "stop") + "data: [DONE]\n\n";

function provider(answer: string) {
  return Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response(answer, { headers }),
  );
}

const headers = { "content-type": "text/event-stream" };
const urlOf = ({ addr }: { addr: Deno.NetAddr }) => `http://127.0.0.1:${addr.port}/v1`;

const asking = (url: string) => ["-p", "go", "--base-url", url, "--model", "bench"];

/** Milliseconds of CPU that a command and its children take. */
async function cpuMs(
  command: readonly string[],
  { env, workspace }: SessionController,
): Promise<number> {
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

/** Prints the rows of these executables. */
export async function benchStream(
  executables: readonly string[],
  controller: SessionController,
): Promise<void> {
  const row = (label: string, figures: readonly number[], aim = Infinity) => {
    const cells = figures.map((n) => `${n.toFixed(2)}${n > aim ? " !" : "  "}`);
    console.log(`${label.padEnd(38)}${cells.map((one) => one.padStart(11)).join("")} µs`);
  };
  const floor = join(controller.workspace, "floor.js");
  await Deno.writeTextFile(floor, FLOOR);
  const words = Array.from(
    { length: TOKENS },
    (_, i) => chunk({ content: `word${i % 97} ` }, null),
  );
  const long = words.join("") + END;
  await using many = provider(long);
  await using one = provider(words[0] + END);
  const commands = [
    (url: string) => [Deno.execPath(), "run", "-A", floor, url],
    ...executables.map((each) => (url: string) => [each, ...asking(url)]),
  ];
  const starts = commands.map(() => Infinity);
  const whole = commands.map(() => Infinity);
  // the first round unpacks, and fills caches
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, command] of commands.entries()) {
      const start = await cpuMs(command(urlOf(one)), controller);
      const all = await cpuMs(command(urlOf(many)), controller);
      if (round < 0) continue;
      starts[index] = Math.min(starts[index]!, start);
      whole[index] = Math.min(whole[index]!, all);
    }
  }
  const least = whole.map((all, index) => (all - starts[index]!) * 1000 / TOKENS);
  const [bottom = NaN, ...own] = least;
  row("CPU per streamed token, least", own, AIM_US);
  row("  the least program that reads it", own.map(() => bottom));
}

if (import.meta.main) {
  await script(async () => {
    const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
    try {
      const { controller, variants } = await prepare(folder);
      const given = Deno.args.length > 0 ? Deno.args : variants.at(-1)!.command;
      await benchStream(given, controller);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

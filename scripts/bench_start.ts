/**
 * From the start to the first request, beside the least program that does the same.
 * `deno run -A scripts/bench_start.ts [EXECUTABLE…]`: of these, alternated with the checkout; of one that is built where none is given.
 */
import { join } from "node:path";
import { chunk, prepare, type SessionController, type Variant } from "./bench_runs.ts";
import { ROOT, script } from "./bundle.ts";

const ROUNDS = 30;
const AIM = 1.6;
const AIM_SOURCE = 1.7;
const ANSWER = chunk({ content: "done" }, null) + chunk({}, "stop") + "data: [DONE]\n\n";

/**
 * The least program that does the same: what is piped to it and the user's and the project's settings
 * and rules are read, the line is on disk before it is sent, the request is narnat's own, and the
 * answer is printed as it comes and kept. All beyond it is narnat's to answer for.
 */
const FLOOR = `
const [url] = Deno.args;
const read = (path) => {
  try { return Deno.readTextFileSync(path); } catch { return ""; }
};
const home = Deno.env.get("HOME") + "/.narnat/";
const key = Deno.env.get("NARNAT_API_KEY");
const settings = [home + "narnat.json", ".narnat/narnat.json"].map((path) => JSON.parse(read(path) || "{}"));
const rules = [home + "AGENTS.md", home + "narnat.md", "AGENTS.md", ".narnat/narnat.md"].map(read);
const piped = Deno.stdin.isTerminal() ? 0 : Deno.stdin.readSync(new Uint8Array(65536));
Deno.mkdirSync(".floor", { recursive: true });
const session = Deno.openSync(".floor/" + crypto.randomUUID() + ".jsonl", { createNew: true, append: true });
const keep = (entry) => {
  session.writeSync(new TextEncoder().encode(JSON.stringify(entry) + "\\n"));
  session.syncDataSync();
};
keep({ role: "user", text: "hello", settings, rules, piped });
const body = JSON.stringify(REQUEST);
const headers = { "content-type": "application/json", authorization: "Bearer " + key };
const answer = await fetch(url + "/chat/completions", { method: "POST", headers, body });
const decoder = new TextDecoder();
let rest = "", text = "";
for await (const piece of answer.body) {
  const events = (rest + decoder.decode(piece, { stream: true })).split("\\n\\n");
  rest = events.pop();
  for (const event of events) {
    if (event === "data: [DONE]") continue;
    const said = JSON.parse(event.slice(6)).choices[0].delta.content ?? "";
    Deno.stdout.writeSync(new TextEncoder().encode(said));
    text += said;
  }
}
keep({ role: "assistant", text });
`;

/** The words with which the executable's launcher starts Deno. */
async function launcherWords(): Promise<string[]> {
  const text = await Deno.readTextFile(join(ROOT, "scripts/stub.sh"));
  return /^exec "\$d\/deno" (.+?) "\$d/ms.exec(text)![1]!.split(/[\s\\]+/);
}

interface Asked {
  /** Milliseconds from the spawn to the request's arrival. */
  readonly wall: number;
  /** Of CPU that the process has taken by then. */
  readonly cpu: number;
  readonly body: string;
}

/** Milliseconds of CPU that a process has taken so far; its threads are told apart, as Linux counts those exactly. */
function cpuOf(pid: number): number {
  let ns = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    ns += Number(Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ", 1)[0]);
  }
  return ns / 1e6;
}

/** Runs a command that asks once. */
async function ask(
  command: (url: string) => readonly string[],
  controller: SessionController,
): Promise<Asked> {
  const { promise: asked, resolve, reject } = Promise.withResolvers<Asked>();
  let pid = 0;
  let began = 0;
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const wall = performance.now() - began;
      const cpu = cpuOf(pid);
      resolve({ wall, cpu, body: await request.text() });
      return new Response(ANSWER, { headers: { "content-type": "text/event-stream" } });
    },
  );
  const [program = "", ...args] = command(`http://127.0.0.1:${server.addr.port}/v1`);
  began = performance.now();
  const child = new Deno.Command(program, {
    args,
    cwd: controller.workspace,
    clearEnv: true,
    env: { ...controller.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  pid = child.pid;
  const { code, stdout, stderr } = await child.output();
  const said = new TextDecoder().decode(stdout).trim();
  if (code !== 0 || said !== "done") {
    const why = new TextDecoder().decode(stderr).trim() || said;
    reject(new Error(`Cannot measure ${program}: exit ${code}: ${why}`));
  }
  return await asked;
}

const narnat = (command: readonly string[]) => (url: string) => [
  ...command,
  ...["-p", "hello", "--base-url", url, "--model", "bench"],
];

/** Prints the rows of these; the last of them is what the one from source is held against. */
export async function benchStart(
  variants: readonly Variant[],
  controller: SessionController,
): Promise<void> {
  if (Deno.build.os !== "linux") {
    return console.log("start: Linux alone tells what CPU a thread takes");
  }
  const { body } = await ask(narnat(variants.at(-1)!.command), controller);
  const floor = join(controller.workspace, "floor.js");
  await Deno.writeTextFile(floor, FLOOR.replace("REQUEST", () => body));
  const words = await launcherWords();
  const commands = [
    (url: string) => [Deno.execPath(), ...words, floor, url],
    ...variants.map(({ command }) => narnat(command)),
  ];
  const runs: Asked[][] = commands.map(() => []);
  // the rounds before the first fill caches and are not counted
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, command] of commands.entries()) {
      const run = await ask(command, controller);
      if (round >= 0) runs[index]!.push(run);
    }
  }
  const [bottom = [], ...own] = runs;
  console.log(
    `start to first request, p25 (least) of ${ROUNDS} alternated rounds; × is the ratio to the ` +
      "least program that does the same",
  );
  const row = (label: string, cells: readonly string[], aim = "") =>
    console.log(
      label.padEnd(38) + cells.map((cell) => cell.padStart(18)).join("") + aim.padStart(11),
    );
  row("", ["least program", ...variants.map(({ name }) => name)]);
  for (const what of ["wall", "cpu"] as const) {
    const figures = [bottom, ...own].map((all) => {
      const sorted = all.map((one) => one[what]).sort((a, b) => a - b);
      return { p25: sorted[sorted.length >> 2]!, least: sorted[0]! };
    });
    const [base, ...more] = figures as [typeof figures[number], ...typeof figures];
    const both = ({ p25, least }: typeof base, by = { p25: 1, least: 1 }) =>
      `${(p25 / by.p25).toFixed(2)} (${(least / by.least).toFixed(2)})`;
    row(`${what}, ms`, figures.map((one) => both(one)));
    row("  ×", ["", ...more.map((one) => both(one, base))], `≤ ${AIM}`);
    const built = more.at(-1)!;
    row("  to the last", ["", ...more.map((one) => both(one, built))], `≤ ${AIM_SOURCE}`);
  }
}

if (import.meta.main) {
  await script(async () => {
    const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
    try {
      const { controller, variants } = await prepare(folder);
      const source = {
        name: "source",
        command: [Deno.execPath(), "run", "-A", join(ROOT, "main.ts")],
      };
      const given = Deno.args.map((path) => ({
        name: path.split("/").at(-3) ?? path,
        command: [path],
      }));
      await benchStart(given.length > 0 ? [source, ...given] : variants, controller);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

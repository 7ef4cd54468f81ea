/** Measures the terminal: the first prompt, ESC, streaming through the whole screen, an idle screen. */
import process from "node:process";
import { join } from "node:path";
import type { Answer, Fault } from "../tests/support/fake_provider.ts";
import { startFakeProvider } from "../tests/support/fake_provider.ts";
import { Pty, ptyAvailable } from "../tests/support/pty.ts";
import { done, FakeBus } from "../tests/terminal/fake_bus.ts";
import { doubled, heapAfterTurns, NoTerminal, screenOn, TEXTS } from "./bench_markdown.ts";
import { prepare, type SessionController, type Variant } from "./bench_runs.ts";
import { script } from "./bundle.ts";

const ROUNDS = 15;
const ESCAPES = 5;
const MEGABYTE = 1_000_000;
/** Of each kind of markdown at least, with a frame after every few words, which takes long. */
const SOME = 100_000;

/** Stopped in the words of the environment's language. */
const STOPPED = "Interrupted";

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

function row(label: string, cells: readonly string[], aim = ""): void {
  console.log(
    label.padEnd(38) + cells.map((cell) => cell.padStart(13)).join("") + aim.padStart(11),
  );
}

/** A figure with its unit, marked when it misses the aim. */
function cell(value: number, unit: string, aim = Infinity): string {
  return value.toFixed(unit === " ms" ? 1 : 2) + unit + (value > aim ? " !" : "  ");
}

/** Milliseconds from the fork to the text on a pseudo-terminal, and to the echo of a key pressed then. */
export async function startOf(
  command: readonly string[],
  text: string,
  controller: SessionController,
): Promise<{ prompt: number; key: number }> {
  const pty = Pty.open(command, { env: controller.env, cwd: controller.workspace });
  try {
    const prompt = await pty.shows(text);
    let key = NaN;
    if (text === "❯") {
      await pty.type("y");
      key = await pty.shows(/❯[^\n]*y/);
    }
    return { prompt, key };
  } finally {
    await pty.close();
  }
}

/** The first prompt against an empty script that prints one line, interleaved on a pseudo-terminal. */
async function benchStart(
  variants: readonly Variant[],
  controller: SessionController,
): Promise<void> {
  const line = join(controller.workspace, "line.ts");
  await Deno.writeTextFile(line, 'console.log("one line");\n');
  const empty: number[] = [];
  const starts = variants.map(() => ({ prompt: [] as number[], key: [] as number[] }));
  for (let round = -2; round < ROUNDS; round++) {
    const bare = await startOf([Deno.execPath(), "run", "-A", line], "one line", controller);
    if (round >= 0) empty.push(bare.prompt);
    for (const [index, { command }] of variants.entries()) {
      const { prompt, key } = await startOf(command, "❯", controller);
      if (round < 0) continue;
      starts[index]?.prompt.push(prompt);
      starts[index]?.key.push(key);
    }
  }
  const base = median(empty);
  console.log(
    `× is the ratio to an empty Deno script that prints one line on a pseudo-terminal, ` +
      `${base.toFixed(1)} ms; medians of ${ROUNDS} interleaved rounds`,
  );
  row("", variants.map(({ name }) => `${name}  `), "aim");
  row("first prompt", starts.map((of) => cell(median(of.prompt) / base, "×", 2.5)), "≤ 2.5×");
  row("  in milliseconds", starts.map((of) => cell(median(of.prompt), " ms")));
  row("first key shown", starts.map((of) => cell(median(of.key) / base, "×")));
}

const FLOOD = { name: "Bash", input: { command: "yes an endless flood of output" } };

/** What is stopped by ESC, and what tells that it has begun. */
const SITUATIONS: { readonly [name: string]: { reply: Answer | Fault; begun: string | RegExp } } = {
  "text streams": {
    reply: { text: "words and words ".repeat(4000), deltas: 4000, delayMs: 5 },
    begun: "words and",
  },
  "a command floods": { reply: { calls: [FLOOD] }, begun: "  an endless flood" },
  "the network stalls": { reply: { fault: "stall_before_headers" }, begun: "to interrupt" },
};

/** Milliseconds from ESC to the line that says the turn was stopped. */
async function benchEscape(
  variants: readonly Variant[],
  controller: SessionController,
): Promise<void> {
  for (const [name, { reply, begun }] of Object.entries(SITUATIONS)) {
    const cells: string[] = [];
    for (const { command } of variants) {
      const times: number[] = [];
      const provider = await startFakeProvider(() => reply);
      const env = { ...controller.env, NARNAT_BASE_URL: provider.url, NARNAT_MODEL: "bench" };
      const pty = Pty.open([...command, "--no-session"], { env, cwd: controller.workspace });
      try {
        await pty.shows("\x1b[?2026l");
        for (let again = 0; again < ESCAPES; again++) {
          const from = pty.written.length;
          await pty.type("go\r");
          await pty.shows(begun, from);
          await new Promise((resolve) => setTimeout(resolve, 300));
          const at = pty.written.length;
          const began = performance.now();
          await pty.type("\x1b");
          await pty.shows(STOPPED, at);
          times.push(performance.now() - began);
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      } finally {
        await pty.close();
        await provider.close();
      }
      cells.push(cell(Math.max(...times), " ms", 100));
    }
    row(`ESC to stopped, ${name}`, cells, "≤ 100 ms");
  }
}

/** Words of an answer that comes at a hundred a second. */
const STREAMED = 500;
const FRAME = "\x1b[?2026l";

/** Milliseconds of CPU that the threads of a process have had. */
function cpuHad(pid: number): number {
  let ns = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    ns += Number(Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ")[0]);
  }
  return ns / 1e6;
}

/** CPU for each word of an answer in a window and headless, and frames in a second, the best of some rounds. */
async function benchTokens(
  variants: readonly Variant[],
  controller: SessionController,
): Promise<void> {
  const text = `begin ${"some words of one answer\n\n".repeat(STREAMED / 5)}finis`;
  let pty: Pty | undefined;
  let before = NaN;
  const provider = await startFakeProvider(() => {
    before = cpuHad(pty!.pid);
    return { text, deltas: STREAMED, delayMs: 10 };
  });
  const env = { ...controller.env, NARNAT_BASE_URL: provider.url, NARNAT_MODEL: "bench" };
  const rows: string[][] = [[], [], []];
  try {
    for (const { command } of variants) {
      const played: { cpu: number; frames: number }[][] = [[], []];
      for (let round = 0; round < 3; round++) {
        for (const [index, args] of [[], ["-p", "go"]].entries()) {
          pty = Pty.open([...command, "--no-session", ...args], { env, cwd: controller.workspace });
          try {
            if (index === 0) {
              await pty.shows(FRAME);
              await pause(500);
              await pty.type("go\r");
            }
            const began = await pty.shows("begin");
            const ended = await pty.shows("finis");
            const frames = pty.written.slice(pty.written.indexOf("begin")).split(FRAME).length - 1;
            const cpu = cpuHad(pty.pid) - before;
            played[index]!.push({ cpu, frames: frames * 1000 / (ended - began) });
          } finally {
            await pty.close();
          }
        }
      }
      const [screen, headless] = played.map((rounds) => Math.min(...rounds.map(({ cpu }) => cpu)));
      rows[0]!.push(cell(screen! / STREAMED, " ms"));
      rows[1]!.push(cell(screen! / headless!, "×"));
      rows[2]!.push(cell(Math.max(...played[0]!.map(({ frames }) => frames)), "", 30));
    }
  } finally {
    await provider.close();
  }
  row("CPU per word at 100 a second", rows[0]!);
  row("  against the same answer with -p", rows[1]!);
  row("  frames a second", rows[2]!, "≤ 30");
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Plays on a screen that nobody looks at. */
async function onScreen(play: (bus: FakeBus, terminal: NoTerminal) => Promise<void>) {
  const bus = new FakeBus();
  const terminal = new NoTerminal();
  const over = new AbortController();
  const exit = screenOn(bus, terminal, over.signal);
  await pause(50);
  await play(bus, terminal);
  over.abort();
  await exit;
}

/** Milliseconds of CPU that one answer costs the whole process, streamed through the screen. */
async function cpuOf(text: string): Promise<number> {
  let used = NaN;
  await onScreen(async (bus) => {
    const before = process.cpuUsage();
    bus.emit({ type: "turn_start", text: "go" });
    for (let at = 0; at < text.length; at += 64) {
      bus.emit({ type: "text", delta: text.slice(at, at + 64) });
      if (at % 4096 === 0) await pause(4);
    }
    bus.emit(done);
    await pause(100);
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / 1000;
  });
  return used;
}

async function benchStream(): Promise<void> {
  await cpuOf(TEXTS.mixed!(MEGABYTE / 4));
  const one = await cpuOf(TEXTS.mixed!(MEGABYTE));
  const two = await cpuOf(TEXTS.mixed!(2 * MEGABYTE));
  const aim = "≤ 2.3×";
  row("1 MB through the screen, CPU", [cell(one, " ms")]);
  row("  double the text", [cell(two / one, "×", 2.3)], aim);
  for (const kind of Object.keys(TEXTS)) {
    const { ratio } = doubled(kind, SOME);
    row(`  markdown alone: ${kind}`, [cell(ratio, "×", 2.3)], aim);
  }
}

async function benchIdle(): Promise<void> {
  await onScreen(async (bus, terminal) => {
    bus.emit({ type: "turn_start", text: "go" }, { type: "text", delta: "done" }, done);
    await pause(300);
    const { bytes } = terminal;
    const before = process.cpuUsage();
    await pause(2000);
    const { user, system } = process.cpuUsage(before);
    row("bytes written in 2 s at rest", [cell(terminal.bytes - bytes, "")], "0");
    row("CPU in 2 s at rest", [cell((user + system) / 1000, " ms")]);
  });
}

async function benchMemory(): Promise<void> {
  let last = NaN;
  for await (const bytes of heapAfterTurns(100, 50_000)) last = bytes;
  row("heap after 100 turns of 50 KB", [cell(last / MEGABYTE, " MB", 10)], "< 10 MB");
}

/** Prints the rows of the terminal; needs python3's pseudo-terminal for the first ones. */
export async function benchTerminal(
  variants: readonly Variant[],
  controller: SessionController,
): Promise<void> {
  if (await ptyAvailable()) {
    await benchStart(variants, controller);
    await benchEscape(variants, controller);
    if (Deno.build.os === "linux") await benchTokens(variants, controller);
  } else console.log("no python3: the first prompt and ESC are not measured");
  await benchStream();
  await benchMemory();
  await benchIdle();
}

if (import.meta.main) {
  await script(async () => {
    const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
    try {
      const { controller, variants } = await prepare(folder);
      await benchTerminal(variants, controller);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

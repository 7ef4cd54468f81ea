/** The streamed answer: CPU against its length, and what stays in memory after many turns. */
import process from "node:process";
import type { Terminal } from "@earendil-works/pi-tui";
import { done, FakeBus, fakeOptions } from "../tests/terminal/fake_bus.ts";
import { createHighlighter } from "../src/terminal/markdown/highlight.ts";
import { StreamMarkdown } from "../src/terminal/markdown/stream_markdown.ts";
import { runScreen } from "../src/terminal/screen.ts";
import { createStyle, markdownTheme } from "../src/terminal/style.ts";

const WIDTH = 80;
const ROWS = 14;
/** Characters between two frames. */
const STEP = 64;
const ROUNDS = 3;
const LEAST_MS = 1000;

const style = createStyle("color");
const look = { theme: markdownTheme(style), highlight: createHighlighter(style) };

/** Kinds of text, each as `length` characters of one answer. */
export const TEXTS: { readonly [kind: string]: (length: number) => string } = {
  mixed: (length) =>
    repeat(
      "## 标题 heading\n\nSome **bold** and `code`，这是一段中文文字，用来测试换行。\n\n" +
        "- one\n- two\n  - nested\n\n```ts\nconst x = `a ${1}`; // note\n```\n\n" +
        "| a | 列 |\n|---|---|\n| 1 | 中文 |\n\n",
      length,
    ),
  paragraph: (length) => repeat("some words of one paragraph 一些文字 that never ends ", length),
  lines: (length) => repeat("some words of a paragraph with line ends\n", length),
  list: (length) => repeat("- an item with `code` and some words\n", length),
  code: (length) => "```ts\n" + repeat("const value = call(1, 'two'); // three\n", length),
  table: (length) => "| a | b |\n|---|---|\n" + repeat("| one cell | `two` cells |\n", length),
  item: (length) => "1. one\n\n   ```ts\n" + repeat("   const value = 1;\n", length),
};

function repeat(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** Streams a text with a frame after each piece; returns the milliseconds of CPU and the rows. */
function streamed(text: string): { ms: number; rows: number } {
  let rows = 0;
  const before = process.cpuUsage();
  const markdown = new StreamMarkdown((draw) => rows += draw(WIDTH).length, look);
  for (let at = 0; at < text.length; at += STEP) {
    markdown.push(text.slice(at, at + STEP));
    markdown.settle({ width: WIDTH, rows: ROWS });
    markdown.render(WIDTH, ROWS);
  }
  markdown.end();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, rows };
}

/**
 * How often as much CPU twice as much of a kind of text takes: `length` characters, or as many more as
 * take a second, which lets garbage and compiling weigh little. Each the least of some rounds, since
 * what else goes on only adds.
 */
export function doubled(
  kind: string,
  length: number,
): { length: number; ms: number; ratio: number } {
  const make = TEXTS[kind]!;
  while (streamed(make(length)).ms < LEAST_MS) length *= 2;
  let [one, two] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    one = Math.min(one, streamed(make(length)).ms);
    two = Math.min(two, streamed(make(2 * length)).ms);
  }
  return { length, ms: one, ratio: two / one };
}

/** A terminal that nobody looks at. */
export class NoTerminal implements Terminal {
  readonly columns = WIDTH;
  readonly rows = 24;
  readonly kittyProtocolActive = false;
  bytes = 0;
  write(data: string): void {
    this.bytes += data.length;
  }
  start(): void {}
  stop(): void {}
  drainInput(): Promise<void> {
    return Promise.resolve();
  }
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
}

/** Runs a screen that shows what `bus` tells, until `ended`. */
export function screenOn(bus: FakeBus, terminal: Terminal, ended: AbortSignal): Promise<number> {
  return runScreen({
    ...fakeOptions(bus),
    ended,
  }, terminal);
}

/** Bytes of heap that the screen holds more after each of `turns` turns of `length` characters. */
export async function* heapAfterTurns(turns: number, length: number): AsyncGenerator<number> {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) {
    throw new Error("Cannot measure memory: run with --v8-flags=--expose-gc");
  }
  const bus = new FakeBus();
  const over = new AbortController();
  const exit = screenOn(bus, new NoTerminal(), over.signal);
  const frame = () => new Promise((resolve) => setTimeout(resolve, 20));
  const text = TEXTS.mixed!(length);
  let base = 0;
  for (let turn = 0; turn <= turns; turn++) {
    bus.emit({ type: "turn_start", text: `turn ${turn}` });
    bus.emit({ type: "thinking", delta: text.slice(0, length / 10) });
    for (let at = 0; at < length; at += length / 10) {
      bus.emit({ type: "text", delta: text.slice(at, at + length / 10) });
      await frame();
    }
    const detail = { kind: "command", exit: 1, output: text.slice(0, 30_000) } as const;
    bus.emit({ type: "tool_start", id: "1", name: "Bash", input: { command: "x" } });
    bus.emit({ type: "tool_end", id: "1", name: "Bash", ok: true, text: "", ms: 1, detail }, done);
    await frame();
    collect();
    const { heapUsed } = Deno.memoryUsage();
    // The first turn loads and compiles.
    if (turn === 0) base = heapUsed;
    else yield heapUsed - base;
  }
  over.abort();
  await exit;
}

if (import.meta.main) {
  const length = Number(Deno.args[0] ?? 1_000_000);
  const mega = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  let turn = 0;
  for await (const bytes of heapAfterTurns(100, 50_000)) {
    if (++turn % 20 === 0) console.log(`heap after ${turn} turns of 50 KB: ${mega(bytes)} more`);
  }
  for (const kind of Object.keys(TEXTS)) {
    const { ms, ratio, ...of } = doubled(kind, length);
    console.log(
      `${kind.padEnd(10)} ${mega(of.length)} ${(ms / 1000).toFixed(2)} s, double ${
        ratio.toFixed(2)
      }x`,
    );
  }
}

/** The input line: completion in a large tree, typing beside a large paste. */
import { english } from "../src/base/t.ts";
import { join } from "node:path";
import { createSearcher } from "../src/search/mod.ts";
import { PromptEditor } from "../src/terminal/input/editor.ts";
import { FileIndex } from "../src/terminal/input/completion.ts";
import { LiveScreen } from "../src/terminal/live.ts";
import { createStyle, editorTheme } from "../src/terminal/style.ts";
import { VirtualTerminal } from "../tests/support/virtual_terminal.ts";
import { makeTree } from "./bench_trees.ts";
import { ROOT, script } from "./bundle.ts";

const FILES = 100_000;
/** Time enough for the workers to start. */
const START_MS = 1500;
/** Time enough for the walk. */
const WALK_MS = 6000;
const PASTED_LINES = 20_000;
const TYPED = ["f", "con", "m9x", "parse_99", ""];

/** Prints what completion and typing cost. */
export async function benchInput(): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    makeTree(join(folder, "tree"), FILES, 20);
    await completion(join(folder, "tree"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  await typing();
}

async function completion(root: string): Promise<void> {
  const searcher = createSearcher({ entry: `file://${join(ROOT, "main.ts")}` });
  const index = new FileIndex(searcher, root, () => performance.now());
  const { signal } = new AbortController();
  const early = watchStalls();
  searcher.start();
  await new Promise((resolve) => setTimeout(resolve, START_MS));
  const started = early.stop();
  const began = performance.now();
  const since = () => performance.now() - began;
  let first = 0;
  let last = 0;
  index.onMore = () => {
    last = since();
    first ||= last;
  };
  const walk = watchStalls();
  index.refresh();
  const starting = walk.longest();
  await new Promise((resolve) => setTimeout(resolve, WALK_MS));
  const stall = walk.stop();
  console.log(`completion in ${FILES} files`);
  row("  longest stall before, while nobody types", started);
  row("  first suggestions", first);
  row("  the key that starts it, at most", starting);
  row("  all known, with the newest", last);
  row("  longest stall meanwhile", stall);
  for (const typed of TYPED) {
    const search = watchStalls();
    const from = performance.now();
    await index.find(typed, 30, signal);
    const ms = performance.now() - from;
    row(`  "${typed}", and its longest stall`, ms, search.stop());
  }
  index.close();
  searcher.close();
}

async function typing(): Promise<void> {
  const live = new LiveScreen(new VirtualTerminal());
  const style = createStyle("color");
  const look = { style, t: english, workspace: "/" };
  const editor = new PromptEditor(live, editorTheme(style), look);
  live.addChild(editor);
  live.setFocus(editor);
  live.start();
  await Promise.resolve();
  const text = Array.from({ length: PASTED_LINES }, (_, i) => `\t第 ${i} 行 of a paste`).join("\n");
  console.log(`a paste of ${PASTED_LINES} lines`);
  row("  until it stands on the screen", timed(() => press(`\x1b[200~${text}\x1b[201~`)));
  const keys = Array.from({ length: 200 }, (_, i) => timed(() => press(i % 5 === 0 ? " " : "x")));
  keys.sort((a, b) => a - b);
  row("  a key beside it, median and worst", keys[100]!, keys[199]!);
  live.close();

  function press(data: string): void {
    editor.handleInput(data);
    live.renderNow();
  }
}

function timed(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

/** Watches for how long nothing else gets its turn. */
function watchStalls(): { longest(): number; stop(): number } {
  let longest = 0;
  let last = performance.now();
  const beat = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(beat, 1);
  const look = () => {
    beat();
    return longest;
  };
  return {
    longest: look,
    stop() {
      clearInterval(timer);
      return look();
    },
  };
}

function row(label: string, ...ms: readonly number[]): void {
  console.log(label.padEnd(44) + ms.map((one) => `${one.toFixed(1)} ms`.padStart(12)).join(""));
}

if (import.meta.main) await script(benchInput);

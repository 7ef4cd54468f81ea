/** Whatever happens in whatever order: the whole buffer is the transcript, each line once. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { NO_USAGE } from "../../src/base/figures.ts";
import type { Detail, EventBody, Todo } from "../../src/base/types.ts";
import { done } from "./fake_bus.ts";
import { onScreen, type Stage } from "./on_screen.ts";
import { runs, slow } from "../support/soak.ts";

const SIZES = [[80, 24], [40, 12], [200, 60]] as const;
const BEFORE = Array.from({ length: 30 }, (_, n) => `$ shell line ${n}`);
const ESC = "\x1b";
/** A frame older than this has come before the window changed. */
const SURE_MS = 90;

/** What can happen while a turn runs; `n` is a number of its own for each step. */
type Step =
  | { readonly do: "say"; readonly kind: Kind; readonly size: number }
  | { readonly do: "call"; readonly kind: CallKind; readonly size: number; readonly ok: boolean }
  | { readonly do: "ask"; readonly key: string }
  | { readonly do: "todos"; readonly size: number; readonly finished: number }
  | { readonly do: "emit"; readonly events: readonly EventBody[] }
  | { readonly do: "type"; readonly keys: readonly string[] }
  | { readonly do: "resize"; readonly size: readonly [number, number]; readonly late: boolean }
  | { readonly do: "turn" }
  | { readonly do: "look" };

const KINDS = [
  "prose",
  "chinese",
  "list",
  "code",
  "table",
  "endless",
  "quote",
  "thinking",
] as const;
type Kind = (typeof KINDS)[number];
/** What is held back until it is whole: when it is taller than the screen, its top is not shown. */
const HELD: readonly Kind[] = ["table", "quote"];
type CallKind = "diff" | "command" | "lines" | "matches" | "page" | "none";

const number = (most: number) => fc.integer({ min: 1, max: most });
const size = fc.constantFrom<readonly [number, number]>(...SIZES, [30, 8], [57, 33]);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      kind: fc.constantFrom(...KINDS),
      size: number(60),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      kind: fc.constantFrom<CallKind>("diff", "command", "lines", "matches", "page", "none"),
      size: number(80),
      ok: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant("ask" as const), key: fc.constantFrom("\r", ESC, "\x1b[B") }),
  fc.record({ do: fc.constant("todos" as const), size: number(20), finished: number(20) }),
  fc.record({
    do: fc.constant("emit" as const),
    events: fc.constantFrom<readonly EventBody[]>(
      [{ type: "notice", level: "info", text: "a notice\nof two lines" }],
      [{ type: "notice", level: "warn", text: "中文 warning ".repeat(20) }],
      [{ type: "error", kind: "network", text: "the line broke" }],
      [{ type: "compress_start" }],
      [{ type: "compress_start" }, { type: "compress_end", ok: true, usage: NO_USAGE }],
      [{ type: "usage", input: 1000, output: 10, cached: 500, cost: 0.01 }],
    ),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("type" as const),
      keys: fc.array(
        fc.constantFrom(
          "a",
          "你",
          "👩‍💻",
          "\x1b\r",
          "\x7f",
          "\x1b[D",
          "\x1b[H",
          "\r",
          "word ".repeat(30),
        ),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("resize" as const), size, late: fc.boolean() }),
  },
  fc.record({ do: fc.constant("turn" as const) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("look" as const) }) },
);

/** Markdown of a kind, each piece with a mark that occurs nowhere else. */
function markdown(kind: Kind, size: number, mark: () => string): string {
  const each = (line: (n: number) => string) => Array.from({ length: size }, (_, n) => line(n));
  switch (kind) {
    case "prose":
    case "thinking":
      return each((n) => `Paragraph ${n} ${mark()} with \`code\` and **bold** words.`).join(
        "\n\n",
      ) +
        "\n\n";
    case "chinese":
      return each((n) => `第 ${n} 段${mark()}：**“重点”**内容，一些中文文字，👍🏽 和 é。`).join(
        "\n\n",
      ) + "\n\n";
    case "list":
      return each((n) => `${n % 3 === 0 ? "- " : "  - "}item ${mark()}`).join("\n") + "\n\n";
    case "code":
      return "```ts\n" + each((n) => `const v${n} = "${mark()}"; // 注释`).join("\n") + "\n```\n\n";
    case "table":
      return "| a | b |\n|---|---|\n" + each(() => `| ${mark()} | 值 |`).join("\n") + "\n\n";
    case "endless":
      return each(() => `words without end ${mark()} `).join("") + "\n\n";
    case "quote":
      return each(() => `> quoted ${mark()}`).join("\n") + "\n\n";
  }
}

function detail(kind: CallKind, size: number, ok: boolean): Detail | undefined {
  const lines = (line: (n: number) => string) => Array.from({ length: size }, (_, n) => line(n));
  switch (kind) {
    case "diff":
      return {
        kind,
        path: "/space/a.ts",
        added: size,
        removed: size,
        diff: "@@ -1 +1 @@\n" + lines((n) => `-old 行 ${n} word\n+new 行 ${n} word`).join("\n"),
      };
    case "command":
      return { kind, exit: ok ? 0 : 1, output: lines((n) => `output 输出 ${n}`).join("\n") };
    case "lines":
      return { kind, count: size };
    case "matches":
      return { kind, count: size, files: 3 };
    case "page":
      return { kind, url: "http://a/", bytes: size * 1000 };
    case "none":
      return undefined;
  }
}

const frame = () => new Promise((resolve) => setTimeout(resolve, 20));

/** What an answer said, told from all else by its text. */
interface Mark {
  readonly text: string;
  readonly kind: Kind;
}

/**
 * Plays steps; returns the marks that have to stand in the buffer. `late`: a window became so small
 * just behind a frame that the screen cannot know which rows it has moved off.
 */
async function play(
  stage: Stage,
  steps: readonly Step[],
): Promise<{ readonly marks: readonly Mark[]; readonly late: boolean }> {
  const { bus, terminal } = stage;
  const marks: Mark[] = [];
  let late = false;
  let count = 0;
  const id = () => `c${count++}`;
  bus.emit({ type: "turn_start", text: "go" });
  for (const step of steps) {
    switch (step.do) {
      case "say": {
        const isThinking = step.kind === "thinking";
        const mark = () => {
          const text = `⟦${count++}⟧`;
          if (!isThinking) marks.push({ text, kind: step.kind });
          return text;
        };
        const text = markdown(step.kind, step.size, mark);
        for (const delta of text.match(/[^]{1,97}/gu) ?? []) {
          bus.emit({ type: isThinking ? "thinking" : "text", delta });
          if (delta.includes("7")) await frame();
        }
        break;
      }
      case "call": {
        const call = id();
        const name = step.kind === "diff" ? "Edit" : step.kind === "command" ? "Bash" : "Read";
        bus.emit({ type: "tool_start", id: call, name, input: { file_path: `/space/${call}.ts` } });
        if (step.size % 2 === 0) await frame();
        bus.emit({
          type: "tool_progress",
          id: call,
          text: "running\nstill 运行\n".repeat(step.size),
        });
        await frame();
        const found = detail(step.kind, step.size, step.ok);
        bus.emit({
          type: "tool_end",
          id: call,
          name,
          ok: step.ok,
          text: "what came of it",
          ms: 12,
          ...(found ? { detail: found } : {}),
        });
        break;
      }
      case "ask":
        bus.emit({
          type: "ask",
          id: id(),
          kind: "delete",
          question: "Delete this?",
          command: "rm -rf 'build 目录'",
          targets: Array.from({ length: count % 7 }, (_, n) => `/space/build/${n}`),
        });
        await frame();
        terminal.key(step.key);
        if (step.key === "\x1b[B") terminal.key("\r");
        break;
      case "todos": {
        const todos = Array.from({ length: step.size }, (_, n): Todo => ({
          content: `do ${n}`,
          activeForm: `doing ${n}`,
          status: n < step.finished ? "completed" : "pending",
        }));
        const call = id();
        bus.emit({ type: "tool_start", id: call, name: "TodoWrite", input: { todos: [] } }, {
          type: "tool_end",
          id: call,
          name: "TodoWrite",
          ok: true,
          text: "",
          ms: 1,
          detail: { kind: "todos", todos },
        });
        break;
      }
      case "emit":
        bus.emit(...step.events);
        break;
      case "type":
        for (const key of step.keys) terminal.key(key);
        break;
      case "resize":
        if (!step.late) await new Promise((resolve) => setTimeout(resolve, SURE_MS));
        late = await terminal.resize(...step.size) && step.late || late;
        break;
      case "turn":
        bus.emit(done, { type: "turn_start", text: "again" });
        break;
      case "look":
        await terminal.text();
        await stage.whole();
        break;
    }
  }
  bus.emit(done);
  await terminal.text();
  return { marks, late };
}

/** Throws unless each mark stands in the text once, in order; those of `doubled` kinds may again. */
function assertMarks(text: string, marks: readonly Mark[], doubled: readonly Kind[]): void {
  const all = text.replace(/[\s│]+/g, "");
  let at = 0;
  for (const { text: mark, kind } of marks) {
    const found = all.indexOf(mark, at);
    assert.ok(found >= at, `${mark} of the answer is lost`);
    at = found + mark.length;
    const twice = all.indexOf(mark, at) >= 0;
    assert.ok(!twice || doubled.includes(kind), `${mark} of the answer, ${kind}, is drawn twice`);
  }
}

Deno.test("whatever happens in whatever order, the buffer is the transcript, each line once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SIZES),
      fc.array(step, { minLength: 3, maxLength: 25 }),
      async (size, steps) => {
        await onScreen(async (stage) => {
          const { marks, late } = await play(stage, steps);
          const text = (await stage.terminal.lines()).join("\n");
          const { movedOff, misplaced } = stage.terminal;
          const doubled = late || misplaced ? KINDS : movedOff ? HELD : [];
          assertMarks(text, marks, doubled);
        }, { size, before: BEFORE, again: false });
      },
    ),
    { numRuns: runs(12) },
  );
});

slow("a screen at rest writes nothing", async () => {
  await onScreen(async (stage) => {
    const { terminal } = stage;
    await play(stage, [
      { do: "say", kind: "prose", size: 3 },
      { do: "todos", size: 3, finished: 1 },
      { do: "type", keys: ["你", "a"] },
    ]);
    await terminal.text();
    const { length } = terminal.written;
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(terminal.written.slice(length), "");
  });
});

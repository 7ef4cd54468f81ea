/** What the screen says of each event: pure functions from event to rows, the same for both screens. */
import { relative } from "node:path";
import { plain, plainLine } from "./clean.ts";
import type { Style } from "./style.ts";
import { say } from "../text.ts";
import type { AgentEvent, Detail, Json, Lang, Todo, Usage } from "../types.ts";

/** One row of text; a row too long is wrapped at words, cut, or left to the terminal as it is. */
export interface Row {
  /** Stands before the text; blanks of its width before what is wrapped. */
  readonly lead?: string;
  readonly text: string;
  /** Stands behind the text and is the last to be cut. */
  readonly end?: string;
  readonly fit: "wrap" | "cut" | "raw";
}

/** A row as one line of any length. */
export function lineOf({ lead = "", text, end = "" }: Row): string {
  return lead + text + end;
}

/** How to say it. */
export interface Look {
  readonly style: Style;
  readonly lang: Lang;
  readonly workspace: string;
}

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

const DIFF_ROWS = 20;
const OUTPUT_ROWS = 5;
const SUMMARY_CHARS = 200;
/** Input fields that say best what a call is about, in order. */
const TELLING = ["file_path", "path", "command", "pattern", "query", "url", "prompt", "task"];

const wrapped = (text: string, lead = ""): Row => ({ lead, text, fit: "wrap" });
const cut = (text: string, end = ""): Row => ({ text, end, fit: "cut" });

function clip(text: string, max = SUMMARY_CHARS): string {
  const line = plainLine(text).trim();
  return line.length > max ? line.slice(0, max) + "…" : line;
}

function shortPath(path: string, workspace: string): string {
  if (!path.startsWith("/")) return path;
  const inside = relative(workspace, path);
  return inside === "" ? "." : inside.startsWith("..") ? path : inside;
}

/** `Edit src/a.ts`: a call in one line. */
export function callText(name: string, input: Json, look: Look): string {
  const about = clip(aboutCall(input, look.workspace).text);
  return look.style.bold(clip(name, 60)) + (about === "" ? "" : " " + about);
}

/** The field of a call's input that says best what the call is about, as it stands. */
export function aboutCall(input: Json, workspace: string): { key: string; text: string } {
  const nothing = { key: "", text: "" };
  if (typeof input === "string") return { key: "", text: input };
  if (input === null || typeof input !== "object" || Array.isArray(input)) return nothing;
  if (Array.isArray(input.todos)) return nothing;
  if (typeof input.pattern === "string") {
    const where = typeof input.path === "string" ? " " + shortPath(input.path, workspace) : "";
    return { key: "pattern", text: input.pattern + where };
  }
  const key = [...TELLING, ...Object.keys(input)].find((key) => typeof input[key] === "string");
  if (key === undefined) return nothing;
  const text = String(input[key]);
  const isPath = key.endsWith("path") && TELLING.includes(key);
  return { key, text: isPath ? shortPath(text, workspace) : text };
}

/** A duration for people: `0.4 s`, `2.1 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** A count for people: `812`, `12.3k`, `4.5M`. */
export function count(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_950) return `${(n / 1000).toFixed(1)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** The English ending of what is not one. */
const many = (n: number, ending: string) => n === 1 ? "" : ending;

function outcome(detail: Detail | undefined, ms: number, look: Look): string {
  const { lang, style } = look;
  switch (detail?.kind) {
    case "diff":
      return ` ${style.green(`+${detail.added}`)} ${style.red(`−${detail.removed}`)}`;
    case "command": {
      const exit = detail.timedOut
        ? say(lang, "screen.timed_out")
        : detail.exit === null
        ? detail.signal === undefined
          ? say(lang, "tool.interrupted")
          : say(lang, "screen.signal", { signal: plainLine(detail.signal) })
        : say(lang, "screen.exit", { code: detail.exit });
      return style.dim(` · ${duration(ms)} · `) + (detail.exit === 0 ? style.dim : style.red)(exit);
    }
    case "lines":
      return style.dim(
        ` · ${say(lang, "screen.lines", { count: detail.count, s: many(detail.count, "s") })}`,
      );
    case "matches":
      return style.dim(
        ` · ${
          say(lang, "screen.matches", {
            count: detail.count,
            es: many(detail.count, "es"),
            files: detail.files,
            s: many(detail.files, "s"),
          })
        }`,
      );
    case "page":
      return style.dim(` · ${count(detail.bytes)}B`);
    default:
      return ms >= 1000 ? style.dim(` · ${duration(ms)}`) : "";
  }
}

/** The outcome of a call, with its diff or the end of a failed command's output; `call` is callText's. */
export function toolEndRows(event: EventOf<"tool_end">, call: string, look: Look): Row[] {
  const { style } = look;
  const { detail } = event;
  if (event.ok && detail?.kind === "todos") return [];
  const dot = event.ok ? style.green("●") : style.red("●");
  const rows = [cut(`${dot} ${call}`, outcome(detail, event.ms, look))];
  if (detail?.kind === "diff") rows.push(...diffRows(detail.diff, look));
  const failed = !event.ok || (detail?.kind === "command" && detail.exit !== 0);
  if (!failed) return rows;
  if (detail?.kind === "command" && detail.output !== undefined) {
    const output = plain(detail.output).trimEnd();
    if (output !== "") {
      rows.push(
        ...output.split("\n").slice(-OUTPUT_ROWS).map((line) => cut(`  ${style.dim(line)}`)),
      );
    }
  } else if (!event.ok) {
    const first = plain(event.text).split("\n").find((line) => line.trim() !== "");
    if (first !== undefined) rows.push(wrapped(style.red(clip(first, 500)), "  "));
  }
  return rows;
}

/** A short coloured diff from a unified diff without file headers. */
export function diffRows(diff: string, look: Look): Row[] {
  const { style } = look;
  const lines = plain(diff).trimEnd().split("\n").filter((line) => !line.startsWith("\\"));
  if (lines.length === 1 && lines[0] === "") return [];
  const rows = lines.slice(0, DIFF_ROWS).map((line) => {
    const paint = line.startsWith("+")
      ? style.green
      : line.startsWith("-")
      ? style.red
      : line.startsWith("@@")
      ? style.cyan
      : style.dim;
    return cut(`  ${paint(line)}`);
  });
  const more = lines.length - DIFF_ROWS;
  if (more > 0) {
    rows.push(cut(style.dim(`  ${say(look.lang, "screen.more", { count: more })}`)));
  }
  return rows;
}

/** The todo panel, at most `max` rows: what is done folds first, then what comes last. */
export function todoRows(todos: readonly Todo[], look: Look, max: number): Row[] {
  const { style } = look;
  const row = (todo: Todo): Row => {
    const text = clip(todo.status === "in_progress" ? todo.activeForm : todo.content);
    switch (todo.status) {
      case "completed":
        return cut(style.dim(`  ✓ ${text}`));
      case "in_progress":
        return cut(style.cyan(`  ▸ ${style.bold(text)}`));
      case "pending":
        return cut(`  ○ ${text}`);
    }
  };
  if (todos.length <= max) return todos.map(row);
  const left = todos.filter((todo) => todo.status !== "completed");
  const done = todos.length - left.length;
  const rows = done > 0
    ? [cut(style.dim(`  ✓ ${say(look.lang, "screen.todos_done", { count: done })}`))]
    : [];
  const room = Math.max(1, max - rows.length);
  if (left.length <= room) return [...rows, ...left.map(row)];
  const shown = left.slice(0, room - 1);
  const more = say(look.lang, "screen.more", { count: left.length - shown.length });
  return [...rows, ...shown.map(row), cut(style.dim(`  ${more}`))];
}

/** What a panel shows of a list at rest: nothing when all is done. */
export function openTodos(todos: readonly Todo[]): readonly Todo[] {
  return todos.every((todo) => todo.status === "completed") ? [] : todos;
}

/** The first rows of a session. */
export function welcomeRows(version: string, model: string, look: Look): Row[] {
  const { style } = look;
  return [
    cut(`${style.bold("narnat")} ${plainLine(version)} ${style.dim(`· ${plainLine(model)}`)}`),
    cut(style.dim(plainLine(look.workspace))),
    wrapped(style.dim(say(look.lang, "screen.keys"))),
  ];
}

/** A line the user sent. */
export function userRows(text: string, look: Look): Row[] {
  return plain(text).split("\n").map((line, index) =>
    wrapped(line, index === 0 ? look.style.cyan("❯ ") : "  ")
  );
}

export function noticeRows(event: EventOf<"notice">, look: Look): Row[] {
  const warn = event.level === "warn";
  return plain(event.text).trimEnd().split("\n").map((line) =>
    wrapped(warn ? look.style.yellow(line) : line)
  );
}

export function errorRows(event: EventOf<"error">, look: Look): Row[] {
  return plain(event.text).trimEnd().split("\n").map((line, index) =>
    wrapped(look.style.red(line), index === 0 ? look.style.red("✗ ") : "  ")
  );
}

/** The end of a turn: what it used, and what became of an unanswered prompt. */
export function turnEndRows(
  event: EventOf<"turn_end">,
  usage: Usage | undefined,
  look: Look,
): Row[] {
  const { style, lang } = look;
  if (event.reason === "command") return [];
  const rows: Row[] = [];
  if (event.reason === "interrupted") {
    rows.push(wrapped(style.yellow(say(lang, "screen.interrupted"))));
  }
  if (event.prompt !== undefined) {
    rows.push(wrapped(style.dim(say(lang, "screen.given_back"))));
  }
  if (usage === undefined) return rows;
  const parts = [
    say(lang, "screen.tokens", { input: count(usage.input), output: count(usage.output) }),
    usage.cached > 0 ? say(lang, "screen.cached", { cached: count(usage.cached) }) : "",
    usage.cost === null ? say(lang, "screen.cost_unknown") : cost(usage.cost),
    duration(event.ms),
  ];
  rows.push(wrapped(style.dim(parts.filter((part) => part !== "").join(" · "))));
  return rows;
}

function cost(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

/** Adds up the usage events of a turn; a cost once unknown stays so. */
export function addUsage(sum: Usage | undefined, more: Usage): Usage {
  if (sum === undefined) {
    return { input: more.input, output: more.output, cached: more.cached, cost: more.cost };
  }
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    cached: sum.cached + more.cached,
    cost: sum.cost === null || more.cost === null ? null : sum.cost + more.cost,
  };
}

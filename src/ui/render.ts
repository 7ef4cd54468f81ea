/** What the screen says of each event: pure functions from event to rows, the same for both screens. */
import { relative } from "node:path";
import { plain, plainLine } from "./clean.ts";
import { diffRows } from "./diff_rows.ts";
import type { Look, Row } from "./rows.ts";
import { say } from "../text.ts";
import type { AgentEvent, Detail, Json, Todo, Usage } from "../types.ts";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

const DIFF_ROWS = 20;
const OUTPUT_ROWS = 5;
/** Of a command the user ran, which was for its output. */
const OWN_OUTPUT_ROWS = 60;
const SUMMARY_CHARS = 200;
/** What a call is about, above which not every terminal shows it in one line. */
const LONG_CALL = 60;
/** Input fields that say best what a call is about, in order. */
const TELLING = ["file_path", "path", "command", "pattern", "query", "url", "prompt", "task"];

/** What of a table's row, or before an indented line, the rest stays behind. */
const FIRST_COLUMN = /^(?:\*? *\S+(?: \S+)*? {2,}|\* | +)(?=\S)/;

const wrapped = (text: string, lead = ""): Row => ({ lead, text, fit: "wrap" });
const cut = (text: string, end = ""): Row => ({ text, end, fit: "cut" });

function clip(text: string, max = SUMMARY_CHARS): string {
  const line = plainLine(text).trim();
  // Not in the midst of a character of two units.
  return line.length > max ? line.slice(0, max).replace(/[\ud800-\udbff]$/, "") + "…" : line;
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
  return wholeSeconds(Math.round(ms / 1000));
}

/** A duration in seconds for people: `12 s`, `3 min 05 s`. */
export function wholeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
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

function outcome({ detail, ms }: EventOf<"tool_end">, look: Look): string {
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
      const lines = detail.exit === 0 ? lineCount(detail) : 0;
      return style.dim(` · ${duration(ms)} · `) +
        (detail.exit === 0 ? style.dim : style.red)(exit) +
        (lines === 0 ? "" : style.dim(
          ` · ${say(lang, "screen.output_lines", { count: lines, s: many(lines, "s") })}`,
        ));
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

/** A call as the screen knows it: callText's line, and all of what the call is about. */
export interface ShownCall {
  readonly text: string;
  readonly about: string;
}

/** The outcome of a call, with its diff or the end of a failed command's output. */
export function toolEndRows(event: EventOf<"tool_end">, call: ShownCall, look: Look): Row[] {
  const { detail } = event;
  if (event.ok && detail?.kind === "todos") return [];
  const rows = outcomeRows(event, call, look);
  if (!look.keys || rows.some(({ more }) => more) || !isFolded(event, call, look)) return rows;
  return [{ ...rows[0]!, hint: look.style.dim(" · ctrl-o") }, ...rows.slice(1)];
}

function outcomeRows(
  event: EventOf<"tool_end">,
  call: ShownCall,
  look: Look,
): (Row & { readonly more?: true })[] {
  const { detail } = event;
  const head = headRow(event, call, look);
  if (detail?.kind === "diff") {
    const rows = diffRows(detail.diff, look);
    const more = rows.length - DIFF_ROWS;
    return [head, ...rows.slice(0, DIFF_ROWS), ...more > 0 ? [moreRow(more, look)] : []];
  }
  if (detail?.kind === "command" && detail.output !== undefined) {
    // Outside of a turn it is the user's own line.
    const own = event.turn === 0;
    if (detail.exit === 0 && !own) return [head];
    const lines = linesOf(detail.output);
    const most = own ? OWN_OUTPUT_ROWS : OUTPUT_ROWS;
    const rest = lineCount(detail) - most;
    const rows = lines.slice(-most).map((line) =>
      own ? wrapped(line, "  ") : cut(`  ${look.style.dim(line)}`)
    );
    return [head, ...rest > 0 ? [moreRow(rest, look)] : [], ...rows];
  }
  if (event.ok) return [head];
  if (detail?.kind === "declined") {
    return [head, wrapped(look.style.red(say(look.lang, "screen.declined")), "  ")];
  }
  const first = linesOf(event.text).find((line) => line.trim() !== "");
  return first === undefined ? [head] : [head, wrapped(look.style.red(clip(first, 500)), "  ")];
}

/** All that a call asked for and has brought, where toolEndRows leaves something out. */
export function toolFullRows(
  event: EventOf<"tool_end">,
  call: ShownCall,
  look: Look,
): Row[] | undefined {
  if (!isFolded(event, call, look)) return undefined;
  const { detail } = event;
  const asked = isLong(event, call)
    ? linesOf(call.about).map((line) => wrapped(line, look.style.dim("  │ ")))
    : [];
  const brought = detail?.kind === "diff"
    ? diffRows(detail.diff, look, "wrap")
    : linesOf(outputOf(event)).map((line) => wrapped(line, "  "));
  return [headRow(event, call, look), ...asked, ...brought];
}

/** Whether toolEndRows leaves something out. */
function isFolded(event: EventOf<"tool_end">, call: ShownCall, look: Look): boolean {
  const { detail } = event;
  if (detail?.kind === "todos" || detail?.kind === "declined") return false;
  if (isLong(event, call)) return true;
  if (detail?.kind === "diff") return diffRows(detail.diff, look).length > DIFF_ROWS;
  const lines = linesOf(outputOf(event));
  if (detail?.kind === "command") {
    const shown = event.turn === 0 ? OWN_OUTPUT_ROWS : detail.exit === 0 ? 0 : OUTPUT_ROWS;
    return lines.length > shown;
  }
  return lines.length > (event.ok ? 0 : 1);
}

/** The user's own line stands above its outcome. */
const isLong = ({ turn }: EventOf<"tool_end">, { about }: ShownCall) =>
  turn !== 0 && (about.length > LONG_CALL || about.trim().includes("\n"));

const outputOf = ({ detail, text }: EventOf<"tool_end">) =>
  detail?.kind === "command" ? detail.output ?? "" : text;

const lineCount = ({ lines, output = "" }: Extract<Detail, { kind: "command" }>) =>
  lines ?? linesOf(output).length;

const headRow = (event: EventOf<"tool_end">, { text }: ShownCall, look: Look) =>
  cut(`${dot(event, look)} ${text}`, outcome(event, look));

const dot = ({ ok }: EventOf<"tool_end">, { style }: Look) => (ok ? style.green : style.red)("●");

function linesOf(text: string): string[] {
  const trimmed = plain(text).trimEnd();
  return trimmed === "" ? [] : trimmed.split("\n");
}

function moreRow(count: number, { style, lang, keys }: Look): Row & { readonly more: true } {
  const hint = keys ? ` · ${say(lang, "screen.ctrl_o")}` : "";
  return { ...cut(style.dim(`  ${say(lang, "screen.more", { count })}${hint}`)), more: true };
}

/** The todo panel, at most `max` rows: what is done folds first, then what comes last; one row tells what is being done. */
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
  if (max === 1) {
    const now = todos.find(({ status }) => status === "in_progress") ??
      todos.find(({ status }) => status === "pending") ?? todos.at(-1)!;
    const done = todos.filter(({ status }) => status === "completed").length;
    return [{ ...row(now), end: style.dim(` · ${done}/${todos.length}`) }];
  }
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

/** A line the user sent. */
export function userRows(text: string, look: Look): Row[] {
  return plain(text).split("\n").map((line, index) =>
    wrapped(line, index === 0 ? look.style.cyan("❯ ") : "  ")
  );
}

export function noticeRows(event: EventOf<"notice">, look: Look): Row[] {
  const colour = event.level === "warn" ? look.style.yellow : (text: string) => text;
  return plain(event.text).trimEnd().split("\n").map((line) => {
    const lead = FIRST_COLUMN.exec(line)?.[0] ?? "";
    return wrapped(colour(line.slice(lead.length)), lead === "" ? "" : colour(lead));
  });
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

/** A price for people: `$0.0123`, `$1.50`. */
export function cost(dollars: number): string {
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

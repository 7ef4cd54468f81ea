/** A call as a person reads it: what is called, what became of it, and what of that is folded. */
import { aboutCall, type JsonObject } from "../../base/about_call.ts";
import { clip, plain, plainLine } from "../../base/control_characters.ts";
import { count, duration } from "../../base/figures.ts";
import { isRecord } from "../../base/is_record.ts";
import type { AgentEvent, Detail, Json } from "../../base/types.ts";
import type { Style } from "../style.ts";
import { cut, type Look, type Row, wrapped } from "./rows.ts";

/** A stretch of a line. */
interface Span {
  readonly text: string;
  readonly changed: boolean;
}

/** Cells of the comparison's table above which only what is common at both ends counts as kept. */
const MOST_CELLS = 40_000;
/** Of lines that share less than this part nothing is said. */
const LEAST_KEPT = 0.3;
const WORD = /[\p{L}\p{N}_]+|\s+|[^]/gu;

/** The two lines in spans, kept words and changed ones; undefined when they have little in common. */
export function wordDiff(before: string, after: string): [Span[], Span[]] | undefined {
  const old = before.match(WORD) ?? [];
  const now = after.match(WORD) ?? [];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [a, b] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const kept = a.length * b.length > MOST_CELLS ? [] : longestCommon(a, b);
  const keptOf = (side: 0 | 1) => new Set(kept.map((pair) => pair[side] + head));
  const sides = [spans(old, keptOf(0), head, tail), spans(now, keptOf(1), head, tail)] as const;
  const letters = (all: readonly Span[]) =>
    all.reduce((sum, { text, changed }) => changed ? sum : sum + text.trim().length, 0);
  const whole = Math.max(before.trim().length, after.trim().length);
  return Math.max(letters(sides[0]), letters(sides[1])) < whole * LEAST_KEPT
    ? undefined
    : [...sides];
}

function spans(
  words: readonly string[],
  kept: ReadonlySet<number>,
  head: number,
  tail: number,
): Span[] {
  const out: { text: string; changed: boolean }[] = [];
  for (const [at, text] of words.entries()) {
    const changed = at >= head && at < words.length - tail && !kept.has(at);
    const last = out.at(-1);
    if (last?.changed === changed) last.text += text;
    else out.push({ text, changed });
  }
  return out;
}

/** Pairs of places at which the two lists have the same word, as many as there can be in order. */
function longestCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j]
        ? table[(i + 1) * width + j + 1]! + 1
        : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}

type Sign = " " | "-" | "+";

interface Line {
  readonly sign: Sign;
  /** As it is numbered before (`-`) or after. */
  readonly number: number;
  readonly spans: readonly Span[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The rows of a unified diff without file headers; `fit` says what becomes of long lines. */
export function diffRows(diff: string, look: Look, fit: "cut" | "wrap" = "cut"): Row[] {
  const hunks = hunksOf(plain(diff).trimEnd());
  const numbers = hunks.flat().map(({ number }) => number);
  const columns = String(Math.max(0, ...numbers)).length;
  return hunks.flatMap((lines, index) => [
    ...index === 0 ? [] : [{ text: look.style.dim(`  ${" ".repeat(columns - 1)}⋮`), fit }],
    ...lines.map((line) => rowOf(line, columns, look.style, fit)),
  ]);
}

function rowOf(
  { sign, number, spans }: Line,
  columns: number,
  style: Style,
  fit: "cut" | "wrap",
): Row {
  const colour = sign === "-" ? style.red : sign === "+" ? style.green : style.dim;
  const gutter = style.dim(`  ${String(number).padStart(columns)} `);
  const text = spans.map(({ text, changed }) => changed ? style.inverse(text) : text).join("");
  return { lead: gutter + colour(`${sign} `), text: colour(text), fit };
}

function hunksOf(diff: string): Line[][] {
  const hunks: Line[][] = [];
  let lines: Line[] = [];
  let [before, after] = [1, 1];
  for (const line of diff === "" ? [] : diff.split("\n")) {
    const head = HUNK.exec(line);
    if (head !== null) {
      [before, after] = [Number(head[1]), Number(head[2])];
      lines = [];
    } else if (/^[-+ ]/.test(line)) {
      const sign = line[0] as Sign;
      if (lines.length === 0) hunks.push(lines);
      lines.push({
        sign,
        number: sign === "-" ? before : after,
        spans: [{ text: line.slice(1), changed: false }],
      });
      if (sign !== "+") before++;
      if (sign !== "-") after++;
    }
  }
  return hunks.map(withWords);
}

/** Compares removed lines with the added ones that follow them, the first with the first. */
function withWords(lines: readonly Line[]): Line[] {
  const out = [...lines];
  for (let at = 0; at < out.length;) {
    const removed = runOf(out, at, "-");
    const added = runOf(out, at + removed, "+");
    // Only where it is plain which line became which.
    for (let n = 0; removed === added && n < removed; n++) {
      const [old, now] = [out[at + n]!, out[at + removed + n]!];
      const words = wordDiff(old.spans[0]!.text, now.spans[0]!.text);
      if (words === undefined) continue;
      out[at + n] = { ...old, spans: words[0] };
      out[at + removed + n] = { ...now, spans: words[1] };
    }
    at += Math.max(1, removed + added);
  }
  return out;
}

function runOf(lines: readonly Line[], from: number, sign: Sign): number {
  let length = 0;
  while (lines[from + length]?.sign === sign) length++;
  return length;
}

const OF_SERVER = "mcp_";

/** A call as the screen knows it: callText's line, and all of what the call is about. */
export interface ShownCall {
  readonly text: string;
  readonly about: string;
}

/** `Edit src/a.ts`: a call in one line. */
export function callText(name: string, input: Json, look: Look): string {
  const about = clip(briefly(name, input, look));
  return look.style.bold(titleOf(name, look)) + (about === "" ? "" : " " + about);
}

/** All of what a call is about. */
export function wholeCall(name: string, input: Json, look: Look): string {
  if (isRecord(input)) {
    if (name === "Spawn" && typeof input["task"] === "string") return input["task"];
    if (name === "Plan" && Array.isArray(input["steps"])) return stepsText(input["steps"]);
    if (name === "Team" || name === "Send") return `${team(input)}${textOf(input)}`;
  }
  return aboutCall(input, look.workspace).text;
}

/** `server · tool` for a tool of a server, whose name alone does not say where the one ends. */
export function titleOf(name: string, { servers }: Look): string {
  if (!name.startsWith(OF_SERVER)) return clip(name, 60);
  const rest = name.slice(OF_SERVER.length);
  const all = (servers?.() ?? []).toSorted((a, b) => b.length - a.length);
  const server = all.find((one) => rest.startsWith(`${asNamed(one)}_`));
  if (server === undefined) return clip(name, 60);
  return clip(`${plainLine(server)} · ${rest.slice(asNamed(server).length + 1)}`, 80);
}

const asNamed = (server: string) => server.replace(/[^A-Za-z0-9_-]+/g, "_");

function briefly(name: string, input: Json, look: Look): string {
  if (isRecord(input)) {
    if (name === "Spawn" && typeof input["label"] === "string" && input["label"].trim() !== "") {
      return input["label"];
    }
    if (name === "Plan" && Array.isArray(input["steps"])) {
      return look.t("{n} {n:step|steps}", { n: input["steps"].length });
    }
  }
  return wholeCall(name, input, look);
}

const stepsText = (steps: readonly Json[]) =>
  steps.map((step, at) => `${at + 1}. ${typeof step === "string" ? step : JSON.stringify(step)}`)
    .join("\n");

/** `create ann, bob`, `→ ann: `, `broadcast: `. */
function team(input: JsonObject): string {
  const { action, members, to } = input;
  const word = typeof action === "string" && action !== "send" ? action : "";
  const names = Array.isArray(members)
    ? members.map((one) => isRecord(one) ? String(one["name"] ?? "") : "").join(", ")
    : "";
  const whom = typeof to === "string" && to !== "" ? `→ ${to}` : "";
  return [word, names, whom].filter((part) => part !== "").join(" ");
}

const textOf = ({ text }: JsonObject) => typeof text === "string" && text !== "" ? `: ${text}` : "";

type EventOf<V extends AgentEvent["type"]> = Extract<AgentEvent, { type: V }>;

const DIFF_ROWS = 20;
const OUTPUT_ROWS = 5;
/** Of a command the user ran, which was for its output. */
const OWN_OUTPUT_ROWS = 60;
/** What a call is about, above which not every terminal shows it in one line. */
const LONG_CALL = 60;

/** The English ending of what is not one. */
const many = (n: number, ending: string) => n === 1 ? "" : ending;

function outcome({ detail, ms }: EventOf<"tool_end">, look: Look): string {
  const { t, style } = look;
  switch (detail?.kind) {
    case "diff":
      return ` ${style.green(`+${detail.added}`)} ${style.red(`−${detail.removed}`)}`;
    case "command": {
      const exit = detail.timedOut
        ? t("timed out")
        : detail.exit === null
        ? detail.signal === undefined
          ? t("interrupted")
          : t("killed by {signal}", { signal: plainLine(detail.signal) })
        : t("exit {code}", { code: detail.exit });
      const lines = detail.exit === 0 ? lineCount(detail) : 0;
      return style.dim(` · ${duration(ms)} · `) +
        (detail.exit === 0 ? style.dim : style.red)(exit) +
        (lines === 0 ? "" : style.dim(
          ` · ${t("{count} line{s} of output", { count: lines, s: many(lines, "s") })}`,
        ));
    }
    case "lines":
      return style.dim(
        ` · ${t("{count} line{s}", { count: detail.count, s: many(detail.count, "s") })}`,
      );
    case "matches":
      return style.dim(
        ` · ${
          t("{count} match{es} in {files} file{s}", {
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
    const notes = linesOf(detail.note ?? "").filter((line) => line !== "")
      .map((line) => wrapped(own ? line : look.style.dim(line), "  "));
    if (detail.exit === 0 && !own) return [head, ...notes];
    const lines = linesOf(detail.output);
    const most = own ? OWN_OUTPUT_ROWS : OUTPUT_ROWS;
    const rest = lineCount(detail) - most;
    const rows = lines.slice(-most).map((line) =>
      own ? wrapped(line, "  ") : cut(`  ${look.style.dim(line)}`)
    );
    return [head, ...rest > 0 ? [moreRow(rest, look)] : [], ...rows, ...notes];
  }
  if (event.ok) return [head];
  if (detail?.kind === "declined") {
    return [head, wrapped(look.style.red(look.t("declined, nothing ran")), "  ")];
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

/** Told by its form too: not everybody sees colours. */
function dot({ ok, detail }: EventOf<"tool_end">, { style }: Look): string {
  const failed = !ok || detail?.kind === "command" && detail.exit !== 0;
  return failed ? style.red("✗") : style.green("●");
}

function linesOf(text: string): string[] {
  const trimmed = plain(text).trimEnd();
  return trimmed === "" ? [] : trimmed.split("\n");
}

function moreRow(count: number, { style, t, keys }: Look): Row & { readonly more: true } {
  const hint = keys ? ` · ${t("ctrl-o shows all")}` : "";
  return { ...cut(style.dim(`  ${t("… {count} more", { count })}${hint}`)), more: true };
}

type ToolEnd = Extract<AgentEvent, { type: "tool_end" }>;

/** How many calls can still be opened. */
const MOST_KEPT = 10;

/** What of calls and answers was not all shown, to be opened from the newest to the oldest and round again. */
export class Folds {
  readonly #look: Look;
  /** Newest first. */
  #kept: (readonly Row[])[] = [];
  #next = 0;

  constructor(look: Look) {
    this.#look = look;
  }

  keep(event: ToolEnd, call: ShownCall): void {
    this.keepRows(toolFullRows(event, call, this.#look));
  }

  /** The rows of anything else of which not all was shown. */
  keepRows(rows: readonly Row[] | undefined): void {
    if (rows === undefined) return;
    this.#kept = [rows, ...this.#kept].slice(0, MOST_KEPT);
    this.#next = 0;
  }

  /** All rows of one call, of the newest after a new one was kept; undefined when there is none. */
  open(): readonly Row[] | undefined {
    return this.#kept[this.#next++ % this.#kept.length];
  }
}

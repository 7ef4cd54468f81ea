/**
 * What is kept of a turn besides its messages, for a replay, and which lines joined it while it
 * ran.
 */
import { fingerprint } from "../base/hash.ts";
import type { Lang } from "../base/t.ts";
import type {
  Answer,
  AssistantMessage,
  Detail,
  EventBody,
  Permission,
  Question,
  StopReason,
  Todo,
  ToolDefinition,
} from "../base/types.ts";
import type { Entry, Happened, MessageFacts, RunFacts, StoredDetail } from "./entries.ts";

/** Of a diff; the screen shows its first rows. */
const DIFF_CHARS = 4000;

/** What of an event is kept; `turn` is 0 outside of one. */
export function happened(body: EventBody, turn: number): Happened | undefined {
  switch (body.type) {
    case "notice":
    case "error":
    case "evidence":
      return turn > 0 ? body : undefined;
    case "turn_end":
      return body.reason === "command" ? undefined : body;
    // a person's line is a message itself
    case "turn_start":
      return turn === 0 || body.from !== undefined ? body : undefined;
    default:
      return undefined;
  }
}

/** A question as it is kept. */
export const asked = (id: string, { kind, question, command }: Question): Happened => ({
  type: "ask",
  id,
  kind,
  question,
  ...command === undefined ? {} : { command },
});

/** An answer as it is kept: what was filled in is the user's, but for the steps of a plan. */
export const answered = (id: string, { kind }: Question, value: Answer): Happened => ({
  type: "answer",
  id,
  value: kind === "plan" ? value : value !== false,
});

/** What accompanies an answer of the model. */
export function answerFacts(
  { calls }: AssistantMessage,
  stop: StopReason,
  ms: number,
): Pick<MessageFacts, "stop" | "ms"> {
  const usual = calls.length > 0 ? "calls" : "end";
  return { ms: Math.round(ms), ...stop === usual ? {} : { stop } };
}

/** A detail without what `text`, the result's, and its todos say, and without the places that nobody is shown. */
export function storedDetail(detail: Detail, text: string): StoredDetail {
  if (detail.kind === "todos") return { kind: "todos" };
  if (detail.kind === "diff" && detail.diff.length > DIFF_CHARS) {
    const end = detail.diff.lastIndexOf("\n", DIFF_CHARS);
    return { ...detail, diff: detail.diff.slice(0, Math.max(end, 0)) };
  }
  if (detail.kind === "matches") {
    const { hits: _hits, ...shown } = detail;
    return shown;
  }
  if (detail.kind !== "command") return detail;
  const { output, ...rest } = detail;
  if (!output || !text.startsWith(output)) return rest;
  return { ...rest, of: output.length };
}

/** The detail again. */
export function shownDetail(
  stored: StoredDetail,
  text: string,
  todos: readonly Todo[] | undefined,
): Detail {
  if (stored.kind === "todos") return { kind: "todos", todos: todos ?? [] };
  if (stored.kind !== "command") return stored;
  const { of, ...rest } = stored;
  return of === undefined ? rest : { ...rest, output: text.slice(0, of) };
}

/** What a turn is run with. */
export function runFacts(run: {
  readonly version: string;
  readonly model: string;
  readonly permission: Permission;
  readonly lang: Lang;
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
}): RunFacts {
  return {
    narnat: run.version,
    model: run.model,
    permission: run.permission,
    lang: run.lang,
    prompt: fingerprint(run.system),
    tools: toolsPrint(run.tools),
  };
}

/** Tells tool definitions apart. */
export const toolsPrint = (tools: readonly ToolDefinition[]) => fingerprint(JSON.stringify(tools));

/** The facts, where they are not those of the line before. */
export function changedRun(run: RunFacts, before: RunFacts | undefined): { run?: RunFacts } {
  const keys = Object.keys(run) as (keyof RunFacts)[];
  return before && keys.every((key) => run[key] === before[key]) ? {} : { run };
}

/** The entries of lines that joined. */
export function joinedLines(entries: readonly Entry[]): ReadonlySet<Entry> {
  const joined = new Set<Entry>();
  const told = entries.some((entry) => entry.type === "event");
  let notice: string | undefined;
  /** Ids of the calls that have no result, while a turn is known to go on. */
  let open: Set<string> | undefined;
  for (const entry of entries) {
    if (entry.type === "event" && entry.event.type === "notice") notice = entry.event.joined;
    if (entry.type !== "message") continue;
    const { message, asked } = entry;
    // an older narnat has not kept the notice: behind results the model is asked again
    const joins = told ? notice === message.text : open?.size === 0;
    if (message.role === "user" && asked && joins) joined.add(entry);
    if (message.role === "assistant") {
      open = message.calls.length > 0 ? new Set(message.calls.map(({ id }) => id)) : undefined;
    } else if (message.role === "tool") open?.delete(message.id);
    notice = undefined;
  }
  return joined;
}

/** `narnat replay`: a stored session shown again, or run again. */
import { ConfigError } from "../../base/errors.ts";
import { complain, env, translatorFor } from "../../base/host.ts";
import type {
  AgentEvent,
  AssistantMessage,
  EventBody,
  Json,
  ToolCall,
  ToolMessage,
} from "../../base/types.ts";
import type { CommandHost } from "../../commands/environment.ts";
import { choicesFrom, type Flags } from "../../commands/flags.ts";
import { readPlace } from "../../config/place.ts";
import type { Entry, Happened, MessageFacts } from "../../session/entries.ts";
import { joinedLines, shownDetail } from "../../session/recorded.ts";
import { sessionSource } from "../../session/source.ts";

type MessageEntry = Extract<Entry, { type: "message" }>;

/**
 * The events of a session, as far as they are kept: a line that began a turn is its `turn_start`, one
 * that joined it a notice, a shell line a `turn_start` outside of turns with its output behind it.
 */
export function eventsOf(entries: readonly Entry[], session: string): AgentEvent[] {
  const out: AgentEvent[] = [];
  const joined = joinedLines(entries);
  let time = "";
  let turn = 0;
  /** Questions so far: not those that were taken back. */
  let turns = 0;
  let turnBegan = 0;
  let running = false;
  let iterations = 0;
  let calls: ToolCall[] = [];
  let answered = false;
  /** Ids of the calls of the last answer that have begun. */
  const started = new Set<string>();
  /** What was told to begin, and has its message still to come. */
  let begins: Extract<Happened, { type: "turn_start" }> | undefined;
  const asks = new Map<string, number>();
  const said: MessageEntry[] = [];

  const tell = (body: EventBody, of = turn) =>
    void out.push({ ...body, session, turn: of, time } as AgentEvent);
  /** A killed narnat, and an older one, has not kept how the turn ended. */
  const finish = () => {
    if (!running) return;
    running = false;
    const reason = answered ? "done" : "interrupted";
    tell({ type: "turn_end", reason, iterations, ms: Math.max(0, Date.parse(time) - turnBegan) });
  };
  const begin = (text: string, from?: string) => {
    running = true;
    answered = false;
    calls = [];
    iterations = 0;
    turnBegan = Date.parse(time);
    tell({ type: "turn_start", text, ...from === undefined ? {} : { from } });
  };
  const onUser = (entry: MessageEntry) => {
    const { text } = entry.message;
    if (joined.has(entry)) {
      turns++;
      tell({ type: "notice", level: "info", text: "", joined: text });
    } else if (entry.asked) {
      finish();
      turn = ++turns;
      begin(text);
    } else if (begins?.from !== undefined) {
      finish();
      begin(text, begins.from);
    } else if (begins) {
      tell({ type: "turn_start", text: begins.text }, 0);
      // behind the words for the model and the command
      const output = text.split("\n").slice(1 + begins.text.split("\n").length).join("\n");
      tell({ type: "notice", level: "info", text: output }, 0);
    }
    begins = undefined;
  };
  const onAnswer = (message: AssistantMessage, { usage }: MessageFacts) => {
    iterations++;
    calls = [...message.calls];
    started.clear();
    answered = calls.length === 0 && usage !== undefined;
    if (message.text !== "") tell({ type: "text", delta: message.text });
    if (usage) tell({ type: "usage", ...usage });
  };
  const start = (id: string, name: string) => {
    if (started.has(id) || !calls.some((call) => call.id === id)) return;
    started.add(id);
    tell({ type: "tool_start", id, name, input: inputOf(calls.find((one) => one.id === id)) });
  };
  const onResult = (
    { id, name, ok, text }: ToolMessage,
    { detail: kept, todos, ms = 0 }: MessageFacts,
  ) => {
    start(id, name);
    const detail = kept && shownDetail(kept, text, todos);
    tell({ type: "tool_end", id, name, ok, text, ...detail ? { detail } : {}, ms });
  };
  const onEvent = (event: Happened) => {
    if (event.type === "turn_start") begins = event;
    else if (event.type === "tool_start") start(event.id, event.name);
    else if (event.type === "error" || event.type === "evidence") tell(event);
    else if (event.type === "notice" && event.joined === undefined) tell(event);
    else if (event.type === "turn_end") {
      running = false;
      tell(event);
    } else if (event.type === "ask") {
      asks.set(event.id, out.length);
      tell({ ...event, answered: false });
    } else if (event.type === "answer") {
      const ask = out[asks.get(event.id) ?? -1];
      if (ask?.type === "ask") {
        out[asks.get(event.id)!] = { ...ask, answered: event.value !== false };
      }
    }
  };
  for (const entry of entries) {
    if ("time" in entry) time = entry.time;
    if (entry.type === "event") onEvent(entry.event);
    if (entry.type === "retract" && said.pop()?.asked) turns--;
    if (entry.type !== "message") continue;
    said.push(entry);
    const { message, ...facts } = entry;
    if (message.role === "user") onUser(entry);
    else if (message.role === "assistant") onAnswer(message, facts);
    else onResult(message, facts);
  }
  finish();
  return out;
}

function inputOf(call: ToolCall | undefined): Json {
  try {
    return JSON.parse(call?.input ?? "null") as Json;
  } catch {
    return call?.input ?? null;
  }
}

/** The longest that anything is waited for, in milliseconds. */
const MOST_WAIT_MS = 3000;
/** Of an answer, while it comes. */
const PIECES = 24;

/** Shows a session as the terminal has shown it, or with --rerun runs it again; 1 when that differs. */
export async function replay(
  flags: Flags,
  words: string[],
  host: CommandHost,
): Promise<number> {
  const t = translatorFor(flags);
  const [which, ...more] = words;
  if (which === undefined || more.length > 0) {
    throw new ConfigError(
      t("Usage: narnat replay <session id, name, number, or an exported .jsonl file> [--speed N] [--rerun]"),
    );
  }
  const { workspace, config } = readPlace(flags.cwd, choicesFrom(flags).settings, t, true);
  const source = sessionSource(which, workspace, config.t);
  if (source.bad > 0) {
    complain(
      `narnat: ${
        config.t(
          "{n} {n:line|lines} of the session file could not be read and {n:was|were} skipped",
          { n: source.bad },
        )
      }`,
    );
  }
  if (flags.rerun) {
    const { rerun } = await import("./rerun.ts");
    return await rerun(source, { flags, workspace, t: config.t, host });
  }
  const screen = Deno.stdout.isTerminal() && env("TERM") !== "dumb";
  const view = await host.printer({
    t: config.t,
    workspace: source.workspace,
    theme: config.theme,
    columns: screen ? Deno.consoleSize().columns : undefined,
  });
  await play(eventsOf(source.entries, source.id), flags.speed, view.hear);
  view.end();
  return 0;
}

/** Tells the events, at so many times the speed at which they came; at once without one. */
async function play(
  events: readonly AgentEvent[],
  speed: number | undefined,
  hear: (event: AgentEvent) => void,
): Promise<void> {
  let before = Date.parse(events[0]?.time ?? "");
  for (const event of events) {
    const at = Date.parse(event.time);
    const wait = speed === undefined ? 0 : Math.min(MOST_WAIT_MS, Math.max(0, at - before) / speed);
    before = at;
    const pieces = event.type === "text" && wait > 0 ? piecesOf(event.delta) : undefined;
    if (event.type !== "text" || !pieces) {
      if (wait > 0) await pause(wait);
      hear(event);
      continue;
    }
    for (const delta of pieces) {
      await pause(wait / pieces.length);
      hear({ ...event, delta });
    }
  }
}

function piecesOf(text: string): string[] {
  const points = [...text];
  const size = Math.ceil(points.length / PIECES);
  return Array.from(
    { length: Math.ceil(points.length / size) },
    (_, at) => points.slice(at * size, (at + 1) * size).join(""),
  );
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The lines of a session file: what may stand in them, and what is saved of a file that was damaged. */
import type { Lang } from "../base/t.ts";
import type {
  Answer,
  Carried,
  Detail,
  EventBody,
  KeptPrompt,
  Line,
  Message,
  Permission,
  Question,
  SeenFile,
  StopReason,
  Todo,
  Usage,
  View,
} from "../base/types.ts";

/** One line of a session file. */
export type Entry =
  | {
    type: "session";
    version: 1;
    id: string;
    time: string;
    workspace: string;
    /** One entry holds all of it: a handover is on disk whole or not at all. */
    carried?: Carried;
    held?: Line;
  }
  | { type: "name"; name: string }
  /** What its requests begin with. */
  | ({ type: "prompt" } & KeptPrompt)
  | ({ type: "message"; time: string; message: Message } & MessageFacts)
  /** Tokens spent on what left no message. */
  | { type: "usage"; usage: Usage }
  /** Takes the last message back: its turn failed before anything answered it. */
  | { type: "retract" }
  /** Places count the message entries before this one, retracted ones too. */
  | ({ type: "view"; time: string } & View)
  /** A line that waits for a handover; none any more when it is left out. */
  | { type: "held"; line?: Line }
  /** A person came back to the session. */
  | { type: "entered"; time: string }
  /** The session that goes on in this one's place; without one, this one goes on itself again. */
  | { type: "handed_over"; time: string; to?: string }
  /** A message that stood here and could not be read: the places behind it stay what they were. */
  | { type: "lost" }
  /** What happened that is no message: for people and for a replay, never for the model. */
  | { type: "event"; time: string; event: Happened };

/** More of an answer that was still coming; whatever is written next stands in its place. */
export interface Draft {
  readonly type: "draft";
  readonly time: string;
  readonly text: string;
}

/** What may accompany a message. */
export interface MessageFacts {
  /** True on a line a person submitted. */
  readonly asked?: true;
  readonly usage?: Usage;
  readonly seen?: readonly SeenFile[];
  readonly todos?: readonly Todo[];
  readonly cwd?: string;
  /** Paths that the call changed. */
  readonly changed?: readonly string[];
  /** The call verified what had been changed. */
  readonly verified?: true;
  /** Skills whose text the message holds. */
  readonly skills?: readonly string[];
  /** Of an answer, where its calls do not say it; of a result how long it took and what was shown of it. */
  readonly stop?: StopReason;
  readonly ms?: number;
  readonly detail?: StoredDetail;
  /** What ran it, where that has changed since the line before. */
  readonly run?: RunFacts;
}

/** What a turn was run with. */
export interface RunFacts {
  readonly narnat: string;
  readonly model: string;
  readonly permission: Permission;
  readonly lang: Lang;
  /** Which system prompt, and which tool definitions. */
  readonly prompt: string;
  readonly tools: string;
}

/** A detail without what the message says itself; `of` is how much of the result's text is output. */
export type StoredDetail =
  | Exclude<Detail, { kind: "command" | "matches" | "todos" }>
  | Omit<Extract<Detail, { kind: "matches" }>, "hits">
  | (Omit<Extract<Detail, { kind: "command" }>, "output"> & { readonly of?: number })
  | { readonly kind: "todos" };

type EventOf<V extends EventBody["type"]> = Extract<EventBody, { type: V }>;

/** What is kept of events. */
export type Happened =
  | EventOf<"notice">
  | EventOf<"error">
  | EventOf<"evidence">
  | EventOf<"turn_end">
  /** A turn that no line of a person's began, or a shell line. */
  | EventOf<"turn_start">
  /** A call that may change something begins. */
  | Pick<EventOf<"tool_start">, "type" | "id" | "name">
  | { readonly type: "ask"; readonly id: string } & Pick<Question, "kind" | "question" | "command">
  | { readonly type: "answer"; readonly id: string; readonly value: Answer };

// deno-lint-ignore no-explicit-any -- what stands in a file may be anything
type Loose = any;

const isText = (value: Loose) => typeof value === "string";
const isCount = (value: Loose) => typeof value === "number" && value >= 0;
const listOf = (test: (value: Loose) => boolean) => (value: Loose) =>
  Array.isArray(value) && value.every(test);
const isCall = (call: Loose) => [call?.id, call?.name, call?.input].every(isText);
const isUsage = (usage: Loose) =>
  [usage?.input, usage?.output, usage?.cached].every(isCount) &&
  (usage.cost === null || isCount(usage.cost));
const isRun = (run: Loose) =>
  [run?.narnat, run?.model, run?.prompt, run?.tools].every(isText) &&
  ["open", "guarded", "ask"].includes(run.permission) && ["zh", "en"].includes(run.lang);
const isImage = (image: Loose) => isText(image?.mediaType) && isText(image?.data);
const isTodo = (todo: Loose) => [todo?.content, todo?.activeForm, todo?.status].every(isText);
const optional = (test: (value: Loose) => boolean) => (value: Loose) =>
  value === undefined || test(value);

function isMessage(message: Loose): boolean {
  if (!isText(message?.text) || !optional(listOf(isImage))(message.images)) return false;
  switch (message.role) {
    case "user":
      return true;
    case "assistant":
      return listOf(isCall)(message.calls) && listOf((one) => isText(one?.text))(message.thinking);
    case "tool":
      return isText(message.id) && isText(message.name) && typeof message.ok === "boolean";
    default:
      return false;
  }
}

/** Facts that are not what they should be are left out; the message itself stands. */
const FACTS: { readonly [name: string]: (value: Loose) => boolean } = {
  usage: isUsage,
  seen: listOf((file) => isText(file?.path) && isText(file?.hash)),
  todos: listOf(isTodo),
  cwd: isText,
  changed: listOf(isText),
  skills: listOf(isText),
  detail: (detail) =>
    isText(detail?.kind) &&
    [detail.path, detail.diff, detail.note, detail.signal, detail.url].every(optional(isText)) &&
    (detail.kind !== "diff" || isText(detail.path) && isText(detail.diff)),
  ms: isCount,
  run: isRun,
};

/** Texts that an event has; one of a newer narnat's may have any. */
const EVENT_TEXTS: { readonly [type: string]: readonly string[] } = {
  notice: ["text"],
  error: ["kind", "text"],
  turn_start: ["text"],
  tool_start: ["id", "name"],
  ask: ["id", "kind", "question"],
  answer: ["id"],
};

function isHappened(event: Loose): boolean {
  if (!isText(event?.type)) return false;
  if (event.type === "evidence") {
    return [event.changed, event.unverified].every(listOf(isText));
  }
  const texts = Object.hasOwn(EVENT_TEXTS, event.type) ? EVENT_TEXTS[event.type]! : [];
  return texts.every((name) => isText(event[name])) &&
    [event.command, event.from, event.joined].every(optional(isText));
}

const isCarried = (carried: Loose) =>
  [carried?.parent, carried?.title, carried?.summary, carried?.cwd].every(isText) &&
  isUsage(carried.usage) && listOf(isTodo)(carried.todos) && listOf(isText)(carried.skills) &&
  listOf((one) => isText(one?.[0]))(carried.changed);

const ENTRIES: { readonly [type: string]: (entry: Loose) => boolean } = {
  session: (entry) =>
    isText(entry.id) && isText(entry.time) && optional(isCarried)(entry.carried) &&
    optional((line) => isText(line?.text))(entry.held),
  name: (entry) => isText(entry.name),
  prompt: (entry) =>
    isText(entry.own) && /^\d{4}-\d\d-\d\d$/.test(entry.today) &&
    listOf((part) =>
      isText(part?.name) && isText(part.text) && optional(listOf(isText))(part.files)
    )(entry.parts),
  message: (entry) => isText(entry.time) && isMessage(entry.message),
  usage: (entry) => isUsage(entry.usage),
  retract: () => true,
  lost: () => true,
  view: (entry) =>
    isText(entry.lead) && isCount(entry.from) &&
    listOf((one) => isCount(one?.[0]) && isText(one[1]))(entry.shortened),
  held: (entry) => optional((line) => isText(line?.text))(entry.line),
  entered: (entry) => isText(entry.time),
  handed_over: (entry) => isText(entry.time) && optional(isText)(entry.to),
  event: (entry) => isText(entry.time) && isHappened(entry.event),
  draft: (entry) => isText(entry.time) && isText(entry.text),
};

function parseEntry(line: string): Entry | Draft | undefined {
  let entry: Loose;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isText(entry?.type) || !Object.hasOwn(ENTRIES, entry.type)) return undefined;
  if (!ENTRIES[entry.type]!(entry)) return undefined;
  if (entry.type === "message") {
    for (const [name, test] of Object.entries(FACTS)) {
      if (entry[name] !== undefined && !test(entry[name])) delete entry[name];
    }
  }
  return entry;
}

/** What tells a line of a message, whichever byte of it is damaged. */
const MESSAGE = /"type":"message"|"message":\{"role"/;

/** Whole entries of a line that is none: where the byte that ended a line was damaged, two stand in it. */
function salvage(line: string): Entry[] {
  return line.split(/(?=\{"type":")/).flatMap((piece) => {
    const entry = parseEntry(piece.slice(0, piece.lastIndexOf("}") + 1));
    return entry === undefined || entry.type === "draft" ? [] : entry;
  });
}

export interface Lines {
  readonly entries: Entry[];
  /** Lines of which something was lost. */
  readonly bad: number;
  /** Where the tail begins: drafts, and behind them what has no line end. */
  readonly whole: number;
  /** Bytes of the drafts. */
  readonly drafted: number;
  /** So far an answer had come when its writer was killed. */
  readonly cut: Extract<Entry, { type: "message" }> | undefined;
  /** Entries that stand in that tail. */
  readonly inTail: Entry[];
}

/** Reads a file's bytes; lines that cannot be read are counted, entries around them are kept. */
export function readEntries(bytes: Uint8Array): Lines {
  const decoder = new TextDecoder();
  const entries: Entry[] = [];
  let bad = 0;
  let start = 0;
  let drafts: Draft[] = [];
  /** Where the drafts begin. */
  let from = 0;
  for (;;) {
    const end = bytes.indexOf(10, start);
    if (end < 0) break;
    const line = decoder.decode(bytes.subarray(start, end)).trim();
    const at = start;
    start = end + 1;
    if (line === "") continue;
    const entry = parseEntry(line);
    if (entry?.type === "draft") {
      if (drafts.length === 0) from = at;
      drafts.push(entry);
      continue;
    }
    drafts = [];
    const found = entry ? [entry] : salvage(line);
    entries.push(...found);
    // a line end that was damaged has cost nothing
    if (found.length > 0) continue;
    bad++;
    if (MESSAGE.test(line)) entries.push({ type: "lost" });
  }
  const tail = decoder.decode(bytes.subarray(start));
  const inTail = salvage(tail);
  if (drafts.length === 0) {
    return { entries, bad, whole: start, drafted: 0, inTail, cut: undefined };
  }
  const text = drafts.map((draft) => draft.text).join("");
  const message = { role: "assistant", text, calls: [], thinking: [] } as const;
  const cut = inTail.length === 0
    ? { type: "message", time: drafts.at(-1)!.time, message } as const
    : undefined;
  return { entries, bad, whole: from, drafted: start - from, inTail, cut };
}

/** All that a file has, what was saved of its tail included. */
export const allOf = ({ entries, inTail, cut }: Lines): readonly Entry[] => [
  ...entries,
  ...inTail,
  ...cut ? [cut] : [],
];

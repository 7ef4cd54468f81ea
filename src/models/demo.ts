/** The demo model: offline, deterministic, and a user of the real tools. */
import { setImmediate, setTimeout } from "node:timers/promises";
import type {
  AssistantMessage,
  Message,
  ModelClient,
  ModelEvent,
  ModelRequest,
  ToolMessage,
} from "../base/types.ts";
import { HOST_MARK, say } from "../base/text.ts";
import { parseRequest, stepsFor } from "./demo/requests.ts";
import { wasStopped } from "./demo/results.ts";
import type { Step } from "./demo/script.ts";
import { scriptFor } from "./demo/scripts.ts";

/** Code points per delta. */
const DELTA = 6;

/**
 * A model that needs no key and no network. It understands the requests that its answer to "help"
 * lists, in Chinese and English, works them with the tools it is offered, and says so when it
 * cannot. All it knows stands in the request; cost is 0 and tokens are estimated at chars/4.
 */
export function demoModel(options: { readonly delayMs?: number } = {}): ModelClient {
  return { stream: (request, signal) => stream(request, signal, options.delayMs ?? 0) };
}

async function* stream(
  request: ModelRequest,
  signal: AbortSignal,
  delayMs: number,
): AsyncGenerator<ModelEvent> {
  const step = nextStep(request);
  const points = [...step.text];
  for (let at = 0; at < points.length; at += DELTA) {
    await pause(delayMs, signal);
    yield { type: "text", delta: points.slice(at, at + DELTA).join("") };
  }
  await pause(0, signal);
  const first = nextId(request.messages);
  const message: AssistantMessage = {
    role: "assistant",
    text: step.text,
    calls: step.calls.map(({ name, input }, at) => ({
      id: `demo_${first + at}`,
      name,
      input: JSON.stringify(input),
    })),
    thinking: [],
  };
  for (const { name } of message.calls) yield { type: "call", name };
  yield {
    type: "done",
    message,
    usage: {
      input: tokens(request, request.messages),
      output: Math.ceil(sizeOf(message) / 4),
      cached: cachedTokens(request),
      cost: 0,
    },
    stop: message.calls.length > 0 ? "calls" : "end",
  };
}

/** Lets the outside have a say between two deltas; throws the signal's reason. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms > 0) await setTimeout(ms, undefined, { signal }).catch(() => {});
  else await setImmediate();
  signal.throwIfAborted();
}

/** Some calls the model made at once, and their results in the same order. */
interface Round {
  readonly message: AssistantMessage;
  readonly results: readonly ToolMessage[];
}

interface Turn {
  /** What the user asked since the last final answer: one line, and those that joined it. */
  readonly asked: readonly string[];
  readonly rounds: readonly Round[];
}

/** Plays each script anew with the results so far, up to the step that has none yet. */
function nextStep(request: ModelRequest): Step {
  const { asked, rounds } = openTurn(request.messages);
  const offered = new Set(request.tools.map((tool) => tool.name));
  const has = (tool: string) => offered.has(tool);
  if (asksForPlan(request.messages)) {
    return { text: JSON.stringify(stepsFor(asked.at(-1) ?? "")), calls: [] };
  }
  const silent = (request.toolChoice ?? "auto") !== "auto";
  if (silent && parseRequest(asked.at(-1) ?? "").kind === "unknown") {
    return { text: summary(request.messages), calls: [] };
  }
  const said: string[] = [];
  let at = 0;
  for (const line of asked) {
    const script = scriptFor(line, has);
    let next = script.next();
    while (!next.done) {
      const { text, calls } = next.value;
      const found = rounds.findIndex((round, index) => index >= at && isOf(round, calls));
      if (found < 0) {
        const missing = calls.find((call) => !has(call.name));
        const { lang } = parseRequest(line);
        if (silent) return { text: [...said, say(lang, "demo.no_more")].join("\n\n"), calls: [] };
        if (!missing) return { text: [...said, text].join("\n\n"), calls };
        said.push(say(lang, "demo.no_tool", { tool: missing.name }));
        break;
      }
      said.length = 0;
      at = found + 1;
      next = script.next(rounds[found]!.results);
    }
    if (next.done) said.push(next.value.text);
  }
  return { text: said.join("\n\n"), calls: [] };
}

/** The host wants the steps of what the user asked for. */
function asksForPlan(messages: readonly Message[]): boolean {
  const last = messages.at(-1)?.text ?? "";
  return (["zh", "en"] as const).some((lang) =>
    last === `${HOST_MARK} ${say(lang, "plan.request")}`
  );
}

function isOf({ message }: Round, calls: Step["calls"]): boolean {
  return message.calls.length === calls.length &&
    message.calls.every((call, at) =>
      call.name === calls[at]!.name && call.input === JSON.stringify(calls[at]!.input)
    );
}

function openTurn(messages: readonly Message[]): Turn {
  const end = messages.findLastIndex((m) => m.role === "assistant" && m.calls.length === 0);
  const since = messages.slice(end + 1);
  let asked: string[] = [];
  const rounds: Round[] = [];
  for (const [index, message] of since.entries()) {
    if (message.role === "assistant") {
      const results = message.calls.map((call) =>
        since.find((m): m is ToolMessage => m.role === "tool" && m.id === call.id) ??
          { role: "tool" as const, id: call.id, name: call.name, ok: false, text: "" }
      );
      rounds.push({ message, results });
    }
    if (message.role !== "user" || message.text.startsWith(HOST_MARK)) continue;
    // A line that joins a running turn follows a tool's result; after a stop it begins anew.
    const before = since[index - 1];
    const joins = before?.role === "tool" && !wasStopped(before) ||
      before?.role === "user" && index > 1;
    asked = joins ? [...asked, message.text] : [message.text];
    if (!joins) rounds.length = 0;
  }
  return { asked, rounds };
}

/** What a new session should inherit: each question with the answer it got. */
function summary(messages: readonly Message[]): string {
  const lines: string[] = [];
  let question = "";
  for (const message of messages) {
    if (message.role === "user" && !message.text.startsWith(HOST_MARK)) question = message.text;
    if (message.role !== "assistant" || message.calls.length > 0) continue;
    lines.push(`- ${brief(question)} → ${brief(message.text)}`);
  }
  const { lang } = parseRequest(messages.findLast((m) => m.role === "user")?.text ?? "");
  return lines.length === 0
    ? say(lang, "demo.summary_empty")
    : say(lang, "demo.summary", { lines: lines.join("\n") });
}

function brief(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** Above every id of ours in the conversation, also when its beginning was dropped. */
function nextId(messages: readonly Message[]): number {
  let highest = 0;
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { id } of message.calls) {
      highest = Math.max(highest, Number(/^demo_(\d+)$/.exec(id)?.[1] ?? 0));
    }
  }
  return highest + 1;
}

function tokens(request: ModelRequest, messages: readonly Message[]): number {
  const head = request.system.length + JSON.stringify(request.tools).length;
  return Math.ceil((head + messages.reduce((sum, message) => sum + sizeOf(message), 0)) / 4);
}

/** The request before this one ended where the last answer begins; all of it is a prefix of this one. */
function cachedTokens(request: ModelRequest): number {
  const last = request.messages.findLastIndex((message) => message.role === "assistant");
  return last < 0 ? 0 : tokens(request, request.messages.slice(0, last));
}

function sizeOf(message: Message): number {
  if (message.role !== "assistant") return message.text.length;
  return message.calls.reduce(
    (sum, call) => sum + call.name.length + call.input.length,
    message.text.length,
  );
}

/** The demo model: offline, deterministic, and a user of the real tools. */
import { setImmediate } from "node:timers/promises";
import type {
  AssistantMessage,
  Message,
  ModelClient,
  ModelEvent,
  ModelRequest,
  ToolCall,
  ToolMessage,
} from "../base/types.ts";
import { english, HOST_MARK, spokenIn, translator } from "../base/t.ts";
import { answersTo, langOf, type Step, stepsOf } from "./demo_requests.ts";

/** Code points per delta. */
const DELTA = 6;

/**
 * A model that needs no key and no network. It understands the requests that its answer to "help"
 * lists, in Chinese and English, and carries them out with the tools it is offered. All it knows
 * stands in the request; cost is 0 and tokens are estimated at chars/4.
 */
export function demoModel(): ModelClient {
  return { stream };
}

async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const step = nextStep(request);
  const points = [...step.text];
  for (let at = 0; at <= points.length; at += DELTA) {
    // lets the outside stop the answer between two deltas
    await setImmediate();
    signal.throwIfAborted();
    const delta = points.slice(at, at + DELTA).join("");
    if (delta !== "") yield { type: "text", delta };
  }
  const used = request.messages.flatMap((m) => m.role === "assistant" ? m.calls : []);
  const highest = Math.max(0, ...used.map(({ id }) => Number(/^demo_(\d+)$/.exec(id)?.[1] ?? 0)));
  const message: AssistantMessage = {
    role: "assistant",
    text: step.text,
    calls: step.calls.map(({ name, input }, at) => ({
      id: `demo_${highest + 1 + at}`,
      name,
      input: JSON.stringify(input),
    })),
    thinking: [],
  };
  for (const { name } of message.calls) yield { type: "call", name };
  // the request before this one ended where the last answer begins
  const before = request.messages.findLastIndex(({ role }) => role === "assistant");
  const usage = {
    input: tokens(request, request.messages.length),
    output: Math.ceil(JSON.stringify(message).length / 4),
    cached: before < 0 ? 0 : tokens(request, before),
    cost: 0,
  };
  yield { type: "done", message, usage, stop: message.calls.length > 0 ? "calls" : "end" };
}

function tokens({ system, tools, messages }: ModelRequest, count: number): number {
  return Math.ceil(JSON.stringify([system, tools, messages.slice(0, count)]).length / 4);
}

/** Replays the script of what was asked with the results so far, up to the step that has none yet. */
function nextStep({ messages, tools, toolChoice = "auto" }: ModelRequest): Step {
  const since = messages.slice(messages.findLastIndex(ended) + 1);
  const asked = since.filter(isAsked).map(({ text }) => text);
  const [last, request = ""] = [messages.at(-1), asked.at(-1)];
  if (last && asksForPlan(last)) return { text: JSON.stringify(stepsOf(request)), calls: [] };
  if (toolChoice !== "auto" && last && isAsked(last)) return { text: summary(messages), calls: [] };
  const rounds = since.filter((message) => message.role === "assistant");
  const script = answersTo(asked);
  let next = script.next();
  while (!next.done) {
    const { text, calls } = next.value;
    const round = rounds.findIndex((round) => isSame(round.calls, calls));
    if (round < 0) {
      const t = translator(langOf(request));
      const missing = calls.find(({ name }) => !tools.some((tool) => tool.name === name));
      if (toolChoice !== "auto") {
        return {
          text: t("No more tools may be used now, so this request is not finished."),
          calls: [],
        };
      }
      if (!missing) return { text, calls };
      return {
        text: t(
          "This needs the {tool} tool, which this session does not offer (its permissions, or --tools, leave it out).",
          { tool: missing.name },
        ),
        calls: [],
      };
    }
    const results = rounds[round]!.calls.map(({ id }) =>
      since.find((message) => message.role === "tool" && message.id === id) as ToolMessage
    );
    rounds.splice(0, round + 1);
    next = script.next(results);
  }
  return { text: next.value.text, calls: [] };
}

/** A final answer, or a call that the user stopped: what was asked before it is over. */
function ended(message: Message): boolean {
  if (message.role === "assistant") return message.calls.length === 0;
  const stopped = spokenIn([message.text], english).map((t) => t("interrupted"));
  return message.role === "tool" && !message.ok &&
    message.text.split("\n").some((line) => stopped.some((mark) => line.startsWith(mark)));
}

function isAsked(message: Message): boolean {
  return message.role === "user" && !message.text.startsWith(HOST_MARK);
}

/** The host wants the steps of what the user asked for. */
function asksForPlan({ text }: Message): boolean {
  const asking = spokenIn([text], english).map((t) =>
    `${HOST_MARK} ${
      t("Before anything is done, break the task above into 3 to 5 steps that are carried out one after another; for a trivial task one step is enough. Call no tools now. Answer with nothing but a JSON array of strings, one for each step: what to do, where, and how to see that it is done.")
    }`
  );
  return asking.includes(text);
}

function isSame(made: readonly ToolCall[], wanted: Step["calls"]): boolean {
  return made.length === wanted.length &&
    made.every(({ name, input }, at) =>
      name === wanted[at]!.name && input === JSON.stringify(wanted[at]!.input)
    );
}

/** What a new session should inherit: each request and the beginning of its answer. */
function summary(messages: readonly Message[]): string {
  const brief = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 200);
  const lines = messages.filter((m) => isAsked(m) || (m.role === "assistant" && ended(m)))
    .map(({ role, text }) => `${role === "user" ? "-" : "  →"} ${brief(text)}`);
  return translator(langOf(lines.join("")))("What was asked and what came of it:\n{lines}", {
    lines: lines.join("\n"),
  });
}

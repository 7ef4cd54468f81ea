/** One turn: model, tool calls, results, again until no call. */
import type {
  AssistantMessage,
  ErrorKind,
  Lang,
  Line,
  StopReason,
  ToolChoice,
  TurnEndReason,
  Usage,
} from "../../base/types.ts";
import { ModelError } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import type { Wait } from "../../base/watchdog.ts";
import { runCalls } from "./calls.ts";
import type { TurnHost, TurnOutcome } from "../middleware.ts";
import { keeperHost } from "../keeper_host.ts";
import { tellLate } from "../late_losses.ts";
import { answerFacts, changedRun, runFacts } from "../../session/recorded.ts";
import { request } from "./request.ts";
import { responseLine } from "./response_line.ts";
import { createWriting } from "./writing.ts";

/** A kill takes no more of an answer than what came in this time. */
const DRAFT_MS = 1000;

/** Runs the turn that `line` begins. Never throws for a model's or a tool's fault. */
export async function runTurn(line: Line, host: TurnHost): Promise<TurnOutcome> {
  const { session, lang, log, emit, vigil } = host;
  const before = session.messages.length;
  await readPrompt(host);
  for (const text of await host.toolbox.refresh?.(host.signal) ?? []) {
    emit({ type: "notice", level: "info", text, context: true });
  }
  await submit(line, host);
  const first = session.messages.length;
  let iterations = 0;
  let empty = 0;

  const end = (reason: TurnEndReason): TurnOutcome => {
    // The next request goes on where the last answer ended, which is as far as a cache goes; but what
    // no person has said, nobody can say again.
    const unanswered = session.messages.length === first;
    const given = unanswered && line.from === undefined;
    while (given && session.messages.length > before) session.retract();
    return { reason, iterations, unanswered };
  };

  for (;;) {
    // what was typed before a step begins need not wait for one of two calls
    if (iterations > 0 || host.planned) {
      for (const joined of host.takeJoining()) {
        const { text, from } = joined;
        emit({
          type: "notice",
          level: "info",
          text: say(lang, from === undefined ? "turn.joined" : "turn.came", { from: from ?? "" }),
          ...from === undefined ? { joined: text } : {},
        });
        await submit(joined, host);
      }
    }
    const over = await host.budget.pass(host, host.signal);
    if (host.signal.aborted) return end("interrupted");
    if (over !== undefined) {
      emit({ type: "notice", level: "warn", text: over, limit: true });
      return end("budget");
    }
    const last = iterations >= host.limits.iterations;
    if (last) {
      const n = host.limits.iterations;
      emit({
        type: "notice",
        level: "warn",
        text: say(lang, "turn.max_iterations", { n }),
        limit: true,
      });
      session.append({ role: "user", text: say(lang, "turn.max_iterations_prompt", { n }) });
    }
    const choice = last ? "none" : !host.answerOnly ? "auto" : empty > 0 ? "none" : "unwanted";
    let reply = await callModel(host, choice);
    while (reply.kind === "again") reply = await callModel(host, choice);
    if (reply.kind === "over") {
      emit({ type: "notice", level: "warn", text: reply.text, limit: true });
      return end("budget");
    }
    iterations++;
    if (reply.kind === "aborted") {
      if (reply.partial !== "") {
        session.append({ role: "assistant", text: reply.partial, calls: [], thinking: [] });
      }
      return end("interrupted");
    }
    if (reply.kind === "error") {
      emit({ type: "error", kind: reply.error, text: reply.text });
      log.error("core.llm", reply.text);
      return end("error");
    }
    // Providers reject an assistant message that says nothing, and some models send one now and then.
    const none = host.answerOnly || reply.message.calls.length === 0;
    if (reply.message.text === "" && none) {
      session.spend(reply.usage);
      const isRefused = reply.stop === "refused";
      if (!isRefused && ++empty < 2 && !last) continue;
      const text = say(lang, isRefused ? "turn.refused" : "turn.empty_answer");
      emit({ type: "error", kind: isRefused ? "refused" : "protocol", text });
      log.error("core.llm", text);
      return end(isRefused ? "refused" : "error");
    }
    const message = last || host.answerOnly ? { ...reply.message, calls: [] } : reply.message;
    const { usage, stop, ms } = reply;
    session.append(message, { usage, ...answerFacts(message, stop, ms) });
    await host.budget.warn();
    noticeStop(reply.stop, message, host);
    if (message.calls.length === 0) {
      if (!last && await tellLate(host, true)) continue;
      return end(last ? "max_iterations" : endOf(reply.stop));
    }

    log.info("core.agent", decision(message, lang));
    const again = await runCalls(message.calls, host, vigil);
    if (host.signal.aborted) return end("interrupted");
    if (typeof again === "object") return { ...end("done"), steps: again.steps };
    await tellLate(host, false);
    const reminder = host.keeper.afterCalls();
    if (reminder !== undefined) session.append({ role: "user", text: reminder });
    if (again === "stuck") {
      emit({ type: "notice", level: "warn", text: say(lang, "turn.loop_stopped"), limit: true });
      return end("loop");
    }
  }
}

async function readPrompt(host: TurnHost): Promise<void> {
  const { keeper, lang, log, signal, emit, now } = host;
  const began = now();
  await keeper.ready({ signal, tell: (text) => emit({ type: "notice", level: "info", text }) });
  const chars = keeper.system().length;
  const ms = (now() - began).toFixed(1);
  log.debug("core.context", say(lang, "log.prompt", { chars, ms }));
}

/** Puts a person's line, and what it names with `@` and `$`, into the session. */
async function submit(line: Line, host: TurnHost): Promise<void> {
  const { text, typed, from, behind = [] } = line;
  if (from === undefined) host.secrets.hear(text, host.lane);
  host.log.info(
    "core.agent",
    say(host.lang, "log.input", { text: JSON.stringify(host.secrets.hide(text)) }),
  );
  host.session.append({ role: "user", text }, {
    ...from === undefined ? { asked: true } : {},
    ...ranWith(host),
  });
  const outdated = from === undefined ? host.keeper.outdated() : [];
  const untold = outdated.filter((one) => !host.session.view.some(({ text }) => text === one));
  for (const more of [...behind, ...untold]) host.session.append({ role: "user", text: more });
  const own = typed ?? (from === undefined ? text : "");
  // loaded when it is needed: most lines name no file
  if (own.includes("@")) await (await import("../lines/attach.ts")).attach(own, host);
  for (const layer of host.middleware) await layer.afterLine?.(own, host);
  if (from !== undefined) return;
  for (const notice of host.keeper.beforeTurn(host.session.turns)) {
    host.emit({ type: "notice", level: "info", text: notice, context: true });
  }
}

/** What the turn is run with, where that is not what the one before was. */
function ranWith(
  { session, version, modelName: model, permission, lang, keeper, toolbox }: TurnHost,
) {
  const [system, tools] = [keeper.system(), toolbox.definitions];
  return changedRun(runFacts({ version, model, permission, lang, system, tools }), session.run);
}

const endOf = (stop: StopReason): TurnEndReason =>
  stop === "length" || stop === "refused" ? stop : "done";

function noticeStop(stop: StopReason, { calls }: AssistantMessage, host: TurnHost): void {
  const limit = calls.length === 0 ? { limit: true } as const : {};
  const warn = (key: "turn.cut_off" | "turn.refused") =>
    host.emit({ type: "notice", level: "warn", text: say(host.lang, key), ...limit });
  if (stop === "length" && limit.limit) warn("turn.cut_off");
  if (stop === "refused") warn("turn.refused");
}

function decision(message: AssistantMessage, lang: Lang): string {
  const names = message.calls.map((call) => call.name).join(", ");
  const why = message.text.trim().replaceAll(/\s+/g, " ").slice(0, 200);
  return say(lang, why === "" ? "log.decision" : "log.decision_why", { names, why });
}

type Reply =
  /** Nothing was answered; there is room now. */
  | { kind: "again" }
  /** Making room has used the budget up. */
  | { kind: "over"; text: string }
  | { kind: "done"; message: AssistantMessage; usage: Usage; stop: StopReason; ms: number }
  | { kind: "aborted"; partial: string }
  | { kind: "error"; error: ErrorKind; text: string };

async function callModel(
  host: TurnHost,
  toolChoice: ToolChoice,
): Promise<Reply> {
  const { session, lang, log, signal, emit, keeper } = host;
  let partial = "";
  let draft: Wait | undefined;
  const keepDraft = () => {
    draft = undefined;
    session.draft(partial);
  };
  const dropDraft = () => {
    draft?.end();
    draft = undefined;
    partial = "";
    session.draft("");
  };
  const writing = createWriting(host);
  try {
    signal.throwIfAborted();
    const messages = await keeper.beforeCall(keeperHost(host));
    const over = await host.budget.pass(host, signal);
    signal.throwIfAborted();
    if (over !== undefined) return { kind: "over", text: over };
    const began = host.now();
    log.info("core.llm", say(lang, "log.request", { tokens: keeper.estimate(session) }));
    const stream = request(host, messages, toolChoice);
    for await (const event of stream) {
      if (event.type === "text") {
        partial += event.delta;
        draft ??= host.watchdog.begin(DRAFT_MS, keepDraft);
        emit({ type: "text", delta: event.delta });
      } else if (event.type === "thinking") emit({ type: "thinking", delta: event.delta });
      else if (event.type === "thought") {
        dropDraft();
        emit({ type: "notice", level: "info", text: say(lang, "turn.thought"), retryMs: 0 });
      } else if (event.type === "call") writing.begin(event.name);
      else if (event.type === "input") writing.more(event.delta);
      else if (event.type === "retry") {
        dropDraft();
        log.warning("core.llm", event.text);
        emit({ type: "notice", level: "warn", text: event.text, retryMs: event.waitMs });
      } else if (event.type === "done") {
        const { input, output, cached, cost } = event.usage;
        emit({ type: "usage", input, output, cached, cost });
        const ms = host.now() - began;
        log.info("core.llm", responseLine(event.usage, ms, lang));
        return { kind: "done", message: event.message, usage: event.usage, stop: event.stop, ms };
      }
      if (signal.aborted) return { kind: "aborted", partial };
    }
    throw new ModelError("protocol", "the stream ended without an answer");
  } catch (error) {
    if (signal.aborted) return { kind: "aborted", partial };
    session.draft("");
    if (!(error instanceof ModelError)) throw error;
    if (error.kind === "overflow") return await afterOverflow(error, partial, host);
    return { kind: "error", error: error.kind, text: host.describe(error) };
  } finally {
    draft?.end();
  }
}

async function afterOverflow(error: ModelError, partial: string, host: TurnHost): Promise<Reply> {
  host.log.warning("core.llm", error.message);
  try {
    const why = await host.keeper.onOverflow(keeperHost(host), error);
    if (why !== undefined) return { kind: "error", error: "overflow", text: why };
  } catch (thrown) {
    if (host.signal.aborted) return { kind: "aborted", partial };
    throw thrown;
  }
  if (partial !== "") {
    const text = say(host.lang, "turn.answer_void");
    host.emit({ type: "notice", level: "warn", text, retryMs: 0 });
  }
  return { kind: "again" };
}

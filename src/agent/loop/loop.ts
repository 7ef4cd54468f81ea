/** One turn: model, tool calls, results, again until no call. */
import { HOST_MARK, type T } from "../../base/t.ts";
import {
  type AssistantMessage,
  type ErrorKind,
  type Line,
  type Loss,
  ModelError,
  type StopReason,
  type ToolChoice,
  type TurnEndReason,
  type Usage,
} from "../../base/types.ts";
import type { Wait } from "../../base/watchdog.ts";
import { answerFacts, changedRun, runFacts } from "../../session/recorded.ts";
import type { LossOutcome } from "../../shell/policy/losses.ts";
import { contextHost } from "../current_session.ts";
import type { CallHost, TurnHost, TurnOutcome } from "../middleware.ts";
import { runCalls } from "./calls.ts";
import { createWriting, request, responseLine } from "./request.ts";

/** Asks a person about it; undefined where nothing was lost, or it may stay so. */
export async function settleLate(
  losses: readonly Loss[],
  { watch, ask, signal, workspace, t, emit, session }: CallHost,
): Promise<LossOutcome | undefined> {
  if (!watch || losses.length === 0) return undefined;
  const { settleLosses } = await import("../../shell/policy/losses.ts");
  const outcome = await settleLosses(losses, undefined, {
    disk: watch,
    workspace,
    t,
    seen: session.seen,
    ask: async (question) => await ask(question, signal) === true,
  });
  if (outcome) emit({ type: "notice", level: "warn", text: outcome.note });
  return outcome;
}

/** What the model reads of it. */
export const lateText = ({ text }: LossOutcome) => `${HOST_MARK} ${text}`;

/** Puts what is known by now before the model, or with `all` what can be known; returns whether there was anything. */
async function tellLate(host: CallHost, all: boolean): Promise<boolean> {
  const outcome = await settleLate(await host.watch?.late(all) ?? [], host);
  if (outcome) host.session.append({ role: "user", text: lateText(outcome) });
  return outcome !== undefined;
}

/** A kill takes no more of an answer than what came in this time. */
const DRAFT_MS = 1000;

/** Runs the turn that `line` begins. Never throws for a model's or a tool's fault. */
export async function runTurn(line: Line, host: TurnHost): Promise<TurnOutcome> {
  const { session, t, log, emit, monitor } = host;
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
      await join(host);
    }
    const over = await host.budget.pass(host, host.signal);
    if (host.signal.aborted) return end("interrupted");
    if (over !== undefined) {
      emit({ type: "notice", level: "warn", text: over, limit: true });
      return end("budget");
    }
    const last = iterations >= host.limits.iterations;
    if (last) askForLast(host);
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
      const text = t(
        isRefused
          ? "The provider declined to answer this"
          : "The model answered with nothing, twice; try again or choose another model",
      );
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

    log.info("core.agent", decision(message, t));
    const again = await runCalls(message.calls, host, monitor);
    if (host.signal.aborted) return end("interrupted");
    if (typeof again === "object") return { ...end("done"), steps: again.steps };
    await tellLate(host, false);
    const reminder = host.contextManager.afterCalls();
    if (reminder !== undefined) session.append({ role: "user", text: reminder });
    if (again === "stuck") {
      emit({
        type: "notice",
        level: "warn",
        text: t(
          "The same call gave the same result five times; the turn was stopped. Rephrase, or give more to go on",
        ),
        limit: true,
      });
      return end("loop");
    }
  }
}

/** What was typed during the turn joins it. */
async function join(host: TurnHost): Promise<void> {
  const { emit, t } = host;
  for (const joined of host.takeJoining()) {
    const { text, from } = joined;
    emit({
      type: "notice",
      level: "info",
      text: t(
        from === undefined ? "joined the running turn" : "what {from} sent joined the running turn",
        { from: from ?? "" },
      ),
      ...from === undefined ? { joined: text } : {},
    });
    await submit(joined, host);
  }
}

/** The turn is at its limit: what there is has to do. */
function askForLast({ session, t, emit, limits }: TurnHost): void {
  const n = limits.iterations;
  emit({
    type: "notice",
    level: "warn",
    text: t(
      "Max iterations reached ({n} model calls in this turn); asking for an answer without tools",
      { n },
    ),
    limit: true,
  });
  session.append({
    role: "user",
    text: t(
      "[narnat] The {n} model calls of this turn are used up; no tools are left. Answer now from what you have, and say what remains to be done.",
      { n },
    ),
  });
}

async function readPrompt(host: TurnHost): Promise<void> {
  const { contextManager, t, log, signal, emit, now } = host;
  const began = now();
  await contextManager.ready({
    signal,
    tell: (text) => emit({ type: "notice", level: "info", text }),
  });
  const chars = contextManager.system().length;
  const ms = (now() - began).toFixed(1);
  log.debug("core.context", t("system prompt ready, {chars} characters, {ms}ms", { chars, ms }));
}

/** Puts a person's line, and what it names with `@` and `$`, into the session. */
async function submit(line: Line, host: TurnHost): Promise<void> {
  const { text, typed, from, behind = [] } = line;
  if (from === undefined) host.secrets.hear(text, host.lane);
  host.log.info(
    "core.agent",
    host.t("user input: {text}", { text: JSON.stringify(host.secrets.redact(text)) }),
  );
  host.session.append({ role: "user", text }, {
    ...from === undefined ? { asked: true } : {},
    ...ranWith(host),
  });
  const outdated = from === undefined ? host.contextManager.outdated() : [];
  const untold = outdated.filter((one) => !host.session.view.some(({ text }) => text === one));
  for (const more of [...behind, ...untold]) host.session.append({ role: "user", text: more });
  const own = typed ?? (from === undefined ? text : "");
  // loaded when it is needed: most lines name no file
  if (own.includes("@")) await (await import("../lines/attach.ts")).attach(own, host);
  for (const layer of host.middleware) await layer.afterLine?.(own, host);
  if (from !== undefined) return;
  for (const notice of host.contextManager.beforeTurn(host.session.turns)) {
    host.emit({ type: "notice", level: "info", text: notice, context: true });
  }
}

/** What the turn is run with, where that is not what the one before was. */
function ranWith(
  { session, version, modelName: model, permission, t, contextManager, toolbox }: TurnHost,
) {
  const [system, tools] = [contextManager.system(), toolbox.definitions];
  return changedRun(
    runFacts({ version, model, permission, lang: t.lang, system, tools }),
    session.run,
  );
}

const endOf = (stop: StopReason): TurnEndReason =>
  stop === "length" || stop === "refused" ? stop : "done";

function noticeStop(stop: StopReason, { calls }: AssistantMessage, host: TurnHost): void {
  const limit = calls.length === 0 ? { limit: true } as const : {};
  const { t, emit } = host;
  const warn = (text: string) => emit({ type: "notice", level: "warn", text, ...limit });
  if (stop === "length" && limit.limit) {
    warn(t('The answer was cut off at the output limit; say "continue" for the rest'));
  }
  if (stop === "refused") warn(t("The provider declined to answer this"));
}

function decision(message: AssistantMessage, t: T): string {
  const names = message.calls.map((call) => call.name).join(", ");
  const why = message.text.trim().replaceAll(/\s+/g, " ").slice(0, 200);
  return t(why === "" ? "AI decision: call {names}" : "AI decision: call {names}, because: {why}", {
    names,
    why,
  });
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
  const { session, t, log, signal, emit, contextManager } = host;
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
    const messages = await contextManager.beforeCall(contextHost(host));
    const over = await host.budget.pass(host, signal);
    signal.throwIfAborted();
    if (over !== undefined) return { kind: "over", text: over };
    const began = host.now();
    log.info(
      "core.llm",
      t("request sent, tokens_in={tokens}", { tokens: contextManager.estimate(session) }),
    );
    const stream = request(host, messages, toolChoice);
    for await (const event of stream) {
      if (event.type === "text") {
        partial += event.delta;
        draft ??= host.watchdog.begin(DRAFT_MS, keepDraft);
        emit({ type: "text", delta: event.delta });
      } else if (event.type === "thinking") emit({ type: "thinking", delta: event.delta });
      else if (event.type === "thought") {
        dropDraft();
        emit({
          type: "notice",
          level: "info",
          text: t("The text up to here was the model's thinking"),
          retryMs: 0,
        });
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
        log.info("core.llm", responseLine(event.usage, ms, t));
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
    const why = await host.contextManager.onOverflow(contextHost(host), error);
    if (why !== undefined) return { kind: "error", error: "overflow", text: why };
  } catch (thrown) {
    if (host.signal.aborted) return { kind: "aborted", partial };
    throw thrown;
  }
  if (partial !== "") {
    const text = host.t(
      "The window was full in the middle of the answer: there is room now, it begins anew",
    );
    host.emit({ type: "notice", level: "warn", text, retryMs: 0 });
  }
  return { kind: "again" };
}

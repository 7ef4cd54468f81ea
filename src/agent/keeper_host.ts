/** What a keeper may do to a session, by the core's hand. */
import type { KeeperHost, Message, StopReason, ToolChoice, Usage } from "../base/types.ts";
import { ModelError } from "../base/types.ts";
import type { Log } from "../base/log.ts";
import type { T } from "../base/t.ts";
import { addUsage } from "../base/usage.ts";
import type { TurnLimits } from "./loop/limits.ts";
import { request, type RequestParts } from "./loop/request.ts";
import { responseLine } from "./loop/response_line.ts";
import { createWriting } from "./loop/writing.ts";

/** What it is made of. */
export interface KeeperParts extends RequestParts {
  readonly outputDir: string;
  readonly limits: TurnLimits;
  readonly log: Log;
  readonly t: T;
  /** Milliseconds on any clock that does not jump. */
  now(): number;
}

/** Makes the host of one keeper's work on one session. */
export function keeperHost(parts: KeeperParts): KeeperHost {
  const { session, signal, outputDir, emit, log } = parts;
  return {
    session,
    signal,
    outputDir,
    show: (view) => session.show(view),
    notice(level, text, passing) {
      if (level === "warn") log.warning("core.context", text);
      else log.info("core.context", text);
      emit({ type: "notice", level, text, ...passing ? {} : { context: true } });
    },
    async ask(messages) {
      const answer = await once(parts, messages, "unwanted");
      // it cost little to try: the second request's prefix is cached where the first one's was
      if (!answer.called) return answer;
      const again = await once(parts, messages, "none");
      return { ...again, usage: addUsage(answer.usage, again.usage) };
    },
  };
}

/** Asks the model once. */
async function once(
  parts: KeeperParts,
  messages: readonly Message[],
  toolChoice: ToolChoice,
): Promise<{ text: string; usage: Usage; stop: StopReason; called: boolean }> {
  const { session, signal, emit, log } = parts;
  signal.throwIfAborted();
  const over = await parts.budget.over(parts);
  if (over !== undefined) throw new ModelError("refused", over);
  await parts.keeper.ready();
  const began = parts.now();
  const tokens = parts.keeper.estimate(session);
  log.info("core.llm", parts.t("request sent, tokens_in={tokens}", { tokens }));
  const stream = request(parts, messages, toolChoice);
  const writing = createWriting(parts);
  writing.tell();
  for await (const event of stream) {
    if (event.type === "text" || event.type === "thinking") writing.more(event.delta);
    if (event.type === "retry") {
      log.warning("core.llm", event.text);
      emit({ type: "notice", level: "warn", text: event.text, retryMs: event.waitMs });
    }
    if (event.type !== "done") continue;
    const { input, output, cached, cost } = event.usage;
    if (!parts.closed) session.spend(event.usage);
    emit({ type: "usage", input, output, cached, cost });
    log.info("core.llm", responseLine(event.usage, parts.now() - began, parts.t));
    const { text, calls } = event.message;
    return { text, usage: event.usage, stop: event.stop, called: calls.length > 0 };
  }
  throw new ModelError("protocol", "the stream ended without an answer");
}

/** A line of work apart from the conversation, in a lane that is there for it alone. */
import type { TurnEndReason, Usage } from "../base/types.ts";
import { addUsage, NO_USAGE } from "../base/usage.ts";
import type { Agent } from "./agent.ts";
import type { LaneScope } from "./agent_options.ts";

export interface ApartAnswer {
  readonly reason: TurnEndReason;
  /** What was said last. */
  readonly text: string;
  readonly usage: Usage;
  /** Why it failed, in words for the user; empty when it did not. */
  readonly why: string;
}

/** Asks `text` in a lane `key` with a scope of its own, and drops the lane. */
export async function askApart(
  agent: Agent,
  key: string,
  scope: LaneScope,
  text: string,
  signal: AbortSignal,
): Promise<ApartAnswer> {
  signal.throwIfAborted();
  agent.open(key, scope);
  let usage = NO_USAGE;
  let said = "";
  let why = "";
  /** What is warned of behind it is no reason for the turn's end. */
  let evidence = false;
  let unsubscribe = () => {};
  const stop = () => agent.bus.send({ type: "stop", session: key });
  signal.addEventListener("abort", stop, { once: true });
  try {
    const reason = await new Promise<TurnEndReason>((resolve) => {
      unsubscribe = agent.bus.subscribe((event) => {
        if (event.type === "text") said += event.delta;
        else if (event.type === "tool_start") said = "";
        else if (event.type === "notice" && event.retryMs !== undefined) said = "";
        else if (event.type === "evidence") evidence = true;
        else if (event.type === "notice" && event.level === "warn" && !evidence) why = event.text;
        else if (event.type === "usage") usage = addUsage(usage, event);
        else if (event.type === "error") why = event.text;
        else if (event.type === "turn_end") resolve(event.reason);
      }, key);
      // `typed`: nothing in it names a file to attach
      agent.bus.send({ type: "line", session: key, text, typed: "" });
    });
    return { reason, text: said, usage, why: reason === "done" ? "" : why };
  } finally {
    signal.removeEventListener("abort", stop);
    unsubscribe();
    agent.drop(key);
  }
}

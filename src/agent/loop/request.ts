/** One request to a model: what it has cost, and its lines in the log. */
import type { T } from "../../base/t.ts";
import type {
  EventBody,
  Keeper,
  Message,
  ModelClient,
  ModelEvent,
  Share,
  Toolbox,
  ToolChoice,
  Usage,
} from "../../base/types.ts";
import type { SessionFile } from "../../session/store.ts";
import { type Budget, expectedUsage, streamedTokens } from "../budget.ts";

/** What the log says of an answered request. */
export function responseLine({ input, output, cached, cost }: Usage, ms: number, t: T) {
  const dollars = cost === null ? "unknown" : `$${cost.toFixed(4)}`;
  return t(
    "response done, tokens_out={output}, cost={cost}, tokens_in={input}, cached={cached}, latency={ms}ms",
    { output, cost: dollars, input, cached, ms: Math.round(ms) },
  );
}

/** `base 1200, definitions 1900, user 30, Read 4100`: what the window is filled with. */
export function shareLine(shares: readonly Share[]): string {
  return shares.map(({ kind, name, tokens }) => `${name || kind} ${tokens}`).join(", ");
}

/** As much of a budget as one request needs. */
export type RequestBudget = Pick<Budget, "priceOf" | "count" | "over">;

export interface RequestParts {
  readonly session: SessionFile;
  readonly keeper: Keeper;
  readonly model: ModelClient;
  readonly modelName: string;
  readonly toolbox: Toolbox;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  /** The session is closed: what it costs is not counted on it. */
  readonly closed?: boolean;
  /** As in ModelRequest. */
  readonly onSent?: () => void;
  emit(event: EventBody): void;
}

/**
 * Asks the model; every request to one goes through here. It is counted on the day. Of an answer that
 * broke off no provider tells the tokens, but it is paid for: they are estimated, and counted on the
 * session too, as are those of a server that tells none; where nothing came, nothing is known to have
 * been spent.
 */
export async function* request(
  parts: RequestParts,
  messages: readonly Message[],
  toolChoice: ToolChoice,
): AsyncGenerator<ModelEvent> {
  const { session, keeper, modelName, budget, signal } = parts;
  let streamed = "";
  const estimated = async (): Promise<Usage> => {
    const { input, cached } = expectedUsage(session, keeper.estimate(session));
    const tokens = { input, cached, output: streamedTokens(streamed) };
    streamed = "";
    return { ...tokens, cost: await budget.priceOf(modelName, tokens) };
  };
  const broken = async () => {
    if (streamed === "") return;
    const usage = await estimated();
    if (!parts.closed) session.spend(usage);
    parts.emit({ type: "usage", ...usage });
    await budget.count(usage, modelName);
  };
  try {
    const stream = parts.model.stream({
      model: modelName,
      system: keeper.system(),
      tools: parts.toolbox.definitions,
      messages,
      toolChoice,
      ...parts.onSent ? { onSent: parts.onSent } : {},
    }, signal);
    for await (const event of stream) {
      const { type } = event;
      if (type === "text" || type === "thinking" || type === "input") streamed += event.delta;
      else if (type === "retry") await broken();
      else if (type === "done") {
        // some servers tell no tokens
        const usage = event.usage.input > 0 ? event.usage : await estimated();
        streamed = "";
        await budget.count(usage, modelName);
        yield { ...event, usage };
        continue;
      }
      yield event;
    }
  } finally {
    await broken();
  }
}

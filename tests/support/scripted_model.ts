import type {
  AssistantMessage,
  ModelClient,
  ModelEvent,
  ModelRequest,
  StopReason,
  Usage,
} from "../../src/base/types.ts";

/** One answer of the script. */
export interface Step {
  readonly text?: string;
  readonly calls?: readonly { name: string; input?: unknown; id?: string }[];
  readonly usage?: Usage;
  readonly stop?: StopReason;
  /** Thrown instead of answering, after `text` was streamed. */
  readonly error?: Error;
  /** Hangs after `text` until aborted. */
  readonly hang?: boolean;
}

/** A model that answers by script and keeps the requests it saw. */
export class ScriptedModel implements ModelClient {
  readonly requests: ModelRequest[] = [];
  readonly #script: (request: ModelRequest, index: number) => Step;

  constructor(script: readonly Step[] | ((request: ModelRequest, index: number) => Step)) {
    this.#script = typeof script === "function"
      ? script
      : (_request, index) => script[index] ?? { text: "(script ended)" };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const index = this.requests.length;
    this.requests.push({ ...request, messages: [...request.messages] });
    const step = this.#script(request, index);
    for (const delta of (step.text ?? "").match(/[\s\S]{1,5}/gu) ?? []) {
      yield { type: "text", delta };
      await Promise.resolve();
    }
    if (step.hang) {
      signal.throwIfAborted();
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      );
    }
    if (step.error) throw step.error;
    const message: AssistantMessage = {
      role: "assistant",
      text: step.text ?? "",
      thinking: [],
      calls: (step.calls ?? []).map((call, i) => ({
        id: call.id ?? `call_${index}_${i}`,
        name: call.name,
        input: typeof call.input === "string" ? call.input : JSON.stringify(call.input ?? {}),
      })),
    };
    yield {
      type: "done",
      message,
      usage: step.usage ?? { input: 100, output: 10, cached: 0, cost: 0.001 },
      stop: step.stop ?? (message.calls.length > 0 ? "calls" : "end"),
    };
  }
}

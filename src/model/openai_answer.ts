/** Understands a chat completion, streamed or whole. */
import type { ModelEvent, StopReason } from "../types.ts";
import type { AnswerReader } from "./answer.ts";
import type { CallCollector } from "./calls.ts";
import { type Endpoint, fault } from "./errors.ts";
import { count, list, object, string } from "./loose.ts";
import type { TokenCount } from "./price.ts";

/** Reads the chunks of one chat completion. */
export class ChatAnswer implements AnswerReader {
  begun = false;
  #text = "";
  #thinking = "";
  #finish = "";
  #tokens: TokenCount = { input: 0, output: 0, cached: 0 };
  readonly #calls: CallCollector;
  readonly #endpoint: Endpoint;
  readonly #cost: (tokens: TokenCount) => number | null;

  constructor(
    endpoint: Endpoint,
    calls: CallCollector,
    cost: (tokens: TokenCount) => number | null,
  ) {
    this.#endpoint = endpoint;
    this.#calls = calls;
    this.#cost = cost;
  }

  get finished(): boolean {
    return this.#finish !== "";
  }

  take(data: unknown): ModelEvent[] {
    const chunk = object(data);
    const choice = object(list(chunk.choices)[0]);
    // Moonshot puts it into the choice
    this.#takeUsage(chunk.usage ?? choice.usage);
    if (list(chunk.choices).length === 0) return [];
    return this.#takeChoice(choice, choice.delta);
  }

  takeWhole(body: unknown): ModelEvent[] | undefined {
    const choice = object(list(object(body).choices)[0]);
    if (typeof choice.message !== "object" || choice.message === null) return undefined;
    this.#takeUsage(object(body).usage);
    return this.#takeChoice(choice, choice.message);
  }

  done(): ModelEvent {
    const calls = this.#calls.finish();
    const tokens = this.#tokens;
    return {
      type: "done",
      message: {
        role: "assistant",
        text: this.#text,
        calls,
        thinking: this.#thinking === "" ? [] : [{ text: this.#thinking }],
      },
      usage: {
        input: tokens.input,
        output: tokens.output,
        cached: tokens.cached,
        cost: this.#cost(tokens),
      },
      stop: stopOf(this.#finish, calls.length > 0),
    };
  }

  #takeChoice(choice: { readonly finish_reason?: unknown }, part: unknown): ModelEvent[] {
    this.begun = true;
    const delta = object(part);
    const events: ModelEvent[] = [];
    const thinking = string(delta.reasoning_content) || string(delta.reasoning);
    if (thinking) {
      this.#thinking += thinking;
      events.push({ type: "thinking", delta: thinking });
    }
    const text = textOf(delta.content) || string(delta.refusal);
    if (text) {
      this.#text += text;
      events.push({ type: "text", delta: text });
    }
    events.push(...this.#calls.take(delta.tool_calls));
    this.#finish = string(choice.finish_reason) || this.#finish;
    if (this.#finish === "model_context_window_exceeded") {
      throw fault("overflow", this.#endpoint, "model.window_full");
    }
    // DeepSeek and Zhipu end an answer so when they could not go on
    if (this.#finish === "insufficient_system_resource" || this.#finish === "network_error") {
      const text = this.#finish;
      this.#finish = "";
      throw fault("network", this.#endpoint, "model.in_stream", { text });
    }
    return events;
  }

  #takeUsage(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const usage = object(value);
    this.#tokens = {
      input: count(usage.prompt_tokens),
      output: count(usage.completion_tokens),
      cached: count(object(usage.prompt_tokens_details).cached_tokens) ||
        count(usage.prompt_cache_hit_tokens) || count(usage.cached_tokens),
    };
  }
}

/** Content is a text, or a list of parts (Mistral). */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content).map((part) => string(object(part).text)).join("");
}

function stopOf(finish: string, calls: boolean): StopReason {
  if (finish === "length") return "length";
  if (finish === "content_filter" || finish === "sensitive") return "refused";
  // some providers say "stop" although they call, others "tool_calls" although they do not
  return calls ? "calls" : "end";
}

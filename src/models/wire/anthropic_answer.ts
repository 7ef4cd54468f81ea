/** Understands an answer of the Messages protocol, streamed or whole. */
import type { ModelEvent, Thinking } from "../../base/types.ts";
import { type AnswerReader, isBroken, stopOf } from "./answer.ts";
import type { CallCollector } from "./calls.ts";
import { type Endpoint, fault, FAULT_TOLD } from "../errors.ts";
import { count, type Loose, object, string } from "./loose.ts";
import type { TokenCount } from "../model_facts.ts";
import { Spoken } from "./spoken.ts";

interface OpenThinking {
  readonly at: unknown;
  text: string;
  signature: string;
  readonly redacted: string;
}

/** Reads the events of one message. */
export class MessagesAnswer implements AnswerReader {
  begun = false;
  readonly #spoken = new Spoken();
  /** Where calls of tools of ours have opened: the provider's own tools take input too. */
  readonly #used = new Set<unknown>();
  readonly #thinking: OpenThinking[] = [];
  #id: unknown;
  #stop = "";
  #tokens = { input: 0, output: 0, cached: 0, cacheWrite: 0 };
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
    return this.#stop !== "";
  }

  take(data: unknown): ModelEvent[] {
    const event = object(data);
    switch (event.type) {
      case "message_start":
        this.begun = true;
        this.#takeStart(object(event.message));
        return [];
      case "content_block_start":
        return this.#open(event.index, object(event.content_block), false);
      case "content_block_delta":
        return this.#grow(event.index, object(event.delta));
      case "message_delta":
        this.#takeUsage(event.usage);
        this.#takeStop(object(event.delta).stop_reason);
        return [];
      default:
        return [];
    }
  }

  takeWhole(body: unknown): ModelEvent[] | undefined {
    const message = object(body);
    if (!Array.isArray(message.content)) return undefined;
    this.#takeUsage(message.usage);
    this.#takeStop(message.stop_reason);
    return message.content.flatMap((block, index) => this.#open(index, object(block), true));
  }

  end(): ModelEvent[] {
    const calls = this.#calls.finish();
    const stop = stopOf(this.#stop, calls.length > 0);
    const rest = this.#spoken.end(stop === "length" || calls.length > 0);
    this.#hear(rest);
    const { input, output, cached } = this.#tokens;
    const before = this.#spoken.before;
    return [...rest, {
      type: "done",
      message: {
        role: "assistant",
        text: this.#spoken.text,
        calls,
        thinking: [
          ...before === "" ? [] : [{ text: before }],
          ...this.#thinking.map(closeThinking),
        ],
      },
      usage: { input, output, cached, cost: this.#cost(this.#tokens) },
      stop,
    }];
  }

  #open(index: unknown, block: Loose, whole: boolean): ModelEvent[] {
    this.begun = true;
    switch (block.type) {
      case "text":
        return this.#say(string(block.text));
      case "thinking": {
        const text = string(block.thinking);
        const signature = string(block.signature);
        this.#thinking.push({ at: index, text, signature, redacted: "" });
        return text ? [{ type: "thinking", delta: text }] : [];
      }
      case "redacted_thinking":
        this.#thinking.push({
          at: index,
          text: "",
          signature: "",
          redacted: string(block.data),
        });
        return [];
      case "tool_use": {
        // the input comes in deltas; compatible servers may put it here at once
        const input = object(block.input);
        const given = whole || Object.keys(input).length > 0;
        const part = { name: block.name, arguments: given ? input : null };
        this.#used.add(index);
        return this.#call({ index, id: block.id, function: part });
      }
      default:
        return [];
    }
  }

  #grow(index: unknown, delta: Loose): ModelEvent[] {
    this.begun = true;
    switch (delta.type) {
      case "text_delta":
        return this.#say(string(delta.text));
      case "thinking_delta": {
        const text = string(delta.thinking);
        this.#thinkingAt(index).text += text;
        return text ? [{ type: "thinking", delta: text }] : [];
      }
      case "signature_delta":
        this.#thinkingAt(index).signature += string(delta.signature);
        return [];
      case "input_json_delta":
        if (!this.#used.has(index)) return [];
        return this.#call({ index, function: { arguments: delta.partial_json } });
      default:
        return [];
    }
  }

  #thinkingAt(index: unknown): OpenThinking {
    const known = this.#thinking.findLast((one) => one.at === index);
    if (known) return known;
    const fresh = { at: index, text: "", signature: "", redacted: "" };
    this.#thinking.push(fresh);
    return fresh;
  }

  #say(text: string): ModelEvent[] {
    const events = this.#spoken.push(text);
    this.#hear(events);
    return events;
  }

  /** Takes the thinking that came as text. */
  #hear(events: readonly ModelEvent[]): void {
    for (const event of events) {
      if (event.type === "thinking") this.#thinkingAt(this.#spoken).text += event.delta;
    }
  }

  #call(delta: unknown): ModelEvent[] {
    return this.#calls.take([delta]);
  }

  /** A gateway that begins anew in the same stream has lost what it sent before. */
  #takeStart({ id, usage }: Loose): void {
    const some = this.#spoken.text !== "" || this.#thinking.length + this.#calls.size > 0;
    if (some && id !== this.#id) {
      throw fault(
        "network",
        this.#endpoint,
        "the connection was cut before the answer was complete",
      );
    }
    this.#id = id;
    this.#takeUsage(usage);
  }

  #takeStop(reason: unknown): void {
    if (reason === "model_context_window_exceeded") {
      throw fault("overflow", this.#endpoint, "the model's context window is full");
    }
    const stop = string(reason);
    if (isBroken(stop)) throw fault("network", this.#endpoint, FAULT_TOLD, { text: stop });
    this.#stop = stop || this.#stop;
  }

  /** Counts come at the start and again, grown or whole, at the end. */
  #takeUsage(value: unknown): void {
    const usage = object(value);
    const cached = count(usage.cache_read_input_tokens);
    const cacheWrite = count(usage.cache_creation_input_tokens);
    const input = count(usage.input_tokens) + cached + cacheWrite;
    const known = this.#tokens;
    this.#tokens = {
      input: Math.max(known.input, input),
      output: Math.max(known.output, count(usage.output_tokens)),
      cached: Math.max(known.cached, cached),
      cacheWrite: Math.max(known.cacheWrite, cacheWrite),
    };
  }
}

function closeThinking({ text, signature, redacted }: OpenThinking): Thinking {
  if (redacted) return { text: "", redacted };
  return signature ? { text, signature } : { text };
}

/** Understands a chat completion, streamed or whole. */
import type { Echo, Json, ModelEvent } from "../../base/types.ts";
import { type AnswerReader, isBroken, stopOf } from "./answer.ts";
import { type CallCollector, Spoken } from "./answer_parts.ts";
import { bodyError, type Endpoint, fault, FAULT_TOLD, ModelFault } from "../errors.ts";
import type { TokenCount } from "../model_facts.ts";
import { count, list, type Loose, object, string } from "./loose.ts";

/** The field of a part that comes in pieces. */
const GROWING: Loose = { "reasoning.text": "text", "reasoning.summary": "summary" };

type Part = Record<string, unknown>;

/** Puts the pieces of an answer's parts together. */
class ReasoningDetails {
  #parts: Part[] | undefined;

  /** Takes the `reasoning_details` of one delta. */
  take(value: unknown): void {
    if (!Array.isArray(value)) return;
    // an empty list is wanted back too
    this.#parts ??= [];
    for (const one of value) {
      const piece = object(one);
      if (!string(piece.type)) continue;
      const part = this.#partOf(piece);
      if (part) grow(part, piece);
      else this.#parts.push({ ...piece });
    }
  }

  /** The whole parts; undefined where none came. */
  finish(): readonly Json[] | undefined {
    return this.#parts as Json[] | undefined;
  }

  /** The part that a piece goes on with. */
  #partOf({ type, index, id }: Loose): Part | undefined {
    if (!GROWING[string(type)]) return undefined;
    const near = typeof index === "number"
      ? this.#parts!.findLast((part) => part.index === index)
      : this.#parts!.at(-1);
    if (!near || near.type !== type || typeof index !== typeof near.index) return undefined;
    return id && near.id && id !== near.id ? undefined : near;
  }
}

function grow(part: Part, piece: Loose): void {
  const field = string(GROWING[string(piece.type)]);
  for (const [key, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    part[key] = key === field ? string(part[key]) + string(value) : value;
  }
}

/** The parts that a provider takes back: it refuses text that it should have signed. */
export function detailsToSend(details: unknown): readonly unknown[] {
  return list(details).filter((one) => {
    const { type, format, signature } = object(one);
    const signs = /^(?:anthropic|google)/.test(string(format));
    return type !== "reasoning.text" || !signs || string(signature) !== "";
  });
}

/** Reads the chunks of one chat completion. */
export class ChatAnswer implements AnswerReader {
  begun = false;
  readonly #spoken = new Spoken();
  readonly #details = new ReasoningDetails();
  #thinking = "";
  #finish = "";
  #tokens: TokenCount = { input: 0, output: 0, cached: 0 };
  /** Which choice the text, and which one the calls are taken of. */
  #textOf: unknown;
  #callsOf: unknown;
  readonly #calls: CallCollector;
  readonly #endpoint: Endpoint;
  readonly #cost: (tokens: TokenCount) => number | null;
  readonly #origin: Pick<Echo, "host" | "model">;

  constructor(
    endpoint: Endpoint,
    calls: CallCollector,
    cost: (tokens: TokenCount) => number | null,
    origin: Pick<Echo, "host" | "model">,
  ) {
    this.#endpoint = endpoint;
    this.#calls = calls;
    this.#cost = cost;
    this.#origin = origin;
  }

  get finished(): boolean {
    return this.#finish !== "";
  }

  take(data: unknown): ModelEvent[] {
    const { choices, usage } = object(data);
    return this.#takeChoices(choices, usage, ({ delta, message }) => delta ?? message);
  }

  takeWhole(body: unknown): ModelEvent[] | undefined {
    const { choices, usage } = object(body);
    const { message, finish_reason } = object(list(choices)[0]);
    // Azure leaves out the message that its filter holds back
    if (typeof message !== "object" && string(finish_reason) === "") return undefined;
    // Perplexity puts an empty delta beside it
    return this.#takeChoices(choices, usage, (choice) => choice.message);
  }

  takeRefused(error: unknown): boolean {
    const { cause } = error as Error;
    const call = cause instanceof ModelFault ? cause.call : undefined;
    // of an answer that has brought calls already nobody knows which one it is
    if (call === undefined || this.#calls.size > 0) return false;
    this.#calls.take([call]);
    return true;
  }

  end(): ModelEvent[] {
    const calls = this.#calls.finish();
    const stop = stopOf(this.#finish, calls.length > 0);
    const rest = this.#spoken.end(stop === "length" || calls.length > 0);
    const thinking = this.#spoken.before + this.#thinking + thinkingIn(rest);
    const { input, output, cached } = this.#tokens;
    const details = this.#details.finish();
    const echoed = details !== undefined || calls.some(({ extra }) => extra !== undefined);
    return [...rest, {
      type: "done",
      message: {
        role: "assistant",
        text: this.#spoken.text,
        calls,
        thinking: thinking === "" ? [] : [{ text: thinking }],
        ...echoed ? { echo: { ...this.#origin, ...details ? { details } : {} } } : {},
      },
      usage: { input, output, cached, cost: this.#cost(this.#tokens) },
      stop,
    }];
  }

  #takeChoices(
    value: unknown,
    usage: unknown,
    partOf: (choice: Loose) => unknown,
  ): ModelEvent[] {
    const choices = list(value);
    // Moonshot puts it into the choice
    this.#takeUsage(usage ?? object(choices[0]).usage);
    const events: ModelEvent[] = [];
    for (let at = 0; at < choices.length; at++) {
      const choice = object(choices[at]);
      this.#takeChoice(choice, partOf(choice), choice.index ?? at, events);
    }
    return events;
  }

  #takeChoice(choice: Loose, part: unknown, index: unknown, events: ModelEvent[]): void {
    this.begun = true;
    // OpenRouter tells so that a provider broke off
    if (choice.error) throw bodyError(this.#endpoint, JSON.stringify({ error: choice.error }));
    const delta = object(part);
    const thinking = thinkingOf(delta);
    const text = textOf(delta.content) || string(delta.refusal);
    if (thinking || text) this.#textOf ??= index;
    if ((this.#textOf ?? index) === index) this.#details.take(delta.reasoning_details);
    if (this.#textOf === index) {
      if (thinking) {
        this.#thinking += thinking;
        events.push({ type: "thinking", delta: thinking });
      }
      for (const event of text ? this.#spoken.push(text) : []) {
        if (event.type === "thinking") this.#thinking += event.delta;
        events.push(event);
      }
    }
    const calls = callsOf(delta);
    if (calls.length > 0) this.#callsOf ??= index;
    if (calls.length > 0 && this.#callsOf === index) events.push(...this.#calls.take(calls));
    const other = this.#textOf !== undefined && this.#textOf !== index && this.#callsOf !== index;
    const finish = string(choice.finish_reason);
    if (finish !== "" && finish !== "null" && !other) this.#takeFinish(finish);
  }

  #takeFinish(reason: string): void {
    if (reason === "model_context_window_exceeded") {
      throw fault("overflow", this.#endpoint, "the model's context window is full");
    }
    if (isBroken(reason)) {
      throw fault("network", this.#endpoint, FAULT_TOLD, { text: reason });
    }
    this.#finish = reason;
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

/** Content is a text, or a list of parts (Mistral, Databricks). */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content).map((part) => string(object(part).text)).join("");
}

/** What a delta has of thinking, under the names that are in use. */
function thinkingOf(delta: Loose): string {
  const thought = string(delta.reasoning_content) || string(delta.reasoning);
  if (thought) return thought;
  const details = delta.reasoning_details ?? delta.content;
  return Array.isArray(details) ? details.map(thoughtOf).join("") : "";
}

function thoughtOf(value: unknown): string {
  const part = object(value);
  switch (part.type) {
    // OpenRouter, MiniMax
    case "reasoning.text":
      return string(part.text);
    case "reasoning.summary":
      return string(part.summary);
    // Mistral
    case "thinking":
      return string(part.thinking) || textOf(part.thinking);
    // Databricks
    case "reasoning":
      return textOf(part.summary);
    default:
      return "";
  }
}

/** A call came alone, and without an id, before there were several. */
function callsOf({ tool_calls, function_call }: Loose): readonly unknown[] {
  const calls = list(tool_calls);
  return calls.length > 0 || !function_call ? calls : [{ function: function_call }];
}

function thinkingIn(events: readonly ModelEvent[]): string {
  let text = "";
  for (const event of events) if (event.type === "thinking") text += event.delta;
  return text;
}

/** The Messages protocol. */
import type {
  AssistantMessage,
  Message,
  ModelClient,
  ModelEvent,
  ModelRequest,
  Thinking,
  ToolCall,
  ToolMessage,
  UserMessage,
} from "../../base/types.ts";
import { hostIs } from "../../config/registry.ts";
import { type Endpoint, fault, FAULT_TOLD } from "../errors.ts";
import { imagesFor, imageTypes, type TokenCount } from "../model_facts.ts";
import { costAt, MESSAGES_LIMIT, type Provider, takenIn, thinkingFallback } from "../provider.ts";
import { type AnswerReader, isBroken, readAnswer, stopOf } from "./answer.ts";
import { CallCollector, Spoken } from "./answer_parts.ts";
import { count, type Loose, object, parse, string } from "./loose.ts";
import { send } from "./send.ts";
import { bodies, remembering } from "./wire_text.ts";

interface OpenThinking {
  readonly at: unknown;
  text: string;
  signature: string;
  readonly redacted: string;
}

/** Reads the events of one message. */
class MessagesAnswer implements AnswerReader {
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

/** What is to be kept up to a block, in it. */
const CACHED = { cache_control: { type: "ephemeral" } };
const MARKER = JSON.stringify(CACHED).slice(1, -1);

/** A client for the Messages endpoint at or below `baseUrl`. */
export function anthropicModel(provider: Provider): ModelClient {
  const { config, line } = provider;
  const url = (/\/v\d+$/.test(config.baseUrl) ? config.baseUrl : config.baseUrl + "/v1") +
    "/messages";
  const bodyOf = messagesBody(config);
  return {
    stream(request, signal): AsyncIterable<ModelEvent> {
      const ask = async () => {
        const response = await send(line, url, anthropicHeaders(config), bodyOf(request), signal);
        request.onSent?.();
        return response;
      };
      const calls = new CallCollector(takenIn(request), provider.random);
      const answer = new MessagesAnswer(line.endpoint, calls, costAt(provider, request.model));
      return readAnswer(line, ask, answer, signal);
    },
  };
}

type Block = { readonly [key: string]: unknown };

/**
 * Makes the function that words requests as bodies; the fields stand in the order in which they are
 * sent, the messages behind all that stays.
 */
export function messagesBody(
  config: Provider["config"],
): (request: ModelRequest) => Uint8Array<ArrayBuffer> {
  const body = bodies();
  const own = hostIs(config.baseUrl, "anthropic.com");
  const cache = config.promptCache !== false;
  const told = remembering((model) => {
    const fallback = thinkingFallback(config.baseUrl, model);
    const taken: Taken = { own, fallback, images: imageTypes(model, config) };
    return (message) => JSON.stringify(blocksOf(message, taken)).slice(1, -1);
  });
  return (request) => {
    const head = {
      model: request.model,
      max_tokens: config.maxOutputTokens ?? MESSAGES_LIMIT,
      stream: true,
      ...(request.system === "" ? {} : {
        system: [{ type: "text", text: request.system, ...cache ? CACHED : {} }],
      }),
      ...(request.tools.length === 0 ? {} : {
        tools: request.tools.map(({ name, description, input }) => ({
          name,
          description,
          input_schema: input,
        })),
      }),
    };
    // another tool_choice than before would lose the cached messages: `unwanted` is not said
    const none = request.toolChoice === "none" && request.tools.length > 0;
    const messages = turns(request.messages, told(request.model));
    if (cache) markEnds(messages);
    const texts = messages.map(({ role, blocks }) =>
      `{"role":"${role}","content":[${blocks.join(",")}]}`
    );
    return body(head, texts, none ? { tool_choice: { type: "none" } } : {});
  };
}

/** What the model and its provider take. */
interface Taken {
  /** Whether signatures of thinking are checked. */
  readonly own: boolean;
  readonly fallback: string | undefined;
  /** Media types. */
  readonly images: readonly string[];
}

/** `blocks` are JSON texts, each of one or more. */
interface Turn {
  readonly role: string;
  readonly blocks: string[];
}

/**
 * Marks where this request ends and where the one before it did. What came up to a marker is kept, and
 * looked for only some 20 blocks before the next one, which is less than a step of many calls adds.
 */
function markEnds(turns: readonly Turn[]): void {
  const answer = turns.findLastIndex(({ role }) => role === "assistant");
  for (const turn of new Set([turns[answer - 1], turns.at(-1)])) {
    const last = turn?.blocks.pop();
    if (last !== undefined) turn!.blocks.push(`${last.slice(0, -1)},${MARKER}}`);
  }
}

/** Messages as alternating turns: results and the text behind them are one user turn. */
function turns(
  messages: readonly Message[],
  tell: (message: Message) => string,
): Turn[] {
  const wire: Turn[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = tell(message);
    if (blocks === "") continue;
    const last = wire.at(-1);
    if (last?.role === role) last.blocks.push(blocks);
    else wire.push({ role, blocks: [blocks] });
  }
  return wire;
}

function blocksOf(message: Message, taken: Taken): Block[] {
  switch (message.role) {
    case "user":
      return [...textBlocks(message.text), ...imageBlocks(message, taken.images)];
    case "tool":
      return [{
        type: "tool_result",
        tool_use_id: wireId(message.id),
        content: resultContent(message, taken.images),
        ...(message.ok ? {} : { is_error: true }),
      }];
    case "assistant": {
      const said = [...textBlocks(message.text), ...message.calls.map(toolUse)];
      return said.length === 0 ? [] : [...thoughts(message, taken), ...said];
    }
  }
}

function resultContent(message: ToolMessage, types: readonly string[]): string | Block[] {
  const images = imageBlocks(message, types);
  if (images.length === 0) return message.text || "(empty)";
  return [...textBlocks(message.text), ...images];
}

function imageBlocks(message: ToolMessage | UserMessage, types: readonly string[]): Block[] {
  return imagesFor(message, types).map(({ mediaType, data }) => ({
    type: "image",
    source: { type: "base64", media_type: mediaType, data },
  }));
}

/** Thinking goes back as it came; what nobody signed goes only where no signature is checked. */
function thoughts(
  { thinking, calls }: AssistantMessage,
  { own, fallback }: Taken,
): Block[] {
  const blocks: Block[] = [];
  for (const { text, signature, redacted } of thinking) {
    if (redacted !== undefined) blocks.push({ type: "redacted_thinking", data: redacted });
    else if (signature !== undefined) blocks.push({ type: "thinking", thinking: text, signature });
    else if (!own) blocks.push({ type: "thinking", thinking: text, signature: "" });
  }
  if (blocks.length === 0 && calls.length > 0 && fallback !== undefined) {
    blocks.push({ type: "thinking", thinking: fallback, signature: "" });
  }
  return blocks;
}

function toolUse({ id, name, input }: ToolCall): Block {
  return { type: "tool_use", id: wireId(id), name, input: object(parse(input)) };
}

/** The protocol allows fewer characters in ids than other providers use. */
function wireId(id: string): string {
  return id.replace(/[^\w-]/g, "_");
}

/** A text of blanks only is refused. */
function textBlocks(text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** What every request to a Messages endpoint carries. */
export function anthropicHeaders(
  { apiKey, baseUrl }: Pick<Provider["config"], "apiKey" | "baseUrl">,
): Headers {
  const headers = new Headers({
    "content-type": "application/json",
    accept: "text/event-stream",
    "anthropic-version": "2023-06-01",
    "user-agent": "narnat",
  });
  if (!apiKey) return headers;
  headers.set("x-api-key", apiKey);
  // compatible providers document one or the other
  if (!hostIs(baseUrl, "anthropic.com")) headers.set("authorization", "Bearer " + apiKey);
  return headers;
}

/** The OpenAI chat completions protocol. */
import type {
  AssistantMessage,
  Image,
  Message,
  ModelClient,
  ModelEvent,
  ModelRequest,
  ToolMessage,
  UserMessage,
} from "../../base/types.ts";
import { readAnswer } from "./answer.ts";
import { CallCollector } from "./answer_parts.ts";
import { imagesFor, imageTypes } from "../model_facts.ts";
import { isObjectText } from "./loose.ts";
import { ChatAnswer, detailsToSend } from "./openai_answer.ts";
import {
  costAt,
  hostOf,
  outputLimitName,
  type Provider,
  takenIn,
  thinkingFallback,
  thinkTag,
} from "../provider.ts";
import { send } from "./send.ts";
import { bodies, remembering } from "./wire_text.ts";

/** A client for the chat completions endpoint below `baseUrl`. */
export function openaiModel(provider: Provider): ModelClient {
  const { config, line } = provider;
  const url = config.baseUrl + "/chat/completions";
  const bodyOf = chatBody(config);
  return {
    stream(request, signal): AsyncIterable<ModelEvent> {
      const ask = async () => {
        const response = await send(line, url, openaiHeaders(config), bodyOf(request), signal);
        request.onSent?.();
        return response;
      };
      const calls = new CallCollector(takenIn(request), provider.random);
      const origin = { host: line.endpoint.host, model: request.model };
      const cost = costAt(provider, request.model);
      const answer = new ChatAnswer(line.endpoint, calls, cost, origin);
      return readAnswer(line, ask, answer, signal);
    },
  };
}

/**
 * Makes the function that words requests as bodies; the fields stand in the order in which they are
 * sent, the messages behind all that stays.
 */
export function chatBody(
  config: Provider["config"],
): (request: ModelRequest) => Uint8Array<ArrayBuffer> {
  const body = bodies();
  const limit = config.maxOutputTokens;
  const host = hostOf(config.baseUrl);
  const told = remembering((model) => {
    const taken: Taken = {
      host,
      model,
      fallback: thinkingFallback(config.baseUrl, model),
      tag: thinkTag(config.baseUrl, model),
      images: imageTypes(model, config),
    };
    return (message) => tell(message, taken);
  });
  return (request) => {
    const head = {
      model: request.model,
      stream: true,
      stream_options: { include_usage: true },
      ...(limit === undefined ? {} : { [outputLimitName(config.baseUrl)]: limit }),
      ...(request.tools.length === 0 ? {} : {
        tools: request.tools.map(({ name, description, input }) => ({
          type: "function",
          function: { name, description, parameters: input },
        })),
      }),
    };
    const system = JSON.stringify({ role: "system", content: request.system });
    const messages = [system, ...chatMessages(request.messages, told(request.model))];
    const { toolChoice = "auto", tools } = request;
    const none = toolChoice !== "auto" && tools.length > 0;
    return body(head, messages, none ? { tool_choice: "none" } : {});
  };
}

/** What the model and its provider take. */
interface Taken {
  readonly host: string;
  readonly model: string;
  readonly fallback: string | undefined;
  /** Around thinking that goes back in the text. */
  readonly tag: string | undefined;
  /** Media types. */
  readonly images: readonly string[];
}

type ChatBody = { readonly [key: string]: unknown };

/** A message on the wire. */
interface Told {
  /** JSON; empty for a message that is not sent. */
  readonly text: string;
  /** What follows behind the last result of an answer's. */
  readonly images: readonly ChatBody[];
}

function chatMessages(
  messages: readonly Message[],
  tell: (message: Message) => Told,
): string[] {
  const wire: string[] = [];
  let images: ChatBody[] = [];
  const closeResults = () => {
    if (images.length > 0) wire.push(JSON.stringify({ role: "user", content: images }));
    images = [];
  };
  for (const message of messages) {
    if (message.role !== "tool") closeResults();
    const told = tell(message);
    if (told.text !== "") wire.push(told.text);
    if (told.images.length > 0) images.push(...told.images);
  }
  closeResults();
  return wire;
}

function tell(message: Message, taken: Taken): Told {
  const told = (body: ChatBody, images: readonly ChatBody[] = []): Told => ({
    text: JSON.stringify(body),
    images,
  });
  switch (message.role) {
    case "user":
      return told({ role: "user", content: userContent(message, taken.images) });
    case "tool":
      return told(
        {
          role: "tool",
          tool_call_id: chatId(message.id, taken),
          content: message.text || "(empty)",
        },
        chatImages(message, taken.images),
      );
    case "assistant":
      // an empty message is refused by several providers
      return message.text || message.calls.length > 0
        ? told(chatAnswer(message, taken))
        : { text: "", images: [] };
  }
}

function userContent(message: UserMessage, types: readonly string[]): string | ChatBody[] {
  const images = imagesFor(message, types);
  if (images.length === 0) return message.text;
  return [{ type: "text", text: message.text }, ...images.map(chatImage)];
}

function chatImage({ mediaType, data }: Image): ChatBody {
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
}

/** Results are text only in this protocol: their images follow behind the last one of an answer's. */
function chatImages(message: ToolMessage, types: readonly string[]): ChatBody[] {
  const images = imagesFor(message, types);
  if (images.length === 0) return [];
  const [first = ""] = message.text.split("\n", 1);
  return [
    { type: "text", text: `Image of the ${message.name} result: ${first}` },
    ...images.map(chatImage),
  ];
}

function chatAnswer(message: AssistantMessage, taken: Taken): ChatBody {
  const { text, calls, thinking, echo } = message;
  const { fallback, tag, host, model } = taken;
  const thought = thinking.map((one) => one.text).join("") || fallback;
  const details = echo?.host === host && echo.model === model ? echo.details : undefined;
  const content = tag && thought && !details?.length
    ? `<${tag}>${thought}</${tag}>\n\n${text}`
    : text;
  return {
    role: "assistant",
    content: content || null,
    ...(fallback === undefined ? {} : { reasoning_content: thought }),
    ...(details === undefined ? {} : { reasoning_details: detailsToSend(details) }),
    ...(calls.length === 0 ? {} : {
      tool_calls: calls.map(({ id, name, input, extra }) => ({
        id: chatId(id, taken),
        type: "function",
        // servers that parse the input would refuse the whole conversation for a broken one
        function: { name, arguments: isObjectText(input) ? input : "{}" },
        // and strict ones for what they do not know
        ...(echo === undefined || echo.host === host ? extra : {}),
      })),
    }),
  };
}

/** Few: they tell nothing about the machine. */
export function openaiHeaders({ apiKey }: Pick<Provider["config"], "apiKey">): Headers {
  const headers = new Headers({
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "narnat",
  });
  if (apiKey) headers.set("authorization", "Bearer " + apiKey);
  return headers;
}

/** OpenAI refuses longer ids of calls. */
const MOST_CHARS = 40;

/** Mistral's servers and templates take nothing but nine letters and digits. */
const MISTRAL_HOST = /(?:^|\.)mistral\.ai(?::\d+)?$/;
const MISTRAL =
  /(?:^|\/)(?:open-)?(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral)/i;
const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

/**
 * The id of a call as the provider takes it, which may take fewer than the one that gave it; the same for a call and its result, in every
 * request.
 */
export function chatId(id: string, { host, model }: { host: string; model: string }): string {
  if (MISTRAL_HOST.test(host) || MISTRAL.test(model)) {
    return MISTRAL_ID.test(id) ? id : shortened(id, 9);
  }
  return id.length <= MOST_CHARS ? id : shortened(id, MOST_CHARS);
}

/** Letters and digits that stand for an id and, as good as surely, for no other one. */
function shortened(id: string, length: number): string {
  let name = "";
  for (let round = 0; name.length < length; round++) name += hash(`${round}${id}`);
  return name.slice(0, length);
}

function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return value.toString(36).padStart(7, "0").slice(-6);
}

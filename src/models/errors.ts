/** What went wrong with a provider, sorted into the kinds of ModelError and told in both languages. */
import { ModelError, type ModelErrorKind } from "../base/types.ts";
import { english, type T, type Text } from "../base/t.ts";
import { truncate } from "../base/strings.ts";
import { count, list, type Loose, object, parse, string } from "./wire/loose.ts";

/** No connection came about, as the system tells it. */
const NOT_CONNECTED = "the connection failed: {why}";
/** The server has told of a fault in the middle of its answer. */
export const FAULT_TOLD = "the server reports: {text}";

/** Where a request went, and what must never be shown. */
export interface Endpoint {
  /** Host name with port, for messages. */
  readonly host: string;
  readonly apiKey: string | undefined;
}

/** The cause of each ModelError of this room, from which its text is told in any language. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly host: string;
  readonly text: Text;
  readonly values: { readonly [name: string]: string | number };
  /** The model has written a call that the provider does not let through. */
  readonly call: RefusedCall | undefined;

  constructor(
    host: string,
    text: Text,
    values: { readonly [name: string]: string | number },
    cause: unknown,
    call?: RefusedCall,
  ) {
    super(english(text, values), cause === undefined ? undefined : { cause });
    this.host = host;
    this.text = text;
    this.values = values;
    this.call = call;
  }
}

/** Makes a ModelError whose message is "Cannot get an answer from <host>: <what was found>", without the key. */
export function fault(
  kind: ModelErrorKind,
  endpoint: Endpoint,
  text: Text,
  values: { readonly [name: string]: string | number } = {},
  more: {
    status?: number;
    retryAfterMs?: number | undefined;
    cause?: unknown;
    call?: RefusedCall | undefined;
  } = {},
): ModelError {
  const safe: { [name: string]: string | number } = {};
  for (const [name, value] of Object.entries(values)) {
    safe[name] = typeof value === "string" ? tidy(value, endpoint.apiKey) : value;
  }
  const found = english(text, safe);
  return new ModelError(
    kind,
    english("Cannot get an answer from {host}: {found}", { host: endpoint.host, found }),
    {
      ...more,
      cause: new ModelFault(endpoint.host, text, safe, more.cause, more.call),
    },
  );
}

/** Whether nothing listens at an address of this very machine, where waiting rarely helps. */
export function nothingListens(error: ModelError): boolean {
  const { cause } = error;
  if (!(cause instanceof ModelFault) || cause.text !== NOT_CONNECTED) return false;
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(cause.host) &&
    /refused/i.test(String(cause.values.why));
}

/** One line on what was found, in the user's language. */
export function foundOf(t: T, error: ModelError): string {
  const cause = error.cause;
  if (!(cause instanceof ModelFault)) return error.message;
  const { values } = cause;
  if (cause.text === NOT_CONNECTED) {
    return t(cause.text, { why: whyIn(t, String(values.why)) });
  }
  const text = values.text === EMPTY_BODY ? t("(empty body)") : values.text;
  return t<Text>(cause.text, text === undefined ? values : { ...values, text });
}

/** Stands where a server has said nothing. */
const EMPTY_BODY = "(empty body)";

const WHYS: readonly (readonly [RegExp, Text])[] = [
  [/connection refused/i, "connection refused"],
  [/dns error|failed to lookup|name resolution/i, "no such host"],
  [/unreachable|no route/i, "network unreachable"],
  [/timed? ?out/i, "timed out"],
  [
    /corrupt message of type InvalidContentType|wrong version number/i,
    "the server does not speak TLS; should base_url begin with http://?",
  ],
];

/** Why no connection came about; what is not known is told as the system says it. */
function whyIn(t: T, why: string): string {
  const text = WHYS.find(([pattern]) => pattern.test(why))?.[1];
  return text === undefined ? why : t(text);
}

/** What was attempted, what was found and what to do, in the user's language; `keyFrom` is where the key was found. */
export function describeModelError(t: T, error: ModelError, keyFrom?: string): string {
  const from = keyFrom ??
    t("NARNAT_API_KEY, or api_key in ~/.narnat/narnat.json or .narnat/narnat.json");
  return `${reportModelError(t, error)}\n${t(mendOf(error), { from })}`;
}

/** What was attempted and what was found, without advice, in the user's language. */
export function reportModelError(t: T, error: ModelError): string {
  const found = foundOf(t, error);
  const what = error.cause instanceof ModelFault
    ? t("Cannot get an answer from {host}: {found}", { host: error.cause.host, found })
    : found;
  const wait = error.retryAfterMs === undefined ? [] : [
    t("The server asks to wait {seconds} s.", { seconds: Math.ceil(error.retryAfterMs / 1000) }),
  ];
  return [what, ...wait].join("\n");
}

function mendOf(error: ModelError): Text {
  switch (error.kind) {
    case "auth":
      return "Check that the API key ({from}) is right and belongs to this address.";
    case "rate":
      return "Too many requests, or the server is busy: try again later, or use another model.";
    case "network":
      return isServersOwn(error)
        ? "The server has a fault of its own: try again later, or choose another model."
        : "Check the network, the proxy and base_url, then try again.";
    case "overflow":
      return "The conversation does not fit the model: start anew with /clear, or use a model with a larger context.";
    case "protocol":
      return "The address may not be a model API, or a login page or proxy is in the way: check base_url and api.";
    case "refused":
      if (
        error.status === 402 || error.status === 429 ||
        !error.status && namesSpent(foundOf(english, error))
      ) return "The account has no credit or quota left: top it up, or use another key.";
      return error.status === 404
        ? "Check the name of the model and the path of base_url."
        : "The server does not accept this request: check the settings model, base_url and api.";
  }
}

/** Whether the server was reached and has told of a fault itself. */
function isServersOwn({ status = 0, cause }: ModelError): boolean {
  return status >= 500 || cause instanceof ModelFault && cause.text === FAULT_TOLD;
}

/** The error for an answer that is not 2xx. `now` is in milliseconds since the epoch. */
export function statusError(
  endpoint: Endpoint,
  status: number,
  headers: Headers,
  body: string,
  now: number,
): ModelError {
  if (status >= 300 && status < 400) {
    const to = headers.get("location") ?? "?";
    return fault("refused", endpoint, "{status}, the server redirects to {to}", { status, to }, {
      status,
    });
  }
  const found = readError(body);
  const kind = kindOf(status, found);
  const retryAfterMs = kind === "rate" || kind === "network"
    ? retryAfter(headers, found.all, now)
    : undefined;
  const noKey = kind === "auth" && !endpoint.apiKey;
  const text = found.message.replace(new RegExp(`^${status}\\b[\\s:-]*(?=\\S)`), "") ||
    EMPTY_BODY;
  return fault(
    kind,
    endpoint,
    noKey ? "{status} {text} (no API key is configured)" : "{status} {text}",
    { status, text },
    {
      status,
      retryAfterMs,
      call: found.call,
    },
  );
}

/** The error for an error object inside a stream, or in a 200 answer. */
export function bodyError(endpoint: Endpoint, body: string): ModelError {
  const found = readError(body);
  const status = Number(found.code) >= 400 && Number(found.code) < 600 ? Number(found.code) : 0;
  return fault(
    kindOf(status, found),
    endpoint,
    FAULT_TOLD,
    { text: found.message || body || EMPTY_BODY },
    { status, retryAfterMs: retryAfter(new Headers(), found.all, 0), call: found.call },
  );
}

/** Whether the parsed body is an error in one of the providers' many shapes. */
export function isErrorBody(value: unknown): boolean {
  const body = outermost(value);
  if (body.error) return true;
  if (Array.isArray(body.choices) && body.choices.length > 0) return false;
  if (body.type === "error" || body.object === "error") return true;
  if (count(object(body.base_resp).status_code) > 0) return true;
  // no event of an answer has words of its own
  return wordsOf(body) !== "" && !/^(?:0|200|ok|success)$/i.test(codeOf(body));
}

interface FoundError {
  readonly message: string;
  readonly code: string;
  readonly type: string;
  /** The whole body, for wordings that providers hide in odd places. */
  readonly all: string;
  readonly call: RefusedCall | undefined;
}

function readError(body: string): FoundError {
  const all = body.slice(0, 20_000);
  const value = parse(body);
  const outer = outermost(value);
  const inner = typeof outer.error === "string" ? { message: outer.error } : object(outer.error);
  const base = object(outer.base_resp);
  const raw = string(object(inner.metadata).raw);
  const message = [wordsOf(inner) || wordsOf(outer) || wordsOf(base), raw];
  return {
    message: message.filter(Boolean).join(" | ") || (value === undefined ? pageText(body) : all),
    code: codeOf(inner) || codeOf(outer) || codeOf(base),
    type: string(inner.type) || string(inner.status) || string(outer.type),
    all,
    call: inner.code === "tool_use_failed" ? refusedCall(inner) : undefined,
  };
}

/** Gemini wraps its error in a list. */
function outermost(value: unknown): Loose {
  return object(Array.isArray(value) ? value[0] : value);
}

/** What an error says of itself, under the names that are in use. */
function wordsOf(error: Loose): string {
  for (const name of ["message", "msg", "detail", "error_msg", "status_msg", "Message"]) {
    const words = error[name];
    if (typeof words === "string" && words !== "") return words;
  }
  if (error.detail === undefined && error.errors === undefined) return "";
  const all = [...list(error.detail), ...list(error.errors), error.detail];
  return all.map((one) => string(object(one).message) || string(object(one).msg))
    .filter(Boolean).join("; ");
}

function codeOf(error: Loose): string {
  const { code, error_code, status_code, errors, status } = error;
  const first = code ?? error_code ?? status_code ?? object(list(errors)[0]).code ??
    (typeof status === "number" ? status : undefined);
  return String(first ?? "");
}

/** Wordings of a conversation that does not fit, as the providers send them. */
const overflowWords = [
  /prompt is too long/i, // Anthropic
  /input length and `?max_tokens`? exceed/i, // Anthropic
  /request_too_large|exceeds the maximum size/i, // Anthropic
  /context[_ ](?:length|window)[_ ]exceeded/i, // OpenAI, vLLM, TensorRT
  /maximum context length/i, // OpenAI, DeepSeek, OpenRouter, Mistral, vLLM
  /exceeds the context window/i, // OpenAI
  /must be reduced in order to run/i, // OpenAI: one request above the per-minute limit
  /range of input length should be/i, // DashScope
  /prompt exceeds max length/i, // Zhipu
  /exceeded model token limit/i, // Moonshot
  /input token count.*exceeds the maximum/i, // Gemini
  /exceed(?:s|ed) (?:the |max )*(?:available )?context (?:length|size|window)/i, // Ollama, llama.cpp
  /model'?s context length|greater than the context length/i, // vLLM, Together, LM Studio
  /too long to fit into the model/i, // vLLM
  /maximum prompt length is \d/i, // xAI
  /reduce the length of the (?:messages|input prompt)/i, // Groq, vLLM
  /maximum allowed input length/i, // OpenRouter
  /input is too long/i, // Bedrock
  /context window exceeds limit/i, // MiniMax
  /configured context size/i,
  /total length of all messages is too long/i, // Perplexity
  /kv cache is full/i, // llama.cpp
];

/** Whether an error's words say that the conversation does not fit. */
export function namesOverflow(words: string): boolean {
  return overflowWords.some((one) => one.test(words));
}

const rateWords =
  /rate.?limit|too many requests|tokens per (?:min|day)|requests per|throttl|RESOURCE_EXHAUSTED/i;

const creditWords = new RegExp(
  "insufficient[_ ](?:quota|balance|credit|fund)|exceeded_current_quota|billing_error|" +
    "billing_(?:hard_limit|not_active)|credit balance is too low|Arrearage|overdue|余额不足|欠费",
  "i",
);

/** The same of errors that have no status; whose rate is limited has some left a minute later. */
const spentWords =
  /\bquota\b.{0,40}\b(?:gone|used up|exhausted|exceeded|reached)|\b(?:out of|no|without) quota|(?:额度|配额).{0,8}(?:用完|用尽|耗尽|不足|超)/i;

const namesSpent = (words: string) => creditWords.test(words) || spentWords.test(words);

const keyWords =
  /invalid[_ ]?api[_ ]?key|incorrect api key|api key not valid|authentication_error/i;

/** The same of errors that have no status. */
const deniedWords =
  /unauthori[sz]ed|authentication ?error|permission_?denied|access[_ ]?denied|forbidden/i;

/** Wordings of what no second try mends, of errors that have no status. */
const refusedWords = new RegExp(
  "invalid[_ .-]?(?:request|parameter|argument|input|model|value|type|schema|url)|bad_?request|" +
    "not[_ ]?found|does not exist|not[_ ]supported|unsupported|unprocessable|validation|" +
    "content[_ ]?filter|data_?inspection|moderation",
  "i",
);

function kindOf(status: number, found: FoundError): ModelErrorKind {
  const words = `${found.type} ${found.code} ${found.message}`;
  const rate = status === 429 || rateWords.test(words);
  if (status === 413) return "overflow";
  if (/must be reduced in order to run/i.test(words)) return "overflow";
  if (!rate && namesOverflow(words)) return "overflow";
  // 1113 is Zhipu's code for an account in arrears
  if (status === 402 || found.code === "1113" || creditWords.test(words)) return "refused";
  if (status === 401 || status === 403 || keyWords.test(words)) return "auth";
  if (/permission_error/i.test(found.type)) return "auth";
  if (rate || status === 529 || /overloaded/i.test(words)) return "rate";
  if (status >= 500 || status === 408) return "network";
  // where it does not tell which call it was, another try may bring a better one
  if (/tool_use_failed/i.test(words)) return "network";
  if (status >= 400) return "refused";
  if (deniedWords.test(words)) return "auth";
  if (spentWords.test(words)) return "refused";
  return refusedWords.test(words) ? "refused" : "network";
}

/** How long the server asks us to wait, in milliseconds; undefined when it does not say. */
export function retryAfter(headers: Headers, body: string, now: number): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (exact !== null && Number(exact) >= 0) return Number(exact);
  const header = headers.get("retry-after");
  if (header !== null) {
    const seconds = Number(header);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  const said = /try again in ([\d.]+) ?(ms|s|m)\b/i.exec(body) ??
    /"retryDelay": ?"([\d.]+)(s)"/.exec(body);
  if (!said) return undefined;
  const unit = said[2] === "ms" ? 1 : said[2] === "m" ? 60_000 : 1000;
  return Math.ceil(Number(said[1]) * unit);
}

/** The error for a fetch or a read that failed. */
export function networkError(endpoint: Endpoint, error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof Deno.errors.NotCapable) {
    return fault("refused", endpoint, NOT_CONNECTED, { why: error.message }, { cause: error });
  }
  const why = deepest(error).replace(/^.*client error \(\w+\): /s, "");
  if (/reading a body from connection|connection reset/i.test(why)) {
    return fault("network", endpoint, "the connection was cut before the answer was complete", {}, {
      cause: error,
    });
  }
  return fault("network", endpoint, NOT_CONNECTED, { why }, { cause: error });
}

function deepest(error: unknown): string {
  let text = String(error);
  for (let one = error; one instanceof Error; one = one.cause) text = one.message;
  return text;
}

/** What a page of a proxy says: its title, what is not the title again, and who sent it. */
function pageText(body: string): string {
  if (!/<[a-z!][^>]*>/i.test(body)) return body;
  const sender = /<hr\s*\/?>\s*<center>([^<]{1,60})<\/center>/i.exec(body)?.[1]?.trim();
  const lines = body.replace(/<(style|script)[\s\S]*?<\/\1>/gi, "").replace(/<[^>]*>/g, "\n")
    .split("\n").map((line) => line.replace(/&(\w+|#\d+);/g, entity).trim())
    .filter((line) => line !== "" && line !== sender);
  const [title = "", ...rest] = [...new Set(lines)].filter((line, at) =>
    at === 0 || !lines[0]!.includes(line)
  );
  const more = rest.length === 0 ? "" : `: ${rest.join(" ").slice(0, PAGE_CHARS)}`;
  return `${title}${more}${sender === undefined ? "" : ` (${sender})`}`;
}

/** Characters of a page behind its title that are worth telling. */
const PAGE_CHARS = 200;

const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
const entity = (whole: string, name: string) =>
  /^#\d{1,5}$/.test(name)
    ? String.fromCharCode(Number(name.slice(1)))
    : Object.hasOwn(ENTITIES, name)
    ? ENTITIES[name]!
    : whole;

/** Masks the key, makes one line of it, keeps the first 500 characters. */
function tidy(text: string, apiKey: string | undefined): string {
  const masked = apiKey && apiKey.length >= 8 ? text.replaceAll(apiKey, "***") : text;
  // deno-lint-ignore no-control-regex -- of a colour not even its number is to be left
  const colourless = masked.replace(/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g, "");
  // deno-lint-ignore no-control-regex -- a provider's text must not steer the terminal
  const line = colourless.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ").trim();
  return truncate(line, 500);
}

/** The call for which a provider has refused an answer, as a delta has it: Groq checks what a model writes. */
export interface RefusedCall {
  readonly function: { readonly name: string; readonly arguments: unknown };
}

/** `<function=Name>{…}`, `Name{…}</function>`, `Name({…})`; what is cut within has no last brace. */
const WRITTEN = /([\w.-]+)["'`]?[\s>=(:,]*(\{[^]*)/;
const NAMED = /tool ["'`]?([\w.-]+)["'`]? (?:did not match|which was not)/;

/** Reads it out of an error; undefined where no tool is named. */
export function refusedCall(error: Loose): RefusedCall | undefined {
  const written = string(error.failed_generation).trim();
  const named = NAMED.exec(string(error.message))?.[1];
  return inJson(written) ?? inWords(written, named) ?? (named ? call(named, written) : undefined);
}

const call = (name: string, input: unknown): RefusedCall => ({
  function: { name, arguments: input },
});

function inJson(written: string): RefusedCall | undefined {
  const [json = ""] = /[{[][^]*[}\]]/.exec(written) ?? [];
  const value = parse(json);
  const outer = object(Array.isArray(value) ? value[0] : value);
  const one = object(list(outer.tool_calls)[0] ?? outer);
  const part = object(one.function);
  const name = string(one.name) || string(part.name) || string(one.function);
  const input = one.arguments ?? one.parameters ?? one.input ?? part.arguments ?? part.parameters;
  return name === "" || input === undefined ? undefined : call(name, input);
}

function inWords(written: string, named: string | undefined): RefusedCall | undefined {
  const [, name, rest = ""] = WRITTEN.exec(written) ?? [];
  if (name === undefined) return undefined;
  const whole = /^\{[^]*\}/.exec(rest)?.[0] ?? rest;
  return call(named ?? name, whole);
}

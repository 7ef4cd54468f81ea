/** Reads one answer from a response, whatever it turns out to be, for both protocols. */
import { ModelError, type ModelEvent, type StopReason } from "../../base/types.ts";
import { bodyError, fault, isErrorBody, networkError } from "../errors.ts";
import type { Line } from "../provider.ts";
import { isTooDeep, object, parse } from "./loose.ts";
import { Body, SseDecoder, type SseEvent } from "./send.ts";

const CUT = /^(?:length|(?:max|model)_?(?:output_?)?(?:tokens|length)|token_limit|incomplete)$/i;

const REFUSED = new RegExp(
  "^(?:content[_-]?filter(?:ed)?|sensitive|refusal|(?:image_)?safety|recitation|blocklist|blocked|" +
    "prohibited_content|spii|guardrail_intervened|error_toxic|data_inspection_failed)$",
  "i",
);

/** The answer broke off: DeepSeek, Zhipu, OpenRouter, vLLM, Gemini. */
const BROKEN = new RegExp(
  "^(?:insufficient_system_resource|network_error|(?:server_)?error|abort(?:ed)?|" +
    "timeout|(?:.*[: ])?malformed_(?:function_call|response))$",
  "i",
);

/** What a reason and the calls of an answer come to. */
export function stopOf(reason: string, calls: boolean): StopReason {
  if (CUT.test(reason)) return "length";
  if (REFUSED.test(reason)) return "refused";
  // some providers say "stop" although they call, others "tool_calls" although they do not
  return calls ? "calls" : "end";
}

/** Whether a reason tells that the answer is not whole, so that another try may bring it. */
export function isBroken(reason: string): boolean {
  return BROKEN.test(reason);
}

/** One protocol's understanding of an answer that is arriving. */
export interface AnswerReader {
  /** Takes the parsed data of one event; returns what to show of it. Throws ModelError. */
  take(data: unknown): ModelEvent[];
  /** Takes a whole answer that was not streamed; undefined when it is none. */
  takeWhole(body: unknown): ModelEvent[] | undefined;
  /** Something of an answer has come, be it empty. */
  readonly begun: boolean;
  /** The provider said why it stopped: nothing that matters is missing. */
  readonly finished: boolean;
  /** Takes the call that an error tells of, where there is one: the model is to hear what is wrong with it. */
  takeRefused?(error: unknown): boolean;
  /** The last events, and `done`. */
  end(): ModelEvent[];
}

/** Characters of one answer; no model writes half as many. */
const mostMillions = 16;
const mostChars = mostMillions * 1_000_000;

/** Shorter data cannot be nested so deep that a walk over it fails. */
const DEEP_CHARS = 2000;

/** For so many stall limits signs of life bridge a queue, or a long input that comes in one piece. */
const aliveLimits = 3;

/** Less than that is no answer of any server, but the beginning of one. */
const leastBody = 4;

/**
 * Yields the events of the answer that `ask` brings and ends with `done`; what came in one piece is
 * told in one piece. Throws ModelError or the reason of `signal`.
 */
export async function* readAnswer(
  line: Line,
  ask: () => Promise<Response>,
  reader: AnswerReader,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let response: Response;
  try {
    response = await ask();
  } catch (error) {
    if (!reader.takeRefused?.(error)) throw error;
    for (const event of reader.end()) yield event;
    return;
  }
  const html = /html/.test(response.headers.get("content-type") ?? "");
  const body = new Body(line, response, signal);
  let whole = false;
  try {
    if (html) {
      for (const event of wholeEvents(line, await body.text(mostChars), reader)) yield event;
    } else {
      const stream = new AnswerStream(line, reader);
      while (!whole) {
        const events: ModelEvent[] = [];
        try {
          do {
            const piece = await body.read();
            whole = piece ? stream.take(piece, events) : stream.end(events);
          } while (!whole && !reader.finished && events.every(isSaid) && await body.hasMore());
        } finally {
          // what came before a fault is told
          for (const event of events) yield event;
        }
      }
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const known = error instanceof ModelError ? error : networkError(line.endpoint, error);
    // all that matters had arrived before the connection broke
    const arrived = reader.finished && known.kind === "network";
    if (!arrived && !reader.takeRefused?.(known)) throw known;
  } finally {
    if (whole) void body.finish();
    else body.close();
  }
  for (const event of reader.end()) yield event;
}

/** An answer that streams in. */
class AnswerStream {
  readonly #line: Line;
  readonly #reader: AnswerReader;
  readonly #decoder = new SseDecoder();
  #any = false;
  #chars = 0;
  /** Since when nothing but signs of life came. */
  #waiting = performance.now();

  constructor(line: Line, reader: AnswerReader) {
    this.#line = line;
    this.#reader = reader;
  }

  /** Takes a piece and puts what it tells into `told`; returns whether that was the end. Throws ModelError. */
  take(piece: Uint8Array, told: ModelEvent[]): boolean {
    const { endpoint, stallMs } = this.#line;
    const decoder = this.#decoder;
    const { held } = decoder;
    for (const event of decoder.push(piece)) {
      const data = parse(event.data);
      if (isEnd(event, data)) {
        if (this.#reader.begun) return true;
        throw fault("network", endpoint, "the answer is empty");
      }
      if (isAlive(event)) continue;
      this.#any = true;
      for (const more of takeEvent(this.#line, event, data, this.#reader)) {
        if ("delta" in more) this.#chars += more.delta.length;
        tell(more, told);
      }
    }
    if (this.#chars + decoder.held > mostChars) {
      throw fault(
        "protocol",
        endpoint,
        "the answer has more than {n} million characters; it was read no further",
        { n: mostMillions },
      );
    }
    const now = performance.now();
    const aliveMs = aliveLimits * stallMs;
    if (told.length > 0 || decoder.held > held) this.#waiting = now;
    else if (now - this.#waiting > aliveMs) {
      throw fault(
        "network",
        endpoint,
        "the answer stalled: nothing but signs of life for {seconds} s",
        { seconds: aliveMs / 1000 },
      );
    }
    return false;
  }

  /** Takes the end of the body; always returns true. Throws ModelError when something is missing. */
  end(told: ModelEvent[]): boolean {
    const { endpoint } = this.#line;
    const decoder = this.#decoder;
    for (const event of decoder.end()) {
      this.#any = true;
      const data = parse(event.data);
      if (isEnd(event, data)) return true;
      // half an event at the end is a cut, not a malformed chunk
      if (data === undefined) continue;
      for (const more of takeEvent(this.#line, event, data, this.#reader)) tell(more, told);
    }
    if (this.#reader.finished) return true;
    if (!this.#any) {
      told.push(...wholeEvents(this.#line, decoder.strange, this.#reader));
      return true;
    }
    const beside = decoder.strange.replace(/^error:/, "");
    if (isErrorBody(parse(beside))) throw bodyError(endpoint, beside);
    throw fault("network", endpoint, "the connection was cut before the answer was complete");
  }
}

/** Adds an event to those that are told at once: each passes all who listen. */
function tell(event: ModelEvent, told: ModelEvent[]): void {
  const last = told.at(-1);
  if (last?.type === event.type && "delta" in last && "delta" in event) {
    told[told.length - 1] = { type: last.type, delta: last.delta + event.delta };
  } else told.push(event);
}

/** Whether it is for a reader only; what a call waits for is told at once. */
function isSaid({ type }: ModelEvent): boolean {
  return type === "text" || type === "thinking";
}

function isEnd(event: SseEvent, data: unknown): boolean {
  return event.data === "[DONE]" || object(data).type === "message_stop";
}

/** Whether an event tells only that somebody is there. */
function isAlive({ event, data }: SseEvent): boolean {
  if (event === "error") return false;
  return /^(?:ping|keep-?alive|heartbeat)$/.test(event) || data === "null" || data.trim() === "";
}

function takeEvent(
  line: Line,
  event: SseEvent,
  data: unknown,
  reader: AnswerReader,
): ModelEvent[] {
  if (event.event === "error" || isErrorBody(data)) throw bodyError(line.endpoint, event.data);
  const deep = event.data.length > DEEP_CHARS && isTooDeep(event.data);
  if (typeof data === "object" && data !== null && !deep) return reader.take(data);
  const text = event.data.slice(0, 200);
  throw fault("protocol", line.endpoint, "a malformed chunk in the answer: {text}", { text });
}

function wholeEvents(line: Line, text: string, reader: AnswerReader): ModelEvent[] {
  const { endpoint } = line;
  if (text.trim() === "") throw fault("network", endpoint, "the answer is empty");
  const body = isTooDeep(text) ? undefined : parse(text);
  if (isErrorBody(body)) throw bodyError(endpoint, text);
  const events = reader.takeWhole(body);
  if (events) return events;
  if (text.length < leastBody || isCutJson(text)) {
    throw fault("network", endpoint, "the connection was cut before the answer was complete");
  }
  throw fault("protocol", endpoint, "the answer is not in the model's format: {text}", {
    text: text.slice(0, 200),
  });
}

/** Whether a text is the beginning of JSON; a list of JSON lines is not. */
function isCutJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || parse(text) !== undefined) return false;
  const [first = ""] = text.trim().split("\n", 1);
  return parse(first) === undefined;
}

/** Reads one answer from a response, whatever it turns out to be, for both protocols. */
import { ModelError, type ModelEvent } from "../types.ts";
import { bodyError, fault, isErrorBody, networkError } from "./errors.ts";
import { isTooDeep, object, parse } from "./loose.ts";
import { type Line, stalled } from "./send.ts";
import { readBody, readText, SseDecoder, type SseEvent } from "./sse.ts";

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

/** Yields the events of the answer and ends with `done`; throws ModelError or the reason of `signal`. */
export async function* readAnswer(
  line: Line,
  response: Response,
  reader: AnswerReader,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const chunks = readBody(response.body, line.stallMs, () => stalled(line), signal);
  const html = /html/.test(response.headers.get("content-type") ?? "");
  try {
    if (html) yield* wholeEvents(line, await readText(chunks, mostChars), reader);
    else yield* streamedEvents(line, chunks, reader);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const known = error instanceof ModelError ? error : networkError(line.endpoint, error);
    // all that matters had arrived before the connection broke
    if (!reader.finished || known.kind !== "network") throw known;
  }
  yield* reader.end();
}

async function* streamedEvents(
  line: Line,
  chunks: AsyncIterable<Uint8Array>,
  reader: AnswerReader,
): AsyncGenerator<ModelEvent> {
  const decoder = new SseDecoder();
  const aliveMs = aliveLimits * line.stallMs;
  let any = false;
  let chars = 0;
  let waiting = performance.now();
  for await (const chunk of chunks) {
    const held = decoder.held;
    for (const event of decoder.push(chunk)) {
      const data = parse(event.data);
      if (isEnd(event, data)) {
        if (reader.begun) return;
        throw fault("network", line.endpoint, "model.empty");
      }
      if (isAlive(event)) continue;
      any = true;
      for (const more of takeEvent(line, event, data, reader)) {
        if ("delta" in more) chars += more.delta.length;
        waiting = Infinity;
        yield more;
      }
    }
    if (chars + decoder.held > mostChars) {
      throw fault("protocol", line.endpoint, "model.too_long", { n: mostMillions });
    }
    const now = performance.now();
    if (waiting === Infinity || decoder.held > held) waiting = now;
    else if (now - waiting > aliveMs) {
      throw fault("network", line.endpoint, "model.only_alive", { seconds: aliveMs / 1000 });
    }
  }
  for (const event of decoder.end()) {
    any = true;
    const data = parse(event.data);
    if (isEnd(event, data)) return;
    // half an event at the end is a cut, not a malformed chunk
    if (data !== undefined) yield* takeEvent(line, event, data, reader);
  }
  if (reader.finished) return;
  if (!any) return yield* wholeEvents(line, decoder.strange, reader);
  const beside = decoder.strange.replace(/^error:/, "");
  if (isErrorBody(parse(beside))) throw bodyError(line.endpoint, beside);
  throw fault("network", line.endpoint, "model.cut");
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
  throw fault("protocol", line.endpoint, "model.malformed", { text });
}

function wholeEvents(line: Line, text: string, reader: AnswerReader): ModelEvent[] {
  const { endpoint } = line;
  if (text.trim() === "") throw fault("network", endpoint, "model.empty");
  const body = isTooDeep(text) ? undefined : parse(text);
  if (isErrorBody(body)) throw bodyError(endpoint, text);
  const events = reader.takeWhole(body);
  if (events) return events;
  if (text.length < leastBody || isCutJson(text)) throw fault("network", endpoint, "model.cut");
  throw fault("protocol", endpoint, "model.not_stream", { text: text.slice(0, 200) });
}

/** Whether a text is the beginning of JSON; a list of JSON lines is not. */
function isCutJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || parse(text) !== undefined) return false;
  const [first = ""] = text.trim().split("\n", 1);
  return parse(first) === undefined;
}

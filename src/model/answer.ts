/** Reads one answer from a response, whatever it turns out to be, for both protocols. */
import { ModelError, type ModelEvent } from "../types.ts";
import { bodyError, fault, isErrorBody, networkError } from "./errors.ts";
import { object, parse } from "./loose.ts";
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
  /** The closing event. */
  done(): ModelEvent;
}

/** Characters of a body without any event that are kept to see what it is. */
const strangeLimit = 64_000;
const wholeLimit = 16_000_000;

/** Yields the events of the answer and ends with `done`; throws ModelError or the reason of `signal`. */
export async function* readAnswer(
  line: Line,
  response: Response,
  reader: AnswerReader,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const chunks = readBody(response.body, line.stallMs, () => stalled(line), signal);
  const whole = /json|html/.test(response.headers.get("content-type") ?? "");
  try {
    if (whole) yield* wholeEvents(line, await readText(chunks, wholeLimit), reader);
    else yield* streamedEvents(line, chunks, reader);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const known = error instanceof ModelError ? error : networkError(line.endpoint, error);
    // all that matters had arrived before the connection broke
    if (!reader.finished || known.kind !== "network") throw known;
  }
  yield reader.done();
}

async function* streamedEvents(
  line: Line,
  chunks: AsyncIterable<Uint8Array>,
  reader: AnswerReader,
): AsyncGenerator<ModelEvent> {
  const decoder = new SseDecoder();
  const strange = new TextDecoder();
  let head = "";
  let any = false;
  for await (const chunk of chunks) {
    const events = decoder.push(chunk);
    any ||= events.length > 0;
    if (!any && head.length < strangeLimit) head += strange.decode(chunk, { stream: true });
    for (const event of events) {
      const data = parse(event.data);
      if (isEnd(event, data)) {
        if (reader.begun) return;
        throw fault("protocol", line.endpoint, "model.empty");
      }
      yield* takeEvent(line, event, data, reader);
    }
  }
  for (const event of decoder.end()) {
    any = true;
    const data = parse(event.data);
    if (isEnd(event, data)) return;
    // half an event at the end is a cut, not a malformed chunk
    if (data !== undefined) yield* takeEvent(line, event, data, reader);
  }
  if (!any) yield* wholeEvents(line, head, reader);
  else if (!reader.finished) throw fault("network", line.endpoint, "model.cut");
}

function isEnd(event: SseEvent, data: unknown): boolean {
  return event.data === "[DONE]" || object(data).type === "message_stop";
}

function takeEvent(
  line: Line,
  event: SseEvent,
  data: unknown,
  reader: AnswerReader,
): ModelEvent[] {
  if (event.event === "error" || isErrorBody(data)) throw bodyError(line.endpoint, event.data);
  if (typeof data === "object" && data !== null) return reader.take(data);
  const text = event.data.slice(0, 200);
  throw fault("protocol", line.endpoint, "model.malformed", { text });
}

function wholeEvents(line: Line, text: string, reader: AnswerReader): ModelEvent[] {
  if (text.trim() === "") throw fault("protocol", line.endpoint, "model.empty");
  const body = parse(text);
  if (isErrorBody(body)) throw bodyError(line.endpoint, text);
  const events = reader.takeWhole(body);
  if (events) return events;
  throw fault("protocol", line.endpoint, "model.not_stream", { text: text.slice(0, 200) });
}

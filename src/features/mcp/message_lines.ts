/** Takes the messages out of what a server writes on its stdout, one a line. */
import { isRecord } from "../../base/is_record.ts";

/** What is done with them. */
export interface LineTaker {
  message(message: { readonly [key: string]: unknown }): void;
  /** A line that is no message, or the beginning of it. */
  garbage(line: string): void;
  /** What answers this request cannot be read: it is longer than allowed, no JSON, or no answer. */
  unreadable(id: string | number, why: "too long" | "not JSON" | "no answer"): void;
}

const NEWLINE = 10;
/** What is kept of a line that is too long: enough to see which request it answers. */
const ENDS = 4096;

/** Bytes in, messages out; never holds more than `most` bytes and one chunk. */
export class MessageLines {
  readonly #taker: LineTaker;
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Beginning and end so far of the line that is too long. */
  #long: { readonly head: Uint8Array; tail: Uint8Array } | undefined;

  constructor(taker: LineTaker, most: number) {
    this.#taker = taker;
    this.#most = most;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return;
    if (this.#long) {
      this.#long.tail = joined([this.#long.tail, part]).slice(-ENDS);
      return;
    }
    this.#chunks.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#most) return;
    const line = joined(this.#chunks);
    this.#long = { head: line.slice(0, ENDS), tail: line.slice(-ENDS) };
    this.#chunks = [];
    this.#bytes = 0;
  }

  #end(): void {
    const long = this.#long;
    this.#long = undefined;
    if (long) {
      const head = decoded(long.head);
      const id = idOf(head, decoded(long.tail));
      if (id !== undefined) this.#taker.unreadable(id, "too long");
      else this.#taker.garbage(head);
      return;
    }
    const line = decoded(joined(this.#chunks)).trim();
    this.#chunks = [];
    this.#bytes = 0;
    if (line !== "") this.#take(line);
  }

  #take(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      const id = line.startsWith("{") ? idOf(line, line) : undefined;
      if (id !== undefined) this.#taker.unreadable(id, "not JSON");
      return this.#taker.garbage(line);
    }
    const all = Array.isArray(value) ? value : [value];
    for (const one of all) if (isMessage(one)) this.#message(one);
    if (!all.every(isMessage)) this.#taker.garbage(line);
  }

  #message(message: Message): void {
    const { id, method } = message;
    const answers = typeof id === "number" || typeof id === "string";
    if (method !== undefined || !answers) return this.#taker.message(message);
    const answer = answerOf(message);
    if (answer) this.#taker.message({ jsonrpc: "2.0", id, ...answer });
    else this.#taker.unreadable(id, "no answer");
  }
}

/** The id of the response that a damaged line is, as far as its ends tell. */
function idOf(head: string, tail: string): number | string | undefined {
  const inHead = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,/;
  const inTail = /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}?\s*$/;
  const found = inHead.exec(head)?.[1] ?? inTail.exec(tail)?.[1];
  return found === undefined || /"method"\s*:/.test(head.slice(0, 200))
    ? undefined
    : JSON.parse(found);
}

type Message = { readonly [key: string]: unknown };

/** The client passes over an answer with anything odd in it, and the call would wait for it in vain. */
function answerOf({ result, error }: Message): Message | undefined {
  if (error !== undefined && error !== null) {
    const { code, message, data } = isRecord(error) ? error : { message: error };
    const text = typeof message === "string" ? message : JSON.stringify(error);
    return { error: { code: Number.isSafeInteger(code) ? code : -32603, message: text, data } };
  }
  if (!isRecord(result)) return undefined;
  const { _meta, ...rest } = result;
  return { result: _meta === undefined || isRecord(_meta) ? result : rest };
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && value["jsonrpc"] === "2.0";
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

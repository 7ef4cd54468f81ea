/**
 * One guarded request to a provider, and a guarded way to read its answer: bytes, and server-sent
 * events.
 */
import { ModelError } from "../../base/types.ts";
import type { Wait } from "../../base/watchdog.ts";
import { fault, networkError, statusError } from "../errors.ts";
import type { Line } from "../provider.ts";
import { sleep } from "../retry.ts";

export interface SseEvent {
  /** The `event:` field; empty when there was none. */
  readonly event: string;
  readonly data: string;
}

/** Decodes an event stream however its bytes are cut; CR, LF and CRLF end a line. */
export class SseDecoder {
  // the decoder drops a leading byte order mark by itself
  readonly #decoder = new TextDecoder();
  #line: string[] = [];
  #afterReturn = false;
  #event = "";
  #data: string[] = [];
  #strange: string[] = [];
  /** Characters of the line and of the event that are open. */
  #lineHeld = 0;
  #dataHeld = 0;
  #strangeHeld = 0;

  /** Characters that are kept until more comes. */
  get held(): number {
    return this.#lineHeld + this.#dataHeld + this.#strangeHeld;
  }

  /** The lines that no event stream has: a whole answer, or what a server said beside its events. */
  get strange(): string {
    return this.#strange.join("\n");
  }

  push(bytes: Uint8Array): SseEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What is left at the end of the stream; an event that lacks its blank line still counts. */
  end(): SseEvent[] {
    return this.#take(this.#decoder.decode() + "\n\n");
  }

  #take(text: string): SseEvent[] {
    if (text === "") return [];
    const events: SseEvent[] = [];
    let from = this.#afterReturn && text[0] === "\n" ? 1 : 0;
    this.#afterReturn = text.endsWith("\r");
    let feed = text.indexOf("\n", from);
    let back = text.indexOf("\r", from);
    while (feed >= 0 || back >= 0) {
      const end = feed < 0 || back >= 0 && back < feed ? back : feed;
      const rest = text.slice(from, end);
      const line = this.#line.length === 0 ? rest : [...this.#line, rest].join("");
      from = end + 1 === feed && end === back ? feed + 1 : end + 1;
      if (this.#lineHeld > 0) {
        this.#line = [];
        this.#lineHeld = 0;
      }
      const event = this.#endLine(line);
      if (event) events.push(event);
      if (feed >= 0 && feed < from) feed = text.indexOf("\n", from);
      if (back >= 0 && back < from) back = text.indexOf("\r", from);
    }
    if (from < text.length) {
      this.#line.push(text.slice(from));
      this.#lineHeld += text.length - from;
    }
    return events;
  }

  #endLine(line: string): SseEvent | undefined {
    if (line === "") {
      const event = this.#data.length > 0
        ? {
          event: this.#event,
          data: this.#data.length === 1 ? this.#data[0]! : this.#data.join("\n"),
        }
        : undefined;
      this.#event = "";
      this.#data.length = 0;
      this.#dataHeld = 0;
      return event;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") {
      this.#data.push(value);
      this.#dataHeld += value.length;
    } else if (field === "event") this.#event = value;
    else if (field !== "id" && field !== "retry") {
      this.#strange.push(line);
      this.#strangeHeld += line.length;
    }
    return undefined;
  }
}

/** Most pieces of an answer are shorter by far. */
const PIECE_BYTES = 65_536;

/** What has streamed for so long is read so often, a little less than it is drawn: each piece costs its way. */
const STREAMING_MS = 500;
const TOGETHER_MS = 60;

/** So much may follow behind an answer's end mark, and take so long, for its connection to serve again. */
const REST_BYTES = 65_536;
const REST_MS = 1000;

/** The bytes of an answer, all of whose pieces come in one buffer. */
export class Body {
  readonly #line: Line;
  readonly #signal: AbortSignal;
  readonly #reader: ReadableStreamBYOBReader | undefined;
  #wait: Wait | undefined;
  #buffer = new Uint8Array(PIECE_BYTES);
  /** The piece that was asked for to know whether it is there. */
  #ahead: Promise<Uint8Array | undefined> | undefined;
  #streamsFrom = Infinity;
  #restsUntil = 0;
  #late = false;
  #over = false;
  /** A read that waits ends with it, even where the source does not. */
  readonly #cancel = () => void this.#reader?.cancel().catch(() => {});

  constructor(line: Line, { body }: Response, signal: AbortSignal) {
    this.#line = line;
    this.#signal = signal;
    this.#reader = body?.getReader({ mode: "byob" });
    this.#watch(line.stallMs);
    signal.addEventListener("abort", this.#cancel);
  }

  /**
   * The next piece, good until another is asked for; undefined at the end. Throws a ModelError when
   * none comes for the line's stall limit, and the signal's reason on abort.
   */
  async read(): Promise<Uint8Array | undefined> {
    this.#signal.throwIfAborted();
    const piece = await (this.#ahead ?? this.#next());
    this.#ahead = undefined;
    this.#signal.throwIfAborted();
    if (this.#late) {
      const { endpoint, stallMs } = this.#line;
      throw fault("network", endpoint, "the answer stalled: no data for {seconds} s", {
        seconds: stallMs / 1000,
      });
    }
    this.#wait?.heard();
    if (this.#streamsFrom === Infinity) this.#streamsFrom = performance.now() + STREAMING_MS;
    return piece;
  }

  /**
   * Whether another piece is there already. Once the answer has streamed for a while this waits until
   * some may have come together. Throws the signal's reason on abort.
   */
  async hasMore(): Promise<boolean> {
    const now = performance.now();
    if (now < this.#streamsFrom) return false;
    if (now < this.#restsUntil) await sleep(this.#restsUntil - now, this.#signal);
    let here = false;
    const settled = () => void (here = true);
    this.#ahead = this.#next();
    this.#ahead.then(settled, settled);
    await new Promise<void>((resolve) => setImmediate(resolve));
    const after = performance.now();
    // where they come faster than they are taken nobody waits
    if (here && after < this.#restsUntil + TOGETHER_MS) return true;
    this.#restsUntil = here ? after : after + TOGETHER_MS;
    return false;
  }

  /** All of it, or some more than its first `limit` characters; it is closed then. */
  async text(limit: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      while (text.length < limit) {
        const piece = await this.read();
        if (!piece) break;
        text += decoder.decode(piece, { stream: true });
      }
    } finally {
      this.close();
    }
    return text + decoder.decode();
  }

  /** Lets go of the connection, whatever is still to come. */
  close(): void {
    this.#wait?.end();
    this.#signal.removeEventListener("abort", this.#cancel);
    // not awaited: a hanging socket must not hold up an abort
    this.#cancel();
  }

  /** Closes it when its end has come, which nobody needs to wait for: then the connection serves the next request. */
  async finish(): Promise<void> {
    this.#watch(REST_MS);
    try {
      for (let bytes = 0; bytes < REST_BYTES;) {
        const piece = await this.#next();
        if (!piece) break;
        bytes += piece.length;
      }
    } catch {
      // the answer is there
    } finally {
      this.close();
    }
  }

  #watch(ms: number): void {
    this.#wait?.end();
    this.#wait = this.#line.watchdog.begin(ms, () => {
      this.#late = true;
      this.#cancel();
    });
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (!this.#reader || this.#over) return undefined;
    const next = await this.#reader.read(this.#buffer);
    this.#over = next.done;
    if (next.done) return undefined;
    this.#buffer = new Uint8Array(next.value.buffer);
    return next.value;
  }
}

const errorBodyLimit = 64_000;

/**
 * POSTs `body`, or GETs without one. Resolves with a 2xx response, its body unread; throws
 * ModelError or the reason of `signal`.
 * A redirect is an error, for it would carry the key elsewhere.
 */
export async function send(
  line: Line,
  url: string,
  headers: HeadersInit,
  body: BodyInit | undefined,
  signal: AbortSignal,
): Promise<Response> {
  signal.throwIfAborted();
  const { endpoint, watchdog } = line;
  const release = new AbortController();
  const onAbort = () => release.abort(signal.reason);
  signal.addEventListener("abort", onAbort);
  let wait = watchdog.begin(line.headerMs, () => {
    const seconds = line.headerMs / 1000;
    release.abort(fault("network", endpoint, "no response within {seconds} s", { seconds }));
  });
  try {
    const response = await abortable(
      line.fetch(url, {
        ...body === undefined ? { method: "GET" } : { method: "POST", body },
        headers,
        signal: release.signal,
        redirect: "manual",
      }),
      release.signal,
    );
    if (response.ok) return response;
    wait.end();
    wait = watchdog.begin(line.stallMs, () => release.abort());
    const text = await new Body(line, response, release.signal).text(errorBodyLimit).catch(() =>
      ""
    );
    // the status alone tells enough, but to who has stopped it
    signal.throwIfAborted();
    release.abort();
    throw statusError(endpoint, response.status, response.headers, text, line.now());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    release.abort();
    throw error instanceof ModelError ? error : networkError(endpoint, error);
  } finally {
    wait.end();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Settles as `promise` does; rejects with the reason of `signal` at once when that aborts. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

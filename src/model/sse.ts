/** Server-sent events: bytes in, events out, and a guarded way to read the bytes. */

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
    const lineEnd = /\r\n|\n|\r/g;
    lineEnd.lastIndex = from;
    for (let end = lineEnd.exec(text); end; end = lineEnd.exec(text)) {
      this.#line.push(text.slice(from, end.index));
      from = lineEnd.lastIndex;
      const event = this.#endLine(this.#line.join(""));
      this.#line = [];
      this.#lineHeld = 0;
      if (event) events.push(event);
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
        ? { event: this.#event, data: this.#data.join("\n") }
        : undefined;
      this.#event = "";
      this.#data = [];
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

/** Settles as `promise` does; rejects with `signal.reason` at once on abort, with `late()` after `ms`. */
export function within<T>(
  promise: Promise<T>,
  ms: number,
  late: () => unknown,
  signal: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => {});
      return reject(signal.reason);
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      reject(late());
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  });
}

/** The chunks of a body; throws `late()` after `stallMs` without one, `signal.reason` on abort, and lets go of the body. */
export async function* readBody(
  body: ReadableStream<Uint8Array> | null,
  stallMs: number,
  late: () => unknown,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    while (true) {
      const next = await within(reader.read(), stallMs, late, signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // not awaited: a hanging socket must not hold up an abort
    reader.cancel().catch(() => {});
  }
}

/** The first `limit` bytes of a body as text, read as `readBody` reads. */
export async function readText(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= limit) break;
  }
  return text + decoder.decode();
}

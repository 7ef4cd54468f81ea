/** Server-sent events: bytes in, events out. */

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

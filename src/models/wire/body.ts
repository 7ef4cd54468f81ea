/** A guarded way to read the bytes of an answer. */
import type { Wait } from "../../base/watchdog.ts";
import { fault } from "../errors.ts";
import type { Line } from "../provider.ts";
import { sleep } from "../retry.ts";

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
      throw fault("network", endpoint, "model.stalled", { seconds: stallMs / 1000 });
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

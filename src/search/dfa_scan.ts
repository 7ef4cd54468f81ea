import type { Kernel } from "../workspace/kernel.ts";
import { LAYOUT } from "../workspace/kernel_bytes.ts";
import { DfaTable, NO_STATE, VOID } from "./dfa_table.ts";
import { type Dfa, MATCH } from "./regex/dfa.ts";
import { ScanStopped } from "./scan_stopped.ts";

const LINE_FEED = 10;
/** What is shorter is not worth a stream of its own. */
const SHORT_BYTES = 512;
/** The kernel advances four streams by so many bytes at once. */
const STEP_BYTES = 4;
/** How far each stream goes alone after the four met a byte they could not take. */
const ALONE_BYTES = 8;
/** After so many stops with hardly a byte between them the streams go alone to their ends. */
const MOST_STUMBLES = 64;
/** How many bytes the kernel scans, and how many steps are made here, between looks at `stop`. */
const BYTES_PER_LOOK = 4 << 20;
const STEPS_PER_LOOK = 1024;

/** Some lines of a text; a place in it and the state of the Dfa before that place. */
interface Stream {
  readonly begin: number;
  end: number;
  at: number;
  state: number;
  /** The table's generation when `state` was met: in another one it means nothing. */
  generation: number;
  /** True after a match in its last line. */
  done: boolean;
}

/**
 * A Dfa at work in the kernel, which leaves to us what its table does not have: transitions not met
 * before, characters beyond U+FFFF and bytes that are not UTF-8. Positions are offsets in the
 * kernel's data area. A kernel holds one Dfa at a time.
 */
export class DfaScan {
  readonly #kernel: Kernel;
  readonly #dfa: Dfa;
  readonly #stop: () => boolean;
  readonly #table: DfaTable;
  #steps = 0;

  /** `dfa` must fit the kernel; `stop` is asked often enough to end a scan within milliseconds. */
  constructor(kernel: Kernel, dfa: Dfa, stop: () => boolean) {
    this.#kernel = kernel;
    this.#dfa = dfa;
    this.#stop = stop;
    this.#table = new DfaTable(kernel, dfa);
  }

  /**
   * The place at which the first matching line of [from, to) is known to match: in the line or at
   * its end; `to` when it ends without "\n"; -1 when no line matches. `from` begins a line.
   */
  next(from: number, to: number): number {
    this.#table.look();
    return this.#toEnd(this.#stream(from, to));
  }

  /** Counts the matching lines of [from, to), `most` at most; quicker than `next` again and again. */
  count(from: number, to: number, most: number): number {
    this.#table.look();
    const streams = [this.#stream(from, to)];
    // a dead state is left quicker alone than four abreast
    let count = this.#table.dead === NO_STATE ? this.#four(streams, most) : 0;
    for (const stream of streams) count += this.#rest(stream, most - count);
    return count;
  }

  #stream(begin: number, end: number): Stream {
    const { generation } = this.#table;
    return { begin, end, at: begin, state: this.#dfa.start, generation, done: begin === end };
  }

  /** Runs a stream to its end; returns its matching lines. */
  #rest(stream: Stream, most: number): number {
    let count = 0;
    while (count < most && !stream.done) {
      const place = this.#toEnd(stream);
      if (place < 0) break;
      this.#skipLine(stream, place);
      count++;
    }
    return count;
  }

  /** Takes whole lines, half of what the longest stream has left; undefined where that does not pay. */
  #half(streams: readonly Stream[]): Stream | undefined {
    const longest = streams.reduce((a, b) => b.end - b.at > a.end - a.at ? b : a);
    const { at, end } = longest;
    if (end - at < 2 * SHORT_BYTES) return undefined;
    const begin = this.#kernel.indexOf(LINE_FEED, (at + end) >> 1, end) + 1;
    if (begin === 0 || begin === end) return undefined;
    longest.end = begin;
    return this.#stream(begin, end);
  }

  /**
   * Makes four streams of one and advances them side by side as long as that pays; a stream that is
   * through begins again with a half of another. Returns the matches met.
   */
  #four(streams: Stream[], most: number): number {
    while (streams.length < 4) {
      const half = this.#half(streams);
      if (!half) return 0;
      streams.push(half);
    }
    const { generation } = this.#table;
    let count = 0;
    let stumbles = 0;
    // once states were thrown away, those of four lines may not fit in together
    while (stumbles < MOST_STUMBLES && this.#table.generation === generation) {
      for (const [k, stream] of streams.entries()) {
        if (stream.end - stream.at >= ALONE_BYTES) continue;
        count += this.#rest(stream, most - count);
        const half = count < most ? this.#half(streams) : undefined;
        if (!half) return count;
        streams[k] = half;
      }
      if (this.#table.generation !== generation) break;
      const room = Math.min(...streams.map(({ at, end }) => end - at), BYTES_PER_LOOK);
      const taken = this.#together(streams, room);
      if (taken > room - STEP_BYTES) continue;
      stumbles = taken < ALONE_BYTES ? stumbles + 1 : 0;
      for (const stream of streams) {
        const place = this.#soft(stream, Math.min(stream.at + ALONE_BYTES, stream.end));
        if (place < 0) continue;
        if (++count === most) return count;
        this.#skipLine(stream, place);
      }
    }
    return count;
  }

  /**
   * Advances each of four streams by `room` bytes, or until one meets what the table does not have;
   * returns how far, in steps of four bytes.
   */
  #together(streams: readonly Stream[], room: number): number {
    if (this.#stop()) throw new ScanStopped();
    const [a, b, c, d] = streams as readonly [Stream, Stream, Stream, Stream];
    const taken = this.#kernel.code.dfa4(
      a.at + LAYOUT.data,
      b.at + LAYOUT.data,
      c.at + LAYOUT.data,
      d.at + LAYOUT.data,
      room,
      this.#table.row(a.state),
      this.#table.row(b.state),
      this.#table.row(c.state),
      this.#table.row(d.state),
      this.#table.special,
    );
    for (const [k, stream] of streams.entries()) {
      stream.at += taken;
      stream.state = this.#table.stateOf(this.#table.words[(LAYOUT.results >> 2) + k]!);
    }
    return taken;
  }

  #restart(stream: Stream): void {
    const before = this.#kernel.lastIndexOf(LINE_FEED, stream.begin, stream.at);
    stream.at = Math.max(stream.begin, before + 1);
    stream.state = this.#dfa.start;
    stream.generation = this.#table.generation;
  }

  /** Goes on behind the line that matches at `place`. */
  #skipLine(stream: Stream, place: number): void {
    const end = this.#kernel.indexOf(LINE_FEED, place, stream.end) + 1;
    stream.at = end === 0 ? stream.end : end;
    stream.state = this.#dfa.start;
    stream.generation = this.#table.generation;
    stream.done = stream.at === stream.end;
  }

  /** Runs a stream to its end; the place of a match, or -1. */
  #toEnd(stream: Stream): number {
    const { end } = stream;
    while (stream.at < end) {
      const found = this.#soft(stream, Math.min(end, stream.at + BYTES_PER_LOOK));
      if (found >= 0) return found;
      if (stream.at < end && this.#stop()) throw new ScanStopped();
    }
    if (end === 0 || this.#table.memory[LAYOUT.data + end - 1] === LINE_FEED) return -1;
    return this.#dfa.step(stream.state, this.#dfa.end) === MATCH ? end : -1;
  }

  /** Runs a stream until `soft` or a little beyond; the place of a match, or -1. */
  #soft(stream: Stream, soft: number): number {
    const { code } = this.#kernel;
    const data = LAYOUT.data;
    if (stream.generation !== this.#table.generation) this.#restart(stream);
    while (stream.at < soft) {
      const at = code.dfa1(
        stream.at + data,
        soft + data,
        stream.end + data,
        this.#table.row(stream.state),
        this.#table.special,
        this.#table.row(this.#table.dead),
      );
      stream.at = at - data;
      stream.state = this.#table.stateOf(this.#table.words[LAYOUT.results >> 2]!);
      const why = this.#table.words[(LAYOUT.results >> 2) + 1];
      if (why === 2) return stream.at;
      if (why === 1 && this.#step(stream)) return stream.at;
    }
    return -1;
  }

  /** Steps over one character that the kernel cannot take; true for a match. */
  #step(stream: Stream): boolean {
    if (++this.#steps % STEPS_PER_LOOK === 0 && this.#stop()) throw new ScanStopped();
    const next = this.#table.step(stream.state, stream.at, stream.end);
    if (next === MATCH) return true;
    if (next === VOID) {
      this.#restart(stream);
    } else {
      stream.state = next;
      stream.generation = this.#table.generation;
      stream.at += this.#table.length;
    }
    return false;
  }
}

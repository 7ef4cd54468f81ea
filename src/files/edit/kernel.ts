import { KERNEL, LAYOUT } from "./kernel_bytes.ts";

const PAGE_BYTES = 65_536;
/** Vector loads look this far beyond the end they were given. */
const SLACK_BYTES = 128;
const NEEDLE_ROOM = LAYOUT.pairCells - LAYOUT.needles;
const MOST_KEPT_BYTES = 16 << 20;
const FIRST_DATA_BYTES = 256 << 10;

/** The longest byte string a kernel can look for. */
export const LONGEST_NEEDLE = NEEDLE_ROOM / 2;

/** The functions of the WebAssembly module; positions are addresses, `end` is exclusive, -1 is none. */
export interface KernelCode {
  readonly memory: WebAssembly.Memory;
  find: Finder;
  findMasked: Finder;
  count(from: number, end: number, byte: number): number;
  memchr(from: number, end: number, byte: number): number;
  memrchr(from: number, end: number, byte: number): number;
  nth(from: number, end: number, byte: number, n: number): number;
  nonAscii(from: number, end: number): number;
  invalidUtf8(from: number, end: number): number;
  dfa1(
    from: number,
    soft: number,
    end: number,
    state: number,
    special: number,
    dead: number,
    pairs: number,
  ): number;
  dfa2(p0: number, p1: number, bytes: number, s0: number, s1: number): number;
}

type Finder = (
  from: number,
  end: number,
  needle: number,
  length: number,
  mask: number,
  i1: number,
  i2: number,
) => number;

/** A byte string that lies in a kernel's memory, to be looked for. */
export interface LoadedNeedle {
  readonly length: number;
  readonly ignoreCase: boolean;
  /** Its address, its mask's, and which two of its bytes are looked for first. */
  readonly at: number;
  readonly mask: number;
  readonly i1: number;
  readonly i2: number;
}

/** Makes a kernel with a memory of its own; about 0.2 ms the first time, 2.4 MB of address space. */
export function createKernel(): Kernel {
  return new Kernel(instantiate);
}

function instantiate(): KernelCode {
  const module = new WebAssembly.Module(Uint8Array.fromBase64(KERNEL));
  const { exports } = new WebAssembly.Instance(module);
  return exports as unknown as KernelCode;
}

/**
 * Byte scans at memory speed. The bytes to be scanned are put into the data area (`reserve`); all
 * positions are offsets in it, `to` is exclusive, -1 means none. Everything is synchronous. The
 * memory never shrinks: read large files in pieces of a few megabytes, and `release` after more.
 */
export class Kernel {
  readonly #instantiate: () => KernelCode;
  #code: KernelCode;
  #needleEnd: number = LAYOUT.needles;

  constructor(instantiate: () => KernelCode) {
    this.#instantiate = instantiate;
    this.#code = instantiate();
    this.#grow(FIRST_DATA_BYTES);
  }

  /** The raw functions, for the regular expressions of the search. */
  get code(): KernelCode {
    return this.#code;
  }

  /**
   * Returns the data area with room for at least `bytes`. Contents survive a growing, but views
   * taken before it are dead: keep none across a call.
   */
  reserve(bytes: number): Uint8Array<ArrayBuffer> {
    this.#grow(bytes);
    const { buffer } = this.#code.memory;
    return new Uint8Array(
      buffer as ArrayBuffer,
      LAYOUT.data,
      buffer.byteLength - LAYOUT.data - SLACK_BYTES,
    );
  }

  /**
   * Puts a byte string (1 to LONGEST_NEEDLE bytes) where `find` can use it; it stays until
   * `forget`. With `ignoreCase` its ASCII letters stand for both cases. Throws RangeError when it
   * is empty or there is no room left.
   */
  needle(bytes: Uint8Array, ignoreCase = false): LoadedNeedle {
    const length = bytes.length;
    const at = this.#needleEnd;
    if (length === 0 || at + 2 * length > LAYOUT.needles + NEEDLE_ROOM) {
      throw new RangeError(`Cannot look for ${length} bytes: from 1 to ${LONGEST_NEEDLE} fit`);
    }
    const memory = new Uint8Array(this.#code.memory.buffer, at, 2 * length);
    for (let i = 0; i < length; i++) {
      const mask = ignoreCase && isLetter(bytes[i]!) ? 0xdf : 0xff;
      memory[i] = bytes[i]! & mask;
      memory[length + i] = mask;
    }
    this.#needleEnd += 2 * length;
    return { length, ignoreCase, at, mask: at + length, ...rarestTwo(bytes) };
  }

  /** Frees the room of all needles; those loaded before must not be used any more. */
  forget(): void {
    this.#needleEnd = LAYOUT.needles;
  }

  /** Gives the memory back if it has grown beyond 16 MB; needles and data are lost in any case. */
  release(): void {
    this.forget();
    if (this.#code.memory.buffer.byteLength <= MOST_KEPT_BYTES) return;
    this.#code = this.#instantiate();
    this.#grow(FIRST_DATA_BYTES);
  }

  /** The first place of a needle within [from, to). */
  find(from: number, to: number, needle: LoadedNeedle): number {
    const find = needle.ignoreCase ? this.#code.findMasked : this.#code.find;
    const { at, length, mask, i1, i2 } = needle;
    return offset(find(from + LAYOUT.data, to + LAYOUT.data, at, length, mask, i1, i2));
  }

  /** How often a byte stands in [from, to). */
  count(from: number, to: number, byte: number): number {
    return this.#code.count(from + LAYOUT.data, to + LAYOUT.data, byte);
  }

  /** The first place of a byte. */
  indexOf(byte: number, from: number, to: number): number {
    return offset(this.#code.memchr(from + LAYOUT.data, to + LAYOUT.data, byte));
  }

  /** The last place of a byte. */
  lastIndexOf(byte: number, from: number, to: number): number {
    return offset(this.#code.memrchr(from + LAYOUT.data, to + LAYOUT.data, byte));
  }

  /** The place of the n-th such byte, n from 1. */
  nthIndexOf(byte: number, n: number, from: number, to: number): number {
    if (n < 1) return -1;
    return offset(this.#code.nth(from + LAYOUT.data, to + LAYOUT.data, byte, n));
  }

  /** The first place of a byte from 0x80 on. */
  nonAscii(from: number, to: number): number {
    return offset(this.#code.nonAscii(from + LAYOUT.data, to + LAYOUT.data));
  }

  /** The first place that is not valid UTF-8; a sequence that `to` cuts is not valid either. */
  invalidUtf8(from: number, to: number): number {
    return offset(this.#code.invalidUtf8(from + LAYOUT.data, to + LAYOUT.data));
  }

  #grow(bytes: number): void {
    const { memory } = this.#code;
    const missing = LAYOUT.data + bytes + SLACK_BYTES - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  }
}

function offset(address: number): number {
  return address < 0 ? -1 : address - LAYOUT.data;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function rarestTwo(bytes: Uint8Array): { i1: number; i2: number } {
  let i1 = 0;
  for (let i = 1; i < bytes.length; i++) {
    if (commonness(bytes[i]!) < commonness(bytes[i1]!)) i1 = i;
  }
  let i2 = i1 === 0 ? Math.min(1, bytes.length - 1) : 0;
  for (let i = 0; i < bytes.length; i++) {
    // the same byte twice tells little more than once
    if (i !== i1 && bytes[i] !== bytes[i1] && commonness(bytes[i]!) < commonness(bytes[i2]!)) {
      i2 = i;
    }
  }
  return { i1, i2 };
}

const LETTERS = "etaoinsrldcupmhfgybvwkxjqz";

/** How frequent a byte is in source text, roughly from 0 to 100. */
function commonness(byte: number): number {
  if (byte === 32) return 100;
  if (byte === 10) return 70;
  if (isLetter(byte)) {
    const rank = LETTERS.indexOf(String.fromCharCode(byte | 0x20));
    return (byte >= 0x61 ? 98 : 55) - 2 * rank;
  }
  if (byte >= 48 && byte <= 57) return 35;
  if (byte >= 0xe0) return 30;
  if (byte >= 0x80) return 15;
  return '._()[]{},;:="-/*'.includes(String.fromCharCode(byte)) ? 60 : 20;
}

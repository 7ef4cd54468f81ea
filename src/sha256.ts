/**
 * SHA-256 at once: node:crypto takes 18 ms and 11 MB to load, and JavaScript that nobody has called
 * yet 10 ms for what a few source files hold.
 */
import { CODE, DATA, START, STATE } from "./sha256_code.ts";

const BLOCK = 64;
/** What is hashed at a time: the rest of the only page. */
const ROOM = 65_536 - DATA;

interface Rounds {
  readonly memory: WebAssembly.Memory;
  blocks(at: number, end: number): void;
}

/** Of a text, in hexadecimal. */
export const sha256 = (text: string): string => createSha256()(new TextEncoder().encode(text));

/** Makes what tells the hash of bytes, in hexadecimal: who hashes much makes it once. */
export function createSha256(): (bytes: Uint8Array) => string {
  const module = new WebAssembly.Module(Uint8Array.fromBase64(CODE));
  const { memory, blocks } = new WebAssembly.Instance(module).exports as unknown as Rounds;
  const state = new DataView(memory.buffer, STATE, 4 * START.length);
  const data = new Uint8Array(memory.buffer, DATA, ROOM);
  const take = (some: Uint8Array) => {
    data.set(some);
    blocks(DATA, DATA + some.length);
  };
  return (bytes) => {
    for (let i = 0; i < START.length; i++) state.setUint32(4 * i, START[i]!, true);
    const whole = bytes.length - bytes.length % BLOCK;
    for (let at = 0; at < whole; at += ROOM) take(bytes.subarray(at, Math.min(at + ROOM, whole)));
    const left = bytes.length - whole;
    const last = new Uint8Array(left < BLOCK - 8 ? BLOCK : 2 * BLOCK);
    last.set(bytes.subarray(whole));
    last[left] = 0x80;
    new DataView(last.buffer).setBigUint64(last.length - 8, BigInt(bytes.length) * 8n);
    take(last);
    const words = START.map((_, i) => state.getUint32(4 * i, true));
    return words.map((word) => word.toString(16).padStart(8, "0")).join("");
  };
}

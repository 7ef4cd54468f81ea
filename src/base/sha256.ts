/**
 * SHA-256 at once: node:crypto takes 18 ms and 11 MB to load, and JavaScript that nobody has called
 * yet 10 ms for what a few source files hold.
 */
import { CODE, DATA, START, STATE } from "./sha256_code.ts";

const BLOCK = 64;
/** What is hashed at a time: the rest of the only page. */
const ROOM = 65_536 - DATA;
/** Behind the last of them there is room for how long all of it is. */
const AT_ONCE = ROOM - BLOCK;

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
  const state = new Uint32Array(memory.buffer, STATE, START.length);
  const data = new Uint8Array(memory.buffer, DATA, ROOM);
  const view = new DataView(memory.buffer, DATA, ROOM);
  const hash = new DataView(new ArrayBuffer(4 * START.length));
  const hashBytes = new Uint8Array(hash.buffer);
  return (bytes) => {
    state.set(START);
    let at = 0;
    for (; bytes.length - at >= AT_ONCE; at += AT_ONCE) {
      data.set(bytes.subarray(at, at + AT_ONCE));
      blocks(DATA, DATA + AT_ONCE);
    }
    const left = bytes.length - at;
    data.set(at === 0 ? bytes : bytes.subarray(at));
    const end = left + 9 + (BLOCK - 1) & -BLOCK;
    data[left] = 0x80;
    data.fill(0, left + 1, end - 8);
    view.setUint32(end - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(end - 4, bytes.length * 8);
    blocks(DATA, DATA + end);
    // the words lie in the machine's order, which is WebAssembly's wherever Deno runs
    for (let i = 0; i < START.length; i++) hash.setUint32(4 * i, state[i]!);
    return hashBytes.toHex();
  };
}

/** SHA-256 of something short, at once: node:crypto takes longer to load than all of it, and 11 MB. */

/** The first 32 bits of what stands behind the point of a root of each prime. */
function rootsOfPrimes(count: number, power: number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return Int32Array.from(primes, (prime) => {
    const root = prime ** power;
    return (root - Math.floor(root)) * 2 ** 32 | 0;
  });
}

const BLOCK = 64;
const ROUNDS = 64;
const CONSTANTS = rootsOfPrimes(ROUNDS, 1 / 3);
const START = rootsOfPrimes(8, 1 / 2);

/** Of a text, in hexadecimal. */
export const sha256 = (text: string): string => sha256Bytes(new TextEncoder().encode(text));

/** In hexadecimal. */
export function sha256Bytes(bytes: Uint8Array): string {
  const state = START.slice();
  const words = new Int32Array(ROUNDS);
  const whole = bytes.length - bytes.length % BLOCK;
  takeBlocks(state, words, bytes.subarray(0, whole));
  const left = bytes.length - whole;
  const last = new Uint8Array(left < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  last.set(bytes.subarray(whole));
  last[left] = 0x80;
  new DataView(last.buffer).setBigUint64(last.length - 8, BigInt(bytes.length) * 8n);
  takeBlocks(state, words, last);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function takeBlocks(state: Int32Array, words: Int32Array, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    for (let i = 0, from = at; i < 16; i++, from += 4) {
      words[i] = bytes[from]! << 24 | bytes[from + 1]! << 16 | bytes[from + 2]! << 8 |
        bytes[from + 3]!;
    }
    for (let i = 16; i < ROUNDS; i++) {
      const [late, early] = [words[i - 2]!, words[i - 15]!];
      words[i] = words[i - 16]! + words[i - 7]! +
        ((early >>> 7 | early << 25) ^ (early >>> 18 | early << 14) ^ early >>> 3) +
        ((late >>> 17 | late << 15) ^ (late >>> 19 | late << 13) ^ late >>> 10);
    }
    takeWords(state, words);
  }
}

function takeWords(state: Int32Array, words: Int32Array): void {
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!;
  let e = state[4]!, f = state[5]!, g = state[6]!, h = state[7]!;
  for (let i = 0; i < ROUNDS; i++) {
    const one = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) +
        (e & f ^ ~e & g) + CONSTANTS[i]! + words[i]! | 0;
    const two = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) +
        (a & b ^ a & c ^ b & c) | 0;
    h = g;
    g = f;
    f = e;
    e = d + one | 0;
    d = c;
    c = b;
    b = a;
    a = one + two | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

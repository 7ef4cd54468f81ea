/** SHA-256 of a short text, at once: before the first picture nothing loads node:crypto, which takes longer than all else. */

const ROUNDS = 64;

/** The first 32 bits of what stands behind the point of a root of each prime. */
function rootsOfPrimes(count: number, power: number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return Uint32Array.from(primes, (prime) => {
    const root = prime ** power;
    return (root - Math.floor(root)) * 2 ** 32;
  });
}

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** In hexadecimal. */
export function sha256(text: string): string {
  const given = new TextEncoder().encode(text);
  const blocks = Math.ceil((given.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(given);
  padded[given.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(given.length) * 8n);
  const constants = rootsOfPrimes(ROUNDS, 1 / 3);
  const state = rootsOfPrimes(8, 1 / 2);
  const words = new Uint32Array(ROUNDS);
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block * 64 + i * 4);
    for (let i = 16; i < ROUNDS; i++) {
      const [late, early] = [words[i - 2]!, words[i - 15]!];
      words[i] = words[i - 16]! + words[i - 7]! +
        (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
        (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as number[] as [
      ...[number, number, number, number],
      ...[number, number, number, number],
    ];
    for (let i = 0; i < ROUNDS; i++) {
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) +
        constants[i]! + words[i]!;
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i]! += value;
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/**
 * Tells texts apart; no hash to rely on against an adversary. It goes by words of four bytes: with a
 * step for each character V8 would compile the loop, twice, before the first request.
 */
export function fingerprint(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const words = new Uint32Array((bytes.length + 3) >> 2);
  new Uint8Array(words.buffer).set(bytes);
  let [a, b] = [bytes.length, ~bytes.length];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    a = Math.imul(a ^ word, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ word, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** What stands for a secret: the same for the same value, and nothing of it. */

/** Any of them, as the model may write it back. */
export const PLACEHOLDER = /«secret:[\w.-]{1,80}(?::[0-9a-f]{6})?»/g;

/** Six characters that tell values of one name apart. */
export function markOf(value: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
  }
  const mixed = Math.imul(a ^ b >>> 15, 0xc2b2ae35) ^ b;
  return ((mixed ^ mixed >>> 13) >>> 0).toString(16).padStart(8, "0").slice(-6);
}

const plain = (name: string) => name.replaceAll(/[^\w.-]+/g, "_").slice(0, 60) || "value";

/** `«secret:NAME»`, or with a mark `«secret:kind:3f2a9c»`. */
export const placeholderOf = (name: string, mark?: string) =>
  `«secret:${plain(name)}${mark === undefined ? "" : `:${mark}`}»`;

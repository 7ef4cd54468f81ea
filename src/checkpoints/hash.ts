import { sha256Bytes } from "../sha256.ts";

/** So many bytes are hashed without node:crypto, in a small folder all of them. */
const OWN_BYTES = 1_000_000;

/** Takes 18 ms and 11 MB to load, so only who needs it has it. */
export const nodeCrypto = (): typeof import("node:crypto") =>
  // deno-lint-ignore no-process-global
  process.getBuiltinModule("node:crypto");

/** Makes what tells the hex SHA-256 of contents. */
export function createHasher(): (bytes: Uint8Array) => string {
  let left = OWN_BYTES;
  let createHash: typeof import("node:crypto").createHash | undefined;
  return (bytes) => {
    left -= bytes.length;
    if (left >= 0) return sha256Bytes(bytes);
    createHash ??= nodeCrypto().createHash;
    return createHash("sha256").update(bytes).digest("hex");
  };
}

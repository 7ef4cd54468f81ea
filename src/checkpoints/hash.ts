import { createSha256 } from "../sha256.ts";

/** So many bytes are hashed without node:crypto, which takes a tenth of the time, in a small folder all of them. */
const OWN_BYTES = 2_000_000;

/** Takes 18 ms and 11 MB to load, so only who needs it has it. */
export const nodeCrypto = (): typeof import("node:crypto") =>
  // deno-lint-ignore no-process-global
  process.getBuiltinModule("node:crypto");

/** Makes what tells the hex SHA-256 of contents. */
export function createHasher(): (bytes: Uint8Array) => string {
  const sha256 = createSha256();
  let left = OWN_BYTES;
  let createHash: typeof import("node:crypto").createHash | undefined;
  return (bytes) => {
    left -= bytes.length;
    if (left >= 0) return sha256(bytes);
    createHash ??= nodeCrypto().createHash;
    return createHash("sha256").update(bytes).digest("hex");
  };
}

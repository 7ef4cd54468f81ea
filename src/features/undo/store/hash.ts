import { createSha256 } from "../../../base/sha256.ts";

/** So many bytes in a row are hashed without node:crypto, which takes a tenth of the time. */
const OWN_BYTES = 2_000_000;
/** After a pause of so long another row begins: what a session changes bit by bit needs no speed. */
const PAUSE_MS = 20;
/** Contents that it takes no more for than node:crypto, which leaves something to be collected of each. */
const SMALL_BYTES = 1000;

/** Takes 18 ms and 11 MB to load, so only who needs it has it. */
export const nodeCrypto = (): typeof import("node:crypto") =>
  // deno-lint-ignore no-process-global
  process.getBuiltinModule("node:crypto");

/** Makes what tells the hex SHA-256 of contents; `now` in milliseconds. */
export function createHasher(
  now: () => number = () => performance.now(),
  load: typeof nodeCrypto = nodeCrypto,
): (bytes: Uint8Array) => string {
  const sha256 = createSha256();
  let left = OWN_BYTES;
  let last = 0;
  let createHash: typeof import("node:crypto").createHash | undefined;
  return (bytes) => {
    if (bytes.length <= SMALL_BYTES) return sha256(bytes);
    if (!createHash) {
      if (now() - last > PAUSE_MS) left = OWN_BYTES;
      left -= bytes.length;
      if (left < 0) createHash = load().createHash;
    }
    const hash = createHash ? createHash("sha256").update(bytes).digest("hex") : sha256(bytes);
    last = now();
    return hash;
  };
}

/** Keeps what the user has trusted of projects. */
import { readTrust, type TrustBook, type Trusted, trustFile } from "../../config/trusted.ts";

const LOCK_WAIT_MS = 5000;

/** Trusts these at the path, in the place of what was trusted under the same names. Throws the platform's error. */
export async function trust(
  userDir: string,
  path: string,
  wanted: readonly Trusted[],
): Promise<void> {
  await change(userDir, (book) => {
    const known = book.get(path) ?? new Map();
    for (const { what, hash, rows } of wanted) known.set(what, rows ? { hash, rows } : { hash });
    book.set(path, known);
  });
}

/** Takes the trust in all there is at the path back; returns what was trusted. Throws as `trust` does. */
export async function untrust(userDir: string, path: string): Promise<readonly string[]> {
  let gone: readonly string[] = [];
  if (!readTrust(userDir).has(path)) return gone;
  await change(userDir, (book) => {
    gone = [...book.get(path)?.keys() ?? []];
    book.delete(path);
  });
  return gone;
}

/** Changes the file as a whole or not at all; of several narnats at it one waits for the other. */
async function change(userDir: string, edit: (book: TrustBook) => void): Promise<void> {
  const { lockFile } = await import("../../files/file_lock.ts");
  Deno.mkdirSync(userDir, { recursive: true, mode: 0o700 });
  const path = trustFile(userDir);
  using _lock = await lockFile(`${path}.lock`, LOCK_WAIT_MS);
  const book = readTrust(userDir);
  edit(book);
  const entries = [...book].map(([path, known]) => [path, Object.fromEntries(known)]);
  const temporary = `${path}.tmp`;
  Deno.writeTextFileSync(temporary, JSON.stringify(Object.fromEntries(entries), null, 2) + "\n", {
    mode: 0o600,
  });
  Deno.renameSync(temporary, path);
}

/** What the user has trusted of projects, in a file of their own folder: of each path what, with the hash of its content. */
import { under } from "../../base/under.ts";

/** Something a project wants: what it is, and the hash of its content. */
export interface Trusted {
  readonly what: string;
  readonly hash: string;
  /** What the user was shown of it; without secrets. */
  readonly rows?: readonly string[];
}

type Known = Omit<Trusted, "what">;
type Book = Map<string, Map<string, Known>>;

const LOCK_WAIT_MS = 5000;

/** Whether this content was trusted at this path. A file that cannot be read trusts nothing. */
export function isTrusted(userDir: string, path: string, { what, hash }: Trusted): boolean {
  return read(userDir).get(path)?.get(what)?.hash === hash;
}

/** What was trusted at the path under this name, whatever it is now. */
export function trustedBefore(userDir: string, path: string, what: string): Known | undefined {
  return read(userDir).get(path)?.get(what);
}

/** Trusts these at the path, in the place of what was trusted under the same names. Throws the platform's error. */
export async function trust(
  userDir: string,
  path: string,
  wanted: readonly Trusted[],
): Promise<void> {
  await change(userDir, (book) => {
    const known = book.get(path) ?? new Map<string, Known>();
    for (const { what, hash, rows } of wanted) known.set(what, rows ? { hash, rows } : { hash });
    book.set(path, known);
  });
}

/** Takes the trust in all there is at the path back; returns what was trusted. Throws as `trust` does. */
export async function untrust(userDir: string, path: string): Promise<readonly string[]> {
  let gone: readonly string[] = [];
  if (!read(userDir).has(path)) return gone;
  await change(userDir, (book) => {
    gone = [...book.get(path)?.keys() ?? []];
    book.delete(path);
  });
  return gone;
}

const fileOf = (userDir: string) => under(userDir, "trust.json");

function read(userDir: string): Book {
  const book: Book = new Map();
  try {
    const value: unknown = JSON.parse(Deno.readTextFileSync(fileOf(userDir)));
    for (const [path, known] of Object.entries(value as Record<string, unknown>)) {
      const all = Object.entries(known as Record<string, unknown>).flatMap(([what, one]) => {
        const read = knownOf(one);
        return read ? [[what, read] as const] : [];
      });
      book.set(path, new Map(all));
    }
  } catch { /* not there, not readable, or not ours: nothing is trusted */ }
  return book;
}

/** A hash alone is what older files hold. */
function knownOf(value: unknown): Known | undefined {
  if (typeof value === "string") return { hash: value };
  const { hash, rows } = (value ?? {}) as { [key: string]: unknown };
  if (typeof hash !== "string") return undefined;
  const good = Array.isArray(rows) && rows.every((row) => typeof row === "string");
  return good ? { hash, rows } : { hash };
}

/** Changes the file as a whole or not at all; of several narnats at it one waits for the other. */
async function change(userDir: string, edit: (book: Book) => void): Promise<void> {
  const { lockFile } = await import("../../files/file_lock.ts");
  Deno.mkdirSync(userDir, { recursive: true, mode: 0o700 });
  const path = fileOf(userDir);
  using _lock = await lockFile(`${path}.lock`, LOCK_WAIT_MS);
  const book = read(userDir);
  edit(book);
  const entries = [...book].map(([path, known]) => [path, Object.fromEntries(known)]);
  const temporary = `${path}.tmp`;
  Deno.writeTextFileSync(temporary, JSON.stringify(Object.fromEntries(entries), null, 2) + "\n", {
    mode: 0o600,
  });
  Deno.renameSync(temporary, path);
}

/** What the user has trusted of projects, in a file of their own folder: of each path what, with the hash of its content. */
import { under } from "../base/under.ts";

/** Something a project wants: what it is, and the hash of its content. */
export interface Trusted {
  readonly what: string;
  readonly hash: string;
  /** What the user was shown of it; without secrets. */
  readonly rows?: readonly string[];
}

type Known = Omit<Trusted, "what">;
export type TrustBook = Map<string, Map<string, Known>>;

/** Whether this content was trusted at this path. A file that cannot be read trusts nothing. */
export function isTrusted(userDir: string, path: string, { what, hash }: Trusted): boolean {
  return readTrust(userDir).get(path)?.get(what)?.hash === hash;
}

/** What was trusted at the path under this name, whatever it is now. */
export function trustedBefore(userDir: string, path: string, what: string): Known | undefined {
  return readTrust(userDir).get(path)?.get(what);
}

/** The file in the user's folder. */
export const trustFile = (userDir: string) => under(userDir, "trust.json");

/** Empty where it is not there, not readable, or not ours. */
export function readTrust(userDir: string): TrustBook {
  const book: TrustBook = new Map();
  try {
    const value: unknown = JSON.parse(Deno.readTextFileSync(trustFile(userDir)));
    for (const [path, known] of Object.entries(value as Record<string, unknown>)) {
      const all = Object.entries(known as Record<string, unknown>).flatMap(([what, one]) => {
        const read = knownOf(one);
        return read ? [[what, read] as const] : [];
      });
      book.set(path, new Map(all));
    }
  } catch { /* nothing is trusted */ }
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

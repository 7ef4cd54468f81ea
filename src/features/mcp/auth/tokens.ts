/** What OAuth servers gave us, in a file that is the user's alone. */
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { lockFile } from "../../../files/file_lock.ts";
import { isRecord } from "../../../base/is_record.ts";

/** What is kept of one server. */
export interface Login {
  readonly tokens?: StoredOAuthTokens;
  /** As which narnat was registered. */
  readonly client?: StoredOAuthClientInformation;
  /** The address that was registered with it. */
  readonly redirect?: string;
  /** What the server has wanted besides: the next login asks for it. */
  readonly stepUp?: string;
}

/** A refresh goes over the network while others wait. */
const LOCK_WAIT_MS = 30_000;

/** Under which address a server's login is kept. */
export function tokenKey(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

/** What is kept of a server; empty for nothing, and where the file cannot be read. */
export function readLogin(path: string, key: string): Login {
  const login = read(path)[key];
  return isRecord(login) ? login as Login : {};
}

/** Keeps something else of a server; undefined for nothing any more. Throws the platform's error. */
export function writeLogin(path: string, key: string, login: Login | undefined): void {
  const { [key]: _, ...others } = read(path);
  const all = login === undefined ? others : { ...others, [key]: login };
  const temporary = `${path}.${Deno.pid}.tmp`;
  Deno.mkdirSync(path.replace(/[/\\][^/\\]+$/, ""), { recursive: true, mode: 0o700 });
  try {
    Deno.writeTextFileSync(temporary, JSON.stringify(all, null, 2) + "\n", { mode: 0o600 });
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch { /* it was never made */ }
    throw error;
  }
}

/** Works while no other narnat does so. Rejects as `work` does, or with FileError when they never end. */
export async function withTokens<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  Deno.mkdirSync(path.replace(/[/\\][^/\\]+$/, ""), { recursive: true, mode: 0o700 });
  using _lock = await lockFile(`${path}.lock`, LOCK_WAIT_MS);
  return await work();
}

function read(path: string): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Deno.readTextFileSync(path));
    return isRecord(value) ? value : {};
  } catch {
    return {}; // none yet, not readable, or not ours
  }
}

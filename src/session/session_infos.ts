/** What is told of the stored sessions, kept beside them: only those that have changed are read again. */
import type { SessionInfo } from "../base/types.ts";
import { under } from "../base/under.ts";

const VERSION = 1;
const NAME = "infos.json";
/** Of some 50,000 sessions; more, or no file, is not ours. */
const MOST_BYTES = 1 << 24;

interface Known {
  /** Of the file that it was read from; each entry that is appended changes it, and no program can set it. */
  readonly stamp: string;
  readonly info: SessionInfo;
}

/** Opens what is known of the sessions of a folder. */
export function openInfos(dir: string) {
  const known = readKnown(under(dir, NAME));
  const now: Record<string, Known> = {};
  let same = true;
  return {
    /** The info of a session, read where its file at `path` has changed. Throws as `read` does, and where there is no file. */
    of(id: string, path: string, read: () => SessionInfo): SessionInfo {
      const { size, mtime, ctime, ino } = Deno.statSync(path);
      const stamp = [size, mtime?.getTime() ?? 0, ctime?.getTime() ?? 0, ino ?? 0].join("-");
      const old = Object.hasOwn(known, id) ? known[id] : undefined;
      const info = old?.stamp === stamp && old.info.id === id ? old.info : read();
      if (info !== old?.info) same = false;
      now[id] = { stamp, info };
      return info;
    },
    /** Keeps what is known now of those that were asked for; where that cannot be, all are read again. */
    close(): void {
      if (same && Object.keys(known).length === Object.keys(now).length) return;
      write(dir, now);
    },
  };
}

/** Keeps nothing more of a session that is deleted. */
export function forgetInfo(dir: string, id: string): void {
  const { [id]: gone, ...left } = readKnown(under(dir, NAME));
  if (gone) write(dir, left);
}

function write(dir: string, sessions: { readonly [id: string]: Known }): void {
  const path = under(dir, NAME);
  const beside = `${path}.${Deno.pid}.tmp`;
  try {
    const text = JSON.stringify({ version: VERSION, sessions });
    Deno.writeTextFileSync(beside, text, { mode: 0o600 });
    Deno.renameSync(beside, path);
  } catch {
    // a disk that takes no more, or a folder of somebody else's
    try {
      Deno.removeSync(beside);
    } catch { /* it was not even made */ }
  }
}

function readKnown(path: string): { readonly [id: string]: Known } {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    if (!isFile || size > MOST_BYTES) return {};
    const { version, sessions } = JSON.parse(Deno.readTextFileSync(path));
    if (version !== VERSION || !Object.values(sessions).every(isKnown)) return {};
    return sessions;
  } catch {
    return {};
  }
}

function isKnown(value: unknown): value is Known {
  const { stamp, info } = (value ?? {}) as Partial<Known>;
  const { id, name, updated, title, turns, messages, entered, parent, handedTo } = info ?? {};
  return [stamp, id, name, updated, title].every((text) => typeof text === "string") &&
    [turns, messages].every((count) => typeof count === "number" && count >= 0) &&
    [entered, parent, handedTo].every((text) => text === undefined || typeof text === "string");
}

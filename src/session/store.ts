/**
 * Sessions: append-only JSONL, each record on disk before it is acted upon; and what is told of
 * them, kept beside them.
 */
import type { Carried, Message, SessionInfo } from "../base/types.ts";
import { under } from "../base/path.ts";
import { unlock } from "../files/file_lock.ts";
import { allOf, type Entry, readEntries } from "./entries.ts";
import { SessionBusy, SessionFile, type SessionFileOptions } from "./file.ts";
import { lock } from "./journal.ts";
import { State } from "./state.ts";

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
function openInfos(dir: string) {
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
function forgetInfo(dir: string, id: string): void {
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

export { SessionBusy, SessionFile };

export interface SessionStoreOptions extends SessionFileOptions {
  /** Folder of the *.jsonl files; undefined keeps sessions in memory only. */
  readonly dir: string | undefined;
  readonly random: () => number;
}

/** A clock of another machine, or a slow disk's, may be so much ahead. */
const AHEAD_MS = 60_000;

/**
 * Compares times, the newest first. What bears a time that is still to come was written while the
 * clock was wrong: it comes last, as does what bears none.
 */
export function newestFirst(a: string, b: string, now: Date): number {
  const late = now.getTime() + AHEAD_MS;
  const wrong = (time: string) => Date.parse(time) <= late ? 0 : 1;
  return wrong(a) - wrong(b) || (a < b ? 1 : a > b ? -1 : 0);
}

/** What is read of a session. */
export interface StoredSession {
  readonly info: SessionInfo;
  readonly messages: readonly Message[];
  readonly carried: Carried | undefined;
  readonly entries: readonly Entry[];
}

const pick = ({ messages, carried, entries }: Omit<StoredSession, "info">) => ({
  messages,
  carried,
  entries,
});

/** The stored sessions of one workspace. */
export class SessionStore {
  readonly #o: SessionStoreOptions;
  /** Those of this process, where no folder keeps them. */
  readonly #unkept = new Map<string, SessionFile>();

  constructor(options: SessionStoreOptions) {
    this.#o = options;
  }

  /** Whether sessions outlive this process. */
  get keeps(): boolean {
    return this.#o.dir !== undefined;
  }

  /** An empty session; its file is made with the first message. */
  create(): SessionFile {
    const stamp = this.#o.now().toISOString().replace(/[-:]|\..*/g, "").replace("T", "-");
    const tail = Math.floor(this.#o.random() * 36 ** 4).toString(36).padStart(4, "0");
    const id = `${stamp}-${tail}`;
    const { dir } = this.#o;
    const session = new SessionFile(id, dir && this.#path(id), this.#o);
    if (dir === undefined) this.#unkept.set(id, session);
    return session;
  }

  /** A new session that begins as `session` did before its prompt at `index`; it has cost what that one cost. */
  fork(session: SessionFile, index: number): SessionFile {
    const fork = this.create();
    fork.begin(session, index);
    return fork;
  }

  /** Opens a stored session. Throws SessionBusy, or Deno.errors.NotFound. */
  open(id: string): { session: SessionFile; bad: number } {
    const unkept = this.#unkept.get(id);
    if (unkept) return { session: unkept, bad: 0 };
    return SessionFile.load(id, this.#path(id), this.#o);
  }

  /** Newest first; unreadable files are left out. */
  list(): SessionInfo[] {
    const infos = [...this.#unkept.values()].reverse().map(({ info }) => info);
    const stored = this.#stored();
    const known = stored.length > 0 ? openInfos(this.#o.dir!) : undefined;
    for (const id of stored) {
      try {
        const info = known!.of(id, this.#path(id), () => this.#hidden(this.read(id).info));
        infos.push(this.#isBusy(info.id) ? { ...info, busy: true } : info);
      } catch { /* a file that cannot be read is not offered */ }
    }
    known?.close();
    const begun = infos.filter((info) => info.messages > 0 || info.parent !== undefined);
    const now = this.#o.now();
    return begun.sort((a, b) => newestFirst(a.updated, b.updated, now));
  }

  /** Has the sessions kept elsewhere that no folder has taken for this reason. */
  spare(why: string): void {
    for (const session of this.#unkept.values()) session.spare(why);
  }

  /** Reads without taking the session's lock. */
  read(id: string): StoredSession {
    const unkept = this.#unkept.get(id);
    if (unkept) return { ...pick(unkept), info: unkept.info };
    const state = new State(this.#o.workspace);
    for (const entry of allOf(readEntries(Deno.readFileSync(this.#path(id))))) state.apply(entry);
    return { ...pick(state), info: state.info(id) };
  }

  /** Finds a session by id, unique id prefix, name, or number in `list()` order from 1. */
  find(which: string): SessionInfo | undefined {
    const all = this.list();
    const exact = all.find((s) => s.id === which || (s.name !== "" && s.name === which));
    if (exact) return exact;
    try {
      // A session whose only turn failed is not listed, but its id was told.
      return this.read(which).info;
    } catch { /* it is no id */ }
    if (/^[1-9]\d{0,3}$/.test(which)) return all[Number(which) - 1];
    const begin = all.filter((s) => which !== "" && s.id.startsWith(which));
    return begin.length === 1 ? begin[0] : undefined;
  }

  /** Deletes a stored session, with what of its file was put aside. Throws SessionBusy while another narnat holds it. */
  remove(id: string): void {
    if (this.#unkept.delete(id)) return;
    const path = this.#path(id);
    const file = Deno.openSync(path, { read: true, write: true });
    try {
      if (!lock(file)) throw new SessionBusy(id, this.#o.t);
    } finally {
      file.close();
    }
    Deno.removeSync(path);
    forgetInfo(this.#o.dir!, id);
    for (const { name } of Deno.readDirSync(this.#o.dir!)) {
      if (name.startsWith(`${id}.jsonl`) && name.endsWith(".torn")) {
        Deno.removeSync(under(this.#o.dir!, name));
      }
    }
  }

  /** Written before a secret was known for one, a session holds it; no other file is to. */
  #hidden(info: SessionInfo): SessionInfo {
    return this.#o.redactIn?.(info) ?? info;
  }

  /** Ids of the files in the folder. */
  #stored(): string[] {
    if (this.#o.dir === undefined) return [];
    try {
      return [...Deno.readDirSync(this.#o.dir)]
        .filter(({ name, isFile }) => isFile && name.endsWith(".jsonl"))
        .map(({ name }) => name.slice(0, -".jsonl".length));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      // another user's: none of them is ours
      if (error instanceof Deno.errors.PermissionDenied) return [];
      throw error;
    }
  }

  /** Whether any narnat, this one too, holds the session at this moment. */
  #isBusy(id: string): boolean {
    const file = Deno.openSync(this.#path(id));
    try {
      return !file.tryLockSync(true);
    } finally {
      unlock(file);
    }
  }

  #path(id: string): string {
    const { dir } = this.#o;
    if (dir === undefined || !/^[\w.-]+$/.test(id)) throw new Deno.errors.NotFound(id);
    return under(dir, `${id}.jsonl`);
  }
}

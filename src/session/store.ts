/** Sessions: append-only JSONL, each record on disk before it is acted upon. */
import type { Carried, Message, SessionInfo } from "../base/types.ts";
import { under } from "../base/under.ts";
import { unlock } from "../base/unlock.ts";
import { lock } from "./journal.ts";
import { forgetInfo, openInfos } from "./session_infos.ts";
import { allOf, type Entry, readEntries } from "./entries.ts";
import { SessionBusy, SessionFile, type SessionFileOptions } from "./file.ts";
import { State } from "./state.ts";

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
      if (!lock(file)) throw new SessionBusy(id, this.#o.lang);
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
    return this.#o.hideIn?.(info) ?? info;
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

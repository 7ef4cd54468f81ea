/** Sessions: append-only JSONL, each record on disk before it is acted upon. */
import type {
  Carried,
  Lang,
  Line,
  Message,
  SeenFile,
  Session,
  SessionInfo,
  Usage,
  View,
} from "../types.ts";
import { say } from "../text.ts";
import { under } from "../under.ts";
import { NO_USAGE } from "../usage.ts";
import { type Entry, type MessageFacts, State } from "./session_state.ts";

/** Splits a file's bytes into whole entries and the torn tail behind the last whole line. */
function readEntries(bytes: Uint8Array): { entries: Entry[]; bad: number; whole: number } {
  const decoder = new TextDecoder();
  const entries: Entry[] = [];
  let bad = 0;
  let start = 0;
  let whole = 0;
  for (;;) {
    const end = bytes.indexOf(10, start);
    if (end < 0) break;
    const line = decoder.decode(bytes.subarray(start, end)).trim();
    start = end + 1;
    whole = start;
    if (line === "") continue;
    try {
      const entry = JSON.parse(line) as Entry;
      if (typeof entry?.type !== "string") throw new SyntaxError("no type");
      if (entry.type === "message" && typeof entry.message?.role !== "string") {
        throw new SyntaxError("no message");
      }
      entries.push(entry);
    } catch {
      bad++;
    }
  }
  return { entries, bad, whole };
}

/** The one writer of a session. */
export class SessionFile implements Session {
  readonly id: string;
  #state: State;
  #file: Deno.FsFile | undefined;
  #offset = 0;
  #started = false;
  readonly #path: string | undefined;
  readonly #workspace: string;
  readonly #lang: Lang;
  readonly #now: () => Date;
  readonly #encoder = new TextEncoder();

  constructor(id: string, path: string | undefined, options: SessionStoreOptions) {
    const { workspace, lang, now } = options;
    this.id = id;
    this.#path = path;
    this.#workspace = workspace;
    this.#lang = lang;
    this.#now = now;
    this.#state = new State(workspace);
  }

  get name() {
    return this.#state.name;
  }
  get messages(): readonly Message[] {
    return this.#state.messages;
  }
  get view(): readonly Message[] {
    return this.#state.seenMessages;
  }
  get viewFrom() {
    return this.#state.viewFrom;
  }
  get turns() {
    return this.#state.turns;
  }
  get todos() {
    return this.#state.todos;
  }
  get seen(): ReadonlyMap<string, SeenFile> {
    return this.#state.seen;
  }
  get changed(): ReadonlyMap<string, boolean> {
    return this.#state.changed;
  }
  get skills(): ReadonlySet<string> {
    return this.#state.skills;
  }
  get carried() {
    return this.#state.carried;
  }
  get held() {
    return this.#state.held;
  }
  get cwd() {
    return this.#state.cwd;
  }
  get usage() {
    return this.#state.usage;
  }
  get lastUsage() {
    return this.#state.lastUsage;
  }
  get lastAnswer() {
    return this.#state.lastAnswer;
  }
  get prompts(): readonly string[] {
    return this.#asked().map((message) => message.text);
  }
  get info(): SessionInfo {
    return this.#state.info(this.id);
  }

  #asked(): readonly Message[] {
    return this.#state.messages.filter((message) => this.#state.factsOf(message).asked);
  }

  /** Loads the file, repairs its tail and the pairing of calls; returns how many lines were unreadable. */
  load(): number {
    const path = this.#path!;
    this.#open(path, false);
    this.#started = true;
    const bytes = Deno.readFileSync(path);
    const { entries, bad, whole } = readEntries(bytes);
    if (whole < bytes.length) {
      Deno.writeFileSync(`${path}.torn`, bytes.subarray(whole), { mode: 0o600 });
      this.#file!.truncateSync(whole);
    }
    this.#offset = whole;
    for (const entry of entries) this.#state.apply(entry);
    this.pair();
    return bad;
  }

  /** Fills open calls in memory, as a later load would: for a turn that a full disk has ended. */
  pair(): void {
    this.#state.pair(say(this.#lang, "tool.interrupted"));
  }

  /** Puts a message on disk, then into the session. Throws when the disk will not take it. */
  append(message: Message, facts: MessageFacts = {}): void {
    this.#write({ type: "message", time: this.#now().toISOString(), message, ...facts });
  }

  /** Begins as `other` did before its prompt at `index`, all on disk at once; it has cost what that one cost. */
  begin(other: SessionFile, index: number): void {
    const prompt = other.#asked()[index];
    if (!prompt) throw new RangeError(`no prompt ${index}`);
    const time = this.#now().toISOString();
    const kept = other.#state.before(other.messages.indexOf(prompt), time);
    const { carried, usage: { input, output } } = other;
    if (carried) this.#start({ carried: { ...carried, usage: NO_USAGE } });
    if (kept.length === 0 && input + output === 0) return;
    this.#write(...kept, { type: "usage", usage: other.usage });
    this.pair();
  }

  /** Begins where another session's handover ends. */
  inherit(carried: Carried, held: Line | undefined): void {
    this.#start({ carried, ...held ? { held } : {} });
  }

  /** From now on the model sees this of the session. */
  show(view: View): void {
    this.#write({ type: "view", time: this.#now().toISOString(), ...this.#state.stored(view) });
  }

  /** Keeps a line that waits for a handover; none any more when it is left out. */
  hold(line?: Line): void {
    this.#write({ type: "held", ...line ? { line } : {} });
  }

  /** Notes that a person came back: this is the session to go on with. */
  enter(): void {
    this.#write({ type: "entered", time: this.#now().toISOString() });
  }

  /** Another session goes on in this one's place; it does so itself again when that is left out. */
  handOver(to?: string): void {
    const time = this.#now().toISOString();
    this.#write({ type: "handed_over", time, ...to === undefined ? {} : { to } });
  }

  /** Takes the last message back. */
  retract(): void {
    this.#write({ type: "retract" });
  }

  /** Counts tokens that left no message. */
  spend(usage: Usage): void {
    this.#write({ type: "usage", usage });
  }

  rename(name: string): void {
    this.#write({ type: "name", name });
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #write(...entries: readonly Entry[]): void {
    if (!this.#started) this.#start({});
    if (this.#path !== undefined) this.#put(...entries);
    for (const entry of entries) this.#state.apply(entry);
  }

  /** Makes the file with its first entry. */
  #start(more: { carried?: Carried; held?: Line }): void {
    const entry: Entry = {
      type: "session",
      version: 1,
      id: this.id,
      time: this.#now().toISOString(),
      workspace: this.#workspace,
      ...more,
    };
    if (this.#path !== undefined) this.#put(entry);
    this.#state.apply(entry);
    this.#started = true;
  }

  #open(path: string, create: boolean): void {
    const file = Deno.openSync(path, {
      read: true,
      write: true,
      create,
      ...(create ? { mode: 0o600 } : {}),
    });
    // The lock is freed by any death of this process, and keeps a second narnat from interleaving.
    if (!lock(file)) {
      file.close();
      throw new SessionBusy(this.id, this.#lang);
    }
    this.#file = file;
  }

  #put(...entries: readonly Entry[]): void {
    if (!this.#file) this.#open(this.#path!, !this.#started);
    const file = this.#file!;
    let rest = this.#encoder.encode(entries.map((one) => JSON.stringify(one) + "\n").join(""));
    const length = rest.length;
    try {
      file.seekSync(this.#offset, Deno.SeekMode.Start);
      while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
      file.syncDataSync();
    } catch (error) {
      // A half-written line would swallow the next one.
      try {
        file.truncateSync(this.#offset);
      } catch { /* the disk already refused once; the error below says so */ }
      throw error;
    }
    this.#offset += length;
  }
}

/** Takes the file's lock; false when another holds it. */
function lock(file: Deno.FsFile): boolean {
  for (let attempt = 0; attempt < 50; attempt++) {
    if (file.tryLockSync(true)) return true;
    // A program that another thread is starting inherits what we have just closed, for a moment.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  return false;
}

/** Another narnat holds this session. */
export class SessionBusy extends Error {
  override readonly name = "SessionBusy";
  constructor(id: string, lang: Lang) {
    super(say(lang, "session.busy", { id }));
  }
}

export interface SessionStoreOptions {
  /** Folder of the *.jsonl files; undefined keeps sessions in memory only. */
  readonly dir: string | undefined;
  readonly workspace: string;
  readonly lang: Lang;
  readonly now: () => Date;
  readonly random: () => number;
}

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
    else Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
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
    const session = new SessionFile(id, this.#path(id), this.#o);
    return { session, bad: session.load() };
  }

  /** Newest first; unreadable files are left out. */
  list(): SessionInfo[] {
    const infos = [...this.#unkept.values()].reverse().map(({ info }) => info);
    for (const id of this.#stored()) {
      try {
        const { info } = this.read(id);
        infos.push(this.#isBusy(info.id) ? { ...info, busy: true } : info);
      } catch { /* a file that cannot be read is not offered */ }
    }
    const begun = infos.filter((info) => info.messages > 0 || info.parent !== undefined);
    return begun.sort((a, b) => a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0);
  }

  /** Reads without taking the session's lock. */
  read(
    id: string,
  ): { info: SessionInfo; messages: readonly Message[]; carried: Carried | undefined } {
    const unkept = this.#unkept.get(id);
    if (unkept) return unkept;
    const state = new State(this.#o.workspace);
    for (const entry of readEntries(Deno.readFileSync(this.#path(id))).entries) state.apply(entry);
    return { info: state.info(id), messages: state.messages, carried: state.carried };
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

  /** Deletes a stored session. Throws SessionBusy while another narnat holds it. */
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
      throw error;
    }
  }

  /** Whether any narnat, this one too, holds the session at this moment. */
  #isBusy(id: string): boolean {
    const file = Deno.openSync(this.#path(id));
    try {
      return !file.tryLockSync(true);
    } finally {
      file.close();
    }
  }

  #path(id: string): string {
    const { dir } = this.#o;
    if (dir === undefined || !/^[\w.-]+$/.test(id)) throw new Deno.errors.NotFound(id);
    return under(dir, `${id}.jsonl`);
  }
}

/** Sessions: append-only JSONL, each record on disk before it is acted upon. */
import type {
  AssistantMessage,
  Lang,
  Message,
  SeenFile,
  Session,
  SessionInfo,
  Todo,
  ToolMessage,
  Usage,
} from "../types.ts";
import { say } from "../text.ts";
import { under } from "../under.ts";

/** One line of a session file. */
type Entry =
  | { type: "session"; version: 1; id: string; time: string; workspace: string }
  | { type: "name"; name: string }
  | {
    type: "message";
    time: string;
    message: Message;
    /** True on a line a person submitted. */
    asked?: true;
    usage?: Usage;
    seen?: readonly SeenFile[];
    todos?: readonly Todo[];
    cwd?: string;
  }
  /** Tokens spent on what left no message. */
  | { type: "usage"; usage: Usage }
  /** Takes the last message back: its turn failed before anything answered it. */
  | { type: "retract" };

/** What may accompany a message. */
export type MessageFacts = Omit<Extract<Entry, { type: "message" }>, "type" | "time" | "message">;

const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, cost: 0 };

/** Adds two usages; an unknown cost makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  };
}

/** The state an entry list folds into. */
class State {
  name = "";
  updated = "";
  messages: Message[] = [];
  turns = 0;
  todos: readonly Todo[] = [];
  seen = new Map<string, SeenFile>();
  cwd: string;
  usage: Usage = NO_USAGE;
  lastUsage: Usage | undefined;
  readonly #facts = new WeakMap<Message, MessageFacts>();

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  apply(entry: Entry): void {
    if (entry.type === "session") this.updated = entry.time;
    else if (entry.type === "name") this.name = entry.name;
    else if (entry.type === "usage") this.usage = addUsage(this.usage, entry.usage);
    else if (entry.type === "retract") {
      const last = this.messages.pop();
      const facts = last ? this.factsOf(last) : {};
      if (facts.asked) this.turns--;
      // What only that message showed must be read again.
      for (const file of facts.seen ?? []) this.seen.delete(file.path);
    } else {
      this.updated = entry.time;
      const { type: _type, time: _time, message, ...facts } = entry;
      this.messages.push(message);
      this.#facts.set(message, facts);
      if (entry.asked) this.turns++;
      if (entry.usage) {
        this.usage = addUsage(this.usage, entry.usage);
        this.lastUsage = entry.usage;
      }
      for (const file of entry.seen ?? []) this.seen.set(file.path, file);
      if (entry.todos) this.todos = entry.todos;
      if (entry.cwd !== undefined) this.cwd = entry.cwd;
    }
  }

  /** What accompanied a message; nothing for one that was filled in. */
  factsOf(message: Message): MessageFacts {
    return this.#facts.get(message) ?? {};
  }

  info(id: string): SessionInfo {
    const first = this.messages.find((m) => this.factsOf(m).asked) ??
      this.messages.find((m) => m.role === "user");
    return {
      id,
      name: this.name,
      updated: this.updated,
      turns: this.turns,
      messages: this.messages.length,
      title: first === undefined ? "" : (first.text.trim().split("\n")[0] ?? "").slice(0, 80),
    };
  }
}

/**
 * Makes calls and results pair: each call has one result right behind its message, `filler` where
 * there was none; results without a call are dropped. A pure function of the stored messages, so
 * nothing has to be written for the repair to last.
 */
export function pairCalls(messages: readonly Message[], filler: string): Message[] {
  const out: Message[] = [];
  let open: AssistantMessage["calls"] = [];
  let answers = new Map<string, ToolMessage>();
  const close = () => {
    for (const { id, name } of open) {
      out.push(answers.get(id) ?? { role: "tool", id, name, ok: false, text: filler });
    }
    open = [];
    answers = new Map();
  };
  for (const message of messages) {
    if (message.role === "tool") {
      answers.set(message.id, message);
      continue;
    }
    close();
    out.push(message);
    if (message.role === "assistant") open = message.calls;
  }
  close();
  return out;
}

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
  get turns() {
    return this.#state.turns;
  }
  get todos() {
    return this.#state.todos;
  }
  get seen(): ReadonlyMap<string, SeenFile> {
    return this.#state.seen;
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
  get prompts(): readonly string[] {
    return this.#asked().map((message) => message.text);
  }
  get info(): SessionInfo {
    return this.#state.info(this.id);
  }

  /** The messages before the prompt at `index`, with what accompanied them. */
  before(index: number): { message: Message; facts: MessageFacts }[] {
    const prompt = this.#asked()[index];
    if (!prompt) throw new RangeError(`no prompt ${index}`);
    const { messages } = this.#state;
    return messages.slice(0, messages.indexOf(prompt)).map((message) => ({
      message,
      facts: this.#state.factsOf(message),
    }));
  }

  #asked(): readonly Message[] {
    return this.#state.messages.filter((message) => this.#state.factsOf(message).asked);
  }

  /** Loads the file, repairs its tail and the pairing of calls; returns how many lines were unreadable. */
  load(): number {
    const path = this.#path!;
    this.#open(path, false);
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
    this.#state.messages = pairCalls(this.#state.messages, say(this.#lang, "tool.interrupted"));
  }

  /** Puts a message on disk, then into the session. Throws when the disk will not take it. */
  append(message: Message, facts: MessageFacts = {}): void {
    this.#write({ type: "message", time: this.#now().toISOString(), message, ...facts });
  }

  /** Puts many messages on disk at once; what they cost is not counted again. */
  copy(all: readonly { message: Message; facts: MessageFacts }[], usage: Usage): void {
    const time = this.#now().toISOString();
    const entries = all.map(({ message, facts: { usage: _usage, ...facts } }): Entry => ({
      type: "message",
      time,
      message,
      ...facts,
    }));
    this.#write(...entries, { type: "usage", usage });
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
    if (this.#path !== undefined) {
      if (!this.#file) {
        this.#open(this.#path, true);
        this.#put({
          type: "session",
          version: 1,
          id: this.id,
          time: this.#now().toISOString(),
          workspace: this.#workspace,
        });
      }
      this.#put(...entries);
    }
    for (const entry of entries) this.#state.apply(entry);
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
  for (let attempt = 0; attempt < 10; attempt++) {
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

  constructor(options: SessionStoreOptions) {
    this.#o = options;
  }

  /** An empty session; its file is made with the first message. */
  create(): SessionFile {
    const stamp = this.#o.now().toISOString().replace(/[-:]|\..*/g, "").replace("T", "-");
    const tail = Math.floor(this.#o.random() * 36 ** 4).toString(36).padStart(4, "0");
    const id = `${stamp}-${tail}`;
    if (this.#o.dir !== undefined) Deno.mkdirSync(this.#o.dir, { recursive: true, mode: 0o700 });
    return this.#file(id);
  }

  /** A new session that begins as `session` did before its prompt at `index`; it has cost what that one cost. */
  fork(session: SessionFile, index: number): SessionFile {
    const kept = session.before(index);
    const fork = this.create();
    const { input, output } = session.usage;
    if (kept.length > 0 || input + output > 0) fork.copy(kept, session.usage);
    return fork;
  }

  /** Opens a stored session. Throws SessionBusy, or Deno.errors.NotFound. */
  open(id: string): { session: SessionFile; bad: number } {
    const session = this.#file(id);
    const bad = session.load();
    return { session, bad };
  }

  /** Newest first; unreadable files are left out. */
  list(): SessionInfo[] {
    if (this.#o.dir === undefined) return [];
    const infos: SessionInfo[] = [];
    let names: Deno.DirEntry[];
    try {
      names = [...Deno.readDirSync(this.#o.dir)];
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
    for (const { name, isFile } of names) {
      if (!isFile || !name.endsWith(".jsonl")) continue;
      try {
        const { info } = this.read(name.slice(0, -".jsonl".length));
        if (info.messages === 0) continue;
        infos.push(this.#isBusy(info.id) ? { ...info, busy: true } : info);
      } catch { /* a file that cannot be read is not offered */ }
    }
    return infos.sort((a, b) => a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0);
  }

  /** Reads without taking the session's lock. */
  read(id: string): { info: SessionInfo; messages: readonly Message[] } {
    const state = new State(this.#o.workspace);
    for (const entry of readEntries(Deno.readFileSync(this.#path(id))).entries) state.apply(entry);
    return { info: state.info(id), messages: state.messages };
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
    const path = this.#path(id);
    const file = Deno.openSync(path, { read: true, write: true });
    try {
      if (!lock(file)) throw new SessionBusy(id, this.#o.lang);
    } finally {
      file.close();
    }
    Deno.removeSync(path);
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
    if (!/^[\w.-]+$/.test(id)) throw new Deno.errors.NotFound(id);
    return under(this.#o.dir ?? ".", `${id}.jsonl`);
  }

  #file(id: string): SessionFile {
    const path = this.#o.dir === undefined ? undefined : this.#path(id);
    return new SessionFile(id, path, this.#o);
  }
}

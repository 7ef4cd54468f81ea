/** One session: what its entries fold into, and the file that keeps them. */
import type {
  Carried,
  KeptPrompt,
  Line,
  Message,
  SeenFile,
  Session,
  SessionInfo,
  ToolCall,
  Usage,
  View,
} from "../base/types.ts";
import type { T } from "../base/t.ts";
import { NO_USAGE } from "../base/figures.ts";
import { errorMessage } from "../base/errors.ts";
import { type Befell, Journal, JournalBusy } from "./journal.ts";
import {
  allOf,
  type Draft,
  type Entry,
  type Happened,
  type MessageFacts,
  readEntries,
} from "./entries.ts";
import { State } from "./state.ts";

const NOTICES = {
  removed: "The session file was removed while in use; all of it has been written again: {path}",
  taken:
    "There is a session file {old} already, which is left as it is; this session goes on as {id}: {path}",
  replaced:
    "Another program has replaced or cut the file of the session {old}, which is left as it is; the session was written whole and goes on as {id}: {path}",
} as const;

/** Between two tries of a disk that has refused. */
const RETRY_MS = 2000;
/** A clock that is so much behind the last entry has been set back. */
const SET_BACK_MS = 60_000;

/** What a session is made with. */
export interface SessionFileOptions {
  readonly workspace: string;
  readonly t: T;
  readonly now: () => Date;
  /** Takes the session in when no disk has to the end; where nobody reads it any more. */
  readonly spare?: ((lines: string, id: string) => string | undefined) | undefined;
  /** Hides what may not be written. */
  readonly redactIn?: (<V>(value: V) => V) | undefined;
  /** Tells what nobody who listens to the session can be told any more. */
  readonly lastWords?: ((text: string) => void) | undefined;
}

/**
 * The one writer of a session. Each entry is in its file before its method returns, and what a
 * power cut may not take is synced; where the disk will not take it, the session goes on in memory,
 * says so once, and is written as soon as it can be.
 */
export class SessionFile implements Session {
  #id: string;
  #state: State;
  #journal: Journal | undefined;
  #started = false;
  /** The disk has refused, and it was told. */
  #refused = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #listener: ((text: string) => void) | undefined;
  #untold: string[] = [];
  #open: readonly ToolCall[] = [];
  /** So far an answer has come, and so much of that is on disk. */
  #draft = "";
  #drafted = 0;
  #isCut = false;
  /** Of a session that has not begun. */
  #prompt: KeptPrompt | undefined;
  /** Time of the entry behind which the clock was told to be. */
  #setBack = "";
  readonly #o: SessionFileOptions;

  constructor(id: string, path: string | undefined, options: SessionFileOptions) {
    this.#id = id;
    this.#journal = path === undefined ? undefined : new Journal(path, true);
    this.#o = options;
    this.#state = new State(options.workspace);
  }

  /** Loads a stored one, repairs its tail and the pairing of calls; `bad` counts unreadable lines. Throws SessionBusy. */
  static load(id: string, path: string, options: SessionFileOptions) {
    const session = new SessionFile(id, undefined, options);
    return { session, bad: session.#load(path) };
  }

  /** Changes when another file has taken its place on disk. */
  get id() {
    return this.#id;
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
  /** What its requests began with, the newest last. */
  get keptPrompts(): readonly KeptPrompt[] {
    return this.#state.prompts;
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

  get meanOutput() {
    const { count, output } = this.#state.answers;
    return count === 0 ? undefined : output / count;
  }
  get prompts(): readonly string[] {
    return this.#asked().map((message) => message.text);
  }
  get info(): SessionInfo {
    return this.#state.info(this.id);
  }
  /** All that its file is to hold. */
  get entries(): readonly Entry[] {
    return this.#state.entries;
  }
  /** What its last turn was run with. */
  get run() {
    return this.#state.run;
  }
  /** Hears what becomes of the session's file; what was not told yet is told at once. */
  set onDisk(listener: (text: string) => void) {
    this.#listener = listener;
    for (const text of this.takeUntold()) listener(text);
  }

  /** What nobody has been told yet of the session's file. */
  takeUntold(): string[] {
    return this.#untold.splice(0);
  }

  #asked(): readonly Message[] {
    return this.#state.messages.filter((message) => this.#state.factsOf(message).asked);
  }

  #load(path: string): number {
    const journal = new Journal(path, false);
    let bytes: Uint8Array;
    try {
      bytes = journal.read();
    } catch (error) {
      throw error instanceof JournalBusy ? new SessionBusy(this.id, this.#o.t) : error;
    }
    this.#journal = journal;
    this.#started = true;
    const lines = readEntries(bytes);
    const { entries, bad, whole, drafted, cut } = lines;
    for (const entry of allOf(lines)) this.#apply(entry);
    this.#isCut = cut !== undefined;
    // what the tail holds whole is written again, with its end
    journal.settle(entries.length, whole, drafted);
    if (journal.refusal !== undefined) this.#refuse(journal.refusal);
    this.#open = this.#state.open();
    this.pair();
    return bad;
  }

  /** The calls at its end that had no result when it was loaded: narnat has ended amid them. */
  get openCalls(): readonly ToolCall[] {
    return this.#open;
  }

  /** Whether narnat was killed amid the answer at its end; asked once. */
  takeCut(): boolean {
    const isCut = this.#isCut;
    this.#isCut = false;
    return isCut;
  }

  /** Gives the open calls results that say what is known, in the order of the calls. */
  settle(texts: readonly string[]): void {
    const open = this.#open;
    this.#open = [];
    for (const [at, { id, name }] of open.entries()) {
      this.append({ role: "tool", id, name, ok: false, text: texts[at]! });
    }
    this.pair();
  }

  /** Fills open calls in memory, as a later load would. */
  pair(): void {
    this.#state.pair(this.#o.t("interrupted"));
  }

  /** Puts a message into the session, and on disk. */
  append(message: Message, facts: MessageFacts = {}): void {
    this.#write({ type: "message", time: this.#time(), message, ...facts });
  }

  /**
   * Keeps what has come of an answer, so that a kill does not take it, until its message is there;
   * nothing any more when it is empty. What the disk refuses is only a draft.
   */
  draft(text: string): void {
    this.#draft = text;
    const more = text.slice(this.#drafted);
    if (!this.#journal || !this.#started || this.#refused || text !== "" && more === "") return;
    const time = this.#o.now().toISOString();
    const draft: Draft = { type: "draft", time, text: more };
    try {
      this.#journal.draft(text === "" ? undefined : this.#o.redactIn?.(draft) ?? draft);
      this.#drafted = text.length;
    } catch { /* the message itself will be told of */ }
  }

  /** Keeps what happened, for a replay; nothing of a session that has not begun. */
  record(event: Happened): void {
    if (this.#started) this.#write({ type: "event", time: this.#time(), event });
  }

  /** Begins as `other` did before its prompt at `index`; it has cost what that one cost. */
  begin(other: SessionFile, index: number): void {
    const prompt = other.#asked()[index];
    if (!prompt) throw new RangeError(`no prompt ${index}`);
    const kept = other.#state.before(other.messages.indexOf(prompt), this.#time());
    const { carried, usage: { input, output } } = other;
    if (carried) this.#start({ carried: { ...carried, usage: NO_USAGE } });
    if (kept.length === 0 && input + output === 0) return void (carried && this.#save());
    const prompts = other.keptPrompts.map((prompt) => ({ ...prompt, type: "prompt" }) as const);
    this.#write(...prompts, ...kept, { type: "usage", usage: other.usage });
    this.pair();
  }

  /** Begins where another session's handover ends. Throws when that is not on disk: then it has not begun. */
  inherit(carried: Carried, held: Line | undefined): void {
    this.#start({ carried, ...held ? { held } : {} });
    const why = this.#save();
    if (why === undefined) return;
    this.#untold = [];
    this.#waitNoMore();
    this.#journal?.close();
    this.#journal = undefined;
    throw why;
  }

  /** From now on the model sees this of the session. */
  show(view: View): void {
    this.#write({ type: "view", time: this.#time(), ...this.#state.stored(view) });
  }

  /** Keeps what its requests begin with from now on. */
  keepPrompt(prompt: KeptPrompt): void {
    if (this.#started) this.#write({ type: "prompt", ...prompt });
    else this.#prompt = prompt;
  }

  /** Keeps a line that waits for a handover; none any more when it is left out. */
  hold(line?: Line): void {
    this.#write({ type: "held", ...line ? { line } : {} });
  }

  /** Notes that a person came back: this is the session to go on with. */
  enter(): void {
    this.#write({ type: "entered", time: this.#time() });
  }

  /** Another session goes on in this one's place; it does so itself again when that is left out. */
  handOver(to?: string): void {
    this.#write({ type: "handed_over", time: this.#time(), ...to === undefined ? {} : { to } });
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

  /** Has the disk take what a model said and what was read: something is to be done, or a turn ends. */
  sync(): void {
    try {
      this.#journal?.sync();
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Lets go of the file. What the disk has refused to the end is kept elsewhere, and told. */
  close(): void {
    this.sync();
    this.#waitNoMore();
    if (this.#refused) this.#listener = this.#o.lastWords ?? (() => {});
    const why = this.#journal && this.#refused ? this.#save() : undefined;
    this.#waitNoMore();
    if (why !== undefined) this.spare(wordsOf(why, this.id, this.#o.t));
    this.#journal?.close();
    // a session that is left is written no more
    this.#refused = false;
  }

  /** Has all of it, if there is any, kept elsewhere, and tells. */
  spare(why: string): void {
    if (this.entries.length === 0) return;
    const { lastWords, spare, t } = this.#o;
    const lines = this.entries.map((entry) => JSON.stringify(entry) + "\n").join("");
    const path = spare?.(lines, this.id);
    const values = { id: this.id, why, path: path ?? "" };
    lastWords?.(
      t(
        path === undefined
          ? "The end of the session {id} could not be kept, as the disk did not take it to the last: {why}"
          : "The disk did not take it to the last ({why}): all of the session {id} is kept in {path}; copy it to .narnat/sessions/{id}.jsonl to go on with it",
        values,
      ),
    );
  }

  #time(): string {
    const now = this.#o.now();
    const before = Date.parse(this.#state.updated);
    if (before - now.getTime() > SET_BACK_MS) this.#tellClock(before - now.getTime());
    return now.toISOString();
  }

  #tellClock(ms: number): void {
    if (this.#setBack === this.#state.updated) return;
    this.#setBack = this.#state.updated;
    const minutes = Math.round(ms / 60_000);
    const by = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
    this.#tell(
      this.#o.t(
        "The system clock was set back by about {by}; the session goes on, its order is that of the file",
        { by },
      ),
    );
  }

  #tell(text: string): void {
    if (this.#listener) this.#listener(text);
    else this.#untold.push(text);
  }

  #write(...entries: readonly Entry[]): void {
    if (!this.#started) this.#start({});
    for (const entry of entries) this.#apply(entry);
    this.#save();
    this.#drafted = 0;
    if (entries.some(({ type }) => type === "message" || type === "retract")) this.#draft = "";
    // what was only told beside it has taken its place
    else if (this.#draft !== "") this.draft(this.#draft);
  }

  /** The look for secrets where text leaves for the disk; it is the first one that a person's line meets. */
  #apply(entry: Entry): void {
    this.#state.apply(this.#o.redactIn?.(entry) ?? entry);
  }

  /** Makes the first entry; to save it is the caller's. */
  #start(more: { carried?: Carried; held?: Line }): void {
    this.#started = true;
    const { workspace } = this.#o;
    this.#apply(
      { type: "session", version: 1, id: this.id, time: this.#time(), workspace, ...more },
    );
    if (this.#prompt) this.#apply({ type: "prompt", ...this.#prompt });
  }

  /** Brings the file up to the entries; returns why it is not. */
  #save(): unknown {
    const journal = this.#journal;
    if (journal === undefined) return undefined;
    const { entries } = this.#state;
    const sync = this.#refused || entries.slice(journal.count).some(isFact);
    try {
      this.#befell(journal.save(entries, sync), journal.path);
    } catch (error) {
      this.#refuse(error);
      return error;
    }
    this.#waitNoMore();
    const again = this.#refused;
    this.#refused = false;
    if (again) {
      this.#tell(
        this.#o.t("The session file can be written again, and has all of the session now: {path}", {
          path: journal.path,
        }),
      );
    }
    return undefined;
  }

  #befell(what: Befell | undefined, path: string): void {
    if (what === undefined) return;
    const old = this.#id;
    this.#id = path.slice(path.lastIndexOf(Deno.build.os === "windows" ? "\\" : "/") + 1, -6);
    this.#tell(this.#o.t(NOTICES[what], { path, id: this.#id, old }));
  }

  #refuse(why: unknown): void {
    const { t } = this.#o;
    const first = !this.#refused;
    this.#refused = true;
    this.#retry ??= this.#later();
    if (!first) return;
    const path = this.#journal?.path ?? "";
    // who hears it may have it recorded: that comes here again
    this.#tell(
      t(
        "Cannot write the session file {path}: {why}. What it holds is intact; the session goes on in memory and is written as soon as the disk takes it. Free space or check the permissions",
        { path, why: wordsOf(why, this.id, t) },
      ),
    );
  }

  /** The first timer of a process is dear, even to clear. */
  #waitNoMore(): void {
    if (this.#retry !== undefined) clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #later(): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#retry = undefined;
      this.#save();
    }, RETRY_MS);
    Deno.unrefTimer(timer);
    return timer;
  }
}

/** Whether an entry must outlive a power cut before anything else is done; the others follow with it, or with `sync`. */
const isFact = (entry: Entry) =>
  entry.type !== "event" && (entry.type !== "message" || entry.message.role === "user");

function wordsOf(why: unknown, id: string, t: T): string {
  return errorMessage(why instanceof JournalBusy ? new SessionBusy(id, t) : why);
}

/** Another narnat holds this session. */
export class SessionBusy extends Error {
  override readonly name = "SessionBusy";
  constructor(id: string, t: T) {
    super(
      t(
        "Cannot open session {id}: another narnat is using it. Leave that one first, or choose another session",
        { id },
      ),
    );
  }
}

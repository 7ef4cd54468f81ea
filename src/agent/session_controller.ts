/** What commands and the screen may do with a lane. */
import type {
  Agents,
  Answer,
  BudgetState,
  Checkpoints,
  EventBody,
  Memory,
  Permission,
  Question,
  SearchHits,
  Servers,
  Session,
  SessionController,
  SessionInfo,
  Share,
  Skill,
  Theme,
  Usage,
  Withheld,
} from "../base/types.ts";
import { HOST_MARK, type T } from "../base/t.ts";
import type { AgentOptions } from "./agent_options.ts";
import type { BackgroundTasks } from "./background_tasks.ts";
import type { Budget } from "./budget.ts";
import type { Consent, ReadOnlyMode } from "./consent.ts";
import type { Current } from "./current_session.ts";

/** What a session that is left behind may still take to be summarised. */
const ARCHIVE_GRACE_MS = 3000;

export interface ControllerParts {
  readonly options: AgentOptions;
  readonly current: Current;
  readonly budget: Budget;
  readonly consent: Consent;
  readonly background: BackgroundTasks;
  readonly agents: Agents;
  readonly readOnly: ReadOnlyMode;
  emit(event: EventBody): void;
  /** Tells what came of work beside the turns. */
  notifyBackground(level: "info" | "warn", text: string): void;
  /** Does what puts another session in the place of this one, for which nobody works any more then. */
  leaving<V>(go: () => V): V;
  /** As SessionController.stop. */
  stop(): boolean;
  /** Hands the session over. Throws with the reason. */
  handOver(focus: string, signal: AbortSignal): Promise<void>;
}

export class LaneController implements SessionController {
  readonly t: T;
  readonly workspace: string;
  readonly permission: Permission;
  readonly sandbox: SessionController["sandbox"];
  readonly version: string;
  readonly memory: Memory;
  readonly checkpoints: Checkpoints;
  readonly agents: Agents;
  readonly servers: Servers;
  readonly #parts: ControllerParts;
  #theme: Theme;
  /** Of all that commands wait for. */
  #waiting = new AbortController();
  #given: string | undefined;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    const { options: o } = parts;
    this.t = o.t;
    this.workspace = o.workspace;
    this.permission = o.permission;
    this.sandbox = o.sandbox;
    this.version = o.version;
    this.memory = o.memory;
    this.checkpoints = o.checkpoints;
    this.agents = parts.agents;
    this.servers = o.servers;
    this.#theme = o.theme;
  }

  /** Returns the line that a command has given back to the user, once. */
  takeGiven(): string | undefined {
    const prompt = this.#given;
    this.#given = undefined;
    return prompt;
  }

  /** Stops what a command waits for. */
  stopWaiting(): void {
    this.#waiting.abort();
    this.#waiting = new AbortController();
  }

  get planMode(): boolean {
    return this.#parts.readOnly.on;
  }

  usePlanMode(on: boolean): void {
    this.#parts.readOnly.use(on);
  }

  ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    const stops = signal ? [signal, this.#waiting.signal] : [this.#waiting.signal];
    return this.#parts.consent.ask(question, AbortSignal.any(stops));
  }

  search(words: string): Promise<SearchHits> {
    return this.#parts.options.search(words, (text) => this.#parts.notifyBackground("info", text));
  }

  exit(): void {
    this.#parts.options.onExit();
  }

  get model(): string {
    return this.#parts.current.modelName;
  }

  get window(): number | undefined {
    return this.#parts.current.contextManager.window;
  }

  get endpoint(): string {
    return this.#parts.options.models.hostOf(this.model);
  }

  current(): Session {
    return this.#parts.current.session;
  }

  async shares(): Promise<readonly Share[]> {
    const { contextManager, session } = this.#parts.current;
    await contextManager.ready();
    return contextManager.shares(session);
  }

  async skills(): Promise<readonly Skill[]> {
    const { contextManager } = this.#parts.current;
    await contextManager.ready();
    return contextManager.skills;
  }

  async withheld(): Promise<readonly Withheld[]> {
    const { contextManager } = this.#parts.current;
    await contextManager.ready();
    return contextManager.withheld();
  }

  list(): Promise<readonly SessionInfo[]> {
    return Promise.resolve(this.#parts.options.store.list());
  }

  save(name: string): Promise<SessionInfo> {
    const { session } = this.#parts.current;
    session.rename(name);
    return Promise.resolve(session.info);
  }

  async enter(which: string): Promise<SessionInfo> {
    const { current } = this.#parts;
    const { info, bad } = this.#parts.leaving(() => current.enter(which));
    const unreadable = bad === 0 ? [] : [
      this.t(
        "{n} {n:line|lines} of the session file could not be read and {n:was|were} skipped",
        { n: bad },
      ),
    ];
    for (const text of [...unreadable, ...await current.settle()]) this.#warn(text);
    return info;
  }

  async remove(which: string): Promise<SessionInfo | undefined> {
    const { current, consent, options: { store } } = this.#parts;
    const info = current.find(which);
    const { id, name, title, turns } = info;
    if (id === current.session.id) {
      throw new Error(
        this.t("Cannot delete the session in use: start a new one with /clear first"),
      );
    }
    const question = this.t(
      "Delete the stored session {id} ({title}, {turns} {turns:turn|turns})? It cannot be brought back",
      { id, title: name || title, turns },
    );
    if (!await consent.ask({ kind: "delete", question }, this.#waiting.signal)) return undefined;
    store.remove(id);
    return info;
  }

  fresh(archived?: "archived"): Promise<boolean> {
    const { current, background, options: { store }, notifyBackground } = this.#parts;
    // where no memory is kept, a summary would be paid for and thrown away
    const work = this.#parts.leaving(() =>
      archived && this.memory.dir !== undefined
        ? current.archive(background.spend)
        : current.take(store.create())
    );
    if (work) background.start(work, notifyBackground, ARCHIVE_GRACE_MS);
    return Promise.resolve(work !== undefined);
  }

  // deno-lint-ignore require-await -- a wrong index rejects
  async back(index: number): Promise<void> {
    const { current, options: { store } } = this.#parts;
    const prompt = current.session.prompts[index];
    if (prompt === undefined) throw new RangeError(`no prompt ${index}`);
    this.#parts.leaving(() => current.take(store.fork(current.session, index)));
    this.#given = prompt;
  }

  async compact(focus: string): Promise<SessionInfo> {
    const { current, budget } = this.#parts;
    const { signal } = this.#waiting;
    const no = current.session.view.length === 0
      ? this.t("There is nothing to compress yet")
      : await budget.over(current);
    if (no !== undefined) throw new Error(no);
    try {
      await this.#parts.handOver(focus, signal);
    } catch (error) {
      throw signal.aborted
        ? new Error(
          this.t(
            "Cancelled; the session is unchanged. (The cost of the cancelled request is unknown and not in /cost.)",
          ),
        )
        : error;
    }
    return current.session.info;
  }

  async undoCompact(): Promise<SessionInfo> {
    const { current } = this.#parts;
    const parent = current.session.carried?.parent;
    if (parent === undefined) {
      throw new Error(
        this.t("This session did not begin with a summary: there is none to go back to"),
      );
    }
    const { info } = this.#parts.leaving(() => current.enter(parent));
    for (const text of await current.settle()) this.#warn(text);
    current.session.handOver();
    const most = current.contextManager.mostTurns;
    if (info.turns >= most) {
      this.#warn(
        this.t(
          "This session has its {most} turns: the next question compresses it again, at full cost. /back goes on from an earlier prompt in a session of its own; /show and /export only look at it",
          { most },
        ),
      );
    }
    return info;
  }

  models(): Promise<readonly string[]> {
    return this.#parts.options.models.list();
  }

  useModel(name: string): Promise<void> {
    return this.#parts.current.useModel(name);
  }

  stop(): boolean {
    return this.#parts.stop();
  }

  note(text: string): void {
    const { session } = this.#parts.current;
    if (session.messages.length === 0) return;
    session.append({ role: "user", text: `${HOST_MARK} ${text}` });
  }

  copy(text: string): void {
    this.#parts.emit({ type: "copy", text });
  }

  edit(path: string): void {
    this.#parts.emit({ type: "edit", path });
  }

  get backgroundUsage(): Usage {
    return this.#parts.background.usage;
  }

  budget(): Promise<BudgetState> {
    return this.#parts.budget.state();
  }

  background(work: (signal: AbortSignal) => Promise<string>, begin?: string): void {
    const { background, notifyBackground } = this.#parts;
    if (begin !== undefined) notifyBackground("info", begin);
    background.start(work, notifyBackground);
  }

  stopBackground(): void {
    this.#parts.background.stop();
  }

  get theme(): Theme {
    return this.#theme;
  }

  useTheme(theme: Theme): Promise<string | undefined> {
    this.#theme = theme;
    this.#parts.emit({ type: "theme", theme });
    return this.#parts.options.keepTheme(theme);
  }

  #warn(text: string): void {
    this.#parts.emit({ type: "notice", level: "warn", text });
  }
}

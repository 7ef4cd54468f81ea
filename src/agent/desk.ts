/** A lane's narrow face for slash commands and the screen. */
import type { Agents, Desk, EventBody } from "../base/types.ts";
import { HOST_MARK, say } from "../base/text.ts";
import type { AgentOptions } from "./agent_options.ts";
import type { Beside } from "./beside.ts";
import type { Budget } from "./budget.ts";
import type { Consent } from "./consent.ts";
import type { Current } from "./current.ts";
import type { ReadOnlyMode } from "./read_only_mode.ts";

/** What a session that is left behind may still take to be summarised. */
const ARCHIVE_GRACE_MS = 3000;

export interface DeskParts {
  readonly options: AgentOptions;
  readonly current: Current;
  readonly budget: Budget;
  readonly consent: Consent;
  readonly beside: Beside;
  readonly agents: Agents;
  readonly readOnly: ReadOnlyMode;
  emit(event: EventBody): void;
  /** Tells what came of work beside the turns. */
  tellBeside(level: "info" | "warn", text: string): void;
  /** Does what puts another session in the place of this one, for which nobody works any more then. */
  leaving<T>(go: () => T): T;
  /** As Desk.stop. */
  stop(): boolean;
  /** Hands the session over. Throws with the reason. */
  handOver(focus: string, signal: AbortSignal): Promise<void>;
}

/** The desk, and what its lane has to know of it. */
export interface LaneDesk {
  readonly desk: Desk;
  /** The line that a command has given back to the user, once. */
  takeGiven(): string | undefined;
  /** Stops what a command waits for. */
  stop(): void;
}

export function createDesk(parts: DeskParts): LaneDesk {
  const { options: o, current, consent, beside, emit, tellBeside } = parts;
  const { lang, store } = o;
  let theme = o.theme;
  /** Of all that commands wait for. */
  let waiting = new AbortController();
  let given: string | undefined;

  const desk: Desk = {
    lang,
    workspace: o.workspace,
    permission: o.permission,
    sandbox: o.sandbox,
    version: o.version,
    memory: o.memory,
    checkpoints: o.checkpoints,
    agents: parts.agents,
    servers: o.servers,
    get planMode() {
      return parts.readOnly.on;
    },
    usePlanMode: (on) => parts.readOnly.use(on),
    ask: (question, signal) => {
      const stops = signal ? [signal, waiting.signal] : [waiting.signal];
      return consent.ask(question, AbortSignal.any(stops));
    },
    search: (words) => o.search(words, (text) => tellBeside("info", text)),
    exit: o.onExit,
    get model() {
      return current.modelName;
    },
    get window() {
      return current.keeper.window;
    },
    get endpoint() {
      return o.models.hostOf(current.modelName);
    },
    current: () => current.session,
    async shares() {
      await current.keeper.ready();
      return current.keeper.shares(current.session);
    },
    async skills() {
      await current.keeper.ready();
      return current.keeper.skills;
    },
    async withheld() {
      await current.keeper.ready();
      return current.keeper.withheld();
    },
    list: () => Promise.resolve(store.list()),
    save(name) {
      current.session.rename(name);
      return Promise.resolve(current.session.info);
    },
    async enter(which) {
      const { info, bad } = parts.leaving(() => current.enter(which));
      const n = bad === 0 ? [] : [say(lang, "cli.bad_lines", { n: bad })];
      for (const text of [...n, ...await current.settle()]) {
        emit({ type: "notice", level: "warn", text });
      }
      return info;
    },
    async remove(which) {
      const info = current.find(which);
      if (info.id === current.session.id) throw new Error(say(lang, "session.remove_current"));
      const { id, name, title, turns } = info;
      const question = say(lang, "ask.session", { id, title: name || title, turns });
      if (!await consent.ask({ kind: "delete", question }, waiting.signal)) return undefined;
      store.remove(info.id);
      return info;
    },
    fresh(archived) {
      // where no memory is kept, a summary would be paid for and thrown away
      const work = parts.leaving(() =>
        archived && o.memory.dir !== undefined
          ? current.archive(beside.spend)
          : current.take(store.create())
      );
      if (work) beside.start(work, tellBeside, ARCHIVE_GRACE_MS);
      return Promise.resolve(work !== undefined);
    },
    back(index) {
      const prompt = current.session.prompts[index];
      if (prompt === undefined) throw new RangeError(`no prompt ${index}`);
      parts.leaving(() => current.take(store.fork(current.session, index)));
      given = prompt;
      return Promise.resolve();
    },
    async compact(focus) {
      const { signal } = waiting;
      const no = current.session.view.length === 0
        ? say(lang, "compact.nothing")
        : await parts.budget.over(current);
      if (no !== undefined) throw new Error(no);
      try {
        await parts.handOver(focus, signal);
      } catch (error) {
        throw signal.aborted ? new Error(say(lang, "compact.stopped")) : error;
      }
      return current.session.info;
    },
    async undoCompact() {
      const parent = current.session.carried?.parent;
      if (parent === undefined) throw new Error(say(lang, "compact.nothing_to_undo"));
      const { info } = parts.leaving(() => current.enter(parent));
      for (const text of await current.settle()) emit({ type: "notice", level: "warn", text });
      current.session.handOver();
      const most = current.keeper.mostTurns;
      if (info.turns >= most) {
        emit({ type: "notice", level: "warn", text: say(lang, "compact.undone_full", { most }) });
      }
      return info;
    },
    models: () => o.models.list(),
    useModel: (name) => current.useModel(name),
    stop: parts.stop,
    note(text) {
      if (current.session.messages.length === 0) return;
      current.session.append({ role: "user", text: `${HOST_MARK} ${text}` });
    },
    copy: (text) => emit({ type: "copy", text }),
    edit: (path) => emit({ type: "edit", path }),
    get besideUsage() {
      return beside.usage;
    },
    budget: () => parts.budget.state(),
    beside(work, begin) {
      if (begin !== undefined) tellBeside("info", begin);
      beside.start(work, tellBeside);
    },
    stopBeside: () => beside.stop(),
    get theme() {
      return theme;
    },
    useTheme(next) {
      theme = next;
      emit({ type: "theme", theme });
      return o.keepTheme(theme);
    },
  };
  return {
    desk,
    takeGiven() {
      const prompt = given;
      given = undefined;
      return prompt;
    },
    stop() {
      waiting.abort();
      waiting = new AbortController();
    },
  };
}

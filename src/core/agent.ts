/** Lanes: lines in, turns run one at a time per lane, events out. */
import type {
  AgentEvent,
  Bus,
  Command,
  Desk,
  EventBody,
  Inbound,
  Keeper,
  Lang,
  Line,
  ModelClient,
  ModelError,
  Permission,
  Session,
  SessionInfo,
  Theme,
  Toolbox,
  TurnEndReason,
} from "../types.ts";
import { nearest } from "../nearest.ts";
import type { Log } from "../log.ts";
import { say } from "../text.ts";
import { under } from "../under.ts";
import { createFan } from "./bus.ts";
import { type Answering, createConsent } from "./consent.ts";
import { runTurn, type TurnHost, type TurnLimits } from "./loop.ts";
import type { SessionFile, SessionStore } from "./session.ts";
import { runShellLine, shellCommand } from "./shell_line.ts";

/** What the agent is handed; it imports none of it. */
export interface AgentOptions {
  readonly model: ModelClient;
  readonly modelName: string;
  readonly models: Models;
  readonly toolbox: Toolbox;
  /** Called for each session that a lane opens, and when the lane takes another model. */
  readonly keeper: (session: Session, model: string) => Keeper;
  readonly commands: readonly Command[];
  readonly store: SessionStore;
  readonly limits: TurnLimits;
  readonly answering: Answering;
  readonly permission: Permission;
  readonly lang: Lang;
  readonly version: string;
  readonly workspace: string;
  /** Media types of the images that the model takes. */
  readonly imageTypes: readonly string[];
  /** Parent of the per-session folders for full copies of cut output. */
  readonly outputDir: string;
  readonly env: { readonly [name: string]: string };
  readonly log: Log;
  /** Replaces the provider's key in what tools bring. */
  readonly hide: (text: string) => string;
  readonly describe: (error: ModelError) => string;
  /** Wall clock and a clock that does not jump, in milliseconds. */
  readonly now: () => Date;
  readonly monotonic: () => number;
  readonly uuid: () => string;
  /** The user's choice of colours so far. */
  readonly theme: Theme;
  /** Keeps the user's choice of colours; returns why it cannot, or undefined. */
  readonly keepTheme: (theme: Theme) => string | undefined;
  /** The user asked to leave. */
  readonly onExit: () => void;
}

/** The models there are besides the one at hand. */
export interface Models {
  /** Names; throws when the provider does not tell. */
  list(): Promise<readonly string[]>;
  /** Throws when it cannot be had as configured. */
  open(name: string): Promise<OpenModel>;
  /** Host that a model is asked at; empty for one that asks nobody. */
  hostOf(name: string): string;
}

export interface OpenModel {
  readonly client: ModelClient;
  readonly imageTypes: readonly string[];
}

export interface Agent {
  readonly bus: Bus;
  /** The face of the lane `main`. */
  readonly desk: Desk;
  /** Makes a stored session (id, its beginning, name or number) the current one of the lane `main`; returns the number of unreadable lines. */
  resume(which: string): number;
  /** Resolves when no lane has anything to do. */
  idle(): Promise<void>;
  /** Stops all turns and closes the session files. */
  close(): Promise<void>;
}

interface Lane {
  receive(inbound: Inbound): void;
  readonly desk: Desk;
  resume(id: string): number;
  busy(): boolean;
  stop(): void;
  close(): void;
}

/** A slash line is a slash and one word, so that a pasted path is not taken for one. */
const SLASH = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/;

/** Makes the agent; lanes come into being with their first Inbound. */
export function createAgent(options: AgentOptions): Agent {
  const { log } = options;
  const fan = createFan((error) => log.error("core.bus", String((error as Error)?.stack ?? error)));
  const lanes = new Map<string, Lane>();
  let waiting: (() => void)[] = [];
  const busy = () => [...lanes.values()].some((lane) => lane.busy());
  const onIdle = () => {
    if (busy()) return;
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  const lane = (key: string): Lane => {
    let found = lanes.get(key);
    if (!found) lanes.set(key, found = createLane(key, options, fan.emit, onIdle));
    return found;
  };
  const idle = () =>
    busy() ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve();
  return {
    bus: {
      send: (inbound) => lane(inbound.session).receive(inbound),
      subscribe: (listener, session) => fan.subscribe(listener, session),
    },
    get desk() {
      return lane("main").desk;
    },
    resume: (id) => lane("main").resume(id),
    idle,
    async close() {
      for (const each of lanes.values()) each.stop();
      await idle();
      for (const each of lanes.values()) each.close();
    },
  };
}

function createLane(
  key: string,
  o: AgentOptions,
  send: (lane: string, event: AgentEvent) => void,
  onIdle: () => void,
): Lane {
  const { lang, log, store } = o;
  let session: SessionFile = store.create();
  let modelName = o.modelName;
  let model: OpenModel = { client: o.model, imageTypes: o.imageTypes };
  let keeper = o.keeper(session, modelName);
  let theme = o.theme;
  let lines: Line[] = [];
  let running = false;
  let turn: AbortController | undefined;
  /** Of a command's question. */
  let asking: AbortController | undefined;
  let turnNumber = 0;
  /** A line that a command gives back to the user. */
  let given: string | undefined;

  const emit = (body: EventBody): void =>
    send(key, {
      ...body,
      session: session.id,
      turn: turnNumber,
      time: o.now().toISOString(),
    });
  // Who wants to be asked about everything has not allowed a command for its delete.
  const answering = o.permission === "ask" && o.answering === "allow_delete" ? "deny" : o.answering;
  const consent = createConsent(answering, emit, () => o.uuid().slice(0, 8));

  const take = (next: SessionFile) => {
    if (next !== session) session.close();
    session = next;
    keeper = o.keeper(session, modelName);
  };
  const find = (which: string): SessionInfo => {
    const info = store.find(which);
    if (!info) throw new Error(say(lang, "session.not_found", { which }));
    return info;
  };
  const desk: Desk = {
    lang,
    get model() {
      return modelName;
    },
    get endpoint() {
      return o.models.hostOf(modelName);
    },
    workspace: o.workspace,
    permission: o.permission,
    version: o.version,
    current: () => session,
    list: () => Promise.resolve(store.list()),
    save(name) {
      session.rename(name);
      return Promise.resolve(session.info);
    },
    enter(which) {
      const info = find(which);
      if (info.id !== session.id) take(store.open(info.id).session);
      return Promise.resolve(info);
    },
    async remove(which) {
      const info = find(which);
      if (info.id === session.id) throw new Error(say(lang, "session.remove_current"));
      const { id, name, title, turns } = info;
      const question = say(lang, "ask.session", { id, title: name || title, turns });
      asking = new AbortController();
      if (!await consent.ask({ kind: "delete", question }, asking.signal)) return undefined;
      store.remove(info.id);
      return info;
    },
    fresh() {
      take(store.create());
      return Promise.resolve();
    },
    back(index) {
      const prompt = session.prompts[index];
      if (prompt === undefined) throw new RangeError(`no prompt ${index}`);
      take(store.fork(session, index));
      given = prompt;
      return Promise.resolve();
    },
    models: () => o.models.list(),
    async useModel(name) {
      model = await o.models.open(name);
      modelName = name;
      // The prompt names the model. Another model has no cached prefix to lose, and the way back
      // finds the same bytes again.
      keeper = o.keeper(session, modelName);
    },
    copy: (text) => emit({ type: "copy", text }),
    get theme() {
      return theme;
    },
    useTheme(next) {
      theme = next;
      emit({ type: "theme", theme });
      return o.keepTheme(theme);
    },
    exit: o.onExit,
  };

  const commandNamed = (name: string) => o.commands.find((c) => c.name === name);

  /** Runs a command and tells what it says. */
  async function answerCommand(name: string, args: string): Promise<void> {
    const command = commandNamed(name);
    try {
      if (!command) {
        const near = nearest(name, o.commands.map((c) => c.name))[0];
        throw new Error(
          say(lang, near ? "command.unknown_near" : "command.unknown", { name, near: near ?? "" }),
        );
      }
      const text = await command.run(args.trim(), desk);
      if (text !== "") emit({ type: "notice", level: "info", text });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      emit({ type: "notice", level: "warn", text });
    }
  }

  async function runCommand(name: string, args: string): Promise<void> {
    const began = o.monotonic();
    turnNumber = 0;
    await answerCommand(name, args);
    const prompt = given;
    given = undefined;
    emit({
      type: "turn_end",
      reason: "command",
      ...(prompt === undefined ? {} : { prompt }),
      iterations: 0,
      ms: Math.round(o.monotonic() - began),
    });
  }

  const host = (signal: AbortSignal): TurnHost => ({
    session,
    keeper,
    model: model.client,
    modelName,
    toolbox: o.toolbox,
    limits: o.limits,
    lang,
    permission: o.permission,
    workspace: o.workspace,
    imageTypes: model.imageTypes,
    outputDir: under(o.outputDir, session.id),
    env: o.env,
    log,
    signal,
    hide: o.hide,
    emit,
    ask: consent.ask,
    takeJoining,
    describe: o.describe,
    now: o.monotonic,
  });

  async function runShell(line: string, command: string): Promise<void> {
    const began = o.monotonic();
    turn = new AbortController();
    turnNumber = 0;
    emit({ type: "turn_start", text: line });
    log.info("core.agent", say(lang, "log.input", { text: JSON.stringify(line) }));
    try {
      await runShellLine(command, host(turn.signal));
    } catch (error) {
      fail(error);
    }
    const reason = turn.signal.aborted ? "interrupted" : "command";
    turn = undefined;
    emit({ type: "turn_end", reason, iterations: 0, ms: Math.round(o.monotonic() - began) });
  }

  async function runLine(line: Line): Promise<void> {
    const began = o.monotonic();
    turn = new AbortController();
    turnNumber = session.turns + 1;
    emit({ type: "turn_start", text: line.text });
    let reason: TurnEndReason = "error";
    let iterations = 0;
    let unanswered = true;
    try {
      ({ reason, iterations, unanswered } = await runTurn(line, host(turn.signal)));
    } catch (error) {
      session.pair();
      fail(error);
    }
    turn = undefined;
    const ms = Math.round(o.monotonic() - began);
    log.info("core.agent", say(lang, "log.turn", { reason, iterations, ms }));
    emit({
      type: "turn_end",
      reason,
      ...(unanswered ? { prompt: line.text } : {}),
      iterations,
      ms,
    });
  }

  function fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    log.error("core.agent", error instanceof Error ? error.stack ?? why : why);
    const code = (error as { code?: unknown }).code;
    const disk = error instanceof Deno.errors.PermissionDenied ||
      ["ENOSPC", "EROFS", "EACCES", "EDQUOT", "EIO"].includes(String(code));
    emit({
      type: "error",
      kind: disk ? "disk" : "bug",
      text: disk
        ? say(lang, "turn.no_space", { why })
        : say(lang, "turn.bug", { why, log: log.path ?? "-" }),
    });
  }

  /** A slash or shell line keeps its place: what was typed behind it waits for it. */
  function takeJoining(): Line[] {
    const end = lines.findIndex(({ text }) =>
      SLASH.test(text.trim()) || shellCommand(text) !== undefined
    );
    return lines.splice(0, end < 0 ? lines.length : end);
  }

  async function pump(): Promise<void> {
    running = true;
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      const slash = SLASH.exec(line.text.trim());
      const command = shellCommand(line.text);
      if (slash) await runCommand(slash[1]!, slash[2] ?? "");
      else if (command !== undefined) await runShell(line.text, command);
      else await runLine(line);
    }
    running = false;
    onIdle();
  }

  /** Answers beside the running turn what changes nothing; returns false for any other line. */
  function runBeside(text: string): boolean {
    const [, name, args = ""] = SLASH.exec(text.trim()) ?? [];
    if (!turn || name === undefined || !commandNamed(name)?.anytime) return false;
    emit({ type: "notice", level: "info", text: say(lang, "turn.beside"), joined: text });
    void answerCommand(name, args);
    return true;
  }

  function unqueue(text: string): void {
    const at = lines.findLastIndex((line) => line.text === text);
    if (at < 0) return;
    lines.splice(at, 1);
    emit({ type: "unqueued", text });
  }

  function abort(): void {
    turn?.abort();
    asking?.abort();
  }

  return {
    desk,
    receive(inbound) {
      if (inbound.type === "stop") abort();
      else if (inbound.type === "unqueue") unqueue(inbound.text);
      else if (inbound.type === "answer") consent.answer(inbound.id, inbound.value);
      else if (inbound.text.trim() !== "" && !(inbound.watched && runBeside(inbound.text))) {
        const { text, typed } = inbound;
        lines.push({ text, ...(typed === undefined ? {} : { typed }) });
        if (!running) void pump();
      }
    },
    resume(which) {
      const { session: next, bad } = store.open(find(which).id);
      take(next);
      return bad;
    },
    busy: () => running,
    stop() {
      lines = [];
      abort();
    },
    close: () => session.close(),
  };
}

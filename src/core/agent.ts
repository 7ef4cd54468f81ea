/** Lanes: lines in, turns run one at a time per lane, events out. */
import { join } from "node:path";
import type {
  AgentEvent,
  Bus,
  Command,
  Desk,
  EventBody,
  Inbound,
  Keeper,
  Lang,
  ModelClient,
  ModelError,
  Permission,
  Session,
  SessionInfo,
  Toolbox,
  TurnEndReason,
} from "../types.ts";
import { nearest } from "../nearest.ts";
import type { Log } from "../log.ts";
import { say } from "../text.ts";
import { createFan } from "./bus.ts";
import { type Answering, createConsent } from "./consent.ts";
import { runTurn, type TurnLimits } from "./loop.ts";
import type { SessionFile, SessionStore } from "./session.ts";

/** What the agent is handed; it imports none of it. */
export interface AgentOptions {
  readonly model: ModelClient;
  readonly modelName: string;
  readonly toolbox: Toolbox;
  /** Called for each session that a lane opens. */
  readonly keeper: (session: Session) => Keeper;
  readonly commands: readonly Command[];
  readonly store: SessionStore;
  readonly limits: TurnLimits;
  readonly answering: Answering;
  readonly permission: Permission;
  readonly lang: Lang;
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
  /** The user asked to leave. */
  readonly onExit: () => void;
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
  let keeper = o.keeper(session);
  let lines: string[] = [];
  let running = false;
  let turn: AbortController | undefined;
  let turnNumber = 0;

  const emit = (body: EventBody): void =>
    send(key, {
      ...body,
      session: session.id,
      turn: turnNumber,
      time: o.now().toISOString(),
    });
  const consent = createConsent(o.answering, emit, () => o.uuid().slice(0, 8));

  const take = (next: SessionFile) => {
    if (next !== session) session.close();
    session = next;
    keeper = o.keeper(session);
  };
  const find = (which: string): SessionInfo => {
    const info = store.find(which);
    if (!info) throw new Error(say(lang, "session.not_found", { which }));
    return info;
  };
  const desk: Desk = {
    lang,
    model: o.modelName,
    workspace: o.workspace,
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
    remove(which) {
      const info = find(which);
      if (info.id === session.id) throw new Error(say(lang, "session.remove_current"));
      store.remove(info.id);
      return Promise.resolve(info);
    },
    fresh() {
      take(store.create());
      return Promise.resolve();
    },
    exit: o.onExit,
  };

  async function runCommand(name: string, args: string): Promise<void> {
    const began = o.monotonic();
    turnNumber = 0;
    const command = o.commands.find((c) => c.name === name);
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
    emit({
      type: "turn_end",
      reason: "command",
      iterations: 0,
      ms: Math.round(o.monotonic() - began),
    });
  }

  async function runLine(line: string): Promise<void> {
    const began = o.monotonic();
    turn = new AbortController();
    turnNumber = session.turns + 1;
    emit({ type: "turn_start", text: line });
    let reason: TurnEndReason = "error";
    let iterations = 0;
    let unanswered = true;
    try {
      ({ reason, iterations, unanswered } = await runTurn(line, {
        session,
        keeper,
        model: o.model,
        modelName: o.modelName,
        toolbox: o.toolbox,
        limits: o.limits,
        lang,
        permission: o.permission,
        workspace: o.workspace,
        imageTypes: o.imageTypes,
        outputDir: join(o.outputDir, session.id),
        env: o.env,
        log,
        signal: turn.signal,
        hide: o.hide,
        emit,
        ask: consent.ask,
        takeJoining,
        describe: o.describe,
        now: o.monotonic,
      }));
    } catch (error) {
      session.pair(lang);
      fail(error);
    }
    turn = undefined;
    const ms = Math.round(o.monotonic() - began);
    log.info("core.agent", say(lang, "log.turn", { reason, iterations, ms }));
    emit({
      type: "turn_end",
      reason,
      ...(unanswered ? { prompt: line } : {}),
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

  /** A slash line keeps its place: what was typed behind it waits for it. */
  function takeJoining(): string[] {
    const end = lines.findIndex((line) => SLASH.test(line.trim()));
    return lines.splice(0, end < 0 ? lines.length : end);
  }

  async function pump(): Promise<void> {
    running = true;
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      const slash = SLASH.exec(line.trim());
      if (slash) await runCommand(slash[1]!, slash[2] ?? "");
      else await runLine(line);
    }
    running = false;
    onIdle();
  }

  return {
    desk,
    receive(inbound) {
      if (inbound.type === "stop") turn?.abort();
      else if (inbound.type === "answer") consent.answer(inbound.id, inbound.value);
      else if (inbound.text.trim() !== "") {
        lines.push(inbound.text);
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
      turn?.abort();
    },
    close: () => session.close(),
  };
}

/** A lane: lines in, one turn at a time, events out. */
import type { AgentEvent, Desk, EventBody, Inbound, Line, Share, TurnEndReason } from "../types.ts";
import { say } from "../text.ts";
import type { AgentOptions } from "./agent_options.ts";
import type { Beside } from "./beside.ts";
import { createConsent } from "./consent.ts";
import { createCurrent } from "./current.ts";
import { createDesk } from "./desk.ts";
import { faultEvent, faultText } from "./fault.ts";
import { handOver } from "./handover.ts";
import { keeperHost } from "./keeper_host.ts";
import { overBudget } from "./limits.ts";
import { runTurn, type TurnHost } from "./loop.ts";
import { runShellLine, shellCommand } from "./shell_line.ts";
import { commandNamed, readSlash, runSlash, type Slash } from "./slash.ts";

export interface Lane {
  receive(inbound: Inbound): void;
  readonly desk: Desk;
  /** Goes on with a stored session; returns the number of unreadable lines. */
  resume(which: string): number;
  busy(): boolean;
  stop(): void;
  close(): void;
}

/** What a lane shares with the others. */
export interface LaneParts {
  readonly options: AgentOptions;
  readonly beside: Beside;
  send(event: AgentEvent): void;
  /** Nothing is left to do. */
  onIdle(): void;
}

export function createLane({ options: o, beside, send, onIdle }: LaneParts): Lane {
  const { lang, log } = o;
  const current = createCurrent(o);
  let lines: Line[] = [];
  let running = false;
  let turn: AbortController | undefined;
  let turnNumber = 0;
  let compressing = false;
  let leaving = false;

  const emit = (body: EventBody, turn = turnNumber): void =>
    send({ ...body, session: current.session.id, turn, time: o.now().toISOString() });
  // Who wants to be asked about everything has not allowed a command for its delete.
  const answering = o.permission === "ask" && o.answering === "allow_delete" ? "deny" : o.answering;
  const consent = createConsent(answering, emit, () => o.uuid().slice(0, 8));
  const words = (error: unknown) => faultText(error, o.describe);
  const fail = (error: unknown) => emit(faultEvent(error, words(error), log, lang));
  const since = (began: number) => Math.round(o.monotonic() - began);

  const host = (signal: AbortSignal): TurnHost => ({
    ...current.parts(),
    signal,
    emit,
    permission: o.permission,
    workspace: o.workspace,
    imageTypes: current.imageTypes,
    env: o.env,
    hide: o.hide,
    ask: consent.ask,
    takeJoining,
    describe: o.describe,
  });
  const compress = async (line: Line | undefined, focus: string, signal: AbortSignal) => {
    const { store } = o;
    const keeping = keeperHost(host(signal));
    compressing = true;
    try {
      await handOver(line, focus, {
        current,
        store,
        host: keeping,
        log,
        lang,
        emit,
        leaving: () => leaving,
        words,
      });
    } finally {
      compressing = false;
    }
  };
  const { desk, takeGiven, stop: stopDesk } = createDesk({
    options: o,
    current,
    consent,
    beside,
    emit,
    tellBeside: (level, text) => emit({ type: "notice", level, text }, 0),
    handOver: (focus, signal) => compress(undefined, focus, signal),
  });

  /** Runs a command and tells what it says. */
  async function answerSlash(slash: Slash): Promise<void> {
    try {
      const text = await runSlash(slash, o.commands, desk);
      if (text !== "") emit({ type: "notice", level: "info", text });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      emit({ type: "notice", level: "warn", text });
    }
  }

  async function runCommand(slash: Slash): Promise<void> {
    const began = o.monotonic();
    turnNumber = 0;
    await answerSlash(slash);
    const prompt = takeGiven();
    emit({
      type: "turn_end",
      reason: "command",
      ...(prompt === undefined ? {} : { prompt }),
      iterations: 0,
      ms: since(began),
    });
  }

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
    emit({ type: "turn_end", reason, iterations: 0, ms: since(began) });
  }

  async function runLine(line: Line): Promise<void> {
    const began = o.monotonic();
    turn = new AbortController();
    turnNumber = current.session.turns + 1;
    emit({ type: "turn_start", text: line.text });
    let reason: TurnEndReason = "error";
    let iterations = 0;
    let unanswered = true;
    try {
      const over = overBudget(current.session.usage, o.limits, lang) !== undefined;
      if (current.session.turns >= current.keeper.mostTurns && !over) {
        await compress(line, "", turn.signal);
        turnNumber = 1;
      }
      ({ reason, iterations, unanswered } = await runTurn(line, host(turn.signal)));
    } catch (error) {
      current.session.pair();
      if (turn.signal.aborted) reason = "interrupted";
      else fail(error);
    }
    turn = undefined;
    const ms = since(began);
    log.info("core.agent", say(lang, "log.turn", { reason, iterations, ms }));
    log.info("core.context", shareLine(current.keeper.shares(current.session)));
    emit({
      type: "turn_end",
      reason,
      ...(unanswered ? { prompt: line.text } : {}),
      iterations,
      ms,
    });
  }

  /** A slash or shell line keeps its place: what was typed behind it waits for it. */
  function takeJoining(): Line[] {
    const end = lines.findIndex(({ text }) =>
      readSlash(text) !== undefined || shellCommand(text) !== undefined
    );
    // what goes beyond the last turn waits for the handover
    const room = current.keeper.mostTurns - current.session.turns;
    return lines.splice(0, Math.min(room, end < 0 ? lines.length : end));
  }

  /** Whether a slash line is a question for the model after all. */
  const isAsked = ({ name, args }: Slash) => commandNamed(name, o.commands)?.asks?.(args, desk);

  async function pump(): Promise<void> {
    running = true;
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      const slash = readSlash(line.text);
      const command = shellCommand(line.text);
      if (slash && !await isAsked(slash)) await runCommand(slash);
      else if (command !== undefined) await runShell(line.text, command);
      else await runLine(line);
    }
    running = false;
    onIdle();
  }

  /** Answers beside the running turn, or a compression, what need not wait; returns false for any other line. */
  function runBeside(text: string): boolean {
    const slash = readSlash(text);
    const command = slash && commandNamed(slash.name, o.commands);
    const leaves = command?.leaves && compressing && lines.length === 0;
    if (!slash || !leaves && !(command?.anytime && (turn || compressing))) return false;
    emit({ type: "notice", level: "info", text: say(lang, "turn.beside"), joined: text });
    void answerSlash(slash);
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
    stopDesk();
    if (!running) beside.stop();
  }

  return {
    desk,
    receive(inbound) {
      if (inbound.type === "stop") {
        leaving ||= inbound.leaving === true;
        abort();
      } else if (inbound.type === "unqueue") unqueue(inbound.text);
      else if (inbound.type === "answer") consent.answer(inbound.id, inbound.value);
      else if (inbound.text.trim() !== "" && !(inbound.watched && runBeside(inbound.text))) {
        const { text, typed } = inbound;
        lines.push({ text, ...(typed === undefined ? {} : { typed }) });
        if (!running) void pump();
      }
    },
    resume: (which) => current.enter(which).bad,
    busy: () => running,
    stop() {
      lines = [];
      leaving = true;
      abort();
    },
    close: () => current.leave(),
  };
}

/** `base 1200, definitions 1900, user 30, Read 4100`: what the window is filled with. */
function shareLine(shares: readonly Share[]): string {
  return shares.map(({ kind, name, tokens }) => `${name || kind} ${tokens}`).join(", ");
}

/** The turns of a lane: a line asked of the model, a shell line, a handover. */
import { errorMessage } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { T } from "../base/t.ts";
import {
  type Answer,
  type EventBody,
  HandoverFailed,
  type Line,
  ModelError,
  type Question,
  type TurnEndReason,
  type TurnWatch,
} from "../base/types.ts";
import { Watchdog } from "../base/watchdog.ts";
import type { AgentOptions } from "./agent_options.ts";
import { type Budget, longWait } from "./budget.ts";
import { contextHost, type Current } from "./current_session.ts";
import {
  changeTimes,
  createTurnMonitor,
  evidenceText,
  type TurnMonitor,
} from "./loop/turn_monitor.ts";
import type { LaneEvents } from "./lane_events.ts";
import { lateText, runTurn, settleLate } from "./loop/loop.ts";
import { HOOK, lastAnswer, PLAN, type Queue, toolsOf } from "./lines/queue.ts";
import { runShellLine } from "./lines/command_lines.ts";
import { shareLine } from "./loop/request.ts";
import type { Middleware, RunTurn, TurnEnd, TurnHost, TurnOutcome } from "./middleware.ts";

const DISK_CODES = ["ENOSPC", "EROFS", "EACCES", "EDQUOT", "EIO"];

/** An error's message; a ModelError is put into words by `describe`. */
function faultText(error: unknown, describe: (error: ModelError) => string): string {
  if (error instanceof ModelError) return describe(error);
  return errorMessage(error);
}

/** What is told of an error that nobody was to expect, whose text is `why`; it is logged with its stack. */
function faultEvent(error: unknown, why: string, log: Log, t: T): EventBody {
  if (error instanceof HandoverFailed) return { type: "error", kind: "compress", text: why };
  log.error("core.agent", error instanceof Error ? error.stack ?? why : why);
  const disk = error instanceof Deno.errors.PermissionDenied ||
    DISK_CODES.includes(String((error as { code?: unknown } | null)?.code));
  return disk
    ? {
      type: "error",
      kind: "disk",
      text: t(
        "Cannot write to the disk: {why}. Your prompt is given back; free space, check the permissions, or run with --no-session",
        { why },
      ),
    }
    : {
      type: "error",
      kind: "bug",
      text: t("internal error: {why} (see the log {log})", { why, log: log.path ?? "-" }),
    };
}

export interface TurnsParts {
  /** Key of the lane. */
  readonly key: string;
  readonly options: AgentOptions;
  readonly events: LaneEvents;
  readonly current: Current;
  readonly queue: Queue;
  readonly budget: Budget;
  readonly layers: readonly Middleware[];
  /** Asks the user, and records question and answer. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Calls a person back; nobody waits for it. */
  notify(text: string): void;
}

/** Runs the turns of one lane, one at a time. */
export class Turns {
  /** The only tools that the line which began the turn allows. */
  bounds: Pick<Line, "tools"> = {};
  /** The user goes. */
  leaving = false;
  readonly #parts: TurnsParts;
  readonly #run: RunTurn;
  readonly #watchdog = new Watchdog();
  readonly #hasWaitedLong = longWait();
  #turn: AbortController | undefined;
  /** Takes down what the turn changes. */
  #watch: TurnWatch | undefined;
  #monitor: TurnMonitor;
  #handingOver = false;
  /** The session that the layers were told of. */
  #begun = "";
  /** What the model is to read behind the next line. */
  #notes: string[] = [];

  constructor(parts: TurnsParts) {
    this.#parts = parts;
    this.#run = throughTurnLayers(parts.layers, runTurn);
    this.#monitor = this.#newMonitor();
  }

  get running(): boolean {
    return this.#turn !== undefined;
  }

  get handingOver(): boolean {
    return this.#handingOver;
  }

  /** Takes in what was changed and verified elsewhere for the turn. */
  get monitor(): TurnMonitor {
    return this.#monitor;
  }

  /** The model reads these behind the next line. */
  note(...texts: readonly string[]): void {
    this.#notes.push(...texts);
  }

  /** Another session has taken the place of the one that notes were made for. */
  forget(): void {
    this.#notes = [];
  }

  stop(): void {
    this.#turn?.abort();
  }

  /** Does what a stop ends, as a turn. */
  async stoppable<V>(work: (signal: AbortSignal) => Promise<V>): Promise<V> {
    this.#turn = new AbortController();
    try {
      return await work(this.#turn.signal);
    } finally {
      this.#turn = undefined;
    }
  }

  /** Words an error for the user. */
  readonly #words = (error: unknown) => faultText(error, this.#parts.options.describe);

  #fail(error: unknown): void {
    const { options: { log, t }, events } = this.#parts;
    events.emit(faultEvent(error, this.#words(error), log, t));
  }

  #newMonitor(): TurnMonitor {
    const { t, now } = this.#parts.options;
    return createTurnMonitor(t, () => now().getTime());
  }

  #host(signal: AbortSignal, line?: Line): TurnHost {
    const { key, options: o, events, current, queue, layers, ask } = this.#parts;
    return {
      ...current.parts(),
      monitor: this.#monitor,
      watchdog: this.#watchdog,
      lane: key,
      version: o.version,
      // a hook is asked once: what follows from it ends with its turn
      planned: line?.from === PLAN || line?.from === HOOK,
      middleware: layers,
      bounds: line?.tools,
      servers: o.servers,
      signal,
      emit: events.emit,
      permission: o.permission,
      workspace: o.workspace,
      imageTypes: current.imageTypes,
      env: o.env,
      ...o.trash === undefined ? {} : { trash: { ...o.trash, turn: events.turn } },
      secrets: o.secrets,
      ...this.#watch ? { watch: this.#watch } : {},
      ask,
      takeJoining: () => queue.takeJoining(),
      onSent: events.sent,
      describe: o.describe,
    };
  }

  #beginWatch(text: string, asked: boolean): void {
    const { key, options: o, events, current: { session } } = this.#parts;
    this.#watch = o.checkpoints.begin(key, {
      session: session.id,
      turn: events.turn,
      ...asked ? { prompt: session.prompts.length } : {},
      text: o.secrets.redact(text).trim().split("\n", 1)[0]!.slice(0, 200),
    });
  }

  #endWatch(): void {
    this.#watch?.end();
    this.#watch = undefined;
  }

  /** Puts a session with a summary of the current one in its place; `line` is asked there. Throws with the reason. */
  async handOver(line: Line | undefined, focus: string, signal: AbortSignal): Promise<void> {
    const { options: { log, t, store }, events, current } = this.#parts;
    const host = contextHost(this.#host(signal));
    this.#handingOver = true;
    try {
      const { handOver } = await import("./handover.ts");
      await handOver(line, focus, {
        current,
        log,
        t,
        store,
        host,
        emit: events.emit,
        whenSent: (tell) => events.whenSent(tell),
        words: this.#words,
        leaving: () => this.leaving,
      });
    } finally {
      this.#handingOver = false;
    }
  }

  /** Runs a line that begins with `!`. */
  async runShell(line: string, command: string): Promise<void> {
    const { key, options: o, events, current } = this.#parts;
    const began = o.monotonic();
    this.#turn = new AbortController();
    const { signal } = this.#turn;
    events.turn = 0;
    events.emit({ type: "turn_start", text: line });
    o.log.info(
      "core.agent",
      o.t("user input: {text}", { text: JSON.stringify(o.secrets.redact(line)) }),
    );
    o.secrets.hear(line, key);
    try {
      this.#beginWatch(line, false);
      await runShellLine(command, this.#host(signal));
    } catch (error) {
      this.#fail(error);
    }
    await this.#watch?.look();
    this.#endWatch();
    const reason = signal.aborted ? "interrupted" : "command";
    this.#turn = undefined;
    events.emit({ type: "turn_end", reason, iterations: 0, ms: Math.round(o.monotonic() - began) });
    current.session.sync();
  }

  /** Asks the model. */
  async run(line: Line): Promise<void> {
    const { options: o, events, current, queue, notify } = this.#parts;
    const { t, log } = o;
    const began = o.monotonic();
    this.#turn = new AbortController();
    const { signal } = this.#turn;
    const asked = line.from === undefined;
    events.turn = current.session.turns + (asked ? 1 : 0);
    this.bounds = toolsOf(line);
    events.emit({ type: "turn_start", text: line.text, ...asked ? {} : { from: line.from } });
    let outcome: TurnOutcome = { reason: "error", iterations: 0, unanswered: true };
    const taken: string[] = [];
    try {
      outcome = await this.#askModel(line, taken, signal);
    } catch (error) {
      current.session.pair();
      if (signal.aborted) outcome = { ...outcome, reason: "interrupted" };
      else this.#fail(error);
    }
    const { iterations, unanswered } = outcome;
    const found = await this.#settle(line, outcome, taken, signal);
    this.#endWatch();
    this.#tellEvidence(found);
    // a hook or a question may have been stopped
    const stopped = signal.aborted && outcome.reason === "done";
    const reason = stopped ? "interrupted" : outcome.reason;
    this.#turn = undefined;
    const ms = Math.round(o.monotonic() - began);
    log.info(
      "core.agent",
      t("turn ended: {reason}, {iterations} model calls, {ms}ms", { reason, iterations, ms }),
    );
    log.info("core.context", shareLine(current.contextManager.shares(current.session)));
    const more = queue.hasPlan ? { more: true } as const : {};
    const prompt = unanswered && asked ? { prompt: line.text } : {};
    events.emit({ type: "turn_end", reason, ...prompt, ...more, iterations, ms });
    current.session.sync();
    if (this.#hasWaitedLong({ reason, ms, ...more })) notify(t("the turn is over"));
  }

  /** Hands the session over where it is full, and runs the line through all layers; `taken` gets the notes it takes along. */
  async #askModel(line: Line, taken: string[], signal: AbortSignal): Promise<TurnOutcome> {
    const { events, current, budget, layers } = this.#parts;
    const asked = line.from === undefined;
    const full = asked && current.session.turns >= current.contextManager.mostTurns;
    if (full && await budget.over(current) === undefined) {
      await this.handOver(line, "", signal);
      events.turn = 1;
    }
    if (this.#begun !== current.session.id) {
      this.#begun = current.session.id;
      for (const layer of layers) {
        const note = await layer.sessionStart?.(signal);
        if (note !== undefined) this.note(note);
      }
    }
    const seen = current.session.view;
    const leftOut = current.leftOut();
    if (leftOut !== undefined) events.warn(leftOut);
    taken.push(...this.#notes.splice(0));
    this.#beginWatch(line.text, asked);
    let read: Line = { ...line, behind: [...line.behind ?? [], ...taken] };
    for (const layer of layers) read = layer.beforeTurn?.(read, seen) ?? read;
    return await this.#run(read, this.#host(signal, line));
  }

  /** Settles losses and puts what the turn goes on with before all that waits; returns the changed files. */
  async #settle(
    line: Line,
    { reason, steps, unanswered }: TurnOutcome,
    taken: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { current: { session }, queue } = this.#parts;
    const changed = new Set(await this.#watch?.look());
    const late = await settleLate(await this.#watch?.losses() ?? [], this.#host(signal, line));
    // kept in the session, as another narnat may go on with it
    if (late && !unanswered) session.append({ role: "user", text: lateText(late) });
    else if (late) this.note(lateText(late));
    for (const path of late?.restored ?? []) changed.delete(path);
    // they were taken back with the line
    if (line.from === undefined && unanswered) this.#notes.unshift(...taken);
    let lookAgain = false;
    const mayHaveChanged = () => void (lookAgain = true);
    const answer = lastAnswer(session.messages);
    queue.first(await this.#linesAfter(reason, { line, steps, answer, signal, mayHaveChanged }));
    // what its layers have changed is the turn's
    if (lookAgain) { for (const path of await this.#watch?.look() ?? []) changed.add(path); }
    return [...changed];
  }

  /** The lines that come before those that wait: what the turn goes on with. A plan ends with a turn that has not ended well. */
  async #linesAfter(reason: TurnEndReason, end: TurnEnd): Promise<readonly Line[]> {
    const { options: { t }, events, queue, layers } = this.#parts;
    const { signal } = end;
    for (const layer of layers) {
      if (signal.aborted || reason !== "done") break;
      const lines = await layer.afterTurn?.(end) ?? [];
      if (lines.length > 0 && !signal.aborted) return lines;
    }
    const left = signal.aborted || reason !== "done" ? queue.dropPlan() : 0;
    if (left > 0) {
      events.warn(
        t("The plan stops at this step; {left} more {left:step|steps} will not be run", { left }),
      );
    }
    return [];
  }

  /** Says what of the turn's changes has been verified. */
  #tellEvidence(found: readonly string[]): void {
    const { options: { t, workspace }, events } = this.#parts;
    const evidence = this.#monitor.evidence(found, changeTimes(workspace));
    this.#monitor = this.#newMonitor();
    if (!evidence) return;
    events.emit({ type: "evidence", ...evidence });
    const level = evidence.unverified.length > 0 ? "warn" : "info";
    events.emit({ type: "notice", level, text: evidenceText(evidence, t) });
  }
}

/** Runs a turn through all layers, the first one outermost, and at last `run`. */
function throughTurnLayers(layers: readonly Middleware[], run: RunTurn): RunTurn {
  return layers.reduceRight<RunTurn>(
    (next, layer) => layer.aroundTurn ? (line, host) => layer.aroundTurn!(line, host, next) : next,
    run,
  );
}

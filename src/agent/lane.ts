/** A lane: lines in, one turn at a time, events out. */
import type {
  AgentEvent,
  Answer,
  EventBody,
  Line,
  Question,
  TurnEndReason,
  TurnWatch,
} from "../base/types.ts";
import { say } from "../base/text.ts";
import { addUsage, lessUsage } from "../base/usage.ts";
import { type Budget, createBudget, ownSpending } from "./budget.ts";
import { createConsent } from "./consent.ts";
import { createCurrent } from "./current.ts";
import { isCut, undoHint } from "./loop/cut_turn.ts";
import { createDesk } from "./desk.ts";
import { changeTimes, evidenceText } from "./evidence.ts";
import { faultEvent, faultText } from "./loop/fault.ts";
import { keeperHost } from "./keeper_host.ts";
import { lateText, settleLate } from "./late_losses.ts";
import type { AgentOptions } from "./agent_options.ts";
import type { Beside } from "./beside.ts";
import type { Lane, LaneAgents } from "./lane_face.ts";
import { longWait } from "./loop/limits.ts";
import { HOOK, lastAnswer, PLAN, toolsOf } from "./lines/steps.ts";
import type { LaneHost, Middleware, RunTurn, TurnEnd } from "./middleware.ts";
import { createReadOnlyMode } from "./read_only_mode.ts";
import { createQueue } from "./lines/queue.ts";
import { answered, asked as askedOf, happened } from "../session/recorded.ts";
import { runTurn } from "./loop/loop.ts";
import type { TurnHost } from "./middleware.ts";
import { shareLine } from "./loop/response_line.ts";
import { runShellLine, shellCommand } from "./lines/shell_line.ts";
import { answerSlash, askedBy, commandNamed, readSlash, type Slash } from "./lines/slash.ts";
import { createVigil } from "./loop/turn_monitor.ts";
import { Watchdog } from "../base/watchdog.ts";

export type { Lane, LaneAgents } from "./lane_face.ts";

/** What a lane shares with the others. */
export interface LaneParts {
  readonly key: string;
  readonly options: AgentOptions;
  readonly beside: Beside;
  readonly agents: LaneAgents;
  /** It works for another lane, or apart from all. */
  readonly isScoped: boolean;
  /** Of the lane it works for, whose limits hold too. */
  readonly above?: Budget | undefined;
  send(event: AgentEvent): void;
  /** Nothing is left to do. */
  onIdle(): void;
}

export function createLane(parts: LaneParts): Lane {
  const { key, options: o, beside, send, onIdle } = parts;
  const { lang, log } = o;
  /** What work beside the turns had cost when this session began. */
  let besideBefore = beside.usage;
  const { cost, tokens } = o.limits;
  const budget = createBudget({
    lang,
    session: { cost, tokens },
    day: o.limits.day ?? {},
    spending: o.spending ?? ownSpending(),
    priceOf: o.priceOf ?? (() => Promise.resolve(null)),
    spent: () =>
      parts.above
        ? current.session.usage
        : addUsage(current.session.usage, lessUsage(beside.usage, besideBefore)),
    tell: (text) => tell(text),
    ask: o.answering === "ask" ? (question, signal) => ask(question, signal) : undefined,
    above: parts.above,
  });
  const current = createCurrent(o, budget);
  const watchdog = new Watchdog();
  let running = false;
  let turn: AbortController | undefined;
  /** Takes down what the turn changes. */
  let watch: TurnWatch | undefined;
  let vigil = createVigil(lang, () => o.now().getTime());
  let turnNumber = 0;
  let compressing = false;
  /** The session that the hooks were told of. */
  let begun = "";
  /** What the model is to read behind the next line. */
  let notes: string[] = [];
  let leaving = false;
  let bounds: Pick<Line, "tools"> = {};
  /** Turns that answers of agents have begun since a person's. */
  let unasked = 0;

  const { hideIn, hideOwn } = o.secrets;
  /** Without secrets; what a project wants, and what a delete would hit, is judged as it is. */
  const safe = (told: EventBody): EventBody => {
    if (told.type !== "ask" || !told.targets) {
      return told.type === "ask" && told.kind === "trust" ? told : hideIn(told);
    }
    return { ...hideIn(told), targets: told.targets.map(hideOwn) };
  };
  /** What is told once the next request has been sent. */
  let atSending: (() => void) | undefined;
  const onSent = () => {
    const tell = atSending;
    atSending = undefined;
    tell?.();
  };
  const emit = (told: EventBody, turn = turnNumber): void => {
    if (atSending && isBehindRequest(told)) onSent();
    const body = safe(told);
    send({ ...body, session: current.session.id, turn, time: o.now().toISOString() });
    const event = happened(body, turn);
    if (event) current.session.record(event);
  };
  current.onDisk((text) => emit({ type: "notice", level: "warn", text }));
  // Who wants to be asked about everything has not allowed a command for its delete.
  const answering = o.permission === "ask" && o.answering === "allow_delete" ? "deny" : o.answering;
  const asking = (event: EventBody) => {
    emit(event);
    if (event.type === "ask" && event.answered === undefined) notify(event.question);
  };
  const id = () => o.uuid().slice(0, 8);
  const readOnly = createReadOnlyMode(o.readOnly, emit);
  const consent = createConsent(answering, asking, id, lang, () => !readOnly.on);
  const words = (error: unknown) => faultText(error, o.describe);
  const fail = (error: unknown) => emit(faultEvent(error, words(error), log, lang));
  const since = (began: number) => Math.round(o.monotonic() - began);

  const tell = (text: string) => emit({ type: "notice", level: "warn", text });
  const hasWaitedLong = longWait();
  /** Calls a person back; nobody waits for it. */
  const notify = (text: string) => {
    for (const layer of layers) layer.notify?.(text);
  };
  const slashOf = (text: string) => readSlash(text, o.commands);
  const queue = createQueue(
    ({ text, typed = text }) => slashOf(typed) !== undefined || shellCommand(typed) !== undefined,
    () => current.keeper.mostTurns - current.session.turns,
  );
  const ask = async (question: Question, signal: AbortSignal): Promise<Answer> => {
    const id = o.uuid().slice(0, 8);
    current.session.record(askedOf(id, question));
    const answer = await consent.ask(question, signal);
    current.session.record(answered(id, question, answer));
    return answer;
  };
  const laneHost: LaneHost = {
    key,
    isScoped: parts.isScoped,
    lang,
    readOnly,
    queue,
    agents: parts.agents,
    session: () => current.session,
    emit,
    warn: tell,
    ask: consent.ask,
  };
  const layers = o.features(laneHost);
  const runLayers = throughTurnLayers(layers, runTurn);
  const host = (signal: AbortSignal, line?: Line): TurnHost => ({
    ...current.parts(),
    vigil,
    watchdog,
    lane: key,
    version: o.version,
    // a hook is asked once: what follows from it ends with its turn
    planned: line?.from === PLAN || line?.from === HOOK,
    middleware: layers,
    bounds: line?.tools,
    servers: o.servers,
    signal,
    emit,
    permission: o.permission,
    workspace: o.workspace,
    imageTypes: current.imageTypes,
    env: o.env,
    ...o.trash === undefined ? {} : { trash: { ...o.trash, turn: turnNumber } },
    secrets: o.secrets,
    ...watch ? { watch } : {},
    ask,
    takeJoining: queue.takeJoining,
    onSent,
    describe: o.describe,
  });
  const beginWatch = (text: string, asked: boolean) =>
    watch = o.checkpoints.begin(key, {
      session: current.session.id,
      turn: turnNumber,
      ...asked ? { prompt: current.session.prompts.length } : {},
      text: o.secrets.hide(text).trim().split("\n", 1)[0]!.slice(0, 200),
    });
  const endWatch = () => {
    watch?.end();
    watch = undefined;
  };
  const compress = async (line: Line | undefined, focus: string, signal: AbortSignal) => {
    const keeping = keeperHost(host(signal));
    compressing = true;
    try {
      const { handOver } = await import("./handover.ts");
      const whenSent = (tell: () => void) => atSending = tell;
      const face = { current, log, lang, emit, whenSent, words, leaving: () => leaving };
      await handOver(line, focus, { ...face, store: o.store, host: keeping });
    } finally {
      compressing = false;
    }
  };
  const { desk, takeGiven, stop: stopDesk } = createDesk({
    options: o,
    current,
    budget,
    consent,
    beside,
    emit,
    tellBeside: (level, text) => emit({ type: "notice", level, text }, 0),
    agents: parts.agents,
    readOnly,
    leaving(go) {
      const { id } = current.session;
      const result = go();
      if (current.session.id === id) return result;
      notes = [];
      besideBefore = beside.usage;
      budget.renew();
      // what was done for the session that was left is nothing to the next one
      queue.takeSent();
      const n = parts.agents.leave(key);
      if (n > 0) emit({ type: "notice", level: "warn", text: say(lang, "agents.left", { n }) }, 0);
      return result;
    },
    stop() {
      const stops = turn !== undefined || compressing ||
        parts.agents.list(key).some(({ state }) => state === "running" || state === "queued");
      abort();
      return stops;
    },
    handOver: (focus, signal) => compress(undefined, focus, signal),
  });

  async function runCommand(slash: Slash, line: string): Promise<void> {
    const began = o.monotonic();
    turnNumber = 0;
    const known = await answerSlash(slash, o.commands(), desk, emit);
    // words behind what is no command may have been meant for the model
    const prompt = known || slash.args === "" ? takeGiven() : line;
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
    log.info("core.agent", say(lang, "log.input", { text: JSON.stringify(o.secrets.hide(line)) }));
    o.secrets.hear(line, key);
    try {
      beginWatch(line, false);
      await runShellLine(command, host(turn.signal));
    } catch (error) {
      fail(error);
    }
    await watch?.look();
    endWatch();
    const reason = turn.signal.aborted ? "interrupted" : "command";
    turn = undefined;
    emit({ type: "turn_end", reason, iterations: 0, ms: since(began) });
    current.session.sync();
  }

  /** The lines that come before those that wait: what the turn goes on with. A plan ends with a turn that has not ended well. */
  async function linesAfter(reason: TurnEndReason, end: TurnEnd): Promise<readonly Line[]> {
    const { signal } = end;
    for (const layer of layers) {
      if (signal.aborted || reason !== "done") break;
      const lines = await layer.afterTurn?.(end) ?? [];
      if (lines.length > 0 && !signal.aborted) return lines;
    }
    const left = signal.aborted || reason !== "done" ? queue.dropPlan() : 0;
    if (left > 0) tell(say(lang, "plan.stopped", { left }));
    return [];
  }

  /** Says what of the turn's changes has been verified. */
  function tellEvidence(found: readonly string[]): void {
    const evidence = vigil.evidence(found, changeTimes(o.workspace));
    vigil = createVigil(lang, () => o.now().getTime());
    if (!evidence) return;
    emit({ type: "evidence", ...evidence });
    const level = evidence.unverified.length > 0 ? "warn" : "info";
    emit({ type: "notice", level, text: evidenceText(evidence, lang) });
  }

  async function runLine(line: Line): Promise<void> {
    const began = o.monotonic();
    turn = new AbortController();
    const { signal } = turn;
    const asked = line.from === undefined;
    turnNumber = current.session.turns + (asked ? 1 : 0);
    bounds = toolsOf(line);
    emit({ type: "turn_start", text: line.text, ...asked ? {} : { from: line.from } });
    let reason: TurnEndReason = "error";
    let iterations = 0;
    let unanswered = true;
    let steps: readonly string[] | undefined;
    let taken: string[] = [];
    try {
      const full = asked && current.session.turns >= current.keeper.mostTurns;
      if (full && await budget.over(current) === undefined) {
        await compress(line, "", signal);
        turnNumber = 1;
      }
      if (begun !== current.session.id) {
        begun = current.session.id;
        for (const layer of layers) {
          const note = await layer.sessionStart?.(signal);
          if (note !== undefined) notes.push(note);
        }
      }
      const seen = current.session.view;
      const leftOut = current.leftOut();
      if (leftOut !== undefined) tell(leftOut);
      taken = notes.splice(0);
      beginWatch(line.text, asked);
      let read: Line = { ...line, behind: [...line.behind ?? [], ...taken] };
      for (const layer of layers) read = layer.beforeTurn?.(read, seen) ?? read;
      ({ reason, iterations, unanswered, steps } = await runLayers(read, host(signal, line)));
    } catch (error) {
      current.session.pair();
      if (turn.signal.aborted) reason = "interrupted";
      else fail(error);
    }
    const changed = new Set(await watch?.look());
    const late = await settleLate(await watch?.losses() ?? [], host(signal, line));
    // kept in the session, as another narnat may go on with it
    if (late && !unanswered) current.session.append({ role: "user", text: lateText(late) });
    else if (late) notes.push(lateText(late));
    for (const path of late?.restored ?? []) changed.delete(path);
    // they were taken back with the line
    if (asked && unanswered) notes.unshift(...taken);
    let lookAgain = false;
    const mayHaveChanged = () => void (lookAgain = true);
    const answer = lastAnswer(current.session.messages);
    const end = { line, steps, answer, signal, mayHaveChanged };
    queue.first(await linesAfter(reason, end));
    // what its layers have changed is the turn's
    if (lookAgain) { for (const path of await watch?.look() ?? []) changed.add(path); }
    endWatch();
    tellEvidence([...changed]);
    // a hook or a question may have been stopped
    if (signal.aborted && reason === "done") reason = "interrupted";
    turn = undefined;
    const ms = since(began);
    log.info("core.agent", say(lang, "log.turn", { reason, iterations, ms }));
    log.info("core.context", shareLine(current.keeper.shares(current.session)));
    const more = queue.hasPlan ? { more: true } as const : {};
    const prompt = unanswered && asked ? { prompt: line.text } : {};
    emit({ type: "turn_end", reason, ...prompt, ...more, iterations, ms });
    current.session.sync();
    if (hasWaitedLong({ reason, ms, ...more })) notify(say(lang, "screen.turn_over"));
  }

  /** What a slash line asks the model after all; undefined when its command is to run. */
  async function asked(slash: Slash, line: Line): Promise<Line | "failed" | undefined> {
    turn = new AbortController();
    const { signal } = turn;
    const inTurn = (event: EventBody) => emit(event, current.session.turns + 1);
    const [server, prompt] = slash.name.split(":");
    if (prompt !== undefined && !commandNamed(slash.name, o.commands())) {
      await o.servers.ready(server!, signal);
    }
    const said = await askedBy(slash, line, o.commands(), desk, inTurn, signal);
    turn = undefined;
    if (said === "failed") {
      emit({ type: "turn_end", reason: "command", prompt: line.text, iterations: 0, ms: 0 });
    }
    return said;
  }

  /** What came through a pipe is for the model: no line that is run takes it. */
  function refusePiped(line: string): void {
    turnNumber = 0;
    tell(say(lang, "turn.piped_to_command", { line }));
    emit({ type: "turn_end", reason: "command", iterations: 0, ms: 0 });
  }

  async function pump(): Promise<void> {
    running = true;
    for (let line = queue.next(); line !== undefined; line = queue.next()) {
      o.secrets.refresh();
      const own = line.from === undefined;
      if (own) unasked = 0;
      else if (/^(?:sub|team):/.test(line.from!) && ++unasked > o.limits.iterations) {
        // agents that answer each other would never end
        notes.push(line.text);
        tell(say(lang, "agents.on_their_own", { n: unasked - 1 }));
        continue;
      }
      const { text, typed = text } = line;
      const slash = own ? slashOf(typed) : undefined;
      const command = own ? shellCommand(typed) : undefined;
      const said = slash ? await asked(slash, line) : line;
      if (said === "failed") continue;
      if (text !== typed && (!said || command !== undefined)) refusePiped(typed);
      else if (slash && !said) await runCommand(slash, line.text);
      else if (command !== undefined) await runShell(text, command);
      else await runLine(said ?? line);
    }
    running = false;
    onIdle();
  }

  /** Answers beside the running turn, or a compression, what need not wait; returns false for any other line. */
  function runBeside(text: string): boolean {
    const slash = slashOf(text);
    const command = slash && commandNamed(slash.name, o.commands());
    const leaves = command?.leaves && compressing && !queue.hasPersons;
    if (!slash || !leaves && !(command?.anytime && (turn || compressing))) return false;
    emit({ type: "notice", level: "info", text: say(lang, "turn.beside"), joined: text });
    void answerSlash(slash, o.commands(), desk, emit);
    return true;
  }

  function abort(): void {
    turn?.abort();
    parts.agents.interrupt(key);
    // who stops wants no turn of what others have sent meanwhile
    notes.push(...queue.takeSent().map(({ text }) => text));
    stopDesk();
    if (!running) beside.stop();
  }

  return {
    desk,
    receive(inbound) {
      if (inbound.type === "stop") {
        leaving ||= inbound.leaving === true;
        abort();
      } else if (inbound.type === "unqueue") {
        const { text } = inbound;
        if (queue.takeBack(text)) emit({ type: "unqueued", text });
      } else if (inbound.type === "answer") consent.answer(inbound.id, inbound.value);
      else if (inbound.text.trim() !== "" && !(inbound.watched && runBeside(inbound.text))) {
        const { type: _type, session: _session, watched: _watched, ...line } = inbound;
        queue.push(line);
        if (!running) void pump();
      }
    },
    async resume(which) {
      const { bad } = current.enter(which);
      const cut = isCut(current.session);
      const notes = await current.settle();
      if (cut) notes.push(...await undoHint(current.session, o.checkpoints, o.lang));
      return { bad, notes };
    },
    busy: () => running,
    get bounds() {
      return bounds;
    },
    limits: o.limits,
    budget,
    tell: (event) => emit(event, 0),
    spend: (usage) => current.session.spend(usage),
    // between two turns for the one that comes
    vouch: (evidence) => vigil.vouch(evidence),
    note: (text) => void notes.push(text),
    stop() {
      queue.clear();
      parts.agents.leave(key);
      leaving = true;
      abort();
    },
    close: () => current.leave(),
  };
}

/** Whether it can only come when a request was made, or none will be. */
const isBehindRequest = (event: EventBody) =>
  ["text", "thinking", "writing", "tool_start", "usage", "error", "turn_end"]
    .includes(event.type) || event.type === "notice" && event.retryMs !== undefined;

/** Runs a turn through all layers, the first one outermost, and at last `run`. */
function throughTurnLayers(layers: readonly Middleware[], run: RunTurn): RunTurn {
  return layers.reduceRight<RunTurn>(
    (next, layer) => layer.aroundTurn ? (line, host) => layer.aroundTurn!(line, host, next) : next,
    run,
  );
}

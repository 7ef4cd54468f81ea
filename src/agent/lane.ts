/** A lane: lines in, one turn at a time, events out. */
import { addUsage, lessUsage } from "../base/figures.ts";
import type { T } from "../base/t.ts";
import type {
  AgentEvent,
  Answer,
  Checkpoints,
  EventBody,
  Inbound,
  Line,
  Question,
} from "../base/types.ts";
import { answered, asked as askedOf } from "../session/recorded.ts";
import type { SessionFile } from "../session/store.ts";
import type { AgentOptions, LaneAgents, LaneFace } from "./agent_options.ts";
import type { BackgroundTasks } from "./background_tasks.ts";
import { Budget, ownSpending } from "./budget.ts";
import { type Consent, createConsent, createReadOnlyMode, type ReadOnlyMode } from "./consent.ts";
import { Current } from "./current_session.ts";
import { LaneEvents } from "./lane_events.ts";
import {
  answerSlash,
  askedBy,
  commandNamed,
  readSlash,
  shellCommand,
  type Slash,
} from "./lines/command_lines.ts";
import { createQueue, type Queue } from "./lines/queue.ts";
import type { Middleware } from "./middleware.ts";
import { LaneController } from "./session_controller.ts";
import { Turns } from "./turns.ts";

const SHOWN = 3;

/** Whether the last turn has not come to its end. */
function isCut({ entries }: SessionFile): boolean {
  const behind = entries.slice(
    entries.findLastIndex((one) => one.type === "message" && one.asked === true) + 1,
  );
  const end = behind.findLast((one) => one.type === "event" && one.event.type === "turn_end");
  if (end?.type === "event" && end.event.type === "turn_end") {
    return end.event.reason === "interrupted";
  }
  // an older narnat has not kept how a turn ended
  return behind.some((one) => one.type === "event");
}

/** Words for the user where the last turn has changed files that are not taken back yet. */
async function undoHint(
  { id, turns }: SessionFile,
  checkpoints: Checkpoints,
  t: T,
): Promise<string[]> {
  // where nothing is kept, nothing can be taken back
  const [last] = await checkpoints.turns(id).catch(() => []);
  if (last === undefined || last.turn !== turns || last.undone) return [];
  const { created, changed, deleted } = last;
  const n = created + changed + deleted;
  const how = t("{created} created, {changed} changed, {deleted} deleted", {
    created,
    changed,
    deleted,
  });
  const paths = last.paths.slice(0, SHOWN).join(", ");
  return [
    t(
      "The last turn was cut short; it has changed {n} {n:file|files} ({paths}; {how}): /undo, or narnat undo, takes that back",
      { n, how, paths: n > SHOWN ? `${paths} …` : paths },
    ),
  ];
}

/** What a lane shares with the others. */
export interface LaneParts {
  readonly key: string;
  readonly options: AgentOptions;
  readonly background: BackgroundTasks;
  readonly agents: LaneAgents;
  /** It works for another lane, or apart from all. */
  readonly isScoped: boolean;
  /** Of the lane it works for, whose limits hold too. */
  readonly above?: Budget | undefined;
  send(event: AgentEvent): void;
  /** Nothing is left to do. */
  onIdle(): void;
}

export class Lane implements LaneFace {
  readonly controller: LaneController;
  readonly budget: Budget;
  readonly #parts: LaneParts;
  readonly #events: LaneEvents;
  readonly #current: Current;
  readonly #readOnly: ReadOnlyMode;
  readonly #consent: Consent;
  readonly #queue: Queue;
  readonly #layers: readonly Middleware[];
  readonly #turns: Turns;
  #running = false;
  /** What work beside the turns had cost when this session began. */
  #backgroundBefore;
  /** Turns that answers of agents have begun since a person's. */
  #unasked = 0;

  constructor(parts: LaneParts) {
    const { key, options: o, background } = parts;
    const { t, secrets, now } = o;
    this.#parts = parts;
    this.#backgroundBefore = background.usage;
    this.budget = this.#createBudget();
    this.#current = new Current(o, this.budget);
    const session = () => this.#current.session;
    this.#events = new LaneEvents({ secrets, now, session, send: parts.send });
    const { emit, warn } = this.#events;
    this.#current.onDisk(warn);
    this.#readOnly = createReadOnlyMode(o.readOnly, emit);
    // Who wants to be asked about everything has not allowed a command for its delete.
    const all = o.permission === "ask" && o.consentPolicy === "allow_delete";
    this.#consent = createConsent(
      all ? "deny" : o.consentPolicy,
      (event) => this.#emitQuestion(event),
      () => this.#id(),
      t,
      () => !this.#readOnly.on,
    );
    this.#queue = createQueue(
      ({ text, typed = text }) =>
        this.#slashOf(typed) !== undefined || shellCommand(typed) !== undefined,
      () => this.#current.contextManager.mostTurns - this.#current.session.turns,
    );
    this.#layers = o.features({
      key,
      isScoped: parts.isScoped,
      t,
      readOnly: this.#readOnly,
      secrets,
      queue: this.#queue,
      agents: parts.agents,
      session,
      emit,
      warn,
      ask: this.#consent.ask,
    });
    this.#turns = new Turns({
      key,
      options: o,
      events: this.#events,
      current: this.#current,
      queue: this.#queue,
      budget: this.budget,
      layers: this.#layers,
      ask: (question, signal) => this.#ask(question, signal),
      notify: (text) => this.#notify(text),
    });
    this.controller = new LaneController({
      options: o,
      current: this.#current,
      budget: this.budget,
      consent: this.#consent,
      background,
      emit,
      notifyBackground: (level, text) => emit({ type: "notice", level, text }, 0),
      agents: parts.agents,
      readOnly: this.#readOnly,
      leaving: (go) => this.#leaving(go),
      stop: () => this.#stopByCommand(),
      handOver: (focus, signal) => this.#turns.handOver(undefined, focus, signal),
    });
  }

  get limits() {
    return this.#parts.options.limits;
  }

  get bounds() {
    return this.#turns.bounds;
  }

  receive(inbound: Inbound): void {
    if (inbound.type === "stop") {
      this.#turns.leaving ||= inbound.leaving === true;
      this.#abort();
    } else if (inbound.type === "unqueue") {
      const { text } = inbound;
      if (this.#queue.takeBack(text)) this.#events.emit({ type: "unqueued", text });
    } else if (inbound.type === "answer") this.#consent.answer(inbound.id, inbound.value);
    else if (inbound.text.trim() !== "" && !(inbound.watched && this.#runBeside(inbound.text))) {
      const { type: _type, lane: _session, watched: _watched, ...line } = inbound;
      this.#queue.push(line);
      if (!this.#running) void this.#pump();
    }
  }

  async resume(which: string): Promise<{ bad: number; notes: readonly string[] }> {
    const { t, checkpoints } = this.#parts.options;
    const { bad } = this.#current.enter(which);
    const cut = isCut(this.#current.session);
    const notes = await this.#current.settle();
    if (cut) notes.push(...await undoHint(this.#current.session, checkpoints, t));
    return { bad, notes };
  }

  busy(): boolean {
    return this.#running;
  }

  tell(event: EventBody): void {
    this.#events.emit(event, 0);
  }

  spend: LaneFace["spend"] = (usage) => this.#current.session.spend(usage);

  /** Between two turns, for the one that comes. */
  vouch: LaneFace["vouch"] = (evidence) => this.#turns.monitor.vouch(evidence);

  note(text: string): void {
    this.#turns.note(text);
  }

  stop(): void {
    this.#queue.clear();
    this.#parts.agents.leave(this.#parts.key);
    this.#turns.leaving = true;
    this.#abort();
  }

  close(): void {
    this.#current.leave();
  }

  #createBudget(): Budget {
    const { options: o, above, background } = this.#parts;
    const { cost, tokens, day = {} } = o.limits;
    return new Budget({
      t: o.t,
      session: { cost, tokens },
      day,
      spending: o.spending ?? ownSpending(),
      priceOf: o.priceOf ?? (() => Promise.resolve(null)),
      spent: () => {
        const { usage } = this.#current.session;
        return above ? usage : addUsage(usage, lessUsage(background.usage, this.#backgroundBefore));
      },
      tell: (text) => this.#events.warn(text),
      ask: o.consentPolicy === "ask"
        ? (question, signal) => this.#ask(question, signal)
        : undefined,
      above,
    });
  }

  #id(): string {
    return this.#parts.options.uuid().slice(0, 8);
  }

  #emitQuestion(event: EventBody): void {
    this.#events.emit(event);
    if (event.type === "ask" && event.answered === undefined) this.#notify(event.question);
  }

  /** Calls a person back; nobody waits for it. */
  #notify(text: string): void {
    for (const layer of this.#layers) layer.notify?.(text);
  }

  /** Asks the user, and records question and answer. */
  async #ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const id = this.#id();
    this.#current.session.record(askedOf(id, question));
    const answer = await this.#consent.ask(question, signal);
    this.#current.session.record(answered(id, question, answer));
    return answer;
  }

  #slashOf(text: string): Slash | undefined {
    return readSlash(text, this.#parts.options.commands);
  }

  #leaving<V>(go: () => V): V {
    const { key, options: { t }, agents, background } = this.#parts;
    const { id } = this.#current.session;
    const result = go();
    if (this.#current.session.id === id) return result;
    this.#turns.forget();
    this.#backgroundBefore = background.usage;
    this.budget.renew();
    // what was done for the session that was left is nothing to the next one
    this.#queue.takeSent();
    const n = agents.leave(key);
    if (n > 0) {
      this.tell({
        type: "notice",
        level: "warn",
        text: t(
          "{n} {n:agent that worked|agents that worked} for the session you left {n:was|were} stopped",
          { n },
        ),
      });
    }
    return result;
  }

  #stopByCommand(): boolean {
    const { key, agents } = this.#parts;
    const stops = this.#turns.running || this.#turns.handingOver ||
      agents.list(key).some(({ state }) => state === "running" || state === "queued");
    this.#abort();
    return stops;
  }

  #abort(): void {
    this.#turns.stop();
    this.#parts.agents.interrupt(this.#parts.key);
    // who stops wants no turn of what others have sent meanwhile
    this.#turns.note(...this.#queue.takeSent().map(({ text }) => text));
    this.controller.stopWaiting();
    if (!this.#running) this.#parts.background.stop();
  }

  async #pump(): Promise<void> {
    const { options: { secrets }, onIdle } = this.#parts;
    this.#running = true;
    for (let line = this.#queue.next(); line !== undefined; line = this.#queue.next()) {
      secrets.refresh();
      await this.#take(line);
    }
    this.#running = false;
    onIdle();
  }

  /** Does what a line asks for. */
  async #take(line: Line): Promise<void> {
    const { t, limits } = this.#parts.options;
    const own = line.from === undefined;
    if (own) this.#unasked = 0;
    else if (/^(?:sub|team):/.test(line.from!) && ++this.#unasked > limits.iterations) {
      // agents that answer each other would never end
      this.#turns.note(line.text);
      this.#events.warn(
        t("{n} turns without a word of yours: the agents' answers wait for your next message", {
          n: this.#unasked - 1,
        }),
      );
      return;
    }
    const { text, typed = text } = line;
    const slash = own ? this.#slashOf(typed) : undefined;
    const command = own ? shellCommand(typed) : undefined;
    const said = slash ? await this.#askedBy(slash, line) : line;
    if (said === "failed") return;
    if (text !== typed && (!said || command !== undefined)) this.#refusePiped(typed);
    else if (slash && !said) await this.#runCommand(slash, line.text);
    else if (command !== undefined) await this.#turns.runShell(text, command);
    else await this.#turns.run(said ?? line);
  }

  /** What a slash line asks the model after all; undefined when its command is to run. */
  async #askedBy(slash: Slash, line: Line): Promise<Line | "failed" | undefined> {
    const { commands, servers } = this.#parts.options;
    const inTurn = (event: EventBody) => this.#events.emit(event, this.#current.session.turns + 1);
    const said = await this.#turns.stoppable(async (signal) => {
      const [server, prompt] = slash.name.split(":");
      if (prompt !== undefined && !commandNamed(slash.name, commands())) {
        await servers.ready(server!, signal);
      }
      return await askedBy(slash, line, commands(), this.controller, inTurn, signal);
    });
    if (said === "failed") {
      this.#events.emit({
        type: "turn_end",
        reason: "command",
        prompt: line.text,
        iterations: 0,
        ms: 0,
      });
    }
    return said;
  }

  async #runCommand(slash: Slash, line: string): Promise<void> {
    const { commands, monotonic } = this.#parts.options;
    const { emit } = this.#events;
    const began = monotonic();
    this.#events.turn = 0;
    const known = await answerSlash(slash, commands(), this.controller, emit);
    // words behind what is no command may have been meant for the model
    const prompt = known || slash.args === "" ? this.controller.takeGiven() : line;
    emit({
      type: "turn_end",
      reason: "command",
      ...(prompt === undefined ? {} : { prompt }),
      iterations: 0,
      ms: Math.round(monotonic() - began),
    });
  }

  /** What came through a pipe is for the model: no line that is run takes it. */
  #refusePiped(line: string): void {
    this.#events.turn = 0;
    this.#events.warn(
      this.#parts.options.t(
        "{line} was not run: what comes through the pipe is text for the model, and no command takes it; leave the pipe out, or ask in words",
        { line },
      ),
    );
    this.#events.emit({ type: "turn_end", reason: "command", iterations: 0, ms: 0 });
  }

  /** Answers beside the running turn, or a handover, what need not wait; returns false for any other line. */
  #runBeside(text: string): boolean {
    const { commands, t } = this.#parts.options;
    const { running, handingOver } = this.#turns;
    const slash = this.#slashOf(text);
    const command = slash && commandNamed(slash.name, commands());
    const leaves = command?.leaves && handingOver && !this.#queue.hasPersons;
    if (!slash || !leaves && !(command?.anytime && (running || handingOver))) return false;
    this.#events.emit({
      type: "notice",
      level: "info",
      text: t("answered beside the running turn"),
      joined: text,
    });
    void answerSlash(slash, commands(), this.controller, this.#events.emit);
    return true;
  }
}

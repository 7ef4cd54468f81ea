/** The agents that work for lanes: a lane each, so many at once. */
import type { T } from "../../base/t.ts";
import type { AgentAnswer, AgentInfo, AgentState, AgentTask, Line } from "../../base/types.ts";
import { errorMessage } from "../../base/errors.ts";
import { type AgentLane, type AgentsParts, createTeam, openLane, type Team } from "./team.ts";
import {
  answerLine,
  answerText,
  bounded,
  createWatch,
  stateAfter,
  type TurnAnswer,
  type Watch,
} from "./progress.ts";
import type { AgentPool } from "../../agent/agent_options.ts";

/** Ended ones that are remembered. */
const MOST_ENDED = 50;

/** How the end of one is told: to its lane in a line, to who waits, with the lane's next line, or not at all. */
type Telling = "line" | "result" | "note" | "nothing";

interface Worker {
  readonly id: string;
  readonly parent: string;
  readonly task: AgentTask;
  readonly watch: Watch;
  readonly ended: Promise<AgentAnswer>;
  /** What holds for the turn that started it holds for it, and for what follows from its answer. */
  readonly bounds: Pick<Line, "tools">;
  telling: Telling;
  /** Nobody is to hear of it any more. */
  forgotten: boolean;
  /** Stops it while it works. */
  stop(): void;
  end(answer: AgentAnswer): void;
  answer?: AgentAnswer;
}

export function createAgents(parts: AgentsParts): AgentPool {
  return new LanePool(parts);
}

class LanePool implements AgentPool {
  readonly #parts: AgentsParts;
  readonly #t: T;
  readonly #team: Team;
  #workers: Worker[] = [];
  readonly #waiting: Worker[] = [];
  #working = 0;

  constructor(parts: AgentsParts) {
    this.#parts = parts;
    this.#t = parts.t;
    this.#team = createTeam(parts);
  }

  get busy(): boolean {
    return this.#atWork().length > 0 || this.#team.busy;
  }

  start(task: AgentTask, parent: string): AgentInfo {
    return this.#add(task, parent, "line").watch.info;
  }

  async run(task: AgentTask, parent: string, signal: AbortSignal): Promise<AgentAnswer> {
    signal.throwIfAborted();
    const worker = this.#add(task, parent, "result");
    const stop = () => this.#halt(worker);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await worker.ended;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  keep(name: string, task: AgentTask, parent: string): AgentInfo {
    return this.#team.keep(name, task, parent);
  }

  post(to: readonly string[], text: string, from: string, reviewer?: string): boolean {
    return this.#team.post(to, text, from, reviewer);
  }

  list(parent?: string): readonly AgentInfo[] {
    return [...this.#infos(parent), ...this.#team.list(parent)];
  }

  said(id: string): string | undefined {
    const worker = this.#workers.find((one) => one.id === id);
    return worker ? worker.answer?.text ?? worker.watch.said : this.#team.said(id);
  }

  stop(id: string): boolean {
    const worker = this.#atWork().find((one) => one.id === id);
    if (worker) this.#halt(worker);
    return worker !== undefined || this.#team.stop(id);
  }

  interrupt(parent: string): void {
    for (const worker of this.#atWork(parent)) {
      if (worker.telling === "line") worker.telling = "note";
      this.#halt(worker);
    }
    this.#team.interrupt(parent);
  }

  leave(parent: string): number {
    const left = this.#atWork(parent);
    this.#workers = this.#workers.filter((one) => one.parent !== parent || !one.answer);
    for (const worker of left) {
      if (worker.telling !== "result") worker.telling = "nothing";
      worker.forgotten = true;
      this.#halt(worker);
    }
    return left.length + this.#team.leave(parent);
  }

  #add(task: AgentTask, parent: string, telling: Telling): Worker {
    const id = this.#parts.id();
    const { label, kind } = task;
    const who = { id, label, kind: kind?.name ?? "", key: keyOf(id), parent };
    const { promise: ended, resolve: end } = Promise.withResolvers<AgentAnswer>();
    const watch = createWatch(this.#parts, who);
    const worker: Worker = {
      id,
      parent,
      task,
      watch,
      ended,
      bounds: this.#parts.lane(parent).bounds,
      end,
      telling,
      forgotten: false,
      stop() {},
    };
    this.#workers.push(worker);
    this.#waiting.push(worker);
    this.#next();
    if (watch.state === "queued") watch.become("queued");
    return worker;
  }

  #next(): void {
    while (this.#working < this.#parts.most && this.#waiting.length > 0) {
      void this.#work(this.#waiting.shift()!);
    }
  }

  async #work(worker: Worker): Promise<void> {
    const { id, parent, watch } = worker;
    this.#working++;
    watch.become("running");
    let turn: TurnAnswer;
    try {
      turn = await this.#turnOf(worker);
    } catch (error) {
      const why = errorMessage(error);
      turn = { reason: "error", text: watch.said, why, refused: [] };
    }
    const state = stateAfter(turn);
    const whole = answerText(state, turn, this.#t);
    const text = await bounded(whole, `agent-${id}.md`, this.#parts.outputDir(parent), this.#t);
    this.#working--;
    this.#finish(worker, state, text);
    this.#next();
    this.#parts.onIdle();
  }

  /** Has the task done in a lane of its own, of which nothing is left then. */
  async #turnOf(worker: Worker): Promise<TurnAnswer> {
    const { id, parent, task, watch } = worker;
    const key = keyOf(id);
    if (task.text.trim() === "") throw new Error(this.#t("the agent was given no task"));
    const stopping = new AbortController();
    const { signal } = stopping;
    worker.stop = () => stopping.abort();
    const { promise: rest, resolve: atRest } = Promise.withResolvers<void>();
    let lane: AgentLane;
    try {
      lane = await openLane(this.#parts, task, key, parent, atRest, signal);
    } catch (error) {
      if (signal.aborted) return NOT_BEGUN;
      throw error;
    }
    try {
      if (!signal.aborted) {
        watch.begin();
        worker.stop = () => this.#parts.lane(key).stop();
        const { bounds } = worker;
        this.#parts.send({ type: "line", lane: key, text: task.text, from: parent, ...bounds });
        await rest;
      }
    } finally {
      worker.stop = () => {};
      watch.end();
      await lane.close();
    }
    return watch.turns.at(-1) ?? NOT_BEGUN;
  }

  #finish(worker: Worker, state: AgentState, text: string): void {
    const { id, parent, watch, bounds } = worker;
    watch.become(state);
    const answer = { info: watch.info, text };
    worker.answer = answer;
    worker.end(answer);
    const line = answerLine(answer.info, text, this.#t);
    if (worker.telling === "line") {
      this.#parts.send({ type: "line", lane: parent, text: line, from: keyOf(id), ...bounds });
    } else if (worker.telling === "note") this.#parts.lane(parent).note(line);
    const old = this.#workers.filter(({ answer }) => answer).slice(0, -MOST_ENDED);
    this.#workers = this.#workers.filter((one) =>
      !old.includes(one) && !(one.answer && one.forgotten)
    );
  }

  #halt(worker: Worker): void {
    const at = this.#waiting.indexOf(worker);
    if (at < 0) return worker.stop();
    this.#waiting.splice(at, 1);
    this.#finish(worker, "stopped", answerText("stopped", NOT_BEGUN, this.#t));
    this.#parts.onIdle();
  }

  #atWork(parent?: string): Worker[] {
    return this.#workers.filter((one) =>
      !one.answer && (parent === undefined || one.parent === parent)
    );
  }

  #infos(parent?: string): AgentInfo[] {
    return this.#workers.filter((one) => parent === undefined || one.parent === parent)
      .map(({ watch }) => watch.info);
  }
}

const keyOf = (id: string) => `sub:${id}`;

const NOT_BEGUN: TurnAnswer = { reason: "interrupted", text: "", why: "", refused: [] };

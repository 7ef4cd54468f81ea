/** The agents that work for lanes: a lane each, so many at once. */
import type { AgentAnswer, AgentInfo, AgentState, AgentTask, Line } from "../../base/types.ts";
import { errorMessage } from "../../base/errors.ts";
import { type AgentLane, type AgentsParts, createTeam, openLane } from "./team.ts";
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
  const { t } = parts;
  const team = createTeam(parts);
  let workers: Worker[] = [];
  const waiting: Worker[] = [];
  let working = 0;

  function add(task: AgentTask, parent: string, telling: Telling): Worker {
    const id = parts.id();
    const { label, kind } = task;
    const who = { id, label, kind: kind?.name ?? "", key: keyOf(id), parent };
    const { promise: ended, resolve: end } = Promise.withResolvers<AgentAnswer>();
    const watch = createWatch(parts, who);
    const worker: Worker = {
      id,
      parent,
      task,
      watch,
      ended,
      bounds: parts.lane(parent).bounds,
      end,
      telling,
      forgotten: false,
      stop() {},
    };
    workers.push(worker);
    waiting.push(worker);
    next();
    if (watch.state === "queued") watch.become("queued");
    return worker;
  }

  function next(): void {
    while (working < parts.most && waiting.length > 0) void work(waiting.shift()!);
  }

  async function work(worker: Worker): Promise<void> {
    const { id, parent, watch } = worker;
    working++;
    watch.become("running");
    let turn: TurnAnswer;
    try {
      turn = await turnOf(worker);
    } catch (error) {
      const why = errorMessage(error);
      turn = { reason: "error", text: watch.said, why, refused: [] };
    }
    const state = stateAfter(turn);
    const whole = answerText(state, turn, t);
    const text = await bounded(whole, `agent-${id}.md`, parts.outputDir(parent), t);
    working--;
    finish(worker, state, text);
    next();
    parts.onIdle();
  }

  /** Has the task done in a lane of its own, of which nothing is left then. */
  async function turnOf(worker: Worker): Promise<TurnAnswer> {
    const { id, parent, task, watch } = worker;
    const key = keyOf(id);
    if (task.text.trim() === "") throw new Error(t("the agent was given no task"));
    const stopping = new AbortController();
    const { signal } = stopping;
    worker.stop = () => stopping.abort();
    const { promise: rest, resolve: atRest } = Promise.withResolvers<void>();
    let lane: AgentLane;
    try {
      lane = await openLane(parts, task, key, parent, atRest, signal);
    } catch (error) {
      if (signal.aborted) return NOT_BEGUN;
      throw error;
    }
    try {
      if (!signal.aborted) {
        watch.begin();
        worker.stop = () => parts.lane(key).stop();
        const { bounds } = worker;
        parts.send({ type: "line", session: key, text: task.text, from: parent, ...bounds });
        await rest;
      }
    } finally {
      worker.stop = () => {};
      watch.end();
      await lane.close();
    }
    return watch.turns.at(-1) ?? NOT_BEGUN;
  }

  function finish(worker: Worker, state: AgentState, text: string): void {
    const { id, parent, watch, bounds } = worker;
    watch.become(state);
    const answer = { info: watch.info, text };
    worker.answer = answer;
    worker.end(answer);
    const line = answerLine(answer.info, text, t);
    if (worker.telling === "line") {
      parts.send({ type: "line", session: parent, text: line, from: keyOf(id), ...bounds });
    } else if (worker.telling === "note") parts.lane(parent).note(line);
    const old = workers.filter(({ answer }) => answer).slice(0, -MOST_ENDED);
    workers = workers.filter((one) => !old.includes(one) && !(one.answer && one.forgotten));
  }

  function halt(worker: Worker): void {
    const at = waiting.indexOf(worker);
    if (at < 0) return worker.stop();
    waiting.splice(at, 1);
    finish(worker, "stopped", answerText("stopped", NOT_BEGUN, t));
    parts.onIdle();
  }

  const atWork = (parent?: string) =>
    workers.filter((one) => !one.answer && (parent === undefined || one.parent === parent));
  const infos = (parent?: string): AgentInfo[] =>
    workers.filter((one) => parent === undefined || one.parent === parent)
      .map(({ watch }) => watch.info);

  return {
    get busy() {
      return atWork().length > 0 || team.busy;
    },
    start: (task, parent) => add(task, parent, "line").watch.info,
    async run(task, parent, signal) {
      signal.throwIfAborted();
      const worker = add(task, parent, "result");
      const stop = () => halt(worker);
      signal.addEventListener("abort", stop, { once: true });
      try {
        return await worker.ended;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    keep: team.keep,
    post: team.post,
    list: (parent) => [...infos(parent), ...team.list(parent)],
    said(id) {
      const worker = workers.find((one) => one.id === id);
      return worker ? worker.answer?.text ?? worker.watch.said : team.said(id);
    },
    stop(id) {
      const worker = atWork().find((one) => one.id === id);
      if (worker) halt(worker);
      return worker !== undefined || team.stop(id);
    },
    interrupt(parent) {
      for (const worker of atWork(parent)) {
        if (worker.telling === "line") worker.telling = "note";
        halt(worker);
      }
      team.interrupt(parent);
    },
    leave(parent) {
      const left = atWork(parent);
      workers = workers.filter((one) => one.parent !== parent || !one.answer);
      for (const worker of left) {
        if (worker.telling !== "result") worker.telling = "nothing";
        worker.forgotten = true;
        halt(worker);
      }
      return left.length + team.leave(parent);
    },
  };
}

const keyOf = (id: string) => `sub:${id}`;

const NOT_BEGUN: TurnAnswer = { reason: "interrupted", text: "", why: "", refused: [] };

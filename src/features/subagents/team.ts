/** Agents that stay: each one a lane that waits for what it is sent, and answers its sender. */
import type { T } from "../../base/t.ts";
import type { AgentPoolHost, AgentScope } from "../../agent/agent_options.ts";
import { toolsOf } from "../../agent/lines/queue.ts";
import { errorMessage } from "../../base/errors.ts";
import type { AgentInfo, Agents, AgentTask, Line } from "../../base/types.ts";
import {
  answerLine,
  answerText,
  bounded,
  createWatch,
  stateAfter,
  type TurnAnswer,
  type Watch,
} from "./progress.ts";

export interface AgentsParts extends AgentPoolHost {
  /** How many work at once; the others wait. */
  readonly most: number;
  /** What an agent that works for the lane `parent` has otherwise than it. Rejects in words for the user. */
  scope(
    task: AgentTask,
    key: string,
    parent: string,
    signal: AbortSignal,
  ): Promise<AgentScope>;
}

/** An open lane. */
export interface AgentLane {
  /** Drops the lane, which is at rest, and ends what was opened for it. */
  close(): Promise<void>;
}

/** Opens the lane `key` for a task of the lane `parent`. Rejects in words for the user. */
export async function openLane(
  parts: AgentsParts,
  task: AgentTask,
  key: string,
  parent: string,
  atRest: () => void,
  signal: AbortSignal,
): Promise<AgentLane> {
  const { end, notices = [], ...scope } = await parts.scope(task, key, parent, signal);
  for (const text of notices) parts.emit(parent, { type: "notice", level: "warn", text });
  // what it costs is counted on the other one, whose limits hold
  const { iterations, toolMs } = scope.limits ?? parts.lane(parent).limits;
  const limits = { iterations, toolMs, cost: undefined, tokens: undefined };
  try {
    parts.open(key, { ...scope, limits }, parent, atRest);
    // its file is found by it
    await parts.lane(key).controller.save(`${key} ${task.label}`.trim());
  } catch (error) {
    parts.drop(key);
    await end?.();
    throw error;
  }
  return {
    async close() {
      parts.drop(key);
      await end?.();
    },
  };
}

/** What a member answers to one text. */
interface Reply {
  readonly info: AgentInfo;
  readonly text: string;
  /** The work was stopped with that of its lane: nobody is to go on with it. */
  readonly hush?: Hush | undefined;
}

type Hush = "note" | "nothing";

/** Key of the lane that a text came from, and what that lane's turn is restricted to. */
interface Sender extends Pick<Line, "tools"> {
  readonly from: string;
}

interface Letter {
  readonly from: string;
  reply(reply: Reply): void;
}

interface Member {
  readonly name: string;
  readonly parent: string;
  readonly watch: Watch;
  /** Resolves with its lane, or with why there is none. */
  readonly opening: Promise<AgentLane | string>;
  /** What it has not answered yet. */
  letters: Letter[];
  /** How many texts of its own are not answered yet. */
  asking: number;
  hush?: Hush;
  /** Ends the opening. */
  readonly stopping: AbortController;
  /** Its lane is there. */
  open: boolean;
  /** It is about to go: resolves when nothing of it is left. */
  leaving?: Promise<void>;
  /** Called once when its lane has come to rest. */
  onRest: () => void;
}

export interface Team extends Pick<Agents, "keep" | "post" | "said" | "stop"> {
  readonly busy: boolean;
  list(parent?: string): readonly AgentInfo[];
  interrupt(parent: string): void;
  leave(parent: string): number;
}

export function createTeam(parts: AgentsParts): Team {
  return new LaneTeam(parts);
}

class LaneTeam implements Team {
  readonly #parts: AgentsParts;
  readonly #t: T;
  readonly #members = new Map<string, Member>();
  #pending = 0;

  constructor(parts: AgentsParts) {
    this.#parts = parts;
    this.#t = parts.t;
  }

  get busy(): boolean {
    return this.#pending > 0;
  }

  keep(name: string, task: AgentTask, parent: string): AgentInfo {
    const before = this.#members.get(name);
    if (before && !before.leaving) {
      throw new Error(this.#t("there is a member {name} already", { name }));
    }
    const { label, kind } = task;
    const key = keyOf(name);
    const who = { id: name, label, kind: kind?.name ?? "", member: true, key, parent } as const;
    const watch = createWatch(this.#parts, who);
    const stopping = new AbortController();
    const atRest = () => this.#aside(this.#rested(member));
    // the lane of one that had the name may still be coming to rest
    const opening = Promise.resolve(before?.leaving)
      .then(() => openLane(this.#parts, task, key, parent, atRest, stopping.signal))
      .then((lane) => {
        member.open = true;
        watch.begin();
        return lane;
      }, errorMessage);
    const member: Member = {
      name,
      parent,
      watch,
      opening,
      stopping,
      letters: [],
      asking: 0,
      open: false,
      onRest() {},
    };
    this.#members.delete(name);
    this.#members.set(name, member);
    this.#aside(opening);
    watch.become("done");
    return watch.info;
  }

  post(to: readonly string[], text: string, from: string, reviewer?: string): boolean {
    const those = to.map((name) => this.#members.get(name));
    const last = reviewer === undefined ? undefined : this.#members.get(reviewer);
    if (reviewer !== undefined && !isThere(last) || !those.every(isThere)) return false;
    const sender = { from, ...this.#parts.lane(from).bounds };
    const asker = this.#memberOf(from);
    if (asker) asker.asking += last ? 1 : those.length;
    if (last) this.#aside(this.#reviewed(those, text, sender, last));
    else {
      for (const member of those) {
        this.#aside(this.#ask(member, text, sender).then((reply) => this.#deliver(sender, reply)));
      }
    }
    return true;
  }

  list(parent?: string): readonly AgentInfo[] {
    return this.#of(parent).filter(isThere).map(({ watch }) => watch.info);
  }

  said(id: string): string | undefined {
    return this.#members.get(id)?.watch.said;
  }

  stop(id: string): boolean {
    const member = this.#members.get(id);
    if (!isThere(member)) return false;
    this.#letGo(member);
    return true;
  }

  interrupt(parent: string): void {
    for (const member of this.#of(parent)) {
      member.hush ??= "note";
      if (this.#isBusy(member)) this.#parts.lane(keyOf(member.name)).stop();
      else this.#giveUp(member, "stopped", this.#t("it did not finish"));
    }
  }

  leave(parent: string): number {
    const left = this.#of(parent).filter(isThere);
    const atWork = left.filter(({ letters }) => letters.length > 0).length;
    for (const member of left) {
      member.hush = "nothing";
      this.#letGo(member);
    }
    return atWork;
  }

  /** Work that nobody waits for, but `busy` tells of. */
  #aside(work: Promise<unknown>): void {
    this.#pending++;
    void work.finally(() => {
      this.#pending--;
      this.#parts.onIdle();
    });
  }

  #memberOf(key: string): Member | undefined {
    return isMember(key) ? this.#members.get(key.slice(keyOf("").length)) : undefined;
  }

  /** Gives a text to a member, and resolves with what it answers. */
  #ask(member: Member, text: string, sender: Sender): Promise<Reply> {
    const { watch, name } = member;
    const { promise, resolve: reply } = Promise.withResolvers<Reply>();
    const letter = { from: sender.from, reply };
    member.letters.push(letter);
    void member.opening.then((lane) => {
      if (!member.letters.includes(letter)) return;
      if (typeof lane === "string") return this.#giveUp(member, "failed", lane);
      if (member.leaving) return this.#giveUp(member, "stopped", this.#t("it did not finish"));
      watch.become("running");
      this.#parts.send({ type: "line", lane: keyOf(name), text, ...sender });
    });
    return promise;
  }

  /** Its lane has nothing left to do: answers what it was sent. */
  async #rested(member: Member): Promise<void> {
    const { watch, parent, name } = member;
    const turns = watch.turns;
    watch.rest();
    const last: TurnAnswer = turns.at(-1) ??
      { reason: "interrupted", text: "", why: "", refused: [] };
    const state = stateAfter(last);
    // who asks others meanwhile has not answered the one outside yet; the others are never kept waiting
    const held = state === "done" && member.asking > 0
      ? member.letters.filter(({ from }) => !isMember(from))
      : [];
    const due = member.letters.filter((letter) => !held.includes(letter));
    member.letters = held;
    const { hush } = member;
    delete member.hush;
    watch.become(state);
    member.onRest();
    const { info } = watch;
    const said = turns.map((turn) => answerText(stateAfter(turn), turn, this.#t)).join("\n\n");
    const file = `agent-${name}-${info.steps}.md`;
    const text = await bounded(said, file, this.#parts.outputDir(parent), this.#t);
    for (const letter of due) letter.reply({ info, text, hush });
  }

  /** Brings what was answered to the lane that had asked. */
  #deliver(sender: Sender, { info, text, hush }: Reply): void {
    const { from } = sender;
    const line = answerLine(info, text, this.#t);
    const asker = this.#memberOf(from);
    if (asker) asker.asking--;
    if (isMember(from) && (!asker || asker.leaving)) return;
    if (hush === undefined) {
      const by = { from: keyOf(info.id), ...toolsOf(sender) };
      this.#parts.send({ type: "line", lane: from, text: line, ...by });
    } else if (hush === "note") this.#parts.lane(from).note(line);
  }

  /** Several answers, and one that says what they are worth. */
  async #reviewed(
    those: readonly Member[],
    text: string,
    sender: Sender,
    reviewer: Member,
  ): Promise<void> {
    const replies = await Promise.all(those.map((member) => this.#ask(member, text, sender)));
    const hushed = replies.filter(({ hush }) => hush !== undefined);
    for (const reply of hushed) this.#deliver(sender, reply);
    if (hushed.length > 0) return;
    const task = this.#t(
      "Review what the team answered to this task: what is wrong, what is missing, and your conclusion.\n\nThe task: {task}",
      { task: text },
    );
    const answers = replies.map((reply) => answerLine(reply.info, reply.text, this.#t));
    this.#deliver(sender, await this.#ask(reviewer, [task, ...answers].join("\n\n"), sender));
  }

  /** What a member has not answered yet will not be answered. */
  #giveUp(member: Member, state: "failed" | "stopped", text: string): void {
    const { hush, watch } = member;
    delete member.hush;
    for (const { reply } of member.letters.splice(0)) {
      reply({ info: { ...watch.info, state }, text, hush });
    }
  }

  #isBusy({ open, name }: Member): boolean {
    return open && this.#parts.lane(keyOf(name)).busy();
  }

  async #dismiss(member: Member): Promise<void> {
    const { name, watch } = member;
    member.stopping.abort();
    const lane = await member.opening;
    if (this.#isBusy(member)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      member.onRest = resolve;
      this.#parts.lane(keyOf(name)).stop();
      await promise;
    }
    this.#giveUp(member, "stopped", this.#t("it did not finish"));
    watch.become("stopped");
    watch.end();
    if (typeof lane !== "string") await lane.close();
    if (this.#members.get(name) === member) this.#members.delete(name);
  }

  #letGo(member: Member): void {
    member.leaving = this.#dismiss(member);
    this.#aside(member.leaving);
  }

  #of(parent?: string): Member[] {
    return [...this.#members.values()].filter((one) =>
      parent === undefined || one.parent === parent
    );
  }
}

const isThere = (member: Member | undefined): member is Member =>
  member !== undefined && member.leaving === undefined;

const isMember = (key: string) => key.startsWith("team:");
const keyOf = (name: string) => `team:${name}`;

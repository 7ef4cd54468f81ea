/** What a lane is at: a session, the model that answers there, and the keeper of what it sees. */
import type { EventBody, Keeper, OpenModel, SessionInfo, Usage } from "../base/types.ts";
import { HOST_MARK } from "../base/t.ts";
import { under } from "../base/under.ts";
import type { AgentOptions } from "./agent_options.ts";
import type { Asker, Budget } from "./budget.ts";
import { unsentImages } from "./loop/images.ts";
import { keeperHost, type KeeperParts } from "./keeper_host.ts";
import type { SessionFile } from "../session/store.ts";

export interface Current {
  readonly session: SessionFile;
  readonly keeper: Keeper;
  readonly modelName: string;
  readonly imageTypes: readonly string[];
  /** Which images of the session its model does not see, in words for the user; each case once. */
  leftOut(): string | undefined;
  /** What work on the session is made of, besides who hears of it and who stops it. */
  parts(): Omit<KeeperParts, "signal" | "emit">;
  /** Leaves the session for `next`, with `summary` for the memory where there is one. */
  take(next: SessionFile, summary?: string): void;
  /** Finds a stored session as `Desk.enter` does. Throws in words for the user. */
  find(which: string): SessionInfo;
  /** Tells what becomes of the file of the session it is at. */
  onDisk(tell: (text: string) => void): void;
  /** Settles what an earlier end of narnat has left open in the session; returns what is to be told. */
  settle(): Promise<string[]>;
  /** Opens a stored session; `bad` counts its unreadable lines. Throws in words for the user. */
  enter(which: string): { info: SessionInfo; bad: number };
  /**
   * Leaves the session for an empty one; returns the work that summarises it for the memory, of
   * which `onUsage` hears what it costs, or undefined when nothing in it is new.
   */
  archive(onUsage: (usage: Usage) => void): ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Takes another model. Throws when it cannot be had as configured. */
  useModel(name: string): Promise<void>;
  /** Leaves the session for good. */
  leave(): void;
}

/** Begins with an empty session. */
export function createCurrent(o: AgentOptions, budget: Budget): Current {
  const { store, memory } = o;
  let session = store.create();
  /** How many of its messages were there when the lane came to it. */
  let arrived = 0;
  let modelName = o.modelName;
  let model: OpenModel = { client: o.model, imageTypes: o.imageTypes };
  let keeper = o.keeper(session, modelName);

  /** Which images were last told to be left out. */
  let leftOut = "";
  let tell = (_text: string) => {};
  /** What is to be told of the session to who has entered it. */
  let untold: string[] = [];

  const come = (next: SessionFile) => {
    session = next;
    next.onDisk = tell;
    arrived = session.messages.length;
    keeper = o.keeper(session, modelName);
    if (session.carried) keeper.settled(session.carried.summary);
  };
  const current: Current = {
    get session() {
      return session;
    },
    get keeper() {
      return keeper;
    },
    get modelName() {
      return modelName;
    },
    get imageTypes() {
      return model.imageTypes;
    },
    leftOut() {
      const n = unsentImages(session.view, model.imageTypes);
      const found = `${session.id} ${modelName} ${n}`;
      if (n === 0 || found === leftOut) return undefined;
      leftOut = found;
      return o.t(
        '{n} {n:image|images} of this session {n:is|are} not sent to {model}, which narnat does not know to take {n:it|them}. If it does, set "images": true in narnat.json',
        { n, model: modelName },
      );
    },
    parts: () => ({
      session,
      keeper,
      model: model.client,
      modelName,
      toolbox: o.toolbox,
      outputDir: under(o.outputDir, session.id),
      limits: o.limits,
      budget,
      log: o.log,
      t: o.t,
      now: o.monotonic,
    }),
    take(next, summary) {
      memory.leave(session, arrived, summary);
      session.close();
      come(next);
    },
    find(which) {
      const info = store.find(which);
      if (!info) {
        throw new Error(
          o.t("Cannot find the session {which}: /show or narnat sessions lists what there is", {
            which,
          }),
        );
      }
      return info;
    },
    onDisk(told) {
      tell = told;
      session.onDisk = told;
    },
    async settle() {
      const told = untold.splice(0);
      if (session.takeCut()) {
        session.append({
          role: "user",
          text: `${HOST_MARK} ${
            o.t(
              "narnat was ended while you were writing the answer above: it is cut off there, and what came behind is lost",
            )
          }`,
        });
        told.unshift(
          o.t("narnat was ended amid an answer last time: it is cut off there (the model is told)"),
        );
      }
      if (session.openCalls.length === 0) return told;
      const { settleLostCalls } = await import("../session/lost_calls.ts");
      const { toolbox, outputDir } = current.parts();
      const parts = { toolbox, outputDir, workspace: o.workspace, t: o.t };
      return [...await settleLostCalls(session, parts), ...told];
    },
    enter(which) {
      const info = current.find(which);
      if (info.id === session.id) return { info, bad: 0 };
      const { session: next, bad } = store.open(info.id);
      next.enter();
      untold = next.takeUntold();
      current.take(next);
      return { info, bad };
    },
    archive(onUsage) {
      const from = arrived;
      if (session.messages.length === from) {
        current.take(store.create());
        return undefined;
      }
      const emit = (event: EventBody) => event.type === "usage" && onUsage(event);
      // of the session that is left it holds, though the next one pays
      const over = budget.over(current);
      const closing = {
        ...budget,
        over: async (asker: Asker) => await over ?? await budget.over(asker),
      };
      const left = { ...current.parts(), budget: closing, emit, closed: true };
      session.close();
      come(store.create());
      return (signal) => memory.archive(keeperHost({ ...left, signal }), from);
    },
    async useModel(name) {
      model = await o.models.open(name);
      modelName = name;
      // The prompt names the model. Another model has no cached prefix to lose, and the way back
      // finds the same bytes again.
      keeper = o.keeper(session, modelName);
    },
    leave() {
      memory.leave(session, arrived);
      session.close();
    },
  };
  return current;
}

/** The agent: lanes that come into being with their first Inbound, and one bus for all. */
import { under } from "../base/path.ts";
import type { AgentEvent, Agents, Bus, SessionController, Usage } from "../base/types.ts";
import type { AgentOptions, LaneScope } from "./agent_options.ts";
import { createBackgroundTasks } from "./background_tasks.ts";
import { ownSpending } from "./budget.ts";
import { Lane } from "./lane.ts";

interface Fan {
  emit(lane: string, event: AgentEvent): void;
  subscribe(listener: (event: AgentEvent) => void, lane?: string): () => void;
}

/** A listener that throws is reported to `onError` and does not keep the others from hearing. */
function createFan(onError: (error: unknown) => void): Fan {
  const listeners = new Set<{ hear: (event: AgentEvent) => void; lane: string | undefined }>();
  return {
    emit(lane, event) {
      for (const listener of [...listeners]) {
        if (listener.lane !== undefined && listener.lane !== lane) continue;
        try {
          listener.hear(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(hear, lane) {
      const listener = { hear, lane };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export interface Agent {
  readonly bus: Bus;
  /** Opens a lane with a scope of its own; it is there until it is dropped, and costs beside the turns. */
  open(key: string, scope: LaneScope): void;
  /** Stops a lane and forgets it. */
  drop(key: string): void;
  /** The face of the lane `main`. */
  readonly controller: SessionController;
  /** Those that work for the lanes. */
  readonly agents: Agents;
  /** Makes a stored session (id, its beginning, name or number) the current one of the lane `main`; as Lane.resume does. */
  resume(which: string): ReturnType<Lane["resume"]>;
  /** Resolves when no lane has anything to do. */
  idle(): Promise<void>;
  /** Stops all turns and closes the session files. */
  close(): Promise<void>;
}

/** Who else hears of a lane. */
interface Hearing {
  /** It has nothing more to do. */
  atRest?(): void;
  onUsage?(usage: Usage): void;
}

/** Makes the agent. */
export function createAgent(given: AgentOptions): Agent {
  const options = { spending: ownSpending(), ...given };
  const { log } = options;
  const fan = createFan((error) => log.error("core.bus", String((error as Error)?.stack ?? error)));
  const lanes = new Map<string, Lane>();
  let waiting: (() => void)[] = [];
  const busy = () =>
    background.busy || agents.busy || [...lanes.values()].some((lane) => lane.busy());
  const onIdle = () => {
    if (busy()) return;
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  const background = createBackgroundTasks(onIdle);
  const agents = options.agentPool({
    open(key, scope, parent, atRest) {
      const readOnly = () => lanes.get(parent)?.controller.planMode === true;
      open(key, { ...scope, readOnly }, parent, { atRest });
    },
    drop: (key) => drop(key),
    lane: (key) => laneOf(key),
    outputDir: (key) => under(options.outputDir, laneOf(key).controller.current().id),
    send: (inbound) => laneOf(inbound.lane).receive(inbound),
    subscribe: fan.subscribe,
    emit: (key, event) => laneOf(key).tell(event),
    id: () => options.uuid().slice(0, 8),
    now: options.monotonic,
    t: options.t,
    onIdle,
  });
  const drop = (key: string) => {
    const dropped = lanes.get(key);
    lanes.delete(key);
    // of a lane at rest there is nothing to stop but what goes on beside all of them
    if (dropped?.busy()) dropped.stop();
    dropped?.close();
  };
  const open = (
    key: string,
    scope?: LaneScope,
    parent?: string,
    { atRest, onUsage }: Hearing = {},
  ): Lane => {
    const above = parent === undefined ? undefined : laneOf(parent).budget;
    const lane = new Lane({
      key,
      options: scope ? { ...options, ...scope } : options,
      isScoped: scope !== undefined,
      background,
      agents,
      above,
      send(event) {
        if (event.type === "usage") onUsage?.(event);
        fan.emit(key, event);
      },
      onIdle() {
        atRest?.();
        onIdle();
      },
    });
    lanes.set(key, lane);
    return lane;
  };
  const laneOf = (key: string): Lane => lanes.get(key) ?? open(key);
  const idle = () =>
    busy() ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve();
  return {
    bus: {
      send: (inbound) => laneOf(inbound.lane).receive(inbound),
      subscribe: (listener, session) => fan.subscribe(listener, session),
    },
    get controller() {
      return laneOf("main").controller;
    },
    agents,
    resume: (which) => laneOf("main").resume(which),
    open: (key, scope) => void open(key, scope, "main", { onUsage: background.spend }),
    drop,
    idle,
    async close() {
      background.end();
      for (const each of lanes.values()) each.stop();
      await idle();
      for (const each of lanes.values()) each.close();
    },
  };
}

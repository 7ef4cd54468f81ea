/** The agent: lanes that come into being with their first Inbound, and one bus for all. */
import type { Bus, Desk, Usage } from "../types.ts";
import type { AgentOptions, LaneScope } from "./agent_options.ts";
import { createBeside } from "./beside.ts";
import { createFan } from "./bus.ts";
import { createLane, type Lane } from "./lane.ts";

export interface Agent {
  readonly bus: Bus;
  /** Opens a lane with a scope of its own; it is there until it is dropped, and costs beside the turns. */
  open(key: string, scope: LaneScope): void;
  /** Stops a lane and forgets it. */
  drop(key: string): void;
  /** The face of the lane `main`. */
  readonly desk: Desk;
  /** Makes a stored session (id, its beginning, name or number) the current one of the lane `main`; returns the number of unreadable lines. */
  resume(which: string): number;
  /** Resolves when no lane has anything to do. */
  idle(): Promise<void>;
  /** Stops all turns and closes the session files. */
  close(): Promise<void>;
}

/** Makes the agent. */
export function createAgent(options: AgentOptions): Agent {
  const { log } = options;
  const fan = createFan((error) => log.error("core.bus", String((error as Error)?.stack ?? error)));
  const lanes = new Map<string, Lane>();
  let waiting: (() => void)[] = [];
  const busy = () => beside.busy || [...lanes.values()].some((lane) => lane.busy());
  const onIdle = () => {
    if (busy()) return;
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
  };
  const beside = createBeside(onIdle);
  const open = (key: string, scope: LaneScope = {}, onUsage = (_: Usage) => {}): Lane => {
    const lane = createLane({
      options: { ...options, ...scope },
      beside,
      send(event) {
        if (event.type === "usage") onUsage(event);
        fan.emit(key, event);
      },
      onIdle,
    });
    lanes.set(key, lane);
    return lane;
  };
  const lane = (key: string): Lane => lanes.get(key) ?? open(key);
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
    resume: (which) => lane("main").resume(which),
    open: (key, scope) => void open(key, scope, beside.spend),
    drop(key) {
      const dropped = lanes.get(key);
      lanes.delete(key);
      dropped?.stop();
      dropped?.close();
    },
    idle,
    async close() {
      beside.end();
      for (const each of lanes.values()) each.stop();
      await idle();
      for (const each of lanes.values()) each.close();
    },
  };
}

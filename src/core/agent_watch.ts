/** What is known of an agent, by the events of its lane. */
import type {
  AgentEvent,
  AgentInfo,
  AgentState,
  EventBody,
  TurnEndReason,
  Usage,
} from "../types.ts";
import { addUsage, NO_USAGE } from "../usage.ts";
import type { Fan } from "./bus.ts";
import type { Lane } from "./lane.ts";

/** How often people hear of an agent whose state stays the same. */
const TELL_MS = 1000;

export interface WatchParts {
  lane(key: string): Lane;
  subscribe: Fan["subscribe"];
  emit(lane: string, event: EventBody): void;
  /** A clock that does not jump, in milliseconds. */
  now(): number;
}

/** Whom to watch. */
export interface Watched extends Pick<AgentInfo, "id" | "label" | "kind" | "member"> {
  readonly key: string;
  readonly parent: string;
}

/** What came of a turn. */
export interface TurnAnswer {
  readonly reason: TurnEndReason;
  /** What was said last. */
  readonly text: string;
  /** Why it failed, or what it was warned of last, in words for the user; empty for neither. */
  readonly why: string;
}

export interface Watch {
  readonly info: AgentInfo;
  readonly state: AgentState;
  /** What it said last. */
  readonly said: string;
  /** Of its turns since `rest` was called last. */
  readonly turns: readonly TurnAnswer[];
  /** Tells the lane it works for at once. */
  become(state: AgentState): void;
  /** Begins to listen to its lane. */
  begin(): void;
  /** The turns so far are dealt with. */
  rest(): void;
  end(): void;
}

/** What it costs is counted on the lane it works for. */
export function createWatch(parts: WatchParts, who: Watched): Watch {
  const { key, parent, ...named } = who;
  const running = new Map<string, string>();
  let state: AgentState = "queued";
  let steps = 0;
  let usage: Usage = NO_USAGE;
  let began: number | undefined;
  let ended: number | undefined;
  /** What is being said, and what was said before the tools that followed it. */
  let segment = "";
  let last = "";
  let why = "";
  let warned = "";
  let turns: TurnAnswer[] = [];
  let told = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};

  const keep = () => {
    if (segment.trim() !== "") last = segment.trim();
    segment = "";
  };
  const info = (): AgentInfo => ({
    ...named,
    state,
    steps,
    doing: [...running.values()].at(-1) ?? "",
    usage,
    ms: began === undefined ? 0 : Math.round((ended ?? parts.now()) - began),
  });
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    told = parts.now();
    parts.emit(parent, { type: "agent", ...info() });
  };
  const tellSoon = () => {
    if (timer !== undefined) return;
    const wait = told + TELL_MS - parts.now();
    if (wait <= 0) tell();
    else timer = setTimeout(tell, wait);
  };

  const hear = (event: AgentEvent) => {
    switch (event.type) {
      case "turn_start":
        [segment, last, why, warned] = ["", "", "", ""];
        break;
      case "text":
        segment += event.delta;
        break;
      case "tool_start":
        keep();
        running.set(event.id, event.name);
        tellSoon();
        break;
      case "tool_end":
        running.delete(event.id);
        tellSoon();
        break;
      case "notice":
        if (event.retryMs !== undefined) segment = "";
        else if (event.level === "warn") warned = event.text;
        break;
      case "error":
        why = event.text;
        break;
      case "usage": {
        const { input, output, cached, cost } = event;
        steps++;
        usage = addUsage(usage, event);
        parts.lane(parent).spend({ input, output, cached, cost });
        tellSoon();
        break;
      }
      case "turn_end":
        keep();
        running.clear();
        turns.push({ reason: event.reason, text: last, why: why || warned });
    }
  };

  return {
    get info() {
      return info();
    },
    get state() {
      return state;
    },
    get said() {
      return segment.trim() || last;
    },
    get turns() {
      return turns;
    },
    become(next) {
      state = next;
      if (next === "running") began = parts.now() - (began === undefined ? 0 : info().ms);
      ended = next === "running" ? undefined : parts.now();
      tell();
    },
    begin() {
      unsubscribe = parts.subscribe(hear, key);
    },
    rest() {
      turns = [];
    },
    end() {
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

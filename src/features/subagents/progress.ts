/** What is known of an agent, by the events of its lane. */
import type {
  AgentEvent,
  AgentInfo,
  AgentState,
  Json,
  TurnEndReason,
  Usage,
} from "../../base/types.ts";
import type { AgentPoolHost } from "../../agent/agent_options.ts";
import { withoutEmptyEnds } from "../../base/empty_ends.ts";
import { addUsage, NO_USAGE } from "../../base/usage.ts";
import { truncate } from "../../base/truncate.ts";

/** How often people hear of an agent whose state stays the same. */
const TELL_MS = 1000;
/** Of a refused call. */
const CALL_CHARS = 120;

export type WatchParts = Pick<AgentPoolHost, "lane" | "subscribe" | "emit" | "t" | "now">;

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
  /** Calls that were not run: nobody could be asked, or they were not allowed. */
  readonly refused: readonly string[];
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
  const running = new Map<string, { readonly name: string; readonly input: Json }>();
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
  let refused: string[] = [];
  let turns: TurnAnswer[] = [];
  let told = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};

  const keep = () => {
    if (segment.trim() !== "") last = withoutEmptyEnds(segment);
    segment = "";
  };
  const info = (): AgentInfo => ({
    ...named,
    state,
    steps,
    doing: [...running.values()].at(-1)?.name ?? "",
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

  const refuse = (call: string) => {
    refused.push(call);
    const text = parts.t(
      "refused to agent [{label}] (id: {id}), which asks nobody, and not run: {call}",
      { id: who.id, label: who.label, call },
    );
    parts.emit(parent, { type: "notice", level: "warn", text });
  };

  const hear = (event: AgentEvent) => {
    switch (event.type) {
      case "turn_start":
        [segment, last, why, warned] = ["", "", "", ""];
        refused = [];
        break;
      case "text":
        segment += event.delta;
        break;
      case "tool_start":
        keep();
        running.set(event.id, event);
        tellSoon();
        break;
      case "tool_end":
        if (event.detail?.kind === "declined" || event.detail?.kind === "barred") {
          refuse(callOf(event.name, running.get(event.id)?.input));
        }
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
      case "evidence":
        parts.lane(parent).vouch(event);
        // what is warned of behind it is no reason for the turn's end
        why ||= warned;
        warned = "";
        break;
      case "turn_end":
        keep();
        running.clear();
        if (event.reason === "done") why = warned || why;
        turns.push({ reason: event.reason, text: last, why: why || warned, refused });
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
      return withoutEmptyEnds(segment) || last;
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

/** A call as a line tells it: its tool, and the text of its input that comes first. */
function callOf(tool: string, input: Json | undefined): string {
  const texts = Object.values(input ?? {}).filter((value) => typeof value === "string");
  const about = (texts[0] ?? "").replaceAll(/\s+/g, " ").trim();
  const cut = truncate(about, CALL_CHARS);
  return `${tool} ${cut}`.trim();
}

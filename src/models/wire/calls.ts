/** Merges the deltas of tool calls, in all the shapes that providers send them. */
import type { Json, ModelEvent, ToolCall } from "../../base/types.ts";
import { isObjectText, isTooDeep, list, type Loose, MOST_LEVELS, object, string } from "./loose.ts";

interface OpenCall {
  readonly index: unknown;
  id: string;
  name: string;
  input: string;
  readonly extra: { [key: string]: Json };
}

/** Collects the calls of one answer. */
export class CallCollector {
  readonly #calls: OpenCall[] = [];
  readonly #taken: (id: string) => boolean;
  readonly #random: () => number;

  /** `taken` tells whether the conversation has used an id already; a call with such a one gets another. */
  constructor(taken: (id: string) => boolean, random: () => number) {
    this.#taken = taken;
    this.#random = random;
  }

  get size(): number {
    return this.#calls.length;
  }

  /** Takes a `tool_calls` list of a delta; returns what it brings as events. */
  take(deltas: unknown): ModelEvent[] {
    const events: ModelEvent[] = [];
    for (const one of list(deltas)) {
      const delta = object(one);
      const part = object(delta.function);
      const name = string(part.name);
      const input = inputOf(part.arguments);
      const id = string(delta.id);
      const call = this.#find(delta, id, name, input) ?? this.#open(delta.index);
      if (id) call.id = id;
      if (name && !call.name) events.push({ type: "call", name });
      if (name) call.name = joinName(call.name, name);
      const joined = joinInput(call.input, input);
      const more = joined.startsWith(call.input) ? joined.slice(call.input.length) : "";
      if (more) events.push({ type: "input", delta: more });
      call.input = joined;
      for (const [key, value] of Object.entries(delta)) {
        if (!["index", "id", "type", "function"].includes(key) && value !== null) {
          call.extra[key] = value as Json;
        }
      }
    }
    return events;
  }

  /** The finished calls, each with an id that is unique in the conversation. */
  finish(): ToolCall[] {
    const given = new Set<string>();
    const taken = (id: string) => given.has(id) || this.#taken(id);
    return this.#calls.filter((call) => call.name || call.input).map((call) => {
      const id = call.id && !taken(call.id) ? call.id : this.#newId(taken);
      given.add(id);
      return {
        id,
        name: call.name || "unknown",
        input: shallow(call.input),
        ...(Object.keys(call.extra).length > 0 ? { extra: call.extra } : {}),
      };
    });
  }

  /** The open call a delta goes on with: the index may be missing, constant or gapped, the id may come once or never. */
  #find(delta: Loose, id: string, name: string, input: string): OpenCall | undefined {
    const { index } = delta;
    const indexed = index !== undefined && index !== null;
    const near = indexed ? this.#calls.filter((call) => call.index === index) : this.#calls;
    if (id) {
      const same = near.findLast((call) => call.id === id);
      // a call that has no id yet takes this one, unless it plainly is another call's
      const last = near.at(-1);
      const found = same ?? (last && !last.id ? last : undefined);
      return found && this.#startsOver(found, name, input) ? undefined : found;
    }
    const last = near.at(-1);
    return last && this.#startsOver(last, name, input) ? undefined : last;
  }

  /** Whether a delta with a name cannot be more of `call`, because that one is whole. */
  #startsOver(call: OpenCall, name: string, input: string): boolean {
    if (name === "" || call.name === "" || !call.input.trimEnd().endsWith("}")) return false;
    const fresh = input === "" ? name !== call.name : input.trimStart().startsWith("{");
    return fresh && isObjectText(call.input);
  }

  #open(index: unknown): OpenCall {
    const call: OpenCall = { index, id: "", name: "", input: "", extra: {} };
    this.#calls.push(call);
    return call;
  }

  #newId(taken: (id: string) => boolean): string {
    let id = "call_";
    for (let i = 0; i < 8; i++) id += Math.floor(this.#random() * 36).toString(36);
    let free = id;
    for (let i = 2; taken(free); i++) free = `${id}_${i}`;
    return free;
  }
}

/** What is nested too deep for all who will read it becomes a text, which no tool takes. */
function shallow(input: string): string {
  if (input.trim() === "") return "{}";
  if (!isTooDeep(input)) return input;
  return JSON.stringify(`(more than ${MOST_LEVELS} levels) ${input.slice(0, 200)}…`);
}

/** Names come whole, repeated, growing or in pieces. */
function joinName(known: string, name: string): string {
  return name.startsWith(known) ? name : known + name;
}

/** Inputs come in pieces; all that came before may come again with a piece, or the whole behind them. */
function joinInput(known: string, more: string): string {
  // no object begins with two braces, and nothing follows a whole one
  const again = known.startsWith("{") && more.startsWith("{") &&
    (more.startsWith(known) || known.trimEnd().endsWith("}") && isObjectText(known));
  return again ? more : known + more;
}

function inputOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/**
 * Puts together what comes in pieces: tool calls in all the shapes that providers send, and text in
 * which models think aloud where their server does not set it apart.
 */
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

/** How thinking is marked: Qwen, DeepSeek, GLM, MiniMax; older Claude, Nova; Gemini; MiniMax M3; Seed; Magistral; Kimi. */
const TAGS: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<mm:think>", "</mm:think>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
];

/** The end mark of thinking that the template began, so that the server has not sent its beginning. */
const LONE = "</think>";

/** The text of one answer, which may begin with thinking, however it is cut. */
export class Spoken {
  /** What is no thinking. */
  text = "";
  /** Thinking that came as text, until its end mark told. */
  before = "";
  /** What may still turn out to be a tag. */
  #held = "";
  /** The tag that ends the thinking which is open. */
  #close = "";
  /** All since that thinking's tag, and itself. */
  #open: string[] = [];
  /** The last characters of the text. */
  #tail = "";
  #begun = false;
  #thought = false;

  push(more: string): ModelEvent[] {
    if (this.#begun) return this.#say(more);
    if (more === "") return [];
    const events: ModelEvent[] = [];
    this.#held += more;
    while (this.#held !== "" && this.#step(events));
    return events;
  }

  /**
   * What was held back. Thinking whose end mark never came is the answer, unless `cut` tells that
   * the answer was not at its end.
   */
  end(cut: boolean): ModelEvent[] {
    const held = this.#held;
    const open = this.#close !== "";
    this.#held = this.#close = "";
    if (open && cut) return held === "" ? [] : [{ type: "thinking", delta: held }];
    const text = this.#thought ? held.trimStart() : held;
    const rest = open ? [...this.#open, held].join("") : text;
    if (rest.trim() === "") return [];
    return [...this.#say(rest), ...this.end(cut)];
  }

  /** Goes on with what is held; returns whether there may be more to do. */
  #step(events: ModelEvent[]): boolean {
    if (this.#close !== "") return this.#think(events);
    const text = this.#held.trimStart();
    const tag = TAGS.find(([open]) => text.startsWith(open));
    if (tag) {
      this.#open = [tag[0]];
      this.#close = tag[1];
      this.#thought = true;
      this.#held = text.slice(tag[0].length);
      return true;
    }
    // a template that begins the thinking itself may leave its end
    const end = TAGS.find(([, close]) => text.startsWith(close));
    if (end) {
      this.#thought = true;
      this.#held = text.slice(end[1].length);
      return true;
    }
    if (text === "" || TAGS.some((marks) => marks.some((mark) => mark.startsWith(text)))) {
      return false;
    }
    const said = this.#thought ? text : this.#held;
    this.#held = "";
    events.push(...this.#say(said));
    return false;
  }

  #think(events: ModelEvent[]): boolean {
    const at = this.#held.indexOf(this.#close);
    const upTo = at >= 0 ? at : this.#held.length - overlap(this.#held, this.#close);
    const delta = this.#held.slice(0, upTo);
    if (delta !== "") events.push({ type: "thinking", delta });
    this.#open.push(delta);
    this.#held = this.#held.slice(at >= 0 ? at + this.#close.length : upTo);
    if (at >= 0) this.#close = "";
    return at >= 0;
  }

  #say(delta: string): ModelEvent[] {
    if (delta === "") return [];
    this.#begun = true;
    this.text += delta;
    const said: ModelEvent = { type: "text", delta };
    if (this.#thought) return [said];
    const near = this.#tail + delta;
    this.#tail = near.slice(1 - LONE.length);
    // the whole text, which has come in thousands of pieces, is put together only where it may matter
    const found = delta.includes(">") ? near.lastIndexOf(LONE) : -1;
    if (found < 0) return [said];
    const at = this.text.length - near.length + found;
    if (!standsAlone(this.text, at)) return [said];
    const rest = this.text.slice(at + LONE.length);
    this.before = this.text.slice(0, at);
    this.text = "";
    this.#begun = false;
    this.#thought = true;
    return [said, { type: "thought" }, ...this.push(rest)];
  }
}

/** Whether a mark at `at` in `text` ends thinking: it was not begun, and nobody speaks of it or quotes it. */
function standsAlone(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const quoted = /[\s"'`(\[“‘「《]$/.test(line) && line.trim() !== "" ||
    countOf(line, /`/g) % 2 > 0;
  if (quoted || /^["'`”’」》]/.test(text.slice(at + LONE.length))) return false;
  return !before.includes("<think>") && countOf(before, /^ {0,3}(?:```|~~~)/gm) % 2 === 0;
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

/** How many characters at the end of `text` begin `mark`. */
function overlap(text: string, mark: string): number {
  for (let n = Math.min(text.length, mark.length - 1); n > 0; n--) {
    if (text.endsWith(mark.slice(0, n))) return n;
  }
  return 0;
}

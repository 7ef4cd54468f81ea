/** Parts the text of an answer: models think aloud in tags where their server does not set it apart. */
import type { ModelEvent } from "../../base/types.ts";

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

import type { Component } from "@earendil-works/pi-tui";
import { say } from "../text.ts";
import type { Json, Todo } from "../types.ts";
import { plain, plainLine } from "./clean.ts";
import { layRows } from "./lay.ts";
import type { ShownCall } from "./question_rows.ts";
import { callText, type Look, type Row, todoRows } from "./render.ts";

const PROGRESS_ROWS = 3;
const THOUGHT_CHARS = 4096;
const QUEUE_ROWS = 5;

interface Call extends ShownCall {
  readonly text: string;
  progress: string;
}

/** What is going on now: running calls, the todo list, queued lines, the last of the thinking. */
export class Panel implements Component {
  readonly #look: Look;
  readonly #rows: () => number;
  readonly #calls = new Map<string, Call>();
  #thought = "";
  todos: readonly Todo[] = [];
  readonly queue: string[] = [];

  /** `rows` is the height of the terminal. */
  constructor(look: Look, rows: () => number) {
    this.#look = look;
    this.#rows = rows;
  }

  begin(id: string, name: string, input: Json): void {
    this.#calls.set(id, {
      name,
      input,
      text: callText(name, input, this.#look),
      progress: "",
    });
  }

  /** The call that was begun last, if it still runs. */
  get latest(): ShownCall | undefined {
    return [...this.#calls.values()].at(-1);
  }

  /** `text` is how far the call is now; it takes the place of what was told before. */
  progress(id: string, text: string): void {
    const call = this.#calls.get(id);
    if (call) call.progress = text;
  }

  /** Takes the call off the panel and returns how it reads. */
  end(id: string, name: string): string {
    const text = this.#calls.get(id)?.text ?? callText(name, null, this.#look);
    this.#calls.delete(id);
    return text;
  }

  think(delta: string): void {
    this.#thought = (this.#thought + delta).slice(-THOUGHT_CHARS);
  }

  endThought(): void {
    this.#thought = "";
  }

  /** Nothing runs any more; todos and queue stay. */
  clear(): void {
    this.#calls.clear();
    this.#thought = "";
  }

  invalidate(): void {}

  render(width: number): string[] {
    const todos = todoRows(this.todos, this.#look, Math.max(3, this.#rows() - 14));
    return [this.#callRows(), todos, [...this.#queueRows(), ...this.#thoughtRows()]]
      .filter((rows) => rows.length > 0)
      .flatMap((rows) => ["", ...layRows(rows, width)]);
  }

  #callRows(): Row[] {
    const { style } = this.#look;
    return [...this.#calls.values()].flatMap((call) => {
      const tail = plain(call.progress).trimEnd();
      const lines = tail === "" ? [] : tail.split("\n").slice(-PROGRESS_ROWS);
      return [
        { text: `${style.yellow("●")} ${call.text}`, fit: "cut" as const },
        ...lines.map((line) => ({ text: style.dim(`  ${line}`), fit: "cut" as const })),
      ];
    });
  }

  #queueRows(): Row[] {
    const { style, lang } = this.#look;
    return this.queue.slice(-QUEUE_ROWS).map((line) => ({
      text: style.dim(`${say(lang, "screen.queued")}: ${plainLine(line)}`),
      fit: "cut",
    }));
  }

  #thoughtRows(): Row[] {
    const last = plain(this.#thought).trimEnd().split("\n").at(-1) ?? "";
    const { style } = this.#look;
    return last === "" ? [] : [{ text: style.dim(style.italic(last)), fit: "cut" }];
  }
}

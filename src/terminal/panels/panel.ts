import type { Component } from "@earendil-works/pi-tui";
import type { AgentInfo, Json, Todo } from "../../base/types.ts";
import { agentRows, isAtWork } from "../transcript/agent_rows.ts";
import { plain, plainLine } from "../../base/control_characters.ts";
import { layRows } from "../markdown/lay.ts";
import { shownEntry } from "../input/history.ts";
import { Queue } from "../input/queue.ts";
import { callText, type ShownCall, wholeCall } from "../transcript/calls.ts";
import { wholeSeconds } from "../../base/figures.ts";
import { todoRows } from "../transcript/turn_rows.ts";
import { cut, type Look, type Row } from "../transcript/rows.ts";
import type { Thoughts } from "../transcript/working.ts";

const PROGRESS_ROWS = 3;
/** Rows of a terminal that has no room for more than the todo being done. */
const SMALL = 16;
const QUEUE_ROWS = 5;
const AGENT_ROWS = 4;

interface Call {
  readonly name: string;
  readonly input: Json;
  readonly text: string;
  /** On the panel's clock. */
  readonly began: number;
  progress: string;
}

/** What is going on now: running calls, the todo list, agents, queued lines, the thinking. */
export class Panel implements Component {
  readonly #look: Look;
  readonly #rows: () => number;
  readonly #now: () => number;
  readonly #thoughts: Thoughts;
  readonly #calls = new Map<string, Call>();
  readonly #agents = new Map<string, AgentInfo>();
  todos: readonly Todo[] = [];
  readonly queue: Queue;
  readonly #redact: (text: string) => string;

  /** `rows` is the height of the terminal, `now` a clock in milliseconds. */
  constructor(
    look: Look,
    rows: () => number,
    now: () => number,
    thoughts: Thoughts,
    redact: (text: string) => string = (text) => text,
  ) {
    this.#redact = redact;
    this.queue = new Queue(redact);
    this.#look = look;
    this.#rows = rows;
    this.#now = now;
    this.#thoughts = thoughts;
  }

  /** Calls are running. */
  get calling(): boolean {
    return this.#calls.size > 0;
  }

  /** Agents that work for the session, or wait to. */
  get agents(): number {
    return this.#agents.size;
  }

  /** Takes in how an agent is now; true when one that was at work is no longer. */
  takeAgent(info: AgentInfo): boolean {
    if (!isAtWork(info)) return this.#agents.delete(info.id);
    this.#agents.set(info.id, info);
    return false;
  }

  begin(id: string, name: string, input: Json): void {
    this.#calls.set(id, {
      name,
      input,
      text: callText(name, input, this.#look),
      began: this.#now(),
      progress: "",
    });
  }

  /** `text` is how far the call is now; it takes the place of what was told before. */
  progress(id: string, text: string): void {
    const call = this.#calls.get(id);
    if (call) call.progress = text;
  }

  /** Takes the call off the panel and returns how it reads. */
  end(id: string, name: string): ShownCall {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (call === undefined) return { text: callText(name, null, this.#look), about: "" };
    return { text: call.text, about: wholeCall(call.name, call.input, this.#look) };
  }

  /** The calls that are running, as cut off. */
  cutOffRows(): Row[] {
    const { style, t } = this.#look;
    return [...this.#calls.values()].map(({ text }) =>
      cut(`${style.red("✗")} ${text}`, style.dim(` · ${t("interrupted")}`))
    );
  }

  /** No call runs any more; agents, todos and queue stay. */
  clear(): void {
    this.#calls.clear();
  }

  invalidate(): void {}

  render(width: number): string[] {
    const height = this.#rows();
    const todos = todoRows(this.todos, this.#look, height < SMALL ? 1 : Math.max(3, height - 14));
    const thoughts = this.#thoughts.lines(width, Math.max(1, height - SMALL));
    const agents = agentRows(
      [...this.#agents.values()],
      this.#look,
      height < SMALL ? 1 : AGENT_ROWS,
    );
    const lay = (rows: readonly Row[]) => layRows(rows, width);
    return [lay(this.#callRows()), lay(todos), lay(agents), thoughts, lay(this.#queueRows())]
      .filter((lines) => lines.length > 0)
      .flatMap((lines) => ["", ...lines]);
  }

  #callRows(): Row[] {
    const { style } = this.#look;
    return [...this.#calls.values()].flatMap((call) => {
      const tail = plain(call.progress).trimEnd();
      const lines = tail === "" ? [] : tail.split("\n").slice(-PROGRESS_ROWS);
      return [
        {
          text: `${style.yellow("○")} ${call.text}`,
          end: this.#elapsed(call),
          fit: "cut" as const,
        },
        ...lines.map((line) => ({ text: style.dim(`  ${line}`), fit: "cut" as const })),
      ];
    });
  }

  /** In whole seconds, so that the row stays as it is for as long. */
  #elapsed(call: Call): string {
    const seconds = Math.floor((this.#now() - call.began) / 1000);
    return seconds === 0 ? "" : this.#look.style.dim(` · ${wholeSeconds(seconds)}`);
  }

  #queueRows(): Row[] {
    const { style, t } = this.#look;
    const rows = this.queue.all.slice(-QUEUE_ROWS).map(({ entry }): Row => ({
      text: style.dim(
        `${t("queued")}: ${plainLine(this.#redact(shownEntry(entry, t)))}`,
      ),
      fit: "cut",
    }));
    if (rows.length === 0) return [];
    const older = this.queue.length - rows.length;
    const more = style.dim(t("… {count} more", { count: older }));
    return [...older > 0 ? [{ text: more, fit: "cut" as const }] : [], ...rows, {
      text: style.dim(`  ${t("↑ edit the last one")}`),
      fit: "cut",
    }];
  }
}

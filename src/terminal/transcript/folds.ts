import type { AgentEvent } from "../../base/types.ts";
import { toolFullRows } from "./call_rows.ts";
import type { ShownCall } from "./calls.ts";
import type { Look, Row } from "./rows.ts";

type ToolEnd = Extract<AgentEvent, { type: "tool_end" }>;

/** How many calls can still be opened. */
const MOST_KEPT = 10;

/** What of calls and answers was not all shown, to be opened from the newest to the oldest and round again. */
export class Folds {
  readonly #look: Look;
  /** Newest first. */
  #kept: (readonly Row[])[] = [];
  #next = 0;

  constructor(look: Look) {
    this.#look = look;
  }

  keep(event: ToolEnd, call: ShownCall): void {
    this.keepRows(toolFullRows(event, call, this.#look));
  }

  /** The rows of anything else of which not all was shown. */
  keepRows(rows: readonly Row[] | undefined): void {
    if (rows === undefined) return;
    this.#kept = [rows, ...this.#kept].slice(0, MOST_KEPT);
    this.#next = 0;
  }

  /** All rows of one call, of the newest after a new one was kept; undefined when there is none. */
  open(): readonly Row[] | undefined {
    return this.#kept[this.#next++ % this.#kept.length];
  }
}

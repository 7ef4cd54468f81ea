import {
  sliceByColumn,
  stripTerminalSequences,
  type Terminal,
  type TuiMainScreenRenderState,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { ERASE_DOWN } from "../transcript/restore.ts";

/** What was drawn last, and the column of the cursor. */
export interface State extends TuiMainScreenRenderState {
  readonly cursorColumn: number;
}

/** The rows into which a terminal `columns` wide breaks a line, without styles. */
export function hardRows(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const segment of charactersOf(line)) {
    const width = visibleWidth(segment);
    if (used + width > columns && row !== "") {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += segment;
    used += width;
  }
  return [...rows, row];
}

/**
 * Rows from the top of the live part down to the cursor, after a change of width has wrapped the
 * lines anew. Some terminals cut the cursor's own line instead; the cursor then is `at` its end.
 */
export function rowsAboveCursor(state: State, columns: number, at?: Place): number {
  const { previousLines, hardwareCursorRow: row, cursorColumn } = state;
  const isCut = at === undefined || at.column >= columns - 1;
  const before = isCut ? "" : sliceByColumn(previousLines[row] ?? "", 0, cursorColumn);
  const lines = [...previousLines.slice(0, row), before];
  return lines.flatMap((line) => hardRows(line, columns)).length - 1;
}

/** Rows as they are told again however they are wrapped: without blanks. */
export function unwrapped(rows: readonly string[]): string {
  return rows.join("").replace(/\s+/g, "");
}

/**
 * `lines` without what they begin with that is in `gone` (see `unwrapped`); `met` is how much of
 * that was found. Where they begin with anything else, nothing is taken off.
 */
export function withoutGone(
  gone: string,
  lines: readonly string[],
): { readonly lines: readonly string[]; readonly met: number } {
  let met = 0;
  for (const [index, line] of lines.entries()) {
    if (met === gone.length) return { lines: lines.slice(index), met };
    const before = met;
    let column = 0;
    for (const segment of charactersOf(line)) {
      if (segment.trim() !== "") {
        if (met < gone.length && !gone.startsWith(segment, met)) return { lines, met: 0 };
        if (met === gone.length) {
          const rest = met === before ? line : sliceByColumn(line, column, visibleWidth(line));
          return { lines: [rest, ...lines.slice(index + 1)], met };
        }
        met += segment.length;
      }
      column += visibleWidth(segment);
    }
  }
  return { lines: met === 0 ? lines : [], met };
}

function charactersOf(line: string): string[] {
  const segments = new Intl.Segmenter().segment(stripTerminalSequences(line));
  return [...segments].map(({ segment }) => segment);
}

const ASK_CURSOR = "\x1b[6n";
// deno-lint-ignore no-control-regex -- the terminal's answer begins with ESC
const CURSOR = /^\x1b\[(\d+);(\d+)R$/;

/** A place on the screen; 0, 0 is the top left corner. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

const WIPE = "\x1b[2J\x1b[H\x1b[3J";

/**
 * A terminal whose scrollback is never wiped, and to which a frame goes in one write, so that even
 * a terminal without synchronized output shows no half of one.
 */
export class FrameTerminal implements Terminal {
  readonly #terminal: Terminal;
  #frame: string | undefined;
  #hidden = false;
  /** Who waits to be told where the cursor is; the terminal answers in turn. */
  #asking: ((place: Place) => void)[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Draws one frame. */
  frame(draw: () => void): void {
    this.#frame = "";
    try {
      draw();
    } finally {
      const all = this.#frame;
      this.#frame = undefined;
      if (all !== "") this.#terminal.write(all);
    }
  }

  /** Where the cursor is; undefined when the terminal does not tell within `ms`. */
  cursor(ms: number): Promise<Place | undefined> {
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(undefined), ms);
      this.#asking.push((place) => {
        clearTimeout(late);
        resolve(place);
      });
      this.#terminal.write(ASK_CURSOR);
    });
  }

  write(data: string): void {
    const safe = data.includes(WIPE) ? data.replaceAll(WIPE, ERASE_DOWN) : data;
    if (this.#frame === undefined) this.#terminal.write(safe);
    else this.#frame += safe;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#hidden = false;
    this.#terminal.start((data) => {
      const answer = this.#asking.length > 0 ? CURSOR.exec(data) : null;
      if (!answer) onInput(data);
      else this.#asking.shift()?.({ row: Number(answer[1]) - 1, column: Number(answer[2]) - 1 });
    }, onResize);
  }

  stop(): void {
    this.#terminal.stop();
  }

  drainInput(maxMs?: number, idleMs?: number): Promise<void> {
    return this.#terminal.drainInput(maxMs, idleMs);
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get kittyProtocolActive(): boolean {
    return this.#terminal.kittyProtocolActive;
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
  }

  hideCursor(): void {
    if (!this.#hidden) this.write("\x1b[?25l");
    this.#hidden = true;
  }

  showCursor(): void {
    this.#hidden = false;
    this.write("\x1b[?25h");
  }

  clearLine(): void {
    this.write("\x1b[K");
  }

  clearFromCursor(): void {
    this.write("\x1b[J");
  }

  clearScreen(): void {
    this.write(ERASE_DOWN);
  }

  setTitle(title: string): void {
    this.#terminal.setTitle(title);
  }

  setProgress(active: boolean): void {
    this.#terminal.setProgress(active);
  }
}

import {
  ProcessTerminal,
  setCapabilities,
  type Terminal,
  truncateToWidth,
  TuiMainScreen,
  type TuiMainScreenRenderState,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { onlyStyles } from "./clean.ts";

/**
 * Erases from the cursor's row down. An ESC[J at the top left corner would make tmux move the whole
 * screen into its scrollback.
 */
const ERASE_DOWN = "\r\x1b[2K\x1b7\x1b[B\x1b[J\x1b8";
const WIPE = "\x1b[2J\x1b[H\x1b[3J";
/** pi-tui recurses without end where a wide character does not fit; below this, lines are cut. */
const LEAST_WIDTH = 6;
const EMPTY: TuiMainScreenRenderState = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

/** Draws lines for a terminal `width` columns wide; called once, when they are written. */
export type Draw = (width: number) => readonly string[];

/**
 * The process's terminal, which never wipes its scrollback: LiveScreen gives pi-tui no reason to,
 * but a resize in the midst of a frame still could.
 */
class KeepScrollbackTerminal extends ProcessTerminal {
  override write(data: string): void {
    super.write(data.includes(WIPE) ? data.replaceAll(WIPE, ERASE_DOWN) : data);
  }
}

/**
 * Rows from the top of the live part down to the cursor. After a change of width a terminal has
 * wrapped the lines anew; the cursor's own line counts once, because terminals differ there and a
 * stray row is better than an erased one.
 */
function rowsAboveCursor(state: TuiMainScreenRenderState, columns: number, rows: number): number {
  let up = state.hardwareCursorRow;
  if (state.previousWidth > columns) {
    up = 0;
    for (const line of state.previousLines.slice(0, state.hardwareCursorRow)) {
      up += Math.max(1, Math.ceil(visibleWidth(line) / columns));
    }
  }
  return Math.min(up, rows - 1);
}

/**
 * pi-tui's main screen with a memory of nothing: finished text is committed to the terminal's own
 * scrollback, only the components below it are redrawn. They never outgrow the screen.
 */
export class LiveScreen extends TuiMainScreen {
  #pending: Draw[] = [];
  #closed = false;
  /** Called before each frame; the place to commit what has become final. */
  onFrame: (() => void) | undefined;

  constructor(terminal: Terminal = new KeepScrollbackTerminal()) {
    // Without this pi-tui asks tmux about itself through execSync.
    setCapabilities({ images: null, trueColor: true, hyperlinks: false });
    super(terminal);
  }

  /** Writes lines above the live part for good, at the next frame; the terminal wraps longer ones. */
  commit(draw: Draw): void {
    this.#pending.push(draw);
    this.requestRender();
  }

  /** Writes what is pending, removes the live part and gives the terminal back. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.renderNow();
    this.onFrame = undefined;
    this.clear();
    this.renderNow();
    this.stop();
  }

  override render(width: number): string[] {
    const lines = super.render(Math.max(LEAST_WIDTH, width)).map((line) => {
      const safe = onlyStyles(line).trimEnd();
      return visibleWidth(safe) > width ? truncateToWidth(safe, width, "") : safe;
    });
    const rows = this.terminal.rows;
    return lines.length > rows ? lines.slice(-rows) : lines;
  }

  protected override doRender(): void {
    if (this.stopped) return;
    this.onFrame?.();
    const state = this.captureRenderState();
    const { columns, rows } = this.terminal;
    const resized = state.previousWidth !== 0 &&
      (state.previousWidth !== columns || state.previousHeight !== rows);
    if (resized || this.#pending.length > 0) {
      const up = rowsAboveCursor(state, columns, rows);
      const lines = this.#pending.splice(0).flatMap((draw) => draw(Math.max(LEAST_WIDTH, columns)));
      this.terminal.write(
        "\x1b[?2026h" + (up > 0 ? `\x1b[${up}A` : "") + ERASE_DOWN +
          lines.map((line) => onlyStyles(line).trimEnd() + "\x1b[0m\r\n").join(""),
      );
      this.restoreRenderState(EMPTY);
    }
    super.doRender();
  }
}

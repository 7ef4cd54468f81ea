import type { Terminal } from "@earendil-works/pi-tui";
import { ERASE_DOWN } from "./restore.ts";

const WIPE = "\x1b[2J\x1b[H\x1b[3J";

/**
 * A terminal whose scrollback is never wiped, and to which a frame goes in one write, so that even
 * a terminal without synchronized output shows no half of one.
 */
export class FrameTerminal implements Terminal {
  readonly #terminal: Terminal;
  #frame: string | undefined;
  #hidden = false;

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

  write(data: string): void {
    const safe = data.includes(WIPE) ? data.replaceAll(WIPE, ERASE_DOWN) : data;
    if (this.#frame === undefined) this.#terminal.write(safe);
    else this.#frame += safe;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#hidden = false;
    this.#terminal.start(onInput, onResize);
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

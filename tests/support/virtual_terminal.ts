import type { Terminal } from "@earendil-works/pi-tui";
import xterm from "@xterm/headless";
import { withoutStatus } from "./status_line.ts";

/** A terminal in memory: pi-tui draws on it, a test types into it and reads what stands on it. */
export class VirtualTerminal implements Terminal {
  readonly #xterm: InstanceType<typeof xterm.Terminal>;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};
  readonly kittyProtocolActive = false;
  /**
   * Told of a resize after all that was written has been drawn. `misplaced`: what stands below the
   * cursor will be wrapped anew, and xterm then moves the cursor away from its line.
   */
  beforeResize: (columns: number, rows: number, misplaced: boolean) => void = () => {};
  /** Everything that was written. */
  written = "";

  constructor(columns = 80, rows = 24) {
    this.#xterm = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 100_000,
      allowProposedApi: true,
    });
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    this.#onResize = onResize;
  }

  stop(): void {}

  drainInput(): Promise<void> {
    return Promise.resolve();
  }

  write(data: string): void {
    this.written += data;
    this.#xterm.write(data);
  }

  get columns(): number {
    return this.#xterm.cols;
  }

  get rows(): number {
    return this.#xterm.rows;
  }

  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}

  /** Sends one key or escape sequence. */
  key(data: string): void {
    this.#onInput(data);
  }

  type(text: string): void {
    for (const char of text) this.#onInput(char);
  }

  paste(text: string): void {
    this.#onInput(`\x1b[200~${text}\x1b[201~`);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#flushed();
    this.beforeResize(columns, rows, this.#widthBelow() > columns);
    this.#xterm.resize(columns, rows);
    this.#onResize();
    // Longer than the live screen waits for a size to last.
    await new Promise((resolve) => setTimeout(resolve, 330));
  }

  /** The whole buffer, scrollback first; rows that the terminal wrapped are joined again. */
  async text(): Promise<string> {
    // Two frames of pi-tui's 16 ms.
    await new Promise((resolve) => setTimeout(resolve, 40));
    return withoutStatus((await this.lines()).join("\n").trimEnd());
  }

  /** The lines of the whole buffer as it is now; what the terminal wrapped is one line. */
  async lines(): Promise<string[]> {
    await this.#flushed();
    const buffer = this.#xterm.buffer.active;
    const lines: string[] = [];
    let open = "";
    for (let i = 0; i < buffer.length; i++) {
      const row = buffer.getLine(i)!;
      // Behind the end xterm still gives rows that it has dropped.
      const goesOn = i + 1 < buffer.length && buffer.getLine(i + 1)?.isWrapped === true;
      // A wide character that did not fit has left the last cell of its row empty.
      const last = row.getCell(this.columns - 1);
      const full = last?.getChars() === "" && last.getWidth() === 1
        ? this.columns - 1
        : this.columns;
      open += goesOn ? row.translateToString(false, 0, full) : row.translateToString(true);
      if (goesOn) continue;
      lines.push(open.trimEnd());
      open = "";
    }
    return lines;
  }

  /** Where the cursor stands, from the top left corner of the screen. */
  async cursor(): Promise<{ readonly x: number; readonly y: number }> {
    await this.#flushed();
    const { cursorX, cursorY } = this.#xterm.buffer.active;
    return { x: cursorX, y: cursorY };
  }

  /** Waits until the buffer contains `text`. */
  async shows(text: string): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const all = await this.text();
      if (all.includes(text)) return all;
    }
    throw new Error(`The terminal never showed ${JSON.stringify(text)}:\n${await this.text()}`);
  }

  /** Columns of the longest row below the cursor. */
  #widthBelow(): number {
    const buffer = this.#xterm.buffer.active;
    let width = 0;
    for (let y = buffer.baseY + buffer.cursorY + 1; y < buffer.length; y++) {
      const row = buffer.getLine(y)!;
      for (let x = width; x < this.columns; x++) {
        if (row.getCell(x)!.getChars().trim() !== "") width = x + 1;
      }
    }
    return width;
  }

  #flushed(): Promise<void> {
    return new Promise((resolve) => this.#xterm.write("", resolve));
  }
}

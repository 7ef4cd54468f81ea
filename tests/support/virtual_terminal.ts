import type { Terminal } from "@earendil-works/pi-tui";
import xterm from "@xterm/headless";
import { withoutStatus } from "./tmux.ts";

/** A terminal in memory: pi-tui draws on it, a test types into it and reads what stands on it. */
export class VirtualTerminal implements Terminal {
  readonly #xterm: InstanceType<typeof xterm.Terminal>;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};
  readonly kittyProtocolActive = false;
  /** Rows of the live part down to the cursor's; told by who watches it, for `movedOff`. */
  rowsToCursor: () => number = () => 0;
  /** Something is still to be drawn; told by who watches it. */
  isDue: () => boolean = () => false;
  /** A resize has moved some of the live part above the screen. */
  movedOff = false;
  /** A resize has moved the cursor away from its line: xterm does when lines below it wrap anew. */
  misplaced = false;
  /** Everything that was written. */
  written = "";

  /** `cuts`: made narrower it cuts its lines instead of wrapping them anew, as xterm does. */
  constructor(columns = 80, rows = 24, cuts = false) {
    this.#xterm = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 100_000,
      allowProposedApi: true,
      ...(cuts ? { windowsPty: { backend: "winpty", buildNumber: 1 } } : {}),
    });
    this.#xterm.onData((answer) => this.#onInput(answer));
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
    for (const char of text) this.key(char);
  }

  paste(text: string): void {
    this.key(`\x1b[200~${text}\x1b[201~`);
  }

  /** Returns whether it has moved some of the live part above the screen. */
  async resize(columns: number, rows: number): Promise<boolean> {
    await this.#flushed();
    const top = this.#xterm.registerMarker(-this.rowsToCursor())!;
    const cursor = this.#xterm.registerMarker(0)!;
    this.#xterm.resize(columns, rows);
    const { baseY, cursorY } = this.#xterm.buffer.active;
    const moved = top.line < baseY;
    this.movedOff ||= moved;
    this.misplaced ||= !this.#isOneLine(cursor.line, baseY + cursorY);
    this.#onResize();
    // Longer than the live screen waits for a size to last.
    await this.#after(350);
    return moved;
  }

  /** The whole buffer, scrollback first; rows that the terminal wrapped are joined again. */
  async text(): Promise<string> {
    // Longer than a frame of the live screen may wait.
    await this.#after(60);
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
      open += goesOn
        ? row.translateToString(false, 0, full)
        : row.translateToString(true, 0, this.columns);
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

  /** Waits until the buffer contains `text`, or matches it. */
  async shows(text: string | RegExp): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const all = await this.text();
      if (typeof text === "string" ? all.includes(text) : text.test(all)) return all;
    }
    const what = typeof text === "string" ? JSON.stringify(text) : text;
    throw new Error(`The terminal never showed ${what}:\n${await this.text()}`);
  }

  /** Whether the rows from `first` to `last` are one line that the terminal has wrapped. */
  #isOneLine(first: number, last: number): boolean {
    const buffer = this.#xterm.buffer.active;
    for (let y = first + 1; y <= last; y++) if (!buffer.getLine(y)?.isWrapped) return false;
    return first <= last;
  }

  /** Waits so long, and for what is due then. */
  async #after(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    while (this.isDue()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async #flushed(): Promise<void> {
    for (let length = -1; length !== this.written.length;) {
      length = this.written.length;
      await new Promise<void>((resolve) => this.#xterm.write("", resolve));
    }
  }
}

import type { Terminal } from "@earendil-works/pi-tui";
import xterm from "@xterm/headless";

/** A terminal in memory: pi-tui draws on it, a test types into it and reads what stands on it. */
export class VirtualTerminal implements Terminal {
  readonly #xterm: InstanceType<typeof xterm.Terminal>;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};
  readonly kittyProtocolActive = false;
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
    this.#xterm.resize(columns, rows);
    this.#onResize();
  }

  /** The whole buffer, scrollback first; rows that the terminal wrapped are joined again. */
  async text(): Promise<string> {
    // Two frames of pi-tui's 16 ms.
    await new Promise((resolve) => setTimeout(resolve, 40));
    await this.#flushed();
    const buffer = this.#xterm.buffer.active;
    const lines: string[] = [];
    for (let i = 0; i < buffer.length; i++) {
      const line = buffer.getLine(i)!;
      const text = line.translateToString(true);
      if (line.isWrapped && lines.length > 0) lines.push(lines.pop()! + text);
      else lines.push(text);
    }
    return lines.join("\n").trimEnd();
  }

  /** Waits until the buffer contains `text`. */
  async shows(text: string): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const all = await this.text();
      if (all.includes(text)) return all;
    }
    throw new Error(`The terminal never showed ${JSON.stringify(text)}:\n${await this.text()}`);
  }

  #flushed(): Promise<void> {
    return new Promise((resolve) => this.#xterm.write("", resolve));
  }
}

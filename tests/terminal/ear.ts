import type { Terminal } from "@earendil-works/pi-tui";

/** A terminal that only listens. */
export class Ear implements Terminal {
  readonly columns = 80;
  readonly rows = 24;
  readonly kittyProtocolActive = false;
  written = "";
  #onInput: (data: string) => void = () => {};

  start(onInput: (data: string) => void): void {
    this.#onInput = onInput;
  }
  key(data: string): void {
    this.#onInput(data);
  }
  write(data: string): void {
    this.written += data;
  }
  setTitle(title: string): void {
    this.write(title);
  }
  drainInput(): Promise<void> {
    return Promise.resolve();
  }
  stop(): void {}
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setProgress(): void {}
}

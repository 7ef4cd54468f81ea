import {
  type Component,
  CURSOR_MARKER,
  type Focusable,
  Input,
  matchesKey,
  truncateToWidth,
} from "@earendil-works/pi-tui";

// deno-lint-ignore no-control-regex -- the marks of a bracketed paste
const PASTE = /\x1b\[20[01]~/g;
const DOTS = 32;

/** A line for a secret: what is typed or pasted is never drawn, only how long it is. */
export class MaskedInput implements Component, Focusable {
  readonly #done: (value: string | undefined) => void;
  readonly #length: (count: number) => string;
  #value = "";
  focused = false;

  /** `done` gets the secret, or undefined on ESC; `length` says how many characters there are. */
  constructor(done: (value: string | undefined) => void, length: (count: number) => string) {
    this.#done = done;
    this.#length = length;
  }

  handleInput(data: string): void {
    if (matchesKey(data, "escape")) this.#done(undefined);
    else if (matchesKey(data, "enter")) this.#done(this.#value);
    else if (matchesKey(data, "backspace")) this.#value = this.#value.slice(0, -1);
    else if (matchesKey(data, "ctrl+u")) this.#value = "";
    else this.#add(data);
  }

  invalidate(): void {}

  render(width: number): string[] {
    const dots = "•".repeat(Math.min(this.#value.length, DOTS));
    const marker = this.focused ? CURSOR_MARKER : "";
    const count = this.#value === "" ? "" : `  ${this.#length(this.#value.length)}`;
    return [truncateToWidth(`❯ ${dots}${marker}\x1b[7m \x1b[0m${count}`, width, "")];
  }

  /** Keys are printable ASCII without blanks; a paste brings line ends and quotes along. */
  #add(data: string): void {
    const pasted = data.startsWith("\x1b[200~");
    if (data.startsWith("\x1b") && !pasted) return;
    const text = data.replace(PASTE, "").replace(/[^\x21-\x7e]/g, "");
    this.#value += pasted ? text.replace(/^(["'])(.*)\1$/, "$2") : text;
  }
}

const END = "\x1b[F";

/** pi-tui's input line; what it begins with is mended from its end, Ctrl-U clears all of it. */
export class LineInput extends Input {
  constructor(value: string) {
    super({ prompt: "❯ " });
    this.setValue(value);
    super.handleInput(END);
  }

  override handleInput(data: string): void {
    // pi-tui deletes up to the cursor only.
    if (matchesKey(data, "ctrl+u")) super.handleInput(END);
    super.handleInput(data);
  }
}

import { Input, matchesKey } from "@earendil-works/pi-tui";

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

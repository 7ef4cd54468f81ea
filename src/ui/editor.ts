import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  Editor,
  type EditorTheme,
  matchesKey,
  type TUI,
} from "@earendil-works/pi-tui";
import type { Command, Lang } from "../types.ts";
import { plain } from "./clean.ts";
import type { Style } from "./style.ts";

/** Stands for a tab inside pi-tui's editor, which would turn a pasted tab into four spaces. */
const TAB = "\ue009";
const BOTTOM = "\0";
const PASTE = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const DOWN = "\x1b[B";
const END = "\x1b[F";

/** `plain`, but tabs are kept, as their stand-in. */
function keepTabs(text: string): string {
  return plain(text.replaceAll(TAB, "").replaceAll("\t", TAB));
}

/** pi-tui's editor with a prompt mark instead of rules, and pastes kept to the letter. */
export class PromptEditor extends Editor {
  readonly #style: Style;
  #paste: string | undefined;

  constructor(tui: TUI, theme: EditorTheme, style: Style) {
    super(tui, theme, { autocompleteMaxVisible: 10 });
    this.#style = style;
  }

  /** Sets what is called with a submitted line (trimmed, pastes in full). */
  set onLine(submit: (text: string) => void) {
    this.onSubmit = (text) => submit(text.replaceAll(TAB, "\t"));
  }

  /** Replaces the text; tabs survive. */
  put(text: string): void {
    this.setText(keepTabs(text));
  }

  remember(line: string): void {
    this.addToHistory(keepTabs(line));
  }

  override handleInput(data: string): void {
    if (this.#paste === undefined && !data.startsWith(PASTE)) return this.#key(data);
    const text = this.#paste === undefined ? data.slice(PASTE.length) : this.#paste + data;
    const end = text.indexOf(PASTE_END);
    this.#paste = end < 0 ? text : undefined;
    if (end < 0) return;
    super.handleInput(PASTE + keepTabs(text.slice(0, end)) + PASTE_END);
    const rest = text.slice(end + PASTE_END.length);
    if (rest !== "") this.handleInput(rest);
  }

  #key(data: string): void {
    const before = this.getText();
    super.handleInput(data);
    if (matchesKey(data, "up") && this.getText() !== before) this.#toEnd();
  }

  /** pi-tui recalls an older line with the cursor at its start; by keys, so that it goes on browsing. */
  #toEnd(): void {
    const last = this.getLines().length - 1;
    while (this.getCursor().line < last) super.handleInput(DOWN);
    super.handleInput(END);
  }

  override render(width: number): string[] {
    const lines = super.render(width - 2).map((line) => line.replaceAll(TAB, "→"));
    const bottom = lines.findIndex((line) => line.startsWith(BOTTOM));
    const text = lines.slice(1, bottom).map((line, index) =>
      (index === 0 ? this.#style.cyan("❯ ") : "  ") + line
    );
    const above = lines[0] === "" ? [] : [lines[0]!];
    const below = lines[bottom] === BOTTOM ? [] : [lines[bottom]!.slice(1)];
    return [...above, ...text, ...below, ...lines.slice(bottom + 1)];
  }

  protected override renderTopBorder(_width: number, hidden: number): string {
    return hidden > 0 ? this.#style.dim(`  ↑ ${hidden}`) : "";
  }

  protected override renderBottomBorder(_width: number, hidden: number): string {
    return BOTTOM + (hidden > 0 ? this.#style.dim(`  ↓ ${hidden}`) : "");
  }
}

/** Completes `/` commands, with their help, while the line is still one word. */
export class CommandCompletion implements AutocompleteProvider {
  readonly #commands: readonly Command[];
  readonly #lang: Lang;

  constructor(commands: readonly Command[], lang: Lang) {
    this.#commands = commands;
    this.#lang = lang;
  }

  getSuggestions(
    lines: string[],
    row: number,
    column: number,
  ): Promise<AutocompleteSuggestions | null> {
    const prefix = (lines[row] ?? "").slice(0, column);
    if (row > 0 || !/^\/[\w-]*$/.test(prefix)) return Promise.resolve(null);
    const items = this.#commands
      .filter((command) => command.name.startsWith(prefix.slice(1)))
      .map((command) => ({
        value: `/${command.name}`,
        label: `/${command.name}${command.usage === "" ? "" : ` ${command.usage}`}`,
        description: command.help[this.#lang],
      }));
    return Promise.resolve(items.length === 0 ? null : { items, prefix });
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const before = line.slice(0, cursorCol - prefix.length) + item.value + " ";
    return {
      lines: lines.with(cursorLine, before + line.slice(cursorCol).trimStart()),
      cursorLine,
      cursorCol: before.length,
    };
  }

  shouldTriggerFileCompletion(): boolean {
    return false;
  }
}

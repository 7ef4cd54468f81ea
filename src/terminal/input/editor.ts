import {
  type AutocompleteProvider,
  Editor,
  type EditorTheme,
  matchesKey,
  type SelectItem,
  type SelectList,
  truncateToWidth,
  type TUI,
  visibleWidth,
} from "@earendil-works/pi-tui";
import type { Line } from "../../base/types.ts";
import { BracketedPaste, hide, PASTE, PASTE_END, picture, reveal } from "./pasted.ts";
import { type Entry, History, HistorySearch, HistoryWalk, MARKER, sayMarkers } from "./history.ts";
import type { Sent } from "./queue.ts";
import type { Look } from "../transcript/rows.ts";
import { plain as onlyText } from "../../base/control_characters.ts";
import type { Style } from "../style.ts";

/** Choices that are shown at most. */
const MENU_ROWS = 10;
/** Characters by which a help is told from none. */
const HELP_BEGINS = 4;
/** Up to here pi-tui shows no help beside them. */
const NARROW = 40;

/** What pi-tui's editor offers to choose from. */
type Menu = Pick<SelectList, "render" | "getSelectedItem"> & {
  maxVisible: number;
  readonly filteredItems: readonly SelectItem[];
  getVisibleRange(): { readonly startIndex: number };
};

/** The choices in `room` rows; the help of the chosen one below where there is none beside. */
function menuRows(menu: Menu, width: number, room: number, style: Style): string[] {
  const help = width <= NARROW && room > 3 ? menu.getSelectedItem()?.description ?? "" : "";
  const rows = help === "" ? [] : [style.dim(truncateToWidth(`  ${help}`, width, "…"))];
  menu.maxVisible = Math.max(1, Math.min(MENU_ROWS, room - 1 - rows.length));
  const { startIndex } = menu.getVisibleRange();
  const shown = menu.render(width).map((row, at) =>
    picture(marked(row, menu.filteredItems[startIndex + at]))
  );
  return [...shown, ...rows];
}

/** The row with a mark where pi-tui has cut its help. */
function marked(row: string, item: SelectItem | undefined): string {
  const help = item?.description?.replace(/[\r\n]+/g, " ").trim() ?? "";
  const text = onlyText(row);
  const cut = help !== "" && !text.endsWith(help) && text.includes(help.slice(0, HELP_BEGINS));
  return cut ? truncateToWidth(row, visibleWidth(row) - 1, "…") : row;
}

const BOTTOM = "\0";
/** Rows of the terminal that are neither the editor's nor the menu's. */
const ROWS_AROUND = 3;
/** From here on pi-tui folds a paste to a marker. */
const FOLD_LINES = 10;
const FOLD_CHARS = 1000;
/** A text that was not pasted is folded only where it would make typing slow. */
const SLOW_LINES = 200;
const SLOW_CHARS = 20_000;

/** What pi-tui's editor keeps to itself; its version is pinned, and the tests of pastes and history stand on it. */
interface Inner {
  readonly pastes: Map<number, string>;
  readonly pasteCounter: number;
  readonly undoStack: { clear(): void };
  isOnFirstVisualLine(): boolean;
  isOnLastVisualLine(): boolean;
  tryTriggerAutocomplete(): void;
  readonly autocompleteList?: Menu;
}

/** Completes what is being typed, and says where that may be. */
export interface Completer extends AutocompleteProvider {
  /** True where the cursor stands in something that can be completed. */
  wants(lines: readonly string[], row: number, column: number): boolean;
}

/** pi-tui's editor with a prompt mark instead of rules, a history, and pastes kept to the letter. */
export class PromptEditor extends Editor {
  readonly #look: Look;
  readonly #history: History;
  #completer: Completer | undefined;
  readonly #paste = new BracketedPaste();
  /** What pastes hold; pi-tui, which copies all it knows for each undo, knows their places here. */
  #pasted: string[] = [];
  #walk: HistoryWalk | undefined;
  #search: HistorySearch | undefined;
  /** The choice in the popup is the user's: new suggestions wait for the next key. */
  #chose = false;
  /** Called with a submitted line, pastes in full. */
  onLine: (line: Sent) => void = () => {};

  constructor(tui: TUI, theme: EditorTheme, look: Look, history = new History()) {
    super(tui, theme, { autocompleteMaxVisible: MENU_ROWS });
    this.#look = look;
    this.#history = history;
    this.onSubmit = (text) => this.#send({ text: reveal(text) }, reveal(text));
  }

  set completer(completer: Completer) {
    this.#completer = completer;
    this.setAutocompleteProvider(completer);
  }

  get empty(): boolean {
    return this.getText() === "";
  }

  /** True where nothing stands before the cursor. */
  get atStart(): boolean {
    const { line, col } = this.getCursor();
    return line === 0 && col === 0;
  }

  /** True while Ctrl-R looks for a line: every key belongs to it. */
  get searching(): boolean {
    return this.#search !== undefined;
  }

  /** The whole text, pastes in full. */
  get fullText(): string {
    return reveal(this.getText()).replace(MARKER, (marker, id) => this.#pasteOf(id) ?? marker);
  }

  /** Replaces the text; of several each begins a line. */
  put(...entries: (string | Entry)[]): void {
    this.setText("");
    for (const [index, entry] of entries.entries()) {
      if (index > 0) this.insertTextAtCursor("\n");
      this.#append(typeof entry === "string" ? { text: entry } : entry);
    }
  }

  /** Puts a line above what is being written. */
  putAbove(entry: Entry): void {
    this.put(entry, ...this.empty ? [] : [this.#entry()]);
  }

  #append({ text, pastes = {} }: Entry): void {
    if (text.length > SLOW_CHARS || text.split("\n").length > SLOW_LINES) {
      return this.#fold(text);
    }
    let from = 0;
    for (const marker of text.matchAll(MARKER)) {
      const paste = pastes[marker[1]!];
      if (paste === undefined) continue;
      this.insertTextAtCursor(hide(text.slice(from, marker.index)));
      this.#insert(paste);
      from = marker.index + marker[0].length;
    }
    this.insertTextAtCursor(hide(text.slice(from)));
  }

  /** More suggestions may be there now. */
  suggestAgain(): void {
    if (this.#search || this.#chose || !this.#canComplete()) return;
    this.#inner.tryTriggerAutocomplete();
  }

  get #inner(): Inner {
    return this as unknown as Inner;
  }

  // ------------------------------------------------------------- keys

  override handleInput(data: string): void {
    const taken = this.#paste.take(data);
    if (taken === undefined) return this.#key(data);
    this.#endSearch(true);
    if (taken.text === undefined) return;
    this.#walk = undefined;
    this.#insert(taken.text);
    if (taken.rest !== "") this.handleInput(taken.rest);
  }

  #key(data: string): void {
    if (this.#search && !this.#searchKey(data)) return;
    if (matchesKey(data, "ctrl+r")) {
      this.#search = new HistorySearch(this.#history);
      return;
    }
    const up = matchesKey(data, "up");
    const down = matchesKey(data, "down");
    const chosen = this.#chose;
    this.#chose = this.isShowingAutocomplete() && (up || down);
    if (!this.#chose && (up && this.#older() || down && this.#newer())) return;
    if (!up && !down) this.#walk = undefined;
    if (matchesKey(data, "enter") && data !== "\n" && this.#enter(chosen)) return;
    const before = this.getText();
    super.handleInput(data >= " " && data !== "\x7f" ? hide(data) : data);
    if (this.getText() !== before && !this.isShowingAutocomplete() && this.#canComplete()) {
      this.#inner.tryTriggerAutocomplete();
    }
  }

  /**
   * True when Enter has been dealt with: it submits, a command that is being completed too; the
   * argument of one, and what stands behind a `$`, as it was typed, unless something was chosen.
   */
  #enter(chosen: boolean): boolean {
    const { line, col } = this.getCursor();
    const before = this.getLines()[line]!.slice(0, col);
    if (!this.isShowingAutocomplete()) {
      if (before.endsWith("\\")) return false;
      this.#send(this.#entry(), this.fullText);
      return true;
    }
    const command = /^\/\S*$/.test(before);
    const argument = line === 0 && /^\/[\w-]+ +[^\s@]*$/.test(before);
    const typed = argument || /(?<![\w$\\])\$[\p{L}\p{N}_.-]*$/u.test(before);
    if (!command && (!typed || chosen)) return false;
    if (command) super.handleInput("\t");
    this.#send(this.#entry(), this.fullText);
    return true;
  }

  #send(entry: Entry, whole: string): void {
    const text = whole.startsWith("/") ? whole.trimEnd() : whole;
    this.setText("");
    this.#inner.undoStack.clear();
    this.#pasted = [];
    if (text.trim() === "") return;
    this.#history.add(entry);
    const line: Line = entry.pastes ? { text, typed: entry.text } : { text };
    this.onLine({ ...line, entry });
  }

  /** What stands in the editor; only the pastes it has a marker for. */
  #entry(): Entry {
    const text = this.getText();
    const pastes: Record<string, string> = {};
    for (const [, id] of text.matchAll(MARKER)) {
      const paste = this.#pasteOf(id!);
      if (paste !== undefined) pastes[id!] = paste;
    }
    return { text: reveal(text), ...Object.keys(pastes).length > 0 ? { pastes } : {} };
  }

  #canComplete(): boolean {
    const { line, col } = this.getCursor();
    return this.#completer?.wants(this.getLines(), line, col) ?? false;
  }

  // ------------------------------------------------------------- pastes

  /** Inserts a text as it is; a large one as a marker. */
  #insert(text: string): void {
    const hidden = hide(text);
    if (hidden.length > FOLD_CHARS || hidden.split("\n").length > FOLD_LINES) this.#fold(text);
    else this.insertTextAtCursor(hidden);
  }

  #fold(text: string): void {
    super.handleInput(PASTE + hide(text) + PASTE_END);
    const { pastes, pasteCounter } = this.#inner;
    pastes.set(pasteCounter, String(this.#pasted.push(text) - 1));
  }

  /** What the marker with this number stands for. */
  #pasteOf(id: string): string | undefined {
    const place = this.#inner.pastes.get(Number(id));
    return place === undefined ? undefined : this.#pasted[Number(place)];
  }

  // ------------------------------------------------------------- history

  #older(): boolean {
    if (!this.#inner.isOnFirstVisualLine()) return false;
    const { line, col } = this.getCursor();
    const prefix = reveal(this.getLines()[line]!.slice(0, col));
    const walk = this.#walk ?? new HistoryWalk(this.#history, prefix, this.#entry());
    const found = walk.older();
    if (found === undefined) return this.#walk !== undefined;
    this.put(found);
    this.#walk = walk;
    return true;
  }

  #newer(): boolean {
    const walk = this.#walk;
    if (!walk || !this.#inner.isOnLastVisualLine()) return false;
    const found = walk.newer();
    this.put(found ?? walk.draft);
    if (found === undefined) this.#walk = undefined;
    return true;
  }

  /** Returns true when the search is over and the key has still to be dealt with. */
  #searchKey(data: string): boolean {
    const step = this.#search!.key(data);
    if (step !== "stay") this.#endSearch(step !== "leave");
    return step === "pass";
  }

  #endSearch(take: boolean): void {
    const found = this.#search?.found;
    this.#search = undefined;
    this.#walk = undefined;
    if (take && found) this.put(found);
  }

  // ------------------------------------------------------------- drawing

  override render(width: number): string[] {
    if (this.#search) return this.#search.render(this.#look, this.focused, width);
    const { style, t } = this.#look;
    const pasteOf = (id: string) => this.#pasteOf(id);
    const lines = super.render(width - 2)
      .map((line) => sayMarkers(picture(line), t, pasteOf));
    const bottom = lines.findIndex((line) => line.startsWith(BOTTOM));
    const text = lines.slice(1, bottom).map((line, index) =>
      (index === 0 ? style.cyan("❯ ") : "  ") + line
    );
    const above = lines[0] === "" ? [] : [lines[0]!];
    const below = lines[bottom] === BOTTOM ? [] : [lines[bottom]!.slice(1)];
    const written = [...above, ...text, ...below];
    const menu = this.isShowingAutocomplete() ? this.#inner.autocompleteList : undefined;
    if (menu === undefined) return written;
    const room = this.tui.terminal.rows - written.length - ROWS_AROUND;
    return [...written, ...menuRows(menu, width - 2, room, style)];
  }

  protected override renderTopBorder(_width: number, hidden: number): string {
    return hidden > 0 ? this.#look.style.dim(`  ↑ ${hidden}`) : "";
  }

  protected override renderBottomBorder(_width: number, hidden: number): string {
    return BOTTOM + (hidden > 0 ? this.#look.style.dim(`  ↓ ${hidden}`) : "");
  }
}

/** One question at a time on the terminal, below what has been told. */
import {
  CancellableLoader,
  type Component,
  Container,
  type Focusable,
  isKeyRelease,
  matchesKey,
  type SelectItem,
  SelectList,
  type SelectListLayoutOptions,
  type SelectListTheme,
  type Terminal,
  Text,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import { layRows } from "../markdown/lay.ts";
import { LineInput, MaskedInput } from "../input/line_input.ts";
import { LiveScreen } from "../live.ts";
import type { Row } from "../transcript/rows.ts";
import { selectTheme, type Style } from "../style.ts";

const LIST_KEYS = ["up", "down", "enter", "escape"] as const;

/** A list that narrows to the labels which hold what is typed; its last choice always stays. */
class FilterList implements Component, Focusable {
  readonly #items: readonly SelectItem[];
  readonly #theme: SelectListTheme;
  readonly #rows: number;
  readonly #layout: SelectListLayoutOptions;
  readonly #query = new LineInput("");
  #list: SelectList;
  /** Gets the choice and what was typed. */
  onSelect: (item: SelectItem, query: string) => void = () => {};
  onCancel: () => void = () => {};

  constructor(
    items: readonly SelectItem[],
    rows: number,
    theme: SelectListTheme,
    layout: SelectListLayoutOptions = {},
  ) {
    this.#layout = layout;
    this.#items = items;
    this.#rows = rows;
    this.#theme = theme;
    this.#list = this.#narrowed();
  }

  setSelectedIndex(index: number): void {
    this.#list.setSelectedIndex(index);
  }

  get focused(): boolean {
    return this.#query.focused;
  }

  set focused(focused: boolean) {
    this.#query.focused = focused;
  }

  handleInput(data: string): void {
    if (LIST_KEYS.some((key) => matchesKey(data, key))) return this.#list.handleInput(data);
    const before = this.#query.getValue();
    this.#query.handleInput(data);
    if (this.#query.getValue() !== before) this.#list = this.#narrowed();
  }

  invalidate(): void {}

  render(width: number): string[] {
    const query = this.#query.getValue() === "" ? [] : this.#query.render(width);
    return [...query, ...this.#list.render(width)];
  }

  #narrowed(): SelectList {
    const query = this.#query.getValue();
    const part = query.trim().toLowerCase();
    const items = this.#items.filter((item, index) =>
      index === this.#items.length - 1 || item.label.toLowerCase().includes(part)
    );
    const list = new SelectList(items, this.#rows, this.#theme, this.#layout);
    list.onSelect = (item) => this.onSelect(item, query.trim());
    list.onCancel = () => this.onCancel();
    return list;
  }
}

const LIST_ROWS = 14;
/** What is cut shows it. */
const WITH_MARK: SelectListLayoutOptions = {
  truncatePrimary: ({ text, maxWidth }) => truncateToWidth(text, maxWidth, "…"),
};
/** Rows of the terminal that a list leaves: its title, what is typed, its count, and one more. */
const ROWS_AROUND = 4;

/** What was typed; `undefined` goes back. */
export type Answer = string | undefined;

/** With the choice comes what was typed to narrow the list. */
export type Picked = { readonly value: string; readonly query: string };

/** Asks and tells, on one terminal. Of two questions the later one replaces the earlier. */
export class Asker {
  readonly #style: Style;
  readonly #live: LiveScreen;
  readonly #slot = new Container();
  readonly #gone = new AbortController();

  /** `onKey` gets every key first, and says whether that was all. */
  constructor(style: Style, terminal: Terminal | undefined, onKey: (data: string) => boolean) {
    this.#style = style;
    this.#live = new LiveScreen(terminal);
    this.#live.addChild(this.#slot);
    this.#live.addInputListener((data) =>
      !isKeyRelease(data) && onKey(data) ? { consume: true } : undefined
    );
  }

  /** Sends what is no text: a title, a bell. */
  send(sequence: string): void {
    this.#live.terminal.write(sequence);
  }

  start(): void {
    this.#live.start();
  }

  close(): void {
    this.#gone.abort();
    this.#live.close();
  }

  suspend(): void {
    this.#live.suspend();
  }

  resume(): void {
    this.#live.resume();
  }

  // ------------------------------------------------------------- asking

  /** With the choice comes what was typed to `narrow` the list, which begins at `chosen`. */
  choose(
    title: string,
    items: SelectItem[],
    narrow: boolean,
    chosen?: string,
  ): Promise<Picked | undefined> {
    const { promise, resolve } = Promise.withResolvers<Picked | undefined>();
    const List = narrow ? FilterList : SelectList;
    const rows = Math.max(1, Math.min(LIST_ROWS, this.#live.terminal.rows - ROWS_AROUND));
    const list = new List(items, rows, selectTheme(this.#style), WITH_MARK);
    const at = items.findIndex(({ value }) => value === chosen);
    if (at > 0) list.setSelectedIndex(at);
    list.onSelect = ({ value }: SelectItem, query = "") => resolve({ value, query });
    list.onCancel = () => resolve(undefined);
    this.#mount(list, title);
    return promise;
  }

  type(title: string, value: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const input = new LineInput(value);
    input.onSubmit = (text) => resolve(text);
    input.onEscape = () => resolve(undefined);
    this.#mount(input, title);
    return promise;
  }

  /** For a secret; `length` says how many characters there are. */
  mask(title: string, length: (count: number) => string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const input = new MaskedInput(resolve, length);
    this.#mount(input, title);
    return promise;
  }

  /** Waits with a spinner; undefined when ESC was quicker. */
  async during<T>(
    title: string,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const loader = new CancellableLoader(this.#live, this.#style.cyan, (text) => text, title);
    const cancelled = Promise.withResolvers<undefined>();
    this.#gone.signal.addEventListener("abort", () => loader.dispose(), { once: true });
    loader.onAbort = () => cancelled.resolve(undefined);
    this.#mount(loader);
    const working = work(AbortSignal.any([loader.signal, this.#gone.signal]));
    try {
      return await Promise.race([working, cancelled.promise]);
    } finally {
      loader.dispose();
      this.#slot.clear();
    }
  }

  #mount(component: Component, title = ""): void {
    this.#slot.clear();
    if (title !== "") this.#slot.addChild(new Text(title, 0, 0));
    this.#slot.addChild(component);
    this.#live.setFocus(component);
    this.#live.requestRender();
  }

  // ------------------------------------------------------------- telling

  complain(text: string): void {
    const { red } = this.#style;
    const rows = text.split("\n").map((line, index): Row => ({
      lead: index === 0 ? red("✗ ") : "  ",
      text: red(line),
      fit: "wrap",
    }));
    this.#commit([...rows, { text: "", fit: "wrap" }]);
  }

  approve(text: string): void {
    this.tell(`${this.#style.green("✓")} ${text}`);
  }

  /** With `lead` before each of its rows. */
  tell(text: string, lead = ""): void {
    this.#commit([{ lead, text, fit: "wrap" }]);
  }

  #commit(rows: readonly Row[]): void {
    this.#live.commit((width) => layRows(rows, width));
  }
}

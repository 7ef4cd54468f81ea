/** One question at a time on the terminal, below what has been told. */
import {
  CancellableLoader,
  type Component,
  Container,
  isKeyRelease,
  type SelectItem,
  SelectList,
  type SelectListLayoutOptions,
  type Terminal,
  Text,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import { FilterList } from "./filter_list.ts";
import { layRows } from "../markdown/lay.ts";
import { LineInput } from "../input/line_input.ts";
import { LiveScreen } from "../live.ts";
import { MaskedInput } from "../input/masked_input.ts";
import type { Row } from "../transcript/rows.ts";
import { selectTheme, type Style } from "../style.ts";

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

import {
  type Component,
  type Focusable,
  matchesKey,
  type SelectItem,
  SelectList,
  type SelectListLayoutOptions,
  type SelectListTheme,
} from "@earendil-works/pi-tui";
import { LineInput } from "../input/line_input.ts";

const LIST_KEYS = ["up", "down", "enter", "escape"] as const;

/** A list that narrows to the labels which hold what is typed; its last choice always stays. */
export class FilterList implements Component, Focusable {
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

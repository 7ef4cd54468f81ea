import {
  CURSOR_MARKER,
  decodeKittyPrintable,
  matchesKey,
  sliceByColumn,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { type Entry, type History, shownEntry } from "./history.ts";
import type { Look } from "../transcript/rows.ts";
import { hide, picture } from "./pasted.ts";

/** A walk through the history with Up and Down, over the lines that begin as the one being written. */
export class HistoryWalk {
  readonly #history: History;
  readonly #prefix: string;
  #at = -1;
  /** The line that was being written. */
  readonly draft: Entry;

  /** `prefix` is what stands before the cursor. */
  constructor(history: History, prefix: string, draft: Entry) {
    this.#history = history;
    this.#prefix = prefix;
    this.draft = draft;
  }

  /** The next older line; undefined, and no step, when there is none. */
  older(): Entry | undefined {
    const at = this.#find(this.#at + 1, 1);
    if (at >= 0) this.#at = at;
    return this.#history.at(at);
  }

  /** The next newer line; undefined when the draft is next. */
  newer(): Entry | undefined {
    this.#at = this.#find(this.#at - 1, -1);
    return this.#history.at(this.#at);
  }

  #find(from: number, step: 1 | -1): number {
    return this.#history.find(
      ({ text }) => text.startsWith(this.#prefix) && text !== this.draft.text,
      from,
      step,
    );
  }
}

const FOUND_ROWS = 5;

/** What a key did to a search; `take` and `pass` end it, the latter hands the key on. */
export type SearchStep = "stay" | "take" | "pass" | "leave";

/** Ctrl-R: looks through the history while one types. */
export class HistorySearch {
  readonly #history: History;
  #at = -1;
  #query = "";
  /** True when nothing (more) was found. */
  #failed = false;

  constructor(history: History) {
    this.#history = history;
  }

  /** The line that is found. */
  get found(): Entry | undefined {
    return this.#history.at(this.#at);
  }

  /** Deals with a key. */
  key(data: string): SearchStep {
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+g") || matchesKey(data, "ctrl+c")) {
      return "leave";
    }
    if (matchesKey(data, "enter")) return this.found ? "take" : "leave";
    if (matchesKey(data, "ctrl+r")) this.#look(this.#at + 1, 1);
    else if (matchesKey(data, "ctrl+s")) this.#look(this.#at - 1, -1);
    else if (matchesKey(data, "backspace")) this.#retype([...this.#query].slice(0, -1).join(""));
    else if (matchesKey(data, "ctrl+u")) this.#retype("");
    else {
      const typed = decodeKittyPrintable(data) ?? (data >= " " && data !== "\x7f" ? data : "");
      if (typed === "") return "pass";
      this.#retype(this.#query + hide(typed));
    }
    return "stay";
  }

  /** The line that is found, and below it what is looked for, which always has its room. */
  render({ style, t }: Look, focused: boolean, width: number): string[] {
    const lines = picture(hide(this.found ? shownEntry(this.found, t) : "")).split("\n");
    const more = lines.length - FOUND_ROWS;
    const rows = lines.slice(0, FOUND_ROWS).map((line, index) =>
      (index === 0 ? style.cyan("❯ ") : "  ") + style.dim(line)
    );
    if (more > 0) rows.push(style.dim(`  ${t("… {count} more", { count: more })}`));
    const whole = picture(this.#query);
    const query = sliceByColumn(whole, Math.max(0, visibleWidth(whole) + 1 - width), width);
    const label = `${t(this.#failed ? "not in the history" : "search history")}: `;
    const keys = `  ${t("ctrl-r older · enter takes it · esc goes back")}`;
    const cursor = (focused ? CURSOR_MARKER : "") + style.inverse(" ");
    let room = width - visibleWidth(query) - 1;
    const fitting = (text: string) => {
      if (visibleWidth(text) > room) return "";
      room -= visibleWidth(text);
      return style.dim(text);
    };
    return [...rows, fitting(label) + query + cursor + fitting(keys)];
  }

  #retype(query: string): void {
    const grown = query.startsWith(this.#query);
    this.#query = query;
    if (query !== "") return this.#look(grown ? Math.max(0, this.#at) : 0, 1);
    this.#at = -1;
    this.#failed = false;
  }

  #look(from: number, step: 1 | -1): void {
    const query = this.#query.toLowerCase();
    if (query === "") return;
    const at = this.#history.find(({ text }) => text.toLowerCase().includes(query), from, step);
    this.#failed = at < 0;
    if (at >= 0) this.#at = at;
  }
}

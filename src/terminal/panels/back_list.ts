import { type Component, matchesKey, SelectList } from "@earendil-works/pi-tui";
import { plainLine } from "../../base/control_characters.ts";
import { layRows } from "../markdown/lay.ts";
import type { LiveScreen } from "../live.ts";
import type { Look } from "../transcript/rows.ts";
import { selectTheme } from "../style.ts";

/** Two presses of ESC within this time are one wish. */
const TWICE_MS = 800;
const CLIP = 300;

export interface BackHost {
  readonly live: LiveScreen;
  readonly look: Look;
  /** Gets the focus back. */
  readonly home: Component;
  /** What was asked in this session, oldest first. */
  prompts(): readonly string[];
  /** The nth last prompt was chosen. */
  goBack(n: number): void;
  /** Milliseconds. */
  now(): number;
}

/** ESC twice on an empty line offers the earlier prompts, the newest first; ESC again leaves. */
export class BackList implements Component {
  readonly #host: BackHost;
  #list: SelectList | undefined;
  #escapedAt = -Infinity;
  #hint: ReturnType<typeof setTimeout> | undefined;

  constructor(host: BackHost) {
    this.#host = host;
  }

  get open(): boolean {
    return this.#list !== undefined;
  }

  /** True while one more ESC opens the list. */
  get armed(): boolean {
    return !this.open && this.#host.now() - this.#escapedAt < TWICE_MS;
  }

  /** Sees a key before the editor does; `idle` says that nothing runs and nothing is typed. True when nobody else is to see it. */
  takes(data: string, idle: boolean): boolean {
    const armed = this.armed;
    this.#disarm();
    if (this.open || !idle || !matchesKey(data, "escape")) return false;
    const prompts = this.#host.prompts();
    if (prompts.length === 0) return false;
    if (armed) this.#show(prompts);
    else {
      this.#escapedAt = this.#host.now();
      this.#hint = setTimeout(() => this.#host.live.requestRender(), TWICE_MS);
    }
    this.#host.live.requestRender();
    return true;
  }

  /** Takes the list or the hint away. */
  close(): void {
    this.#disarm();
    if (this.#list === undefined) return;
    this.#list = undefined;
    this.#host.live.setFocus(this.#host.home);
    this.#host.live.requestRender();
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { style, t } = this.#host.look;
    const dim = (text: string) => layRows([{ text: style.dim(text), fit: "cut" }], width);
    if (this.armed) return dim(t("esc again: back to an earlier prompt"));
    if (this.#list === undefined) return [];
    return [
      "",
      ...dim(t("Back to which prompt? ↑↓ enter · esc leaves")),
      ...this.#list.render(width),
    ];
  }

  #disarm(): void {
    this.#escapedAt = -Infinity;
    clearTimeout(this.#hint);
  }

  #show(prompts: readonly string[]): void {
    const { live, look, goBack } = this.#host;
    const items = prompts.toReversed().map((prompt, i) => ({
      value: String(i + 1),
      label: plainLine(prompt.slice(0, CLIP).toWellFormed()).trim() || "…",
    }));
    const rows = Math.max(2, Math.min(10, live.terminal.rows - 6));
    const list = new SelectList(items, rows, selectTheme(look.style));
    list.onSelect = (item) => {
      this.close();
      goBack(Number(item.value));
    };
    list.onCancel = () => this.close();
    this.#list = list;
    live.setFocus(list);
  }
}

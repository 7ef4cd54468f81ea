/** The fields of a question, filled in one after another below it. */
import {
  type Component,
  decodeKittyPrintable,
  matchesKey,
  type SelectItem,
  SelectList,
  type TUI,
} from "@earendil-works/pi-tui";
import { checked, type Read } from "../../base/questions.ts";
import type { Field, Filled, Json } from "../../base/types.ts";
import { plainLine } from "../../base/control_characters.ts";
import { PromptEditor } from "../input/editor.ts";
import { LETTERS, readField, shownValue, typedValue } from "./question_rows.ts";
import { layRows } from "../markdown/lay.ts";
import { LineInput } from "../input/line_input.ts";
import { cut, type Look, type Row, wrapped } from "../transcript/rows.ts";
import { editorTheme, selectTheme } from "../style.ts";

const LIST_ROWS = 8;
/** Rows of the terminal that a list leaves to what stands around it. */
const ROWS_AROUND = 8;
/** Fields that stay in view when they are filled in. */
const ROWS_FILLED = 3;

const KEYS = {
  boolean: "y / n choose · enter accept · shift-tab back · esc no",
  lines: "enter accept · alt-enter new line · ctrl-g editor · esc no",
  choices: "space select · enter accept · esc no",
} as const;

const NOTHING = "\0";

export interface FormHost {
  readonly live: TUI;
  readonly look: Look;
  /** Opens the user's editor on what is being written. */
  editExternally(editor: PromptEditor): void;
  done(filled: Filled): void;
}

/** Takes the focus for one field after another; the one who has made it has to take it back. */
export class Form implements Component {
  readonly #fields: readonly Field[];
  readonly #host: FormHost;
  readonly #values = new Map<string, Json>();
  #at = 0;
  #part!: Component;
  #wrong = "";

  constructor(fields: readonly Field[], host: FormHost) {
    this.#fields = fields;
    this.#host = host;
    for (const { name, value } of fields) if (value !== undefined) this.#values.set(name, value);
    this.#show();
  }

  get #field(): Field {
    return this.#fields[this.#at]!;
  }

  /** Sees each key before the field does; true when nobody else is to see it. */
  takes(data: string): boolean {
    const part = this.#part;
    if (matchesKey(data, "shift+tab")) {
      this.#at = Math.max(0, this.#at - 1);
      this.#show();
      return true;
    }
    const letter = LETTERS[(decodeKittyPrintable(data) ?? data).toLowerCase()];
    if (this.#field.type === "boolean" && part instanceof SelectList && letter) {
      part.setSelectedIndex(letter.value ? 0 : 1);
      this.#host.live.requestRender();
      return true;
    }
    if (!(part instanceof PromptEditor)) return false;
    if (matchesKey(data, "ctrl+g")) this.#host.editExternally(part);
    else if (matchesKey(data, "enter") && part.empty) this.#take("");
    // nothing has been written here before
    else return matchesKey(data, "ctrl+r");
    return true;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { style, t } = this.#host.look;
    const { label, required, type } = this.#field;
    const filled = this.#fields.slice(Math.max(0, this.#at - ROWS_FILLED), this.#at);
    const place = this.#fields.length > 1 ? ` (${this.#at + 1}/${this.#fields.length})` : "";
    const need = required ? "" : style.dim(` · ${t("may be left empty")}`);
    const keys = type === "lines" || type === "choices" || type === "boolean"
      ? KEYS[type]
      : "enter accept · shift-tab back · esc no";
    const above: Row[] = [
      ...filled.map((field) => {
        const value = shownValue(field, this.#values.get(field.name), t).join(", ");
        return cut(style.dim(`✓ ${plainLine(field.label)}: ${value}`));
      }),
      wrapped(`${style.bold(plainLine(label))}${style.dim(place)}${need}`),
      ...this.#wrong === "" ? [] : [wrapped(style.red(this.#wrong), style.red("✗ "))],
    ];
    return [
      "",
      ...layRows(above, width),
      ...this.#part.render(width),
      ...layRows([cut(style.dim(t(keys)))], width),
    ];
  }

  #show(typed?: string, wrong = ""): void {
    const { live } = this.#host;
    this.#wrong = wrong;
    this.#part = this.#partFor(this.#field, typed);
    live.setFocus(this.#part);
    live.requestRender();
  }

  #partFor(field: Field, typed?: string): Component {
    const { live, look } = this.#host;
    const value = this.#values.get(field.name);
    const rows = Math.max(2, Math.min(LIST_ROWS, live.terminal.rows - ROWS_AROUND));
    const { choices = [] } = field;
    switch (field.type) {
      case "lines": {
        const editor = new PromptEditor(live, editorTheme(look.style), look);
        editor.put(typed ?? typedValue(value === undefined ? {} : { value }));
        editor.onLine = ({ text }) => this.#take(text);
        return editor;
      }
      case "boolean": {
        const items = [["true", "Yes"], ["false", "No"]] as const;
        return this.#list(
          items.map(([one, key]) => ({ value: one, label: look.t(key) })),
          value === true ? 0 : 1,
          rows,
          (picked) => this.#settle({ value: picked === "true" }),
        );
      }
      case "choice": {
        const none = { value: NOTHING, label: look.t("(none)") };
        const items = [...choices.map(itemOf), ...field.required ? [] : [none]];
        const at = items.findIndex((item) => item.value === (value ?? NOTHING));
        return this.#list(items, at, rows, (picked) => {
          this.#settle(checked(field, picked === NOTHING ? undefined : picked, look.t));
        });
      }
      case "choices": {
        const chosen = Array.isArray(value) ? value.map(String) : [];
        const done = (all: string[]) => this.#settle(checked(field, all, look.t));
        return new Toggles(choices.map(itemOf), chosen, rows, look, done);
      }
      default: {
        const input = new LineInput(typed ?? typedValue(value === undefined ? {} : { value }));
        input.onSubmit = (text) => this.#take(text);
        return input;
      }
    }
  }

  #list(
    items: SelectItem[],
    at: number,
    rows: number,
    pick: (value: string) => void,
  ): Component {
    const list = new SelectList(items, rows, selectTheme(this.#host.look.style));
    list.setSelectedIndex(at);
    list.onSelect = ({ value }) => pick(value);
    return list;
  }

  #take(typed: string): void {
    this.#settle(readField(this.#field, typed, this.#host.look.t), typed);
  }

  /** Goes on to the next field, or stays where the value is wrong. */
  #settle(read: Read, typed?: string): void {
    if ("wrong" in read) return this.#show(typed, read.wrong);
    const { name } = this.#field;
    if (read.value === undefined) this.#values.delete(name);
    else this.#values.set(name, read.value);
    if (this.#at + 1 >= this.#fields.length) return this.#end();
    this.#at++;
    this.#show();
  }

  #end(): void {
    this.#host.done(Object.fromEntries(this.#values));
  }
}

const itemOf = ({ value, label }: { readonly value: string; readonly label: string }) => ({
  value,
  label: plainLine(label),
});

/** A list of which any number may be chosen. */
class Toggles implements Component {
  readonly #items: readonly SelectItem[];
  readonly #chosen: Set<string>;
  readonly #rows: number;
  readonly #look: Look;
  readonly #done: (values: string[]) => void;
  #list: SelectList;
  #at = 0;

  constructor(
    items: readonly SelectItem[],
    chosen: readonly string[],
    rows: number,
    look: Look,
    done: (values: string[]) => void,
  ) {
    this.#items = items;
    this.#chosen = new Set(chosen);
    this.#rows = rows;
    this.#look = look;
    this.#done = done;
    this.#list = this.#drawn();
  }

  handleInput(data: string): void {
    const item = this.#items[this.#at];
    if (item === undefined || !matchesKey(data, "space")) return this.#list.handleInput(data);
    if (!this.#chosen.delete(item.value)) this.#chosen.add(item.value);
    this.#list = this.#drawn();
  }

  invalidate(): void {}

  render(width: number): string[] {
    return this.#list.render(width);
  }

  #drawn(): SelectList {
    const items = this.#items.map(({ value, label }) => ({
      value,
      label: `${this.#chosen.has(value) ? "[x]" : "[ ]"} ${label}`,
    }));
    const list = new SelectList(items, this.#rows, selectTheme(this.#look.style));
    list.setSelectedIndex(this.#at);
    list.onSelectionChange = ({ value }) => {
      this.#at = items.findIndex((item) => item.value === value);
    };
    // in the order of the list
    list.onSelect = () =>
      this.#done(
        this.#items.map(({ value }) => value).filter((value) => this.#chosen.has(value)),
      );
    return list;
  }
}

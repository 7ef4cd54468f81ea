import { checked, type Read } from "../../base/answers.ts";
import { say } from "../../base/text.ts";
import type { Field, Filled, Json } from "../../base/types.ts";
import { plainLine } from "../../base/control_characters.ts";
import { readField, shownValue } from "../panels/fields.ts";
import type { PlainWriter } from "./plain_writer.ts";
import type { Look } from "../transcript/rows.ts";

/** The fields of a question, filled in line by line; an empty line keeps what a field holds. */
export class PlainForm {
  readonly #fields: readonly Field[];
  readonly #look: Look;
  readonly #writer: PlainWriter;
  readonly #values = new Map<string, Json>();
  #at = 0;
  /** Of a list, the lines so far. */
  #lines: string[] = [];

  constructor(fields: readonly Field[], look: Look, writer: PlainWriter) {
    this.#fields = fields;
    this.#look = look;
    this.#writer = writer;
    for (const { name, value } of fields) if (value !== undefined) this.#values.set(name, value);
    writer.line(say(look.lang, "form.plain_keys"));
  }

  /** Takes a line; returns what is filled in once all is. */
  enter(line: string): Filled | undefined {
    const field = this.#fields[this.#at]!;
    const kept = this.#values.get(field.name);
    if (field.type === "lines" && line.trim() !== "") {
      this.#lines.push(line);
      this.#writer.print("… ");
      return undefined;
    }
    const typed = field.type === "lines" ? this.#lines.splice(0).join("\n") : line;
    const { lang } = this.#look;
    const read: Read = typed.trim() === ""
      ? checked(field, kept, lang)
      : readField(field, typed, lang);
    if ("wrong" in read) this.#writer.line(`✗ ${read.wrong}`);
    else {
      if (read.value !== undefined) this.#values.set(field.name, read.value);
      this.#at++;
    }
    return this.ask();
  }

  /** Asks for the next field; returns what is filled in when there is none. */
  ask(): Filled | undefined {
    const field = this.#fields[this.#at];
    if (field === undefined) return Object.fromEntries(this.#values);
    const { lang } = this.#look;
    const need = field.required ? "" : ` (${say(lang, "form.optional")})`;
    const held = shownValue(field, this.#values.get(field.name), lang);
    this.#writer.line(`${plainLine(field.label)}${need}`);
    for (const [at, { label }] of (field.choices ?? []).entries()) {
      this.#writer.line(`  ${at + 1}. ${plainLine(label)}`);
    }
    if (field.type === "lines") {
      for (const line of held) this.#writer.line(`  ${line}`);
      this.#writer.line(say(lang, "form.plain_lines"));
    }
    this.#writer.print(held.length === 1 && field.type !== "lines" ? `[${held[0]}] ` : "… ");
    return undefined;
  }
}

/** What a person fills into the fields of a question. */
import { checked, NO, type Read, YES } from "../../base/answers.ts";
import type { T } from "../../base/t.ts";
import type { Field, Json } from "../../base/types.ts";
import { plainLine } from "../../base/control_characters.ts";

/** Reads what was typed; choices are typed as their numbers, from 1. */
export function readField(field: Field, typed: string, t: T): Read {
  const text = typed.trim();
  switch (field.type) {
    case "lines":
      return checked(field, typed.split("\n").map((line) => line.trim()).filter(Boolean), t);
    case "text":
      return checked(field, text === "" ? undefined : typed, t);
    case "number":
    case "integer":
      return checked(field, text === "" ? undefined : Number(text), t);
    case "boolean":
      if (text === "") return checked(field, undefined, t);
      if (YES.test(text) || NO.test(text)) return { value: YES.test(text) };
      return { wrong: t("this must be y or n") };
    case "choice":
    case "choices": {
      const { choices = [] } = field;
      const found = text.split(/[\s,，、]+/).filter(Boolean).map((word) =>
        choices[Number(word) - 1]
      );
      if (found.includes(undefined) || field.type === "choice" && found.length > 1) {
        return { wrong: t("this must be a number from 1 to {n}", { n: choices.length }) };
      }
      const values = found.map((choice) => choice!.value);
      return checked(field, field.type === "choice" ? values[0] : values, t);
    }
  }
}

/** A value as it is typed. */
export function typedValue({ value }: Pick<Field, "value">): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map((item) => typedValue({ value: item })).join("\n");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A value as a person reads it, an item a line. */
export function shownValue(
  { type, choices = [] }: Field,
  value: Json | undefined,
  t: T,
): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "boolean") return [t(value ? "Yes" : "No")];
  if (type === "lines" && Array.isArray(value)) {
    return value.map((item, at) => `${at + 1}. ${plainLine(typedValue({ value: item }))}`);
  }
  const labelOf = (one: Json) => choices.find((choice) => choice.value === one)?.label;
  const all = Array.isArray(value) ? value : [value];
  const words = all.map((one) => plainLine(labelOf(one) ?? typedValue({ value: one })));
  return words.length === 0 ? [] : [words.join(", ")];
}

import { say } from "../base/text.ts";
import type { JsonSchema, Lang, Tool, ToolInput } from "../base/types.ts";
import { nearest } from "../base/nearest.ts";
import { errorMessage } from "../base/error_message.ts";
import { isRecord } from "../base/is_record.ts";
import { excerpt } from "./excerpt.ts";

/** Of more faults the first ones are told. */
const FAULTS_TOLD = 10;

/** Renames the keys of `input` that `names` knows (other → ours) unless ours is there too. */
export function rename(
  input: ToolInput,
  names: { readonly [other: string]: string },
): ToolInput {
  const out = new Map<string, unknown>();
  for (const [key, value] of Object.entries(input)) {
    const ours = Object.hasOwn(names, key) ? names[key]! : key;
    if (ours === key || !Object.hasOwn(input, ours)) out.set(ours, value);
  }
  return Object.fromEntries(out);
}

/** Parses, adapts and validates a tool's raw JSON input; a string is the error for the model. */
export function parseInput(tool: Tool, raw: string, lang: Lang): ToolInput | string {
  let value: unknown;
  try {
    value = raw.trim() === "" ? {} : JSON.parse(raw);
    if (typeof value === "string") value = JSON.parse(value);
  } catch (error) {
    return badJson(raw, error, lang);
  }
  if (!isRecord(value)) {
    return say(lang, "schema.not_object", { found: typeName(value), raw: excerpt(raw) });
  }
  if (tool.unchecked) return value;
  return validate(tool.input, tool.adapt ? tool.adapt(value) : value, lang);
}

/** Casts and checks `value` against an object schema; a string tells everything that is wrong. */
export function validate(schema: JsonSchema, value: ToolInput, lang: Lang): ToolInput | string {
  const errors: string[] = [];
  const out = check(schema, value, "", errors, lang);
  return errors.length > 0
    ? say(lang, "schema.invalid", {
      errors: [...errors.slice(0, FAULTS_TOLD), ...errors.length > FAULTS_TOLD ? ["…"] : []]
        .join("; "),
    })
    : out as ToolInput;
}

/** Refuses a text that is longer than its purpose can need; undefined when it is not. */
export function tooLong(
  name: string,
  text: string,
  most: number,
  lang: Lang,
): { ok: false; text: string } | undefined {
  return text.length > most
    ? { ok: false, text: say(lang, "schema.too_long", { name, length: text.length, most }) }
    : undefined;
}

function badJson(raw: string, error: unknown, lang: Lang): string {
  const why = errorMessage(error);
  const position = Number(/position (\d+)/.exec(why)?.[1] ?? NaN);
  const cut = /Unterminated|Unexpected end/i.test(why) || position >= raw.trimEnd().length;
  const text = say(lang, "schema.bad_json", {
    why: excerpt(why),
    length: raw.length,
    end: raw.slice(-60),
  });
  return cut ? `${text} ${say(lang, "schema.cut_off")}` : text;
}

function check(
  schema: JsonSchema,
  given: unknown,
  path: string,
  errors: string[],
  lang: Lang,
): unknown {
  const value = cast(schema, given);
  const name = path || "input";
  if (schema.type && !hasType(schema.type, value)) {
    const expected = say(lang, `schema.type.${schema.type}`);
    errors.push(
      say(lang, "schema.type", { name, expected, found: excerpt(JSON.stringify(given) ?? "") }),
    );
    return value;
  }
  if (typeof value === "string") {
    if (schema.enum && !schema.enum.includes(value)) {
      const allowed = schema.enum.join(", ");
      errors.push(say(lang, "schema.enum", { name, allowed, found: excerpt(value) }));
    }
    if (schema.minLength !== undefined && value.length < schema.minLength) {
      errors.push(say(lang, "schema.empty", { name }));
    }
  } else if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum) errors.push(say(lang, "schema.minimum", { name, minimum, found: value }));
    if (value > maximum) errors.push(say(lang, "schema.maximum", { name, maximum, found: value }));
  } else if (Array.isArray(value)) {
    const least = schema.minItems ?? 0;
    if (value.length < least) errors.push(say(lang, "schema.items", { name, least }));
    const { items } = schema;
    if (items) return value.map((item, i) => check(items, item, `${path}[${i}]`, errors, lang));
  } else if (isRecord(value)) {
    return checkObject(schema, value, path, errors, lang);
  }
  return value;
}

function checkObject(
  schema: JsonSchema,
  value: ToolInput,
  path: string,
  errors: string[],
  lang: Lang,
): ToolInput {
  const properties = schema.properties ?? {};
  const required = schema.required ?? [];
  const at = (key: string) => path ? `${path}.${key}` : key;
  const out = new Map<string, unknown>();
  for (const [key, given] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property) {
      if (given === null || given === undefined) continue;
      out.set(key, check(property, given, at(key), errors, lang));
    } else if (!schema.properties || schema.additionalProperties) {
      out.set(key, given);
    } else if (given !== null && given !== undefined) {
      const names = Object.keys(properties);
      const near = nearest(key, names);
      const valid = [...near, ...names.filter((each) => !near.includes(each))].join(", ");
      errors.push(say(lang, "schema.unknown", { name: excerpt(at(key)), valid }));
    }
  }
  for (const key of required) {
    if (out.has(key)) continue;
    const type = properties[key]?.type ?? "string";
    const expected = say(lang, `schema.type.${type}`);
    errors.push(say(lang, "schema.missing", { name: at(key), expected }));
  }
  return Object.fromEntries(out);
}

/** Turns what is plainly meant into the wanted type; anything else is returned as it is. */
function cast(schema: JsonSchema, value: unknown): unknown {
  switch (schema.type) {
    case "integer":
    case "number":
      return typeof value === "string" && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value)
        ? Number(value)
        : value;
    case "boolean":
      if (typeof value === "string" && /^(true|false)$/i.test(value.trim())) {
        return value.trim().toLowerCase() === "true";
      }
      return value === 1 ? true : value === 0 ? false : value;
    case "string": {
      const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
      const known = typeof text === "string"
        ? schema.enum?.find((each) => each.toLowerCase() === text.toLowerCase())
        : undefined;
      return known ?? text;
    }
    case "array":
    case "object":
      return typeof value === "string" ? parsed(value, schema.type) : value;
    default:
      return value;
  }
}

function parsed(text: string, type: "array" | "object"): unknown {
  if (!text.trimStart().startsWith(type === "array" ? "[" : "{")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function hasType(type: NonNullable<JsonSchema["type"]>, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "number") return Number.isFinite(value);
  if (type === "boolean") return typeof value === "boolean";
  return typeof value === "string";
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

import type { T } from "../base/t.ts";
import type { JsonSchema, Tool, ToolInput } from "../base/types.ts";
import { nearest } from "../base/nearest.ts";
import { errorMessage } from "../base/errors.ts";
import { isRecord } from "../base/is_record.ts";
import { excerpt } from "./excerpt.ts";

const TYPES = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  object: "an object",
  integer: "an integer",
  array: "an array",
} as const;

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
export function parseInput(tool: Tool, raw: string, t: T): ToolInput | string {
  let value: unknown;
  try {
    value = raw.trim() === "" ? {} : JSON.parse(raw);
    if (typeof value === "string") value = JSON.parse(value);
  } catch (error) {
    return badJson(raw, error, t);
  }
  if (!isRecord(value)) {
    return t("Error: The input must be a JSON object, got {found}: {raw}", {
      found: typeName(value),
      raw: excerpt(raw),
    });
  }
  if (tool.unchecked) return value;
  return validate(tool.input, tool.adapt ? tool.adapt(value) : value, t);
}

/** Casts and checks `value` against an object schema; a string tells everything that is wrong. */
export function validate(schema: JsonSchema, value: ToolInput, t: T): ToolInput | string {
  const errors: string[] = [];
  const out = check(schema, value, "", errors, t);
  return errors.length > 0
    ? t("Error: Invalid parameters: {errors}", {
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
  t: T,
): { ok: false; text: string } | undefined {
  return text.length > most
    ? {
      ok: false,
      text: t("'{name}' is too long: {length} characters, at most {most}", {
        name,
        length: text.length,
        most,
      }),
    }
    : undefined;
}

function badJson(raw: string, error: unknown, t: T): string {
  const why = errorMessage(error);
  const position = Number(/position (\d+)/.exec(why)?.[1] ?? NaN);
  const cut = /Unterminated|Unexpected end/i.test(why) || position >= raw.trimEnd().length;
  const text = t(
    "Error: The input is not valid JSON: {why} ({length} characters, ending in {end}). Send the whole call again.",
    {
      why: excerpt(why),
      length: raw.length,
      end: raw.slice(-60),
    },
  );
  return cut
    ? `${text} ${
      t("It looks cut off, probably at the output limit: split the work into smaller calls.")
    }`
    : text;
}

function check(
  schema: JsonSchema,
  given: unknown,
  path: string,
  errors: string[],
  t: T,
): unknown {
  const value = cast(schema, given);
  const name = path || "input";
  if (schema.type && !hasType(schema.type, value)) {
    const expected = t(TYPES[schema.type]);
    errors.push(
      t("'{name}' must be {expected}, got {found}", {
        name,
        expected,
        found: excerpt(JSON.stringify(given) ?? ""),
      }),
    );
    return value;
  }
  if (typeof value === "string") {
    if (schema.enum && !schema.enum.includes(value)) {
      const allowed = schema.enum.join(", ");
      errors.push(
        t("'{name}' must be one of {allowed}, got '{found}'", {
          name,
          allowed,
          found: excerpt(value),
        }),
      );
    }
    if (schema.minLength !== undefined && value.length < schema.minLength) {
      errors.push(t("'{name}' must not be empty", { name }));
    }
  } else if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum) {
      errors.push(
        t("'{name}' must be at least {minimum}, got {found}", { name, minimum, found: value }),
      );
    }
    if (value > maximum) {
      errors.push(
        t("'{name}' must be at most {maximum}, got {found}", { name, maximum, found: value }),
      );
    }
  } else if (Array.isArray(value)) {
    const least = schema.minItems ?? 0;
    if (value.length < least) {
      errors.push(t("'{name}' must have at least {least} items", { name, least }));
    }
    const { items } = schema;
    if (items) return value.map((item, i) => check(items, item, `${path}[${i}]`, errors, t));
  } else if (isRecord(value)) {
    return checkObject(schema, value, path, errors, t);
  }
  return value;
}

function checkObject(
  schema: JsonSchema,
  value: ToolInput,
  path: string,
  errors: string[],
  t: T,
): ToolInput {
  const properties = schema.properties ?? {};
  const required = schema.required ?? [];
  const at = (key: string) => path ? `${path}.${key}` : key;
  const out = new Map<string, unknown>();
  for (const [key, given] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property) {
      if (given === null || given === undefined) continue;
      out.set(key, check(property, given, at(key), errors, t));
    } else if (!schema.properties || schema.additionalProperties) {
      out.set(key, given);
    } else if (given !== null && given !== undefined) {
      const names = Object.keys(properties);
      const near = nearest(key, names);
      const valid = [...near, ...names.filter((each) => !near.includes(each))].join(", ");
      errors.push(
        t("unknown parameter '{name}', valid ones are: {valid}", { name: excerpt(at(key)), valid }),
      );
    }
  }
  for (const key of required) {
    if (out.has(key)) continue;
    const type = properties[key]?.type ?? "string";
    const expected = t(TYPES[type]);
    errors.push(t("missing required parameter '{name}' ({expected})", { name: at(key), expected }));
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

/** What stands between a model and the tools: how they are declared and found, and their input made valid. */
import type { T } from "../base/t.ts";
import type { JsonSchema, PreparedCall, Tool, Toolbox, ToolInput } from "../base/types.ts";
import { nearest } from "../base/nearest.ts";
import { errorMessage } from "../base/errors.ts";
import { isRecord } from "../base/is_record.ts";
import { excerpt } from "../base/strings.ts";

/** What is known of a tool before it runs. */
export type ToolDeclaration = Omit<Tool, "run" | "asks" | "warm">;

/** A tool that is declared at once and loaded with its first call. */
export function deferred(declaration: ToolDeclaration, load: () => Promise<Tool>): Tool {
  let loading: Promise<Tool> | undefined;
  const loaded = () => loading ??= load();
  return {
    ...declaration,
    warm: () => void loaded().catch(() => {}),
    asks: async (input, context) => await (await loaded()).asks?.(input, context) ?? false,
    run: async (input, context) => await (await loaded()).run(input, context),
  };
}

/** A call that is ready to run, its input valid. */
export function preparedCall(tool: Tool, input: ToolInput): PreparedCall {
  return tool.analyse ? { tool, input, analysis: tool.analyse(input) } : { tool, input };
}

/** Other agents' names for `file_path`. */
export const FILE_PATH_ALIASES = {
  path: "file_path",
  filePath: "file_path",
  file: "file_path",
  filename: "file_path",
  absolute_path: "file_path",
  target_file: "file_path",
} as const;

/** What other agents' file tools are told besides the work: reasons, counts, progress. */
const ASIDES = new Set([
  "explanation",
  "description",
  "instruction",
  "instructions",
  "line_count",
  "task_progress",
]);

/**
 * Drops other agents' parameters that change nothing about a call, and a `command` that only names
 * again what the tool does.
 */
export function withoutAsides(input: ToolInput, commands: readonly string[]): ToolInput {
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) =>
      !ASIDES.has(key) && !(key === "command" && commands.includes(value))
    ),
  );
}

/** Makes a Toolbox: calls are found by name or alias in any case, and their input is validated. */
export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map<string, Tool>();
  // a tool's own name wins over another's alias
  for (const tool of tools) for (const alias of tool.aliases ?? []) byName.set(key(alias), tool);
  for (const tool of tools) byName.set(key(tool.name), tool);
  return {
    definitions: tools.map(({ name, description, input }) => ({ name, description, input })),
    prepare(name, input, t): PreparedCall | string {
      const tool = byName.get(key(name));
      if (!tool) return unknownTool(name, tools, byName, t);
      const parsed = parseInput(tool, input, t);
      return typeof parsed === "string" ? parsed : preparedCall(tool, parsed);
    },
  };
}

/** Servers may bring hundreds. */
const NAMES_TOLD = 60;

function key(name: string): string {
  return name.trim().toLowerCase();
}

function unknownTool(
  name: string,
  tools: readonly Tool[],
  byName: ReadonlyMap<string, Tool>,
  t: T,
): string {
  const names = tools.slice(0, NAMES_TOLD).map((tool) => tool.name).join(", ") +
    (tools.length > NAMES_TOLD ? ", …" : "");
  const [likely] = nearest(key(name), byName.keys(), 1);
  const near = likely === undefined ? undefined : byName.get(likely)?.name;
  const text = t("Error: Tool '{name}' not found. Available: {names}.", {
    name: excerpt(name),
    names,
  });
  return near ? `${text} ${t("Did you mean {near}?", { near })}` : text;
}

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

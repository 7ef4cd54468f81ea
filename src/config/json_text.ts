/**
 * Changes the text of a JSON object, comments allowed, and the user's narnat.json; what else stands
 * there is left as it is.
 */
import { camelOf, type Settings } from "./keys.ts";

/** Blanks out comments and trailing commas, keeping every position, so that JSON.parse's line numbers hold. */
export function stripJsonComments(source: string): string {
  const blank = (s: string) => s.replace(/[^\n]/g, " ");
  return source
    .replace(
      /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (part) => part[0] === '"' ? part : blank(part),
    )
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (part) => part[0] === '"' ? part : " ");
}

/**
 * The text of an object with a key of it set to `value`, itself JSON text; of an empty text a new
 * object. Throws SyntaxError when it is no object.
 */
export function withKey(source: string, key: string, value: string): string {
  const clean = cleaned(source);
  if (clean.trim() === "") return `${source}{\n  ${JSON.stringify(key)}: ${value}\n}\n`;
  const parsed = demandObject(clean);
  const span = valueOf(key, clean);
  if (span) return source.slice(0, span.from) + value + source.slice(span.to);
  const open = clean.indexOf("{") + 1;
  const entry = `${JSON.stringify(key)}: ${value}`;
  const empty = Object.keys(parsed).length === 0;
  const end = source.includes("\r\n") ? "\r\n" : "\n";
  const indent = /^[ \t]*\r?\n(?:[ \t]*\r?\n)*([ \t]*)\S/.exec(clean.slice(open))?.[1];
  const added = empty
    ? `${end}  ${entry}${end}`
    : indent === undefined
    ? `${entry}, `
    : `${end}${indent}${entry},`;
  const rest = source.slice(open);
  return source.slice(0, open) + added + (empty ? rest.replace(/^\s+/, "") : rest);
}

/** The text of an object without a key of it. Throws as `withKey` does. */
export function withoutKey(source: string, key: string): string {
  const span = spanOf(source, key);
  if (!span) return source;
  const clean = cleaned(source);
  const comma = /^\s*,/.exec(clean.slice(span.to))?.[0].length;
  const before = source.slice(0, span.at);
  if (comma !== undefined) {
    const rest = source.slice(span.to + comma);
    return before + (/^[ \t]*\r?\n/.test(rest) ? rest.trimStart() : rest.replace(/^[ \t]+/, ""));
  }
  const last = clean.slice(0, span.at).trimEnd();
  const from = last.endsWith(",") ? last.length - 1 : span.at;
  const between = source.slice(from, span.at).replace(/^,/, "");
  const comment = between.trim() === "" ? "" : between.trimEnd();
  return source.slice(0, from) + comment + source.slice(span.to);
}

/** The text of a key's value; undefined where the object has no such key. Throws as `withKey` does. */
export function valueText(source: string, key: string): string | undefined {
  const span = spanOf(source, key);
  return span && source.slice(span.from, span.to);
}

const cleaned = (source: string) => stripJsonComments(source.replace(/^\ufeff/, " "));

function spanOf(source: string, key: string): Span | undefined {
  const clean = cleaned(source);
  if (clean.trim() === "") return undefined;
  demandObject(clean);
  return valueOf(key, clean);
}

function demandObject(clean: string): { [key: string]: unknown } {
  const parsed: unknown = JSON.parse(clean);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new SyntaxError("not a JSON object");
  }
  return parsed as { [key: string]: unknown };
}

/** Where a key begins, and its value begins and ends. */
interface Span {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Where a key of the outermost object stands; the last one counts, as for JSON.parse. */
function valueOf(key: string, clean: string): Span | undefined {
  let depth = 0;
  let from = -1;
  let last = 0;
  let at = 0;
  let begun = 0;
  let name: string | undefined;
  let found: Span | undefined;
  for (const token of clean.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const [text] = token;
    const closes = text === "}" || text === "]";
    if (depth === 1 && from >= 0 && (text === "," || text === "}")) {
      found = { at: begun, from, to: last };
      from = -1;
    }
    if (closes) depth--;
    if (depth === 1 && text === ":" && name === key && from < 0) {
      from = token.index + 1;
      begun = at;
    } else if (from >= 0 && clean.slice(from, token.index).trim() === "") from = token.index;
    if (depth === 1) {
      name = text.startsWith('"') ? JSON.parse(text) : undefined;
      at = token.index;
    }
    if (text === "{" || text === "[") depth++;
    last = token.index + text.length;
  }
  return found;
}

/**
 * Writes the file with `changes` in it; comments, layout, order and the other keys stay. A file
 * that a key is put into or an address with a password is in, and a new one, has mode 0600, any other keeps its own. Throws when the
 * file cannot be read as JSON or cannot be written; it is then as it was.
 */
export function saveUserSettings(path: string, changes: Settings): void {
  changeFile(path, (text) => withSettings(text, changes), changes.api_key !== undefined);
}

/**
 * Writes a file as `edit` leaves its text, empty where there is none. One that is new, `secret` or
 * holds an address with a password has mode 0600, any other keeps its own. Throws what `edit`
 * throws, and when the file cannot be written; it is then as it was.
 */
export function changeFile(path: string, edit: (text: string) => string, secret = false): void {
  const found = read(path);
  const text = edit(found?.text ?? "");
  const target = found?.path ?? path;
  const isPrivate = secret || /:\/\/[^/\s"]*@/.test(text);
  const mode = isPrivate ? 0o600 : found?.mode ?? 0o600;
  const temporary = `${target}.${Deno.pid}.tmp`;
  Deno.mkdirSync(target.replace(/[/\\][^/\\]+$/, ""), { recursive: true, mode: 0o700 });
  try {
    Deno.writeTextFileSync(temporary, text, { mode: 0o600 });
    if (Deno.build.os !== "windows") Deno.chmodSync(temporary, mode);
    Deno.renameSync(temporary, target);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch { /* it was never made */ }
    throw error;
  }
}

/** The file behind all links, so that a link to it stays one. */
function read(path: string): { path: string; text: string; mode: number } | undefined {
  try {
    const real = Deno.realPathSync(path);
    const mode = (Deno.statSync(real).mode ?? 0o600) & 0o777;
    return { path: real, text: Deno.readTextFileSync(real), mode };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** JSON text, comments allowed, with each key of `changes` set. Throws SyntaxError when it is no object. */
export function withSettings(source: string, changes: Settings): string {
  let text = source;
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    // a key stays spelt as the file spells it
    const has = (name: string) => valueText(text, name) !== undefined;
    const camel = camelOf(key);
    text = withKey(text, has(camel) && !has(key) ? camel : key, laidOut(value));
  }
  return text;
}

/** A list of objects has a row for each. */
function laidOut(value: unknown): string {
  const rows = Array.isArray(value) && value.some((one) => typeof one === "object");
  if (!rows) return JSON.stringify(value);
  return `[\n${value.map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]`;
}

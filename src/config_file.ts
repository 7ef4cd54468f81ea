/** Changes the user's narnat.json and leaves what else stands in it as it is. */
import { type Settings, stripJsonComments } from "./config.ts";

/**
 * Writes the file with `changes` in it; comments, layout, order and the other keys stay. A file
 * that a key is put into, and a new one, has mode 0600, any other keeps its own. Throws when the
 * file cannot be read as JSON or cannot be written; it is then as it was.
 */
export function saveUserSettings(path: string, changes: Settings): void {
  const found = read(path);
  const text = withSettings(found?.text ?? "", changes);
  const target = found?.path ?? path;
  const mode = changes.api_key === undefined ? found?.mode ?? 0o600 : 0o600;
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
    if (value !== undefined) text = withKey(text, key, JSON.stringify(value));
  }
  return text;
}

function withKey(source: string, key: string, value: string): string {
  const clean = stripJsonComments(source.replace(/^\ufeff/, " "));
  if (clean.trim() === "") return `${source}{\n  ${JSON.stringify(key)}: ${value}\n}\n`;
  const parsed: unknown = JSON.parse(clean);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new SyntaxError("not a JSON object");
  }
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

/** Where the value of a key of the outermost object stands; the last one counts, as for JSON.parse. */
function valueOf(key: string, clean: string): { from: number; to: number } | undefined {
  let depth = 0;
  let from = -1;
  let last = 0;
  let name: string | undefined;
  let found: { from: number; to: number } | undefined;
  for (const token of clean.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const [text] = token;
    const closes = text === "}" || text === "]";
    if (depth === 1 && from >= 0 && (text === "," || text === "}")) {
      found = { from, to: last };
      from = -1;
    }
    if (closes) depth--;
    if (depth === 1 && text === ":" && name === key && from < 0) from = token.index + 1;
    else if (from >= 0 && clean.slice(from, token.index).trim() === "") from = token.index;
    if (depth === 1) name = text.startsWith('"') ? JSON.parse(text) : undefined;
    if (text === "{" || text === "[") depth++;
    last = token.index + text.length;
  }
  return found;
}

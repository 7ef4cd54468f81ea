/** Changes the user's narnat.json and leaves what else stands in it as it is. */
import { camelOf, type Settings } from "./keys.ts";
import { valueText, withKey } from "./json_text.ts";

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

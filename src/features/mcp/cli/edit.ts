/** Changes the text of a file that names servers, and leaves what else stands in it as it is. */
import { stripJsonComments, valueText, withKey, withoutKey } from "../../../config/json_text.ts";
import type { Json } from "../../../base/types.ts";
import { isRecord } from "../../../base/is_record.ts";

/** The key of the servers; a narnat.json may spell it in snake_case. */
const serversKey = (text: string) =>
  valueText(text, "mcp_servers") === undefined ? "mcpServers" : "mcp_servers";
const serversIn = (text: string) => valueText(text, serversKey(text));

type Entry = { readonly [key: string]: Json };

/** The names of the servers in a text. Throws as `withServer` does. */
export function serverNames(text: string): readonly string[] {
  const list = listIn(text);
  if (list) return list.flatMap((one) => isRecord(one) ? [String(one["name"])] : []);
  const value: unknown = JSON.parse(stripJsonComments(serversIn(text) ?? "{}"));
  return isRecord(value) ? Object.keys(value) : [];
}

/** The text with a server more, or another one of this name. Throws SyntaxError when it is no JSON object. */
export function withServer(text: string, name: string, entry: Entry): string {
  const list = listIn(text);
  if (list) {
    return withList(text, [...list.filter((one) => !isNamed(one, name)), { name, ...entry }]);
  }
  const value = JSON.stringify(entry, null, 2).replaceAll("\n", "\n    ");
  const inner = serversIn(text);
  const named = JSON.stringify(name);
  const servers = inner === undefined || inner === "null" || inner.replace(/\s/g, "") === "{}"
    ? `{\n    ${named}: ${value}\n  }`
    : withKey(inner, name, value);
  return withKey(text, serversKey(text), servers);
}

/** The text without a server; the same where it names none of that name. Throws as `withServer` does. */
export function withoutServer(text: string, name: string): string {
  const list = listIn(text);
  if (list) return withList(text, list.filter((one) => !isNamed(one, name)));
  const inner = serversIn(text);
  return inner === undefined ? text : withKey(text, serversKey(text), withoutKey(inner, name));
}

/** The text with a server on or off. Throws as `withServer` does. */
export function withServerOn(text: string, name: string, on: boolean): string {
  const list = listIn(text);
  if (list) {
    const changed = list.map((one) =>
      isNamed(one, name) ? JSON.parse(switched(JSON.stringify(one), on)) : one
    );
    return withList(text, changed);
  }
  const inner = serversIn(text) ?? "{}";
  const entry = valueText(inner, name) ?? "{}";
  return withKey(text, serversKey(text), withKey(inner, name, switched(entry, on)));
}

/** Sets whichever of `enabled` and `disabled` it has; to be off without either takes one. */
function switched(entry: string, on: boolean): string {
  const enabled = valueText(entry, "enabled") !== undefined;
  const disabled = valueText(entry, "disabled") !== undefined;
  let text = entry;
  if (enabled) text = withKey(text, "enabled", String(on));
  if (disabled || !on && !enabled) text = withKey(text, "disabled", String(!on));
  return text;
}

const isNamed = (entry: unknown, name: string) => isRecord(entry) && entry["name"] === name;

function listIn(text: string): readonly Json[] | undefined {
  const inner = serversIn(text);
  if (inner === undefined || !inner.startsWith("[")) return undefined;
  return JSON.parse(stripJsonComments(inner));
}

function withList(text: string, list: readonly Json[]): string {
  const rows = list.map((one) => `\n    ${JSON.stringify(one)}`).join(",");
  return withKey(text, serversKey(text), rows === "" ? "[]" : `[${rows}\n  ]`);
}

/** Slips of the pen in a file that names servers. */
import { editDistance } from "../../../base/nearest.ts";
import type { T } from "../../../base/t.ts";
import { isRecord } from "../../../base/is_record.ts";

const SERVERS = "mcpServers";
/** All that an entry is read for. */
const KEYS = [
  ...["name", "enabled", "disabled", "type", "transport", "command", "args", "env", "cwd"],
  ...["url", "httpUrl", "headers", "oauth", "timeout", "startupTimeout"],
  ...["tools", "enabledTools", "allowedTools", "includeTools", "disabledTools", "excludeTools"],
];

/** What is wrong with a file that has no `mcpServers` and means to name servers; undefined for nothing. */
export function fileSlip(
  value: { readonly [key: string]: unknown },
  file: string,
  t: T,
): string | undefined {
  const slip = Object.keys(value).find((key) => key === "servers" || nearTo(key, [SERVERS]));
  if (slip !== undefined) {
    return t("{file}: {key} means nothing and is ignored; did you mean {near}?", {
      file,
      key: shown(slip),
      near: SERVERS,
    });
  }
  const flat = Object.entries(value).find(([, entry]) =>
    isRecord(entry) && ["command", "url"].some((key) => typeof entry[key] === "string")
  );
  return flat &&
    t('{file}: servers such as {name} belong into "mcpServers": {…}; none of them is started', {
      file,
      name: shown(flat[0]),
    });
}

/** Keys of an entry that mean nothing and are near to one that does; other agents' keys are let be. */
export function entrySlips(name: string, entry: unknown, file: string, t: T): string[] {
  if (!isRecord(entry)) return [];
  return Object.keys(entry).filter((key) => !KEYS.includes(key)).flatMap((key) => {
    const near = nearTo(key, KEYS);
    if (near === undefined) return [];
    return [
      t("{file}: {key} means nothing and is ignored; did you mean {near}?", {
        file,
        key: shown(`${SERVERS}.${name}.${key}`),
        near,
      }),
    ];
  });
}

const shown = (key: string) => JSON.stringify(key.slice(0, 80)).slice(1, -1);

function nearTo(key: string, names: readonly string[]): string | undefined {
  const plain = key.replaceAll(/[-_ ]/g, "").toLowerCase();
  const limit = plain.length > 5 ? 2 : 1;
  return names.find((name) => editDistance(plain, name.toLowerCase(), limit) <= limit);
}

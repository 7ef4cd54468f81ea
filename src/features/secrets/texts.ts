/** The texts within messages, events and records. */

/** Names, hashes, places and bytes, and what a provider has signed. */
const LEFT_AS_IT_IS = new Set([
  "images",
  "signature",
  "redacted",
  "extra",
  "id",
  "type",
  "hash",
  "seen",
  "cwd",
  "workspace",
  "changed",
]);

type Change = (text: string) => string;

/** The value with each text in it changed; the very same where nothing changes. */
export function changeTexts<T>(value: T, change: Change): T {
  return changed(value, change, LEFT_AS_IT_IS) as T;
}

/** `left` are the fields that are ours; what a model or a person has made up has none. */
function changed(value: unknown, change: Change, left: ReadonlySet<string> | undefined): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let others: unknown[] | undefined;
    for (let at = 0; at < value.length; at++) {
      const next = changed(value[at], change, left);
      if (next !== value[at]) (others ??= [...value])[at] = next;
    }
    return others ?? value;
  }
  let other: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    if (left?.has(name)) continue;
    const item = (value as Record<string, unknown>)[name];
    const next = name !== "input" || !left
      ? changed(item, change, left)
      : typeof item === "string"
      ? changeJson(item, change)
      : changed(item, change, undefined);
    if (next !== item) (other ??= { ...value })[name] = next;
  }
  return other ?? value;
}

/** JSON that stays such: no stretch may reach from one text of it into another. */
function changeJson(json: string, change: Change): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return change(json);
  }
  const safe = changed(value, change, undefined);
  return safe === value ? json : JSON.stringify(safe);
}

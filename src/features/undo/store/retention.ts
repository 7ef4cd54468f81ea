/** What is not kept for ever: turns that are too old or too many, and contents that nothing needs. */
import type { Objects } from "./objects.ts";
import type { Records } from "./records.ts";
import type { Entry } from "./entries.ts";
import type { Limits, State, TurnRecord } from "../types.ts";

export interface Tidied {
  readonly objects: Objects;
  readonly records: Records;
  readonly limits: Limits;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What the workspace holds; its contents stay. */
  readonly known: ReadonlyMap<string, Entry>;
}

/** Removes it. Only for who is alone; a kill leaves contents that the next time removes. */
export function tidy({ objects, records, limits, now, known }: Tidied): void {
  const needed = new Set<string>();
  for (const { kind, content } of known.values()) if (kind === "file") needed.add(content);
  let bytes = 0;
  let full = false;
  for (const record of records.list().reverse()) {
    const old = now - Date.parse(record.ended) > limits.ageMs && !record.pending;
    for (const [hash, size] of old || full ? [] : contentsOf(record)) {
      if (needed.has(hash)) continue;
      bytes += size;
      full ||= bytes > limits.totalBytes && !record.pending;
      if (!full) needed.add(hash);
    }
    if (old || full) records.remove(record.id);
  }
  for (const { hash } of objects.list()) if (!needed.has(hash)) objects.remove(hash);
}

function contentsOf({ changes }: TurnRecord): [hash: string, size: number][] {
  const states = changes.flatMap(({ before, after }): State[] => [before, after]);
  return states.flatMap((state) => state?.kind === "file" ? [[state.hash, state.size]] : []);
}

/** How far Dream has read the history, and when it was last at it. */
import { mustBeFile } from "../../base/errors.ts";
import { under } from "../../base/path.ts";
import { unlock } from "../../files/file_lock.ts";
import type { History } from "../../session/history.ts";
import { writeMemory } from "../../session/memory_files.ts";

export interface DreamMark {
  /** Of the last entry that was read. */
  readonly cursor: number;
  /** ISO 8601; empty before the first Dream. */
  readonly time: string;
  /** What is unread was read, and findings of it did not get into the files. */
  readonly tried?: boolean;
}

export function readMark(dir: string): DreamMark {
  try {
    mustBeFile(under(dir, "dream.json"));
    const { cursor, time, tried } = JSON.parse(Deno.readTextFileSync(under(dir, "dream.json")));
    if (Number.isInteger(cursor) && typeof time === "string") {
      return { cursor, time, ...tried === true ? { tried } : {} };
    }
  } catch { /* none yet, or none that can be read: all of the history is unread */ }
  return { cursor: 0, time: "" };
}

export function writeMark(dir: string, mark: DreamMark): void {
  writeMemory(dir, "dream.json", JSON.stringify(mark) + "\n");
}

/** Whether something of the history is unread. */
export function isUnread(dir: string, history: History): boolean {
  const last = history.recent().at(-1)?.cursor ?? 0;
  return last !== 0 && last !== readMark(dir).cursor;
}

/** Whether another narnat is at a Dream. */
export function isBusy(dir: string): boolean {
  try {
    mustBeFile(under(dir, "dream.lock"));
    const lock = Deno.openSync(under(dir, "dream.lock"), { write: true });
    try {
      return !lock.tryLockSync(true);
    } finally {
      unlock(lock);
    }
  } catch {
    return false;
  }
}

/** Whether so many hours have passed since the last Dream, or since the history began, and something is unread. */
export function isDue(dir: string, history: History, hours: number, now: Date): boolean {
  if (!isUnread(dir, history)) return false;
  const { time } = readMark(dir);
  const since = now.getTime() - Date.parse(time || String(history.recent()[0]?.timestamp));
  // a clock that went back must not put Dream off for ever
  return !(since >= 0 && since < hours * 3_600_000);
}

/** What Dream's two requests are about, as text. */
import { truncate } from "../../base/truncate.ts";
import type { DreamFiles } from "./dream_files.ts";
import { type Finding, findingLines } from "./dream_findings.ts";
import type { History } from "../../session/history.ts";

/** Entries that one Dream reads, and of how many characters each and all. */
const ENTRIES = 40;
const ENTRY_CHARS = 4_000;
const ALL_CHARS = 60_000;

export interface DreamMaterial {
  readonly text: string;
  /** Of the entries in it. */
  readonly cursors: ReadonlySet<number>;
  readonly upTo: number;
  /** How many unread entries are left for the next time. */
  readonly left: number;
}

/** The oldest unread entries; undefined when all were read. */
export function dreamMaterial(history: History, read: number): DreamMaterial | undefined {
  const all = history.read();
  // a history that was begun anew counts from 1 again
  const after = (all.at(-1)?.cursor ?? 0) < read ? 0 : read;
  const unread = all.filter(({ cursor }) => cursor > after);
  const texts: string[] = [];
  let chars = 0;
  for (const { cursor, timestamp, content } of unread.slice(0, ENTRIES)) {
    const text = `#${cursor} ${timestamp}\n${truncate(content, ENTRY_CHARS)}`;
    if (texts.length > 0 && (chars += text.length) > ALL_CHARS) break;
    texts.push(text);
  }
  const entries = unread.slice(0, texts.length);
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  return {
    text: `# What has happened since\n\n${texts.join("\n\n")}`,
    cursors: new Set(entries.map(({ cursor }) => cursor)),
    upTo: last.cursor,
    left: unread.length - entries.length,
  };
}

/** The findings, and the files they are about. */
export function editMaterial(today: string, found: readonly Finding[], files: DreamFiles): string {
  return `${today}\n\n# Findings\n\n${findingLines(found)}\n\n${files.text}`;
}

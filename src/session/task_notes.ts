/** What was asked and what came out of it, without asking a model (seed 003's task memory). */
import { HOST_MARK } from "../base/t.ts";
import type { Message } from "../base/types.ts";
import { truncate } from "../base/strings.ts";
import type { History } from "./history.ts";

/** How the note of a turn begins. */
export const TASK = "**Task:**";

const TASK_CHARS = 300;
const RESULT_CHARS = 600;
const ALL_CHARS = 16_000;

const LINES = 50;
const LINE_CHARS = 700;
const CONTEXT_CHARS = 6_000;
/** What one conversation may have of the lines. */
const ENTRY_LINES = 22;
const MARK_CHARS = 60;

/** A note per question that something answered, the newest ones where they are too many; empty for none. */
export function taskNotes(messages: readonly Message[]): string {
  const notes: string[] = [];
  let asked: string[] = [];
  let result = "";
  let ended = false;
  const end = () => {
    if (asked.length > 0 && result !== "") {
      const task = brief(asked.join(" / "), TASK_CHARS);
      notes.push(`${TASK} ${task}\n**Result:** ${brief(result, RESULT_CHARS)}`);
    }
    asked = [];
    result = "";
    ended = false;
  };
  for (const message of messages) {
    if (message.role === "assistant") {
      result = message.text.trim() || result || "…";
      ended = message.calls.length === 0;
    } else if (message.role === "user" && !message.text.startsWith(HOST_MARK)) {
      // a line that came before the last answer joined the turn
      if (ended) end();
      asked.push(message.text);
    }
  }
  end();
  let chars = 0;
  const first = notes.findLastIndex((note) => (chars += note.length) > ALL_CHARS) + 1;
  return notes.slice(first).join("\n");
}

/** The last lines of what became of earlier conversations, but those of the sessions `without`. */
export function previousContext(history: History, without: readonly string[] = []): string {
  const blocks: string[] = [];
  let lines = LINES;
  let chars = CONTEXT_CHARS;
  const entries = history.recent().filter(({ session }) => !without.includes(session));
  for (const { timestamp, content } of entries.toReversed()) {
    const head = `## ${String(timestamp).slice(0, 16).replace("T", " ")}`;
    const body = endOf(content, Math.min(lines - 1, ENTRY_LINES), chars - head.length);
    if (body.length === 0) break;
    const block = [head, ...body].join("\n");
    blocks.unshift(block);
    lines -= body.length + 1;
    chars -= block.length;
  }
  return blocks.join("\n");
}

/** The last lines of an entry, from a task on where it has some; with a mark where there are more. */
function endOf(content: string, most: number, chars: number): string[] {
  const all = content.split("\n").filter((line) => line.trim() !== "")
    .map((line) => brief(line, LINE_CHARS));
  const size = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (all.length <= most && size(all) <= chars) return all;
  let from = Math.max(0, all.length - Math.max(0, most - 1));
  while (from < all.length && size(all.slice(from)) > chars - MARK_CHARS) from++;
  const task = all.findIndex((line, at) => at >= from && line.startsWith(TASK));
  if (task >= 0) from = task;
  if (from >= all.length) return [];
  return [`(${from} earlier lines: .narnat/memory/history.jsonl)`, ...all.slice(from)];
}

/** The beginning of a text in one line; of a long one no more words are taken than are told. */
function brief(text: string, most: number): string {
  let line = "";
  for (const [word] of text.matchAll(/\S+/g)) {
    line += line === "" ? word : ` ${word}`;
    if (line.length > most) break;
  }
  return truncate(line, most);
}

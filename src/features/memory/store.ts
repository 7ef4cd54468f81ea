/** What is kept of sessions for those that come after them. */
import type { Lang, Memory, Session } from "../../base/types.ts";
import { ModelError } from "../../base/types.ts";
import type { Log } from "../../base/log.ts";
import { foundOf } from "../../models/errors.ts";
import { say } from "../../base/text.ts";
import { spent } from "../../base/usage.ts";
import { isBusy, isUnread } from "./dream_mark.ts";
import { alone, type History } from "../../session/history.ts";
import type { MemoryRepo } from "./memory_repo.ts";
import { memoryText, writeMemory } from "../../session/memory_files.ts";
import { taskNotes } from "../../session/task_notes.ts";
import archivePrompt from "../../context/prompts/archive.md" with { type: "text" };

export interface MemoryOptions {
  /** Folder of the memory files; undefined keeps nothing. */
  readonly dir: string | undefined;
  readonly history: History;
  readonly lang: Lang;
  readonly mask: (text: string) => string;
  readonly log: Log;
  /** Opens the record of the files' changes; undefined where there can be none. */
  readonly repo: () => Promise<MemoryRepo | undefined>;
  readonly dream: (signal: AbortSignal) => Promise<string>;
}

/** The memory of one workspace. */
export function createMemory(o: MemoryOptions): Memory {
  const { lang, log, history } = o;
  /** What the model no longer sees is in the history already. */
  const rest = (session: Session, from: number) =>
    session.messages.slice(Math.max(from, session.viewFrom));
  const keep = (content: string, session: Session): string => {
    try {
      history.append(content, session.id);
      return "";
    } catch (error) {
      const text = say(lang, "memory.not_kept", { why: (error as Error).message });
      log.error("memory", text);
      return text;
    }
  };
  let dreaming = false;
  const record = async () => {
    const { dir } = o;
    if (dir === undefined) throw new Error(say(lang, "memory.none"));
    const repo = await o.repo();
    if (repo) return repo;
    throw new Error(say(lang, "dream.needs_git"));
  };
  return {
    dir: o.dir,
    mask: o.mask,
    get dreaming() {
      return dreaming;
    },
    whyNoDream() {
      if (o.dir === undefined) return say(lang, "memory.none");
      if (dreaming) return say(lang, "dream.here");
      if (isBusy(o.dir)) return say(lang, "dream.busy");
      return isUnread(o.dir, history) ? "" : say(lang, "dream.nothing");
    },
    async dream(signal) {
      if (dreaming) return say(lang, "dream.here");
      dreaming = true;
      try {
        return await o.dream(signal);
      } finally {
        dreaming = false;
      }
    },
    log: async (count) => await (await record()).log(count),
    restore: async (id) => await (await record()).restore(id),
    leave(session, from, summary) {
      const notes = taskNotes(rest(session, from));
      if (notes !== "") keep(summary || notes, session);
    },
    async archive(host, from) {
      const { session } = host;
      const messages = rest(session, from);
      if (taskNotes(messages) === "") return "";
      const { id } = session;
      const { rawText, summaryOf, summaryRequest } = await import(
        "../../context/window/summary.ts"
      );
      const request = summaryRequest(archivePrompt);
      let why = say(lang, "room.empty");
      const answer = await summaryOf(session.view, request, host).catch((error: unknown) => {
        why = host.signal.aborted
          ? say(lang, "memory.stopped")
          : error instanceof ModelError
          ? foundOf(lang, error)
          : String(error);
        return undefined;
      });
      if (answer?.text === undefined) {
        const failed = say(lang, "memory.archived_raw", { id, why });
        log.warning("memory", failed);
        return keep(rawText(messages), session) || failed;
      }
      const { text, usage } = answer;
      const key = text === "" ? "memory.archived_nothing" : "memory.archived";
      const done = say(lang, key, { id, spent: spent(usage, lang) });
      return (text === "" ? "" : keep(text, session)) || done;
    },
  };
}

/**
 * Adds a line to MEMORY.md; false when it is there already. Throws when the text holds what looks
 * like a key, or the file cannot be written.
 */
export function remember(memory: Memory, text: string, lang: Lang): boolean {
  const { dir } = memory;
  if (dir === undefined) throw new Error(say(lang, "memory.none"));
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (line === "") throw new Error(say(lang, "memory.nothing_to_remember"));
  if (memory.mask(line) !== line) throw new Error(say(lang, "memory.secret"));
  return alone(dir, () => {
    const before = memoryText(dir, "MEMORY.md", lang) ?? "";
    const known = before.split("\n").some((each) =>
      each.replace(/^\s*[-*]\s+/, "").trim().toLowerCase() === line.toLowerCase()
    );
    if (known) return false;
    const begin = before.trim() === "" ? "# Memory\n\n" : before.endsWith("\n") ? "" : "\n";
    writeMemory(dir, "MEMORY.md", `${before.trim() === "" ? "" : before}${begin}- ${line}\n`);
    return true;
  });
}

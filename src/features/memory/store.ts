/** What is kept of sessions for those that come after them. */
import { type Memory, ModelError, type Session } from "../../base/types.ts";
import type { Log } from "../../base/log.ts";
import { foundOf } from "../../models/errors.ts";
import type { T } from "../../base/t.ts";
import { spent } from "../../base/figures.ts";
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
  readonly t: T;
  readonly redactAlways: (text: string) => string;
  readonly log: Log;
  /** Opens the record of the files' changes; undefined where there can be none. */
  readonly repo: () => Promise<MemoryRepo | undefined>;
  readonly dream: (signal: AbortSignal) => Promise<string>;
}

const NO_MEMORY =
  "There is no memory: this session keeps nothing (--no-session, or .narnat cannot be written)";

const AT_WORK =
  "A Dream is at work already; you will be told when it is done (/dream stop ends it)";

/** The memory of one workspace. */
export function createMemory(o: MemoryOptions): Memory {
  const { t, log, history } = o;
  /** What the model no longer sees is in the history already. */
  const rest = (session: Session, from: number) =>
    session.messages.slice(Math.max(from, session.viewFrom));
  const keep = (content: string, session: Session): string => {
    try {
      history.append(content, session.id);
      return "";
    } catch (error) {
      const text = t("Cannot write the memory: {why}. The session itself stays stored", {
        why: (error as Error).message,
      });
      log.error("memory", text);
      return text;
    }
  };
  let dreaming = false;
  const record = async () => {
    const { dir } = o;
    if (dir === undefined) {
      throw new Error(
        t(NO_MEMORY),
      );
    }
    const repo = await o.repo();
    if (repo) return repo;
    throw new Error(
      t("git cannot be run (not installed, or no permission), so there is no record of Dreams"),
    );
  };
  return {
    dir: o.dir,
    redactAlways: o.redactAlways,
    get dreaming() {
      return dreaming;
    },
    whyNoDream() {
      if (o.dir === undefined) {
        return t(
          NO_MEMORY,
        );
      }
      if (dreaming) {
        return t(
          AT_WORK,
        );
      }
      if (isBusy(o.dir)) return t("Another Dream is at work on this memory; this one was skipped");
      return isUnread(o.dir, history)
        ? ""
        : t("There is no new history. A session enters it when it is left (/new, /clear, exit)");
    },
    async dream(signal) {
      if (dreaming) {
        return t(
          AT_WORK,
        );
      }
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
        "../../context/consolidate.ts"
      );
      const request = summaryRequest(archivePrompt);
      let why = t("the model's answer was empty");
      const answer = await summaryOf(session.view, request, host).catch((error: unknown) => {
        why = host.signal.aborted
          ? t("it was stopped")
          : error instanceof ModelError
          ? foundOf(t, error)
          : String(error);
        return undefined;
      });
      if (answer?.text === undefined) {
        const failed = t(
          "The old session {id} could not be summarised ({why}); its text went into the memory as it stands",
          { id, why },
        );
        log.warning("memory", failed);
        return keep(rawText(messages), session) || failed;
      }
      const { text, usage } = answer;
      const key = text === ""
        ? "Nothing in the old session {id} was worth remembering (spent {spent})"
        : "The old session {id} was summarised for the memory (spent {spent})";
      const done = t(key, { id, spent: spent(usage, t) });
      return (text === "" ? "" : keep(text, session)) || done;
    },
  };
}

/**
 * Adds a line to MEMORY.md; false when it is there already. Throws when the text holds what looks
 * like a key, or the file cannot be written.
 */
export function remember(memory: Memory, text: string, t: T): boolean {
  const { dir } = memory;
  if (dir === undefined) {
    throw new Error(
      t(NO_MEMORY),
    );
  }
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (line === "") throw new Error(t("Remember what? Usage: /remember TEXT"));
  if (memory.redactAlways(line) !== line) {
    throw new Error(
      t("Not kept: this looks like a key. The memory is sent to the model; try again without it"),
    );
  }
  return alone(dir, () => {
    const before = memoryText(dir, "MEMORY.md", t) ?? "";
    const known = before.split("\n").some((each) =>
      each.replace(/^\s*[-*]\s+/, "").trim().toLowerCase() === line.toLowerCase()
    );
    if (known) return false;
    const begin = before.trim() === "" ? "# Memory\n\n" : before.endsWith("\n") ? "" : "\n";
    writeMemory(dir, "MEMORY.md", `${before.trim() === "" ? "" : before}${begin}- ${line}\n`);
    return true;
  });
}

/** Dream: what earlier conversations taught becomes memory, in two requests to the model. */
import { errorMessage, FileError } from "../../base/errors.ts";
import { addUsage, NO_USAGE, spent } from "../../base/figures.ts";
import type { Log } from "../../base/log.ts";
import { under } from "../../base/path.ts";
import { truncate } from "../../base/strings.ts";
import type { T } from "../../base/t.ts";
import type { TurnEndReason, Usage } from "../../base/types.ts";
import phase1 from "../../context/prompts/dream_phase1.md" with { type: "text" };
import phase2 from "../../context/prompts/dream_phase2.md" with { type: "text" };
import { lockFile, unlock } from "../../files/file_lock.ts";
import type { History } from "../../session/history.ts";
import { MEMORY_FILES } from "../../session/memory_files.ts";
import { type DreamFiles, openDreamFiles } from "./dream_files.ts";
import {
  type Finding,
  findingLines,
  findingsTold,
  missedIn,
  readFindings,
} from "./dream_findings.ts";
import { readMark, writeMark } from "./dream_mark.ts";
import { BY_HAND, DREAM, type MemoryRepo } from "./memory_repo.ts";

/** Entries that one Dream reads, and of how many characters each and all. */
const ENTRIES = 40;
const ENTRY_CHARS = 4_000;
const ALL_CHARS = 60_000;

interface DreamMaterial {
  readonly text: string;
  /** Of the entries in it. */
  readonly cursors: ReadonlySet<number>;
  readonly upTo: number;
  /** How many unread entries are left for the next time. */
  readonly left: number;
}

/** The oldest unread entries; undefined when all were read. */
function dreamMaterial(history: History, read: number): DreamMaterial | undefined {
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
function editMaterial(today: string, found: readonly Finding[], files: DreamFiles): string {
  return `${today}\n\n# Findings\n\n${findingLines(found)}\n\n${files.text}`;
}

const RESULTS = {
  done: "Dream: read {n} {n:entry|entries} of history, changed {changes} (spent {spent})",
  unchanged: "Dream: read {n} {n:entry|entries} of history, no file changed (spent {spent})",
  no_change: "Dream: read {n} {n:entry|entries} of history, nothing to change (spent {spent})",
} as const;

/** Something for a model to do apart from the conversation. */
export interface DreamWork {
  readonly system: string;
  readonly text: string;
  /** Folder whose memory files, and skills but those that `taken` names, may be read and written; no tools without it. */
  readonly folder?: string;
  readonly taken: readonly string[];
}

export interface DreamAnswer {
  readonly reason: TurnEndReason;
  readonly text: string;
  readonly usage: Usage;
  /** Why it failed, in words for the user. */
  readonly why: string;
}

export interface DreamOptions {
  /** The project's `.narnat`. */
  readonly narnatDir: string;
  readonly history: History;
  readonly t: T;
  readonly log: Log;
  readonly redactAlways: (text: string) => string;
  readonly now: () => Date;
  /** Opens the record of the files' changes; undefined where there can be none. */
  readonly repo: () => Promise<MemoryRepo | undefined>;
  ask(work: DreamWork, signal: AbortSignal): Promise<DreamAnswer>;
}

/** Entries of the history that stay when they have been read. */
const KEPT_ENTRIES = 1000;

const LOCK_WAIT_MS = 200;

/**
 * Reads what is unread of the history and works it into the memory files; returns what is to be told
 * of it. The files change at the end, all that was meant or nothing, and only then does the history
 * count as read. Throws with the reason.
 */
export async function dream(o: DreamOptions, signal: AbortSignal): Promise<string> {
  const { t } = o;
  const dir = under(o.narnatDir, "memory");
  Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
  // a program that is just being started may hold the last one's lock for a moment
  const lock = await lockFile(under(dir, "dream.lock"), LOCK_WAIT_MS).catch((error) => {
    if (error instanceof FileError && error.reason === "locked") return undefined;
    throw error;
  });
  if (!lock) return t("Another Dream is at work on this memory; this one was skipped");
  let usage = NO_USAGE;
  const ask: DreamOptions["ask"] = async (work, stop) => {
    const answer = await o.ask(work, stop);
    usage = addUsage(usage, answer.usage);
    return answer;
  };
  const inVain = () =>
    usage.input + usage.output === 0 ? "" : t(" (spent {spent})", { spent: spent(usage, t) });
  try {
    return await dreamAlone({ ...o, ask }, dir, signal);
  } catch (error) {
    if (signal.aborted) return t("The Dream was stopped; the memory has not changed") + inVain();
    const why = errorMessage(error);
    o.log.error("dream", why);
    throw new Error(
      t("The Dream failed: {why}. The memory has not changed; the same history is read next time", {
        why,
      }) + inVain(),
      { cause: error },
    );
  } finally {
    unlock(lock);
  }
}

async function dreamAlone(o: DreamOptions, dir: string, signal: AbortSignal): Promise<string> {
  const { t, history, log } = o;
  const mark = readMark(dir);
  const material = dreamMaterial(history, mark.cursor);
  if (material === undefined) {
    return t("There is no new history. A session enters it when it is left (/new, /clear, exit)");
  }
  const time = o.now().toISOString();
  // one that fails is not tried again and again
  writeMark(dir, { ...mark, time });
  const repo = await o.repo();
  await repo?.commit(BY_HAND);
  const files = openDreamFiles(o.narnatDir, t);
  try {
    const seen = `${material.text}\n\n${files.text}`;
    const today = `Today: ${time.slice(0, 10)}`;
    const first = await asked(o, {
      system: phase1.trim(),
      text: `${today}\n\n${seen}`,
      taken: [],
    }, signal);
    const { found, understood } = readFindings(first.text, material.cursors);
    if (!understood) throw new Error(t("the model returned no findings"));
    log.info(
      "dream",
      t("dream, phase one: {n} {n:finding|findings}: {lines}", {
        n: found.length,
        lines: findingLines(found),
      }),
    );
    const second = found.length === 0 ? undefined : await asked(o, {
      system: phase2.trim(),
      text: editMaterial(today, found, files),
      folder: files.folder,
      taken: files.skills,
    }, signal);
    signal.throwIfAborted();
    const told = await put(o, files, found, repo?.merge);
    let unrecorded: string | undefined;
    const id = await repo?.commit(
      `${DREAM} ${told.short}\n\n${findingLines(found)}`,
      told.skills.map((name) => `skills/${name}/SKILL.md`),
    ).catch((error: Error) => {
      // the files have changed: to read the same history again would put it there twice
      unrecorded = t("This change was not recorded, so /dream-restore cannot undo it: {why}", {
        why: error.message,
      });
      return undefined;
    });
    // once more: a finding that never gets in must not stop all others
    const again = told.missed.length > 0 && !mark.tried;
    writeMark(dir, again ? { ...mark, time, tried: true } : { cursor: material.upTo, time });
    if (!again) history.compact(material.upTo, KEPT_ENTRIES);
    const usage = second ? addUsage(first.usage, second.usage) : first.usage;
    const values = { n: material.cursors.size, changes: told.short, spent: spent(usage, t) };
    const result = told.short !== "" ? "done" : found.length > 0 ? "unchanged" : "no_change";
    return [
      t(RESULTS[result], values),
      ...told.notes,
      ...told.missed.length === 0 ? [] : [
        t(
          again
            ? "The changes do not show these findings; this history is read again by the next Dream:\n{lines}"
            : "The changes still do not show these findings; this history is not read again. /remember keeps what you need of it:\n{lines}",
          {
            lines: findingsTold(told.missed, t),
          },
        ),
      ],
      ...material.left > 0
        ? [t("{n} {n:entry|entries} are still unread; /dream goes on", { n: material.left })]
        : [],
      ...id ? [t("/dream-log shows the changes, /dream-restore {id} undoes them", { id })] : [],
      ...unrecorded === undefined ? [] : [unrecorded],
      ...repo === undefined && told.short !== ""
        ? [t("git cannot be run, so /dream-restore cannot undo this")]
        : [],
    ].join("\n");
  } finally {
    files.close();
  }
}

async function asked(o: DreamOptions, work: DreamWork, signal: AbortSignal): Promise<DreamAnswer> {
  const answer = await o.ask(work, signal);
  signal.throwIfAborted();
  if (answer.reason !== "done") throw new Error(answer.why || answer.reason);
  return answer;
}

/** Puts what was made of the copies in the files' place. */
async function put(
  o: DreamOptions,
  files: DreamFiles,
  found: readonly Finding[],
  merge: ((mine: string, base: string, theirs: string) => Promise<string>) | undefined,
) {
  const changes = await files.changed(o.redactAlways, merge);
  const wanted = found.filter(({ kind }) => kind === "skill").map(({ about }) => about);
  const { made: skills, notes, written } = files.newSkills(o.redactAlways, wanted);
  files.put(changes);
  const made = skills.filter((skill) => skill.put());
  const short = [
    ...changes.map(({ name, added, removed }) => `${name} +${added} −${removed}`),
    ...made.map(({ name }) => `skills/${name}`),
  ].join(", ");
  const lost = MEMORY_FILES.flatMap((name) => {
    const { before = "", after = "" } = changes.find((change) => change.name === name) ?? {};
    return missedIn(before, after, found.filter(({ about }) => about === name));
  });
  const missed = found.filter((finding) =>
    finding.kind === "skill"
      ? !files.skills.includes(finding.about) && !written.includes(finding.about)
      : lost.includes(finding)
  );
  return { short, notes, missed, skills: made.map(({ name }) => name) };
}

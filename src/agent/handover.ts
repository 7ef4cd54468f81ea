/** The handover: a new session takes over with a summary of the old one, wholly or not at all. */
import {
  type Carried,
  type ContextHost,
  type EventBody,
  HandoverFailed,
  type Line,
} from "../base/types.ts";
import { count, lessUsage, spent } from "../base/figures.ts";
import type { Log } from "../base/log.ts";
import type { T } from "../base/t.ts";
import type { Current } from "./current_session.ts";
import type { SessionFile, SessionStore } from "../session/store.ts";

export interface HandoverParts {
  readonly current: Current;
  readonly store: SessionStore;
  readonly host: ContextHost;
  readonly log: Log;
  readonly t: T;
  emit(event: EventBody): void;
  /** Calls back once the line that was held has been sent (seed 000). */
  whenSent(tell: () => void): void;
  /** Whether the user goes: they will not see the line come back. */
  leaving(): boolean;
  /** Words an error for the user. */
  words(error: unknown): string;
}

/**
 * Puts a new session in the place of the current one, which is summarised for it with an eye to
 * `focus`, and tells so. Throws HandoverFailed, or `signal.reason`; the session then goes on.
 */
export async function handOver(
  line: Line | undefined,
  focus: string,
  parts: HandoverParts,
): Promise<void> {
  const { current, host, log, t, emit } = parts;
  const { id, turns, usage } = current.session;
  const end = (to?: string) => ({
    type: "compress_end" as const,
    ok: to !== undefined,
    ...to === undefined ? {} : { to },
    usage: lessUsage(current.session.usage, usage),
  });
  const before = count(current.contextManager.estimate(current.session));
  emit({ type: "compress_start" });
  log.info("compressor", t("handover, turns={n}", { n: turns }));
  try {
    const next = await pass(line, focus, parts);
    current.take(next, next.carried?.summary);
  } catch (error) {
    emit(end());
    if (host.signal.aborted) {
      // a command says it itself
      if (line && !parts.leaving()) {
        emit({
          type: "notice",
          level: "info",
          text: t(
            "Cancelled; the session is unchanged. (The cost of the cancelled request is unknown and not in /cost.)",
          ),
        });
      }
      throw error;
    }
    const why = parts.words(error);
    log.error("compressor", t("handover failed: {why}", { why }));
    throw new HandoverFailed(
      t(
        "Compression failed: {why}\nThe session is as it was. Try again, take another model (/model, in a script --model), or start a new session (/clear, in a script without -c)",
        { why },
      ),
    );
  }
  log.info("compressor", t("handed over, summary written to .narnat/last_session_summary.md"));
  await current.contextManager.ready();
  const text = t(
    "Summarised {turns} {turns:turn|turns} ({before} → {after} tokens, {size} characters, spent {spent}) into a new session. The old one, {id}, {kept}: /undo-compact goes back",
    {
      id,
      turns,
      size: count(current.session.carried?.written ?? 0),
      before,
      after: count(current.contextManager.estimate(current.session)),
      spent: spent(lessUsage(current.session.usage, usage), t),
      kept: t(
        parts.store.keeps
          ? "is archived"
          : "is there until narnat ends, as this session keeps nothing on disk",
      ),
    },
  );
  const ended = end(current.session.id);
  const tell = () => {
    emit(ended);
    emit({ type: "notice", level: "info", text, context: true });
  };
  if (line) parts.whenSent(tell);
  else tell();
}

/**
 * Returns the session that takes over; it holds `line` until the line is asked there. Throws with
 * the reason when there is no summary: the old session then stays as it was. Killed at any moment,
 * either the old session is on disk with the line, or the new one is.
 */
async function pass(
  line: Line | undefined,
  focus: string,
  parts: HandoverParts,
): Promise<SessionFile> {
  const { session, contextManager } = parts.current;
  if (line) session.hold(line);
  let next: SessionFile;
  try {
    next = begin(await contextManager.handOver(parts.host, focus), line, parts);
  } catch (error) {
    if (line && !parts.leaving()) session.hold();
    throw error;
  }
  // With its first entry the new session stands, whatever becomes of the rest.
  try {
    if (session.name !== "") next.rename(session.name);
    session.handOver(next.id);
  } catch (error) {
    parts.host.notice("warn", parts.words(error));
  }
  return next;
}

function begin(
  carried: Carried,
  line: Line | undefined,
  { store, current }: HandoverParts,
): SessionFile {
  const next = store.create();
  try {
    next.inherit(carried, line);
    return next;
  } catch (error) {
    next.close();
    current.contextManager.settled(carried.summary);
    throw error;
  }
}

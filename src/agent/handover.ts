/** The handover: a new session takes over with a summary of the old one, wholly or not at all. */
import type { Carried, EventBody, KeeperHost, Lang, Line } from "../base/types.ts";
import { HandoverFailed } from "../base/types.ts";
import { count } from "../base/figures.ts";
import type { Log } from "../base/log.ts";
import { say } from "../base/text.ts";
import { lessUsage, spent } from "../base/usage.ts";
import type { Current } from "./current.ts";
import type { SessionFile, SessionStore } from "../session/store.ts";

export interface HandoverParts {
  readonly current: Current;
  readonly store: SessionStore;
  readonly host: KeeperHost;
  readonly log: Log;
  readonly lang: Lang;
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
  const { current, host, log, lang, emit } = parts;
  const { id, turns, usage } = current.session;
  const end = (to?: string) => ({
    type: "compress_end" as const,
    ok: to !== undefined,
    ...to === undefined ? {} : { to },
    usage: lessUsage(current.session.usage, usage),
  });
  const before = count(current.keeper.estimate(current.session));
  emit({ type: "compress_start" });
  log.info("compressor", say(lang, "log.compress", { n: turns }));
  try {
    const next = await pass(line, focus, parts);
    current.take(next, next.carried?.summary);
  } catch (error) {
    emit(end());
    if (host.signal.aborted) {
      // a command says it itself
      if (line && !parts.leaving()) {
        emit({ type: "notice", level: "info", text: say(lang, "compact.stopped") });
      }
      throw error;
    }
    const why = parts.words(error);
    log.error("compressor", say(lang, "log.compress_failed", { why }));
    throw new HandoverFailed(say(lang, "compact.failed", { why }));
  }
  log.info("compressor", say(lang, "log.compressed"));
  await current.keeper.ready();
  const text = say(lang, "compact.done", {
    id,
    turns,
    size: count(current.session.carried?.written ?? 0),
    before,
    after: count(current.keeper.estimate(current.session)),
    spent: spent(lessUsage(current.session.usage, usage), lang),
    kept: say(lang, parts.store.keeps ? "compact.archived" : "compact.unkept"),
  });
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
  const { session, keeper } = parts.current;
  if (line) session.hold(line);
  let next: SessionFile;
  try {
    next = begin(await keeper.handOver(parts.host, focus), line, parts);
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
    current.keeper.settled(carried.summary);
    throw error;
  }
}

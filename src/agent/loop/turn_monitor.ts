/**
 * What a turn keeps an eye on: calls that go in circles, what was changed, and what has verified
 * it, in a few words.
 */
import { truncate } from "../../base/strings.ts";
import type { T } from "../../base/t.ts";
import type { Evidence, ToolResult } from "../../base/types.ts";
import { folderOf, pathIn } from "../../search/walk/path_text.ts";

/** When something has changed last, as exactly as it is known; milliseconds. */
interface ChangeTime {
  readonly from: number;
  readonly to: number;
}

/** Commands and files that are named. */
const MOST_RUNS = 3;
const MOST_FILES = 5;
const COMMAND_CHARS = 60;

/** `✓ deno test → exit 0; after 3 files changed; not verified: b.ts` */
export function evidenceText(evidence: Evidence, t: T): string {
  const { changed, runs: ran, unverified, more = 0 } = evidence;
  const runs = ran.slice(-MOST_RUNS).map(({ command, exit, masked }) => {
    const text = masked
      ? "? {command} → exit {exit} (not that of the test in it)"
      : exit === 0
      ? "✓ {command} → exit {exit}"
      : "✗ {command} → exit {exit}";
    return t(text, { command: shortened(command), exit: exit ?? "?" });
  });
  const left = ran.length - runs.length;
  if (left > 0) runs.unshift(t("{n} more {n:command|commands}", { n: left }));
  const n = changed.length + more;
  const head = runs.length > 0
    ? t("{runs} after {n} {n:file|files} changed", {
      runs: runs.join(t.lang === "zh" ? "，" : ", "),
      n,
    })
    : t("{n} {n:file|files} changed", { n });
  if (unverified.length + more === 0) return head;
  const files = fileNames(unverified, more, MOST_FILES, t);
  return `${head}${t("; not verified: {files}", { files })}`;
}

/** `a.ts, b.ts and 3 more`: the first `most` of `paths`, and how many are left with `more` besides. */
function fileNames(
  paths: readonly string[],
  more: number,
  most: number,
  t: T,
): string {
  const n = more + Math.max(paths.length - most, 0);
  if (paths.length === 0) return t("{n} {n:file|files}", { n });
  const names = paths.slice(0, most).map((path) => path.replaceAll(/\p{Cc}/gu, "\ufffd")).join(
    ", ",
  );
  return n > 0 ? t("{names} and {n} more", { names, n }) : names;
}

function shortened(command: string): string {
  const line = command.trim().replaceAll(/\s+/g, " ");
  return truncate(line, COMMAND_CHARS);
}

/**
 * When what is at a path has changed last, its name and mode included; of what is gone, when its
 * folder has. Undefined for a folder.
 */
export function changeTimes(workspace: string): (path: string) => ChangeTime | undefined {
  return (path) => {
    const place = pathIn(workspace, path);
    const info = look(place);
    if (info?.isDirectory) return undefined;
    const content = (info ?? nearestFolder(place))?.mtime?.getTime() ?? 0;
    // the time of a new name or mode is known by the second only
    const second = info?.ctime?.getTime() ?? 0;
    return second > content ? { from: second, to: second + 999 } : { from: content, to: content };
  };
}

function nearestFolder(place: string): Deno.FileInfo | undefined {
  for (let dir = folderOf(place);; dir = folderOf(dir)) {
    const info = look(dir);
    if (info || dir === folderOf(dir)) return info;
  }
}

function look(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

const HINT_AT = 3;
const STOP_AT = 5;
/** Paths that evidence names, and those of which a result reminds. */
const MOST_PATHS = 1000;
const MOST_REMINDED = 20;

export interface TurnMonitor {
  /** Looks at a finished call; returns the text to append to its result, and whether to stop the turn. */
  watch(
    name: string,
    input: string,
    result: ToolResult,
    ms: number,
  ): { note: string; stuck: boolean };
  /** Takes in what was changed and verified elsewhere for this turn, up to now. */
  vouch(evidence: Evidence): void;
  /**
   * What became of the turn's changes, of those that were `found` besides too; undefined where nothing
   * has changed. `changedAt` tells when a path has changed last; undefined for what is no file.
   */
  evidence(
    found: readonly string[],
    changedAt: (path: string) => ChangeTime | undefined,
  ): Evidence | undefined;
}

interface Ran {
  readonly command: string;
  readonly exit: number | null;
  readonly ms: number;
  readonly masked?: true;
  /** What has changed by then it has seen. */
  readonly until: number;
}

/** Watches one turn; `now` is the wall's clock, as files have it. */
export function createTurnMonitor(t: T, now: () => number): TurnMonitor {
  const seen = new Map<string, number>();
  /** Changed and not verified since, for the reminder. */
  const unverified = new Set<string>();
  /** When a call has changed a path last. */
  const changed = new Map<string, number>();
  const ran = new Map<string, Ran>();
  /** When others have verified a path last, and by what. */
  const vouched = new Map<string, number>();
  const theirs: Evidence["runs"][number][] = [];
  /** When the last call ended. */
  let lastCall = 0;
  /** Of two calls within a millisecond the second one is the later. */
  const next = () => lastCall = Math.max(now(), lastCall + 0.001);

  const takeRun = (input: string, { detail, verified }: ToolResult, ms: number) => {
    if (!verified || detail?.kind !== "command") return;
    const { exit, masked, job } = detail;
    const command = job?.command ?? commandOf(input);
    if (command === undefined) return;
    // files may have been edited while a job ran: it may have read them before
    const until = job ? lastCall - job.ms : lastCall;
    ran.delete(command);
    ran.set(command, {
      command,
      exit,
      ms: Math.round(job?.ms ?? ms),
      ...masked ? { masked } : {},
      until,
    });
  };

  return {
    watch(name, input, result, ms) {
      let note = "";
      next();
      if (result.changed && result.changed.length > 0) {
        // Something is different now, so the same command may well be run again.
        seen.clear();
        for (const path of result.changed) {
          unverified.add(path);
          changed.set(path, lastCall);
        }
        const last = [...unverified].slice(-MOST_REMINDED);
        const files = fileNames(last, unverified.size - last.length, MOST_REMINDED, t);
        note += "\n" + t("Not verified yet: {files}", { files });
      }
      if (proves(result)) unverified.clear();
      takeRun(input, result, ms);
      // A duration in the text would make every run of a command look new.
      const outcome = result.text.replaceAll(/\d+(?:\.\d+)? ?m?s\b/g, "");
      const key = [name, input, outcome].join("\0");
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      if (times >= HINT_AT) {
        note += "\n" +
          t(
            "(The same call has given the same result {n} times. Do not repeat it: find out why, and try another way)",
            { n: times },
          );
      }
      return { note, stuck: times >= STOP_AT };
    },
    vouch(evidence) {
      const at = next();
      const open = new Set(evidence.unverified);
      for (const path of evidence.changed) {
        changed.set(path, changed.get(path) ?? 0);
        if (!open.has(path)) vouched.set(path, at);
      }
      theirs.push(...evidence.runs);
    },
    evidence(found, changedAt) {
      const times = new Map<string, number>();
      const all = [...new Set([...changed.keys(), ...found])];
      for (const path of all.slice(0, MOST_PATHS)) {
        const at = changedAt(path);
        if (!at) continue;
        // what was there when the last call ended no call has changed since
        const latest = at.from > lastCall ? at.to : Math.min(at.to, lastCall);
        times.set(path, Math.max(latest, changed.get(path) ?? 0));
      }
      if (times.size === 0) return undefined;
      const first = Math.min(...times.values());
      const counted = [...ran.values()].filter(({ until }) => until >= first);
      // where one of them has failed since, the others do not say that all is well
      const good = counted.filter(({ exit, masked }) => exit === 0 && !masked);
      const verified = (path: string, at: number) =>
        (vouched.get(path) ?? -1) >= at ||
        good.some(({ until }) => until >= at) &&
          !counted.some(({ exit, until }) => exit !== 0 && until >= at);
      const more = all.length - MOST_PATHS;
      return {
        changed: [...times.keys()],
        runs: [...theirs, ...counted.map(({ until: _until, ...run }) => run)],
        unverified: [...times].filter(([path, at]) => !verified(path, at)).map(([path]) => path)
          .sort(),
        ...more > 0 ? { more } : {},
      };
    },
  };
}

/** Whether a result says that what has changed works. */
export const proves = ({ ok, verified, detail }: ToolResult): boolean =>
  ok && verified === true && !(detail?.kind === "command" && detail.masked);

function commandOf(input: string): string | undefined {
  try {
    const { command } = JSON.parse(input);
    return typeof command === "string" ? command : undefined;
  } catch {
    return undefined;
  }
}

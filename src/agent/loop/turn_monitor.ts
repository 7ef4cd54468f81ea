/** What a turn keeps an eye on: calls that go in circles, what was changed, and what has verified it. */
import type { Evidence, ToolResult } from "../../base/types.ts";
import type { T } from "../../base/t.ts";
import { type ChangeTime, fileNames } from "../evidence.ts";

const HINT_AT = 3;
const STOP_AT = 5;
/** Paths that evidence names, and those of which a result reminds. */
const MOST_PATHS = 1000;
const MOST_REMINDED = 20;

export interface Vigil {
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
export function createVigil(t: T, now: () => number): Vigil {
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

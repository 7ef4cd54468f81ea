/** What of a turn's changes has been verified, in a few words. */
import { folderOf, pathIn } from "../search/walk/path_text.ts";
import type { Evidence } from "../base/types.ts";
import type { T } from "../base/t.ts";
import { truncate } from "../base/truncate.ts";

/** When something has changed last, as exactly as it is known; milliseconds. */
export interface ChangeTime {
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
export function fileNames(
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

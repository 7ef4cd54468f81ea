import { type FoundPart, mergeParts } from "./found.ts";
import type { GlobFound, GrepFound, SearchJob, Stopped, WalkReport } from "./types.ts";

/** What one thread found of a glob. */
export interface GlobPart {
  /** Milliseconds since the epoch. */
  files: { readonly path: string; readonly time: number }[];
  total: number;
  hidden: number;
}

/** What one thread found; nothing of a walk. */
export type PartFound = GlobPart | FoundPart | undefined;

/** Puts the shares together, the same result however the files were dealt out. */
export function mergeFound(
  job: SearchJob,
  parts: readonly PartFound[],
  report: WalkReport,
  stopped: Stopped,
): GlobFound | GrepFound | undefined {
  switch (job.kind) {
    case "glob": {
      const shares = parts as readonly GlobPart[];
      const sum = (of: (part: GlobPart) => number) =>
        shares.reduce((total, part) => total + of(part), 0);
      const files = newest(shares.flatMap((part) => part.files), job.query.limit);
      return {
        files: files.map(({ path }) => path),
        total: sum((part) => part.total),
        hidden: sum((part) => part.hidden),
        report,
        stopped,
      };
    }
    case "grep":
      return { ...mergeParts(job.query, parts as readonly FoundPart[]), report, stopped };
    case "walk":
      return undefined;
  }
}

/** The first `limit` by age, then by path. */
export function newest(files: GlobPart["files"], limit: number): GlobPart["files"] {
  return files.toSorted((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1)).slice(0, limit);
}

import type {
  FoundTotals,
  GlobFound,
  GrepFound,
  GrepLine,
  GrepQuery,
  SearchJob,
  Stopped,
  WalkReport,
} from "./types.ts";

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

/** A line of one file. */
export interface FoundLine {
  /** From 1. */
  readonly line: number;
  /** Without its end; a long line is cut around the match with `…`. */
  readonly text: string;
  /** Which of the file's matches it belongs to, from 0; -1 for a line of context. */
  readonly match: number;
  /** As GrepLine has it. */
  readonly skipped: number | undefined;
}

/** What was found in one file. */
export interface FoundFile {
  readonly path: string;
  /** Its matching lines (matches, when multiline); in `files` mode 1. */
  readonly count: number;
  /** In `content` mode the first matches with their context, as many as the query wants. */
  readonly lines: readonly FoundLine[];
}

/** What one search of several found: a plain value for postMessage. */
export interface FoundPart extends FoundTotals {
  /** Those first by path, in no order: enough to show `offset + limit` matches or files. */
  readonly files: readonly FoundFile[];
}

/** The parts of a query's search put together. */
export interface MergedFound extends FoundTotals {
  /** In `content` mode, as GrepFound has them. */
  readonly lines: GrepLine[];
  readonly rest: GrepLine[];
  /** In the other modes. */
  readonly files: { readonly path: string; readonly count: number }[];
}

/** Returns sums of nothing. */
export function noTotals(): FoundTotals {
  return {
    matches: 0,
    matchedFiles: 0,
    searched: 0,
    binary: 0,
    unopened: 0,
    tooLarge: 0,
    cut: 0,
    slow: 0,
  };
}

/**
 * Keeps of the files that come in any order those first by path, until they hold as many matches
 * (files, outside `content` mode) as the query can show.
 */
export class FoundKeeper {
  readonly #perMatch: boolean;
  /** How many matches or files the query can show at most. */
  readonly most: number;
  #files: FoundFile[] = [];
  #held = 0;
  /** Files from this path on are not wanted. */
  #beyond: string | undefined;

  constructor(query: GrepQuery) {
    this.#perMatch = query.mode === "content";
    this.most = query.offset + Math.max(query.limit, query.most ?? 0);
  }

  /** False when nothing of the file can be shown. */
  wants(path: string): boolean {
    return this.most > 0 && (this.#beyond === undefined || path < this.#beyond);
  }

  /** Takes a wanted file. */
  add(file: FoundFile): void {
    this.#files.push(file);
    this.#held += this.#weight(file);
    if (this.#held >= 2 * this.most) this.#trim();
  }

  /** The files kept. */
  files(): readonly FoundFile[] {
    this.#trim();
    return this.#files;
  }

  #trim(): void {
    this.#files.sort(byPath);
    let held = 0;
    let kept = 0;
    while (kept < this.#files.length && held < this.most) {
      held += this.#weight(this.#files[kept++]!);
    }
    if (held >= this.most) this.#beyond = this.#files[kept - 1]?.path;
    this.#files.length = kept;
    this.#held = held;
  }

  #weight(file: FoundFile): number {
    return this.#perMatch ? Math.min(file.count, this.most) : 1;
  }
}

/**
 * Puts together what was found in separate files: sorted by path, from match (file) `offset` on, at
 * most `limit`. The same whatever the parts were.
 */
export function mergeParts(query: GrepQuery, parts: readonly FoundPart[]): MergedFound {
  const totals = noTotals();
  for (const part of parts) {
    for (const key of Object.keys(totals) as (keyof FoundTotals)[]) totals[key] += part[key];
  }
  const files = parts.flatMap((part) => part.files).sort(byPath);
  const { mode, offset, limit } = query;
  if (mode !== "content") {
    const shown = files.slice(offset, offset + limit);
    return {
      ...totals,
      lines: [],
      rest: [],
      files: shown.map(({ path, count }) => ({ path, count })),
    };
  }
  const lines: GrepLine[] = [];
  const rest: GrepLine[] = [];
  const most = Math.max(limit, query.most ?? 0);
  let first = -offset;
  for (const file of files) {
    if (first >= most) break;
    if (first < limit && first + file.count > 0) {
      chooseLines(file, -first, limit - first, query, lines);
    }
    if (first + file.count > limit) chooseLines(file, limit - first, most - first, BARE, rest);
    first += file.count;
  }
  return { ...totals, lines, rest, files: [] };
}

const BARE = { before: 0, after: 0 };

/** Adds the matches of a file from number `from` to the one before `to`, with their context. */
function chooseLines(
  file: FoundFile,
  from: number,
  to: number,
  query: Pick<GrepQuery, "before" | "after">,
  lines: GrepLine[],
): void {
  const chosen = ({ match }: FoundLine) => match >= from && match >= 0 && match < to;
  let owed = 0;
  // where the before-context of the next chosen match begins
  let ahead = 0;
  let begin = 0;
  file.lines.forEach((each, index) => {
    if (index >= ahead) {
      ahead = index;
      while (ahead < file.lines.length && !chosen(file.lines[ahead]!)) ahead++;
      begin = ahead < file.lines.length ? file.lines[ahead]!.line - query.before : Infinity;
      ahead++;
    }
    const match = chosen(each);
    if (match) owed = each.line + query.after;
    if (match || each.line <= owed || each.line >= begin) {
      const { line, text, skipped } = each;
      lines.push({ path: file.path, line, text, match, skipped });
    }
  });
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** The queries and answers of search. All of them can be sent to a worker. */
import type { GitPlaces } from "./walk/git_settings.ts";

/** Why a search ended before it was through; what it found until then is there. */
export type Stopped = "deadline" | "aborted" | undefined;

/** What a walk could not or would not look at; filled while it runs. */
export interface WalkReport {
  /** Folders that could not be listed, relative to the root. */
  unreadable: string[];
  /** Names that are not valid text and so cannot be opened. */
  unnameable: number;
  /** `node_modules` folders left out because no git repository says what is ignored. */
  dependencies: number;
  /** True when the root lies in a place git ignores; the rules from above it were set aside. */
  rootIgnored: boolean;
}

/** Which files to list. */
export interface GlobQuery {
  /** Absolute path of a folder. */
  readonly root: string;
  /** Globs relative to the root; see `globTest`. */
  readonly patterns: readonly string[];
  /** Wildcards match a dot at the beginning of a name. */
  readonly hidden: boolean;
  readonly limit: number;
  readonly deadlineMs: number;
}

/** The files a glob matched. */
export interface GlobFound {
  /** Relative to the root, newest first, at most `limit`. */
  files: string[];
  /** How many there are in all. */
  total: number;
  /** How many more there would be with `hidden`. */
  hidden: number;
  readonly report: WalkReport;
  readonly stopped: Stopped;
}

/** What to look for, where, and how much of it to keep. */
export interface GrepQuery {
  /** A line that one of them matches is found. */
  readonly patterns: readonly string[];
  /** The patterns are plain text. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  /** Matches may span lines; `.` then also matches line ends. */
  readonly multiline: boolean;
  /** Absolute path of a folder, or of one file. */
  readonly root: string;
  readonly folder: boolean;
  /** `content`: the lines; `files`: which files; `count`: matches per file. */
  readonly mode: "content" | "files" | "count";
  readonly globs: readonly string[];
  /** Globs of which one must match besides `globs`. */
  readonly types: readonly string[];
  /** Lines of context. */
  readonly before: number;
  readonly after: number;
  /** How many matches (content) or files to keep, after skipping `offset`. */
  readonly limit: number;
  readonly offset: number;
  /** How many matches to keep in all for `rest`; `limit` when left out. */
  readonly most?: number;
  readonly deadlineMs: number;
}

/** A line of a result. */
export interface GrepLine {
  /** Relative to the root; for a single file its name. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Without its end; a long line is cut around the match with `…`. */
  readonly text: string;
  /** False for a line of context. */
  readonly match: boolean;
  /** Characters of the line that are cut off in front; undefined where that is far too many to count. */
  readonly skipped: number | undefined;
}

/** Sums over the files of a grep. */
export interface FoundTotals {
  /** Matching lines in all (matches, when multiline); in `files` mode the files. */
  matches: number;
  matchedFiles: number;
  searched: number;
  binary: number;
  /** Files that could not be opened or read. */
  unopened: number;
  /** Files too large for a match over several lines. */
  tooLarge: number;
  /** Files with matches after a NUL byte; only those before it are in the result. */
  cut: number;
  /** Files that were given up half-way: V8 took too long for the regular expression. */
  slow: number;
}

/** What a grep matched; `lines` in `content` mode, `files` in the others. Sorted by path. */
export interface GrepFound extends FoundTotals {
  lines: GrepLine[];
  /** Matching lines that follow, up to the query's `most`. */
  rest: GrepLine[];
  files: { readonly path: string; readonly count: number }[];
  readonly report: WalkReport;
  readonly stopped: Stopped;
}

/** One piece of work for the pool. */
export type SearchJob =
  | { readonly kind: "glob"; readonly query: GlobQuery }
  | { readonly kind: "grep"; readonly query: GrepQuery }
  | { readonly kind: "walk"; readonly query: { readonly root: string } };

/** To a worker: a job under a number. */
export interface SearchRequest {
  readonly id: number;
  readonly job: SearchJob;
  readonly places: GitPlaces;
  /** The WorkList of the job, the same for all workers. */
  readonly memory: SharedArrayBuffer;
  /** True for the one worker that fills the WorkList. */
  readonly fills: boolean;
}

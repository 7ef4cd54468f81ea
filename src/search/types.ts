import type { PatternQuery } from "./pattern.ts";
import type { WalkReport } from "./walk.ts";

/** Why a search ended before it was through; what it found until then is there. */
export type Stopped = "deadline" | "aborted" | undefined;

/** Which files to list. */
export interface GlobQuery {
  /** Absolute path of a folder. */
  readonly root: string;
  /** Globs relative to the root; see `globTest`. */
  readonly patterns: readonly string[];
  readonly limit: number;
  readonly deadlineMs: number;
}

/** The files a glob matched. */
export interface GlobFound {
  /** Relative to the root, newest first, at most `limit`. */
  files: string[];
  /** How many there are in all. */
  total: number;
  readonly report: WalkReport;
  stopped: Stopped;
}

/** What to look for, where, and how much of it to keep. */
export interface GrepQuery extends PatternQuery {
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
}

/** What a grep matched; `lines` in `content` mode, `files` in the others. */
export interface GrepFound {
  lines: GrepLine[];
  files: { readonly path: string; readonly count: number }[];
  /** Matching lines in all (matches, when multiline); in `files` mode the files. */
  matches: number;
  matchedFiles: number;
  searched: number;
  binary: number;
  /** Files that could not be opened or read. */
  unopened: number;
  /** Files too large for their encoding or for a match over several lines. */
  tooLarge: number;
  readonly report: WalkReport;
  stopped: Stopped;
}

/** One search. */
export type SearchJob =
  | { readonly kind: "glob"; readonly query: GlobQuery }
  | { readonly kind: "grep"; readonly query: GrepQuery };

/** To the worker: a job under a number, and a cell that becomes 1 when nobody waits any more. */
export interface SearchRequest {
  readonly id: number;
  readonly job: SearchJob;
  readonly cancel: SharedArrayBuffer;
}

/** From the worker: that it is up, or what came of a job. */
export type SearchReply =
  | { readonly ready: true }
  | { readonly id: number; readonly found: GlobFound | GrepFound }
  | { readonly id: number; readonly pattern: string }
  | { readonly id: number; readonly failed: string };

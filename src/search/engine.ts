import { basename, join } from "node:path";
import { createContext, Script } from "node:vm";
import { globFolder } from "./glob_folder.ts";
import { globTest } from "./glob_match.ts";
import { codeOf } from "../workspace/file_error.ts";
import { newScratch } from "./file_texts.ts";
import { grepFile } from "./grep_file.ts";
import { compilePattern } from "./pattern.ts";
import type { GlobFound, GlobQuery, GrepFound, GrepQuery, SearchJob } from "./types.ts";
import { newWalkReport, walk, type WalkEntry, type WalkReport } from "./walk.ts";

/** A search under way. */
export interface Search {
  /** Works for at most `ms` milliseconds, or to the end; true when there is more to do. */
  step(ms: number): boolean;
  /** What was found until now. */
  result(): GlobFound | GrepFound;
}

/** The work of one kind of search, cut into pieces. */
interface Work {
  readonly found: GlobFound | GrepFound;
  readonly pieces: Generator<void>;
  /** Makes `found` presentable. */
  settle(): void;
}

/**
 * Begins a search; throws PatternError for a bad regular expression. `aborted` is asked between
 * files. V8 itself ends the work at the query's deadline, even inside a regular expression.
 */
export function startSearch(job: SearchJob, aborted: () => boolean): Search {
  const { found, pieces, settle } = job.kind === "glob" ? glob(job.query) : grep(job.query);
  const deadline = performance.now() + job.query.deadlineMs;
  const script = new Script("run()");
  let pause = 0;
  let more = true;
  const run = () => {
    while (performance.now() < pause) {
      if (aborted()) found.stopped = "aborted";
      if (found.stopped || pieces.next().done) return void (more = false);
    }
  };
  const context = createContext({ run });
  return {
    step(ms) {
      const now = performance.now();
      pause = now + ms;
      try {
        script.runInContext(context, { timeout: Math.max(1, Math.ceil(deadline - now)) });
      } catch (error) {
        if (codeOf(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        found.stopped = "deadline";
        more = false;
      }
      if (!more) settle();
      return more;
    },
    result: () => found,
  };
}

function glob(query: GlobQuery): Work {
  const found: GlobFound = { files: [], total: 0, report: newWalkReport(), stopped: undefined };
  const files: { path: string; time: number }[] = [];
  const keepNewest = () => {
    files.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
    files.length = Math.min(files.length, query.limit);
  };
  const work = function* (): Generator<void> {
    for (const entry of matching(query.root, query.patterns, [], found.report)) {
      const time = modified(join(query.root, entry.path));
      if (time !== undefined) {
        found.total++;
        files.push({ path: entry.path, time });
        if (files.length > 10 * query.limit) keepNewest();
      }
      yield;
    }
  };
  const settle = () => {
    keepNewest();
    found.files = files.map((file) => file.path);
  };
  return { found, pieces: work(), settle };
}

/** Milliseconds; undefined when the file has gone since it was listed. */
function modified(path: string): number | undefined {
  try {
    return Deno.lstatSync(path).mtime?.getTime() ?? 0;
  } catch {
    return undefined;
  }
}

function grep(query: GrepQuery): Work {
  const pattern = compilePattern(query);
  const found: GrepFound = {
    lines: [],
    files: [],
    matches: 0,
    matchedFiles: 0,
    searched: 0,
    binary: 0,
    unopened: 0,
    tooLarge: 0,
    report: newWalkReport(),
    stopped: undefined,
  };
  const scratch = newScratch();
  const work = function* (): Generator<void> {
    if (!query.folder) {
      grepFile(query.root, basename(query.root), pattern, query, found, scratch);
      return;
    }
    for (const entry of matching(query.root, query.globs, query.types, found.report)) {
      if (!entry.link) {
        grepFile(join(query.root, entry.path), entry.path, pattern, query, found, scratch);
      }
      yield;
    }
  };
  const settle = () => {
    scratch.file?.close();
    scratch.file = undefined;
  };
  return { found, pieces: work(), settle };
}

/** Walks the root, entering only folders in which a match can lie. */
function* matching(
  root: string,
  globs: readonly string[],
  types: readonly string[],
  report: WalkReport,
): Generator<WalkEntry> {
  const passes = globTest(globs);
  const hasType = globTest(types);
  const wanted = globs.filter((each) => !each.startsWith("!"));
  const folders = wanted.map(globFolder);
  const anywhere = folders.length === 0 || folders.includes("");
  const enter = (folder: string) =>
    anywhere ||
    folders.some((each) =>
      each === folder || each.startsWith(folder + "/") || folder.startsWith(each + "/")
    );
  for (const entry of walk(root, report, enter)) {
    if (passes(entry.path) && hasType(entry.path)) yield entry;
  }
}

import { createFileSearch, type FileSearchOptions, type Kept } from "./file_search.ts";
import { globTest } from "./walk/glob_match.ts";
import { type GlobPart, newest, type PartFound } from "./merge.ts";
import { namesIn, withSlash } from "./walk/path_text.ts";
import type { GlobQuery, GrepQuery, SearchJob } from "./types.ts";

/** One thread's share of a search. */
export interface Part {
  /**
   * Looks at one file; `path` is relative to the root. What cannot be read is counted, never thrown.
   * False when the file was left half-way, see FileSearch.
   */
  file(path: string): boolean;
  result(): PartFound;
}

/**
 * Begins a share; throws PatternError for a bad regular expression. `stop` is asked within long
 * files; `kept` is what no other share uses at the time.
 */
export function createPart(job: SearchJob, stop: () => boolean, kept?: () => Kept): Part {
  switch (job.kind) {
    case "glob":
      return globPart(job.query);
    case "grep":
      return grepPart(job.query, stop, { kept: kept?.() });
    case "walk":
      return { file: () => true, result: () => undefined };
  }
}

function globPart(query: GlobQuery): Part {
  const folder = withSlash(query.root);
  const matches = globTest(query.patterns, query.hidden);
  const wouldMatch = query.hidden ? undefined : globTest(query.patterns, true);
  const found: GlobPart = { files: [], total: 0, hidden: 0 };
  /** Older files are not among the newest. */
  let oldest = -Infinity;
  const add = (path: string) => {
    const time = modified(folder + path);
    if (time === undefined) return;
    found.total++;
    if (time < oldest) return;
    found.files.push({ path, time });
    if (found.files.length < 2 * query.limit) return;
    found.files = newest(found.files, query.limit);
    oldest = found.files.at(-1)?.time ?? oldest;
  };
  return {
    file(path) {
      if (matches(path)) add(path);
      else if (wouldMatch?.(path)) found.hidden++;
      return true;
    },
    result: () => ({ ...found, files: newest(found.files, query.limit) }),
  };
}

/** Undefined when the file has gone since it was listed. */
function modified(path: string): number | undefined {
  try {
    return Deno.lstatSync(path).mtime?.getTime() ?? 0;
  } catch {
    return undefined;
  }
}

/** A share of a grep. */
export function grepPart(
  query: GrepQuery,
  stop: () => boolean,
  options: FileSearchOptions,
): Part {
  const folder = withSlash(query.root);
  const search = createFileSearch(query, stop, options);
  const passes = globTest(query.globs);
  const hasType = globTest(query.types);
  return {
    file(path) {
      if (!query.folder) return search.file(query.root, namesIn(query.root).at(-1)!);
      return !passes(path) || !hasType(path) || search.file(folder + path, path);
    },
    result: () => search.result(),
  };
}

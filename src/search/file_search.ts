import { isOfSystem } from "../base/errors.ts";
import { createKernel, type Kernel } from "../files/edit/kernel.ts";
import {
  FoundKeeper,
  type FoundPart,
  type GlobPart,
  newest,
  noTotals,
  type PartFound,
} from "./found.ts";
import { compilePattern, type Needle, type Pattern, Unicode } from "./regex/mod.ts";
import { FilePieces, type PieceReader, type PiecesRead } from "./scan/file_pieces.ts";
import { type LineMatcher, lineMatcher, NeedleScan } from "./scan/line_matcher.ts";
import { LineScan, TextScan } from "./scan/line_scan.ts";
import { LineTaker } from "./scan/line_taker.ts";
import { ScanStopped, TimeLimit } from "./time_limit.ts";
import type { FoundTotals, GlobQuery, GrepQuery, SearchJob } from "./types.ts";
import { globTest } from "./walk/glob_match.ts";
import { namesIn, withSlash } from "./walk/path_text.ts";

const PIECE_BYTES = 1 << 20;
/** How long V8 may take for one file. */
const SLOW_MS = 1000;
/** How many files are searched between looks at the clock, which takes as long as a tenth of a file. */
const FILES_PER_LOOK = 8;

/** One search, file by file. */
export interface FileSearch {
  /**
   * Searches one regular file, which is shown as `path`; a file that cannot be read is counted,
   * never thrown. Returns at once when the search has been stopped, or a few short files later.
   * False when the file was left half-way, as `leave` asked; then nothing of it counts.
   */
  file(absolute: string, path: string): boolean;
  /** What was found until now. */
  result(): FoundPart;
}

/** What one thread keeps from search to search. */
export interface Kept {
  /** No other search uses it at the time; its needles are forgotten. */
  readonly kernel: Kernel;
  readonly unicode: Unicode;
}

/** Makes what a thread keeps. */
export function newKept(): Kept {
  return { kernel: createKernel(), unicode: new Unicode() };
}

/** What a test wants to control, and what is kept from the search before. */
export interface FileSearchOptions {
  readonly kept?: Kept;
  /** The query's, where it is compiled already. */
  readonly pattern?: Pattern;
  /** Asked within long files as `stop` is: true ends the file, not the search. */
  readonly leave?: () => boolean;
  /** How much of a file is read at once. */
  readonly pieceBytes?: number;
  readonly now?: () => number;
}

/**
 * Begins a search; throws PatternError. `stop` is asked every few milliseconds and ends it, as the
 * query's deadline does.
 */
export function createFileSearch(
  query: GrepQuery,
  stop: () => boolean,
  options: FileSearchOptions = {},
): FileSearch {
  const { kernel, unicode } = options.kept ?? newKept();
  kernel.forget();
  const pattern = options.pattern ?? compilePattern(query, unicode);
  return new Search(query, pattern, stop, kernel, options);
}

type Reader = LineScan | TextScan;

class Search implements FileSearch {
  readonly #query: GrepQuery;
  readonly #pattern: Pattern;
  readonly #kernel: Kernel;
  readonly #stop: () => boolean;
  /** As `#stop`, or the file is to be left. */
  readonly #pause: () => boolean;
  readonly #now: () => number;
  readonly #deadline: number;
  readonly #pieces: FilePieces;
  readonly #keeper: FoundKeeper;
  readonly #totals: FoundTotals = noTotals();
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** How the lines are found; undefined when matches may span lines. */
  readonly #matcher: LineMatcher | undefined;
  readonly #needles: NeedleScan | undefined;
  readonly #asks: boolean;
  /** Where V8's regular expressions run. */
  readonly #limit: TimeLimit | undefined;
  #begun = 0;
  #stopped = false;

  constructor(
    query: GrepQuery,
    pattern: Pattern,
    stop: () => boolean,
    kernel: Kernel,
    options: FileSearchOptions,
  ) {
    this.#query = query;
    this.#pattern = pattern;
    this.#kernel = kernel;
    this.#now = options.now ?? (() => performance.now());
    this.#deadline = this.#now() + query.deadlineMs;
    this.#stop = () => stop() || this.#now() > this.#deadline;
    const { leave } = options;
    this.#pause = leave ? () => leave() || this.#stop() : this.#stop;
    const careful = !query.folder || /^\/(?:proc|sys)(?:\/|$)/.test(query.root);
    this.#pieces = new FilePieces(kernel, {
      pieceBytes: options.pieceBytes ?? PIECE_BYTES,
      careful,
      stop: this.#pause,
    });
    this.#keeper = new FoundKeeper(query);
    this.#asks = pattern.needles?.every(sameEverywhere) ?? false;
    if (query.multiline) {
      this.#needles = pattern.needles && new NeedleScan(kernel, pattern.needles);
    } else {
      this.#matcher = lineMatcher(kernel, pattern, this.#pause);
    }
    // compiled here, so that an expression V8 refuses is told before the first file
    if (!pattern.dfa && pattern.regex) this.#limit = new TimeLimit();
  }

  file(absolute: string, path: string): boolean {
    if (this.#isStopped()) return true;
    const scan = this.#scanOf(path);
    const read = this.#read(absolute, scan.reader);
    if (read === "left") return false;
    const totals = this.#totals;
    if (read === "binary") totals.binary++;
    else if (read === "large") totals.tooLarge++;
    else if (read === "unopened") totals.unopened++;
    else totals.searched++;
    if (read === "slow") totals.slow++;
    const { count, cut } = scan.reader;
    if (cut) totals.cut++;
    if (count === 0) return true;
    totals.matchedFiles++;
    totals.matches += count;
    if (this.#keeper.wants(path)) this.#keeper.add({ path, count, lines: scan.taker.lines });
    return true;
  }

  result(): FoundPart {
    return { ...this.#totals, files: this.#keeper.files() };
  }

  #isStopped(): boolean {
    // V8 may take long for each file
    const looks = this.#limit !== undefined || this.#begun++ % FILES_PER_LOOK === 0;
    this.#stopped ||= looks && this.#stop();
    return this.#stopped;
  }

  #scanOf(path: string): { reader: Reader; taker: LineTaker } {
    const { mode } = this.#query;
    const most = mode === "content" && this.#keeper.wants(path) ? this.#keeper.most : 0;
    const taker = new LineTaker(this.#kernel, this.#decoder, this.#query, most);
    const options = { asks: this.#asks, firstOnly: mode === "files" };
    const reader = this.#matcher
      ? new LineScan(this.#kernel, this.#matcher, taker, options)
      : new TextScan(
        this.#kernel,
        this.#pattern.regex,
        this.#needles,
        this.#decoder,
        taker,
        options,
      );
    return { reader, taker };
  }

  #read(absolute: string, reader: Reader): PiecesRead | "unopened" | "slow" | "left" {
    let file: Deno.FsFile;
    try {
      file = Deno.openSync(absolute);
    } catch {
      return "unopened";
    }
    try {
      if (!this.#limit) return this.#pieces.read(file, reader);
      const limited = new LimitedReader(reader, this.#limit, () => this.#timeLeft());
      const read = this.#pieces.read(file, limited);
      return limited.slow ? "slow" : read;
    } catch (error) {
      if (error instanceof ScanStopped) return this.#stop() ? "read" : "left";
      // reading failed half-way: a device error, a folder put in the file's place
      if (!isOfSystem(error)) throw error;
      return "unopened";
    } finally {
      file.close();
    }
  }

  #timeLeft(): number {
    return Math.min(SLOW_MS, this.#deadline - this.#now());
  }
}

/** Gives V8 so much time for each piece, and none after it has taken longer. */
class LimitedReader implements PieceReader {
  readonly whole: boolean;
  readonly asks: boolean;
  slow = false;
  readonly #reader: PieceReader;
  readonly #limit: TimeLimit;
  readonly #ms: () => number;

  constructor(reader: PieceReader, limit: TimeLimit, ms: () => number) {
    this.whole = reader.whole;
    this.asks = reader.asks;
    this.#reader = reader;
    this.#limit = limit;
    this.#ms = ms;
  }

  needsText(last: boolean): boolean {
    return this.#reader.needsText(last);
  }

  mayMatch(from: number, to: number): boolean {
    return this.#reader.mayMatch(from, to);
  }

  text(from: number, to: number, last: boolean): boolean {
    let more = false;
    this.slow = !this.#limit.run(this.#ms(), () => {
      more = this.#reader.text(from, to, last);
    });
    return more && !this.slow;
  }
}

/** True when the needle is the same bytes in every encoding that extends ASCII. */
function sameEverywhere({ bytes }: Needle): boolean {
  // K and ſ, which fold to k and s, are in no text of another encoding worth the name
  return /^[\0-\x7f\u212a\u017f]*$/.test(new TextDecoder().decode(bytes));
}

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

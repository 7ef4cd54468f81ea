import { fitsKernel } from "./scan/dfa_table.ts";
import { createPart, grepPart, type Kept, newKept, type Part } from "./file_search.ts";
import type { GitPlaces } from "./walk/git_settings.ts";
import { mergeFound, type PartFound } from "./found.ts";
import { compilePattern, type Pattern, PatternError } from "./regex/mod.ts";
import { ENTRY_CHARS, FileLists } from "./run.ts";
import type { GlobFound, GrepFound, GrepQuery, SearchJob, Stopped, WalkReport } from "./types.ts";
import { newWalkReport, TooWide } from "./walk/walk.ts";
import type { WorkList } from "./work_list.ts";

/** Keys are heard between two slices. */
const SLICE_MS = 8;
/** How much longer the file at a slice's end may take. */
const OVER_MS = 8;
const FILES_PER_LOOK = 8;
/** A pattern takes time and memory as its automaton is large; what is typed is small. */
const PATTERN_CHARS = 500;
const STATES_BESIDE = 100;
const STATES_PER_CHAR = 2;
/** In a folder of so many bytes there are some 2,000 names. */
const FOLDER_BYTES = 128 << 10;
/** So many short lines take no longer than a slice. */
const PIECE_BYTES = 64 << 10;
/** Files there may block whoever reads them. */
const DEVICES = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Searches in this thread: those that are over soon, and all where there is no worker. */
export class SearchesHere {
  readonly #short: FileLists;
  readonly #long: FileLists;
  #kept: Kept | undefined;

  constructor(places: GitPlaces) {
    this.#short = new FileLists(places, FOLDER_BYTES);
    this.#long = new FileLists(places);
  }

  /**
   * Begins a search no step of which takes long; undefined when only a worker may make it: V8 does
   * not let go of an expression. Throws PatternError.
   */
  begin(job: SearchJob): SearchHere | undefined {
    if (DEVICES.test(job.query.root)) return undefined;
    const pattern = job.kind === "grep" ? quickPattern(job.query, this.#keep()) : undefined;
    if (job.kind === "grep" && !pattern) return undefined;
    // another search that has not ended goes on with what it has
    const kept = this.#keep();
    this.#kept = undefined;
    const giveBack = () => void (this.#kept ??= kept);
    return new SearchHere(job, this.#short, { kept, pattern, giveBack });
  }

  /** Begins a search that nobody else can make; a file may take as long as it needs. */
  beginAlone(job: SearchJob): SearchHere {
    return new SearchHere(job, this.#long, undefined);
  }

  #keep(): Kept {
    return this.#kept ??= newKept();
  }
}

/** The pattern when it is small and an automaton decides it. */
function quickPattern(query: GrepQuery, { unicode }: Kept): Pattern | undefined {
  const chars = query.patterns.reduce((sum, { length }) => sum + length, 0);
  if (chars > PATTERN_CHARS || query.multiline) return undefined;
  try {
    const pattern = compilePattern(query, unicode, STATES_BESIDE + STATES_PER_CHAR * chars);
    return pattern.dfa && fitsKernel(pattern.dfa) ? pattern : undefined;
  } catch (error) {
    if (error instanceof PatternError && error.reason === "too_large") return undefined;
    throw error;
  }
}

interface Quick {
  readonly kept: Kept;
  readonly pattern: Pattern | undefined;
  giveBack(): void;
}

/** A search under way, one slice after another. */
export class SearchHere {
  /** How many files have been gone through. */
  files = 0;
  /** A folder is too wide to be read in a slice: a worker must begin anew. */
  refused = false;
  readonly report: WalkReport = newWalkReport();
  readonly #job: SearchJob;
  readonly #quick: Quick | undefined;
  readonly #part: Part;
  readonly #blocks: Iterator<string>;
  readonly #deadline: number;
  #stopped: Stopped;
  #sliceEnd = 0;
  /** Paths of the block at hand, and the place of the next one. */
  #paths: readonly string[] = [];
  #at = 0;
  #walked = false;
  /** Files that take longer than a slice. */
  #left: string[] = [];
  /** What a walk has come upon. */
  #found: string[] = [];

  constructor(job: SearchJob, lists: FileLists, quick: Quick | undefined) {
    this.#job = job;
    this.#quick = quick;
    const limit = "deadlineMs" in job.query ? job.query.deadlineMs : Infinity;
    this.#deadline = performance.now() + limit;
    const stop = () => this.#stops();
    const leave = () => performance.now() > this.#sliceEnd + OVER_MS;
    this.#part = quick?.pattern && job.kind === "grep"
      ? grepPart(job.query, stop, { ...quick, pieceBytes: PIECE_BYTES, leave })
      : createPart(job, stop);
    this.#blocks = lists.blocks(job, this.report, stop);
  }

  /** True when every file has been gone through, but for those that a slice is too short for. */
  get ended(): boolean {
    return this.#stopped !== undefined || this.#walked && this.#at === this.#paths.length;
  }

  /** True when no file is left for others. */
  get complete(): boolean {
    return this.ended && (this.#stopped !== undefined || this.#left.length === 0);
  }

  /** The job with the time that is left for it. */
  get rest(): SearchJob {
    const deadlineMs = Math.max(1, this.#deadline - performance.now());
    return this.#job.kind === "walk"
      ? this.#job
      : { ...this.#job, query: { ...this.#job.query, deadlineMs } } as SearchJob;
  }

  /** Goes on for some milliseconds; true when the search has ended or is refused. */
  slice(ms = SLICE_MS): boolean {
    this.#sliceEnd = performance.now() + ms;
    for (let looks = 1, passed = 0; !this.ended && !this.refused; looks++) {
      const looking = looks % FILES_PER_LOOK === 0;
      if (looking && (this.#stops() || performance.now() > this.#sliceEnd)) break;
      if (this.#at === this.#paths.length) this.#nextBlock();
      else if (this.#part.file(this.#paths[this.#at]!)) passed += this.#pass().length;
      else if (passed === 0 && looks <= 2) this.#left.push(this.#pass());
      // once more, with a slice to itself
      else break;
    }
    return this.ended || this.refused;
  }

  /** Puts what is left into a list for others, for some milliseconds; true when no more of it is or has room. */
  deal(list: WorkList): boolean {
    const end = performance.now() + SLICE_MS;
    this.#left.push(...this.#paths.slice(this.#at));
    this.#at = this.#paths.length;
    for (;;) {
      while (this.#left.length > 0) {
        let count = 0;
        for (let chars = 0; count < this.#left.length && chars < ENTRY_CHARS; count++) {
          chars += this.#left[count]!.length;
        }
        if (!list.offer(this.#left.slice(0, count).join("\0"))) return true;
        this.#left = this.#left.slice(count);
      }
      if (this.ended) return true;
      if (performance.now() > end) return false;
      this.#nextBlock();
      this.#left.push(...this.#paths);
      this.#at = this.#paths.length;
    }
  }

  /** What a walk has come upon since it was last asked. */
  takeFound(): string[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** What was found here, and with others. */
  result(others: readonly PartFound[] = [], stopped?: Stopped): GlobFound | GrepFound | undefined {
    const parts = [this.#part.result(), ...others];
    return mergeFound(this.#job, parts, this.report, this.#stopped ?? stopped);
  }

  /** Lets others have what the search has used; it must not go on. */
  end(): void {
    this.#quick?.giveBack();
  }

  #pass(): string {
    this.files++;
    return this.#paths[this.#at++]!;
  }

  #nextBlock(): void {
    this.#paths = [];
    this.#at = 0;
    try {
      const { done, value } = this.#blocks.next();
      if (done) this.#walked = true;
      else if (this.#job.kind !== "walk") this.#paths = value.split("\0");
      else {
        this.#found.push(value);
        this.files += value.split("\0").length;
      }
    } catch (error) {
      if (!(error instanceof TooWide)) throw error;
      this.refused = true;
    }
  }

  #stops(): boolean {
    if (performance.now() > this.#deadline) this.#stopped ??= "deadline";
    return this.#stopped !== undefined;
  }
}

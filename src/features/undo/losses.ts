/** What commands have taken away of the work, as far as nothing else holds it. */
import { infoOf } from "../../search/walk/known_files.ts";
import type { Loss, RunCommand } from "../../base/types.ts";
import { under } from "../../base/path.ts";
import { elsewhere, isNamedAt, newLines } from "./restore/elsewhere.ts";
import type { Entry } from "./store/entries.ts";
import { contentOf, nodeCrypto, type Objects } from "./store/objects.ts";
import type { Ledger } from "./store/ledger.ts";
import {
  copied,
  edited,
  isVersion,
  moves,
  overwritten,
  type Own,
  replacedBlindly,
  spokenBy,
} from "./overwritten.ts";
import { Repository } from "./store/repository.ts";
import { textureOf } from "./scan.ts";
import { type Gone, sameState, type State } from "./types.ts";

export interface LossFinder {
  /** How the workspace's repository stood when it was noted. */
  readonly marked: Mark | undefined;
  /** Notes how the repository stands before the next command. */
  mark(): void;
  /** Whether the repositories that something rests in may lead to other contents than when that was told. */
  letsGo(): boolean;
  /** Those of the changes that lose a content. `held` tells what all covered paths hold now. */
  find(
    changes: readonly Gone[],
    held: ReadonlyMap<string, Entry>,
    ran: readonly RunCommand[],
    still: StillThere,
    own: Own,
  ): Loss[];
  /** The same of files that are gone and were too large to be kept: they can only be told of. */
  findLarge(files: readonly Large[], ran: readonly RunCommand[]): Loss[];
}

/** Hears of what is gone from its path and not lost. */
interface StillThere {
  /** It is at an absolute path. */
  moved(one: Gone, place: string): void;
  /** Git has it, not in the commit that was checked out. */
  resting(one: Gone): void;
}

/** A file and the stamp that it had. */
type Large = readonly [path: string, stamp: string];

type FileState = Extract<State, { kind: "file" }>;

/** Names of what programs make and take away themselves while they run. */
const PASSING = /(?:-wal|-shm|-journal|\.pid|\.sw[a-p]|\.tmp\.\d+)$|(?:^|\/)(?:\.~lock\.|\.#)/;
const MOST_BLANKS = 16;

/** Of the workspace's paths `work` held what no commit has as narnat began, `handed` is what earlier turns have changed. */
export function createLossFinder(
  workspace: string,
  options: Pick<Ledger, "objects" | "work" | "handed">,
  marked?: Mark,
): LossFinder {
  return new WorkLossFinder(workspace, options, marked);
}

class WorkLossFinder implements LossFinder {
  readonly #workspace: string;
  readonly #objects: Objects;
  readonly #work: Set<string>;
  readonly #handed: Set<string>;
  #marked: Mark | undefined;
  /** Stamps of repositories by their folders. */
  readonly #rests = new Map<string, string>();

  constructor(
    workspace: string,
    { objects, work, handed }: Pick<Ledger, "objects" | "work" | "handed">,
    marked?: Mark,
  ) {
    this.#workspace = workspace;
    this.#objects = objects;
    this.#work = work;
    this.#handed = handed;
    this.#marked = marked;
  }

  find(
    changes: readonly Gone[],
    held: ReadonlyMap<string, Entry>,
    ran: readonly RunCommand[],
    { moved, resting }: StillThere,
    own: Own,
  ): Loss[] {
    const others = changes.filter(({ path }) => !this.#isAgreed(path, ran));
    const created = changes.filter(({ before, after }) => before === null && isFile(after));
    const replaced = others.filter(isReplaced);
    const from = moves(changes, ran);
    let spoken: readonly string[] | undefined;
    const name = (names: readonly string[]) => {
      spoken ??= spokenBy(ran, { workspace: this.#workspace, held, objects: this.#objects });
      return spoken.some((text) => names.every((one) => text.includes(one)));
    };
    const { sure, unread } = overwritten(replaced, from, {
      ...{ held, own, name },
      isVersion: (one) => isVersion(one, this.#objects),
    });
    const known = {
      workspace: this.#workspace,
      held,
      objects: this.#objects,
      ran,
      since: own.since,
    };
    const blindly = replacedBlindly(
      replaced.filter((one) =>
        own.foundAt(one.path) !== null && !own.made(one.path) && !sure.includes(one)
      ),
      known,
    );
    const guessed = new Set([...unread, ...blindly]);
    const covered = [...sure, ...guessed];
    const copies = copied(created, changes, { held, own, name });
    const young = created.filter(({ path }) => !copies.has(path));
    const nowhere = (some: readonly Gone[]) =>
      elsewhere(some, held, { created, young }, ran, this.#workspace, this.#objects, moved);
    const isGone = (one: Gone) => isTaken(one, held.get(one.path), this.#objects);
    const older = this.#reverted(
      replaced.filter((one) => !isGone(one) && !(from.has(one.path) && covered.includes(one))),
    );
    const gone = nowhere([
      ...others.filter(isGone),
      ...covered.filter((one) => !isGone(one) && !older.includes(one)),
    ]);
    const lost = this.#notInGit([...gone, ...older], resting);
    // what was moved over another file and edited at once is lost no more than that file is kept
    const vanished = lost.filter(({ before, after }) => isFile(before) && after === null);
    const into = edited(vanished, changes.filter(isReplaced), this.#objects);
    for (const [path, one] of into) from.set(one.path, path);
    const beneath = [...new Set(into.values())].filter((one) =>
      replaced.includes(one) && !lost.includes(one) && own.foundAt(one.path) !== null &&
      !newLines(one.before, { ...one, before: null }, this.#objects)
    );
    const all = [
      ...lost.filter(({ path }) => !into.has(path)),
      ...this.#notInGit(nowhere(beneath), resting),
    ];
    const olds = new Set(older);
    return all.map((one) => {
      const { path, before, after } = one;
      const source = from.get(path);
      return {
        path,
        how: !isFile(after)
          ? "deleted"
          : isWiped({ before, after }, held.get(path), this.#objects)
          ? "emptied"
          : olds.has(one) && source === undefined
          ? "reverted"
          : "overwritten",
        kept: !isFile(before) || before.hash !== "",
        ...guessed.has(one) && !olds.has(one) ? { unread: true } as const : {},
        ...source === undefined ? {} : { from: source },
      };
    });
  }

  findLarge(files: readonly Large[], ran: readonly RunCommand[]): Loss[] {
    const lost = files.filter(([path, stamp]) =>
      !this.#isAgreed(path, ran) && !isNamedAt(path, stamp, ran, this.#workspace)
    ).map(([path]) => path);
    return this.#groupedByRepository(lost, (path) => path).flatMap(({ repository, all }) => {
      if (!repository) return all;
      const inIt = new Map(all.map((path) => [this.#inRepository(repository, path), path]));
      const names = [...inIt.keys()];
      const known = new Set([
        ...repository.ignored(names),
        ...repository.staged(names).keys(),
        ...repository.committed("HEAD", names).keys(),
      ]);
      return names.filter((name) => !known.has(name)).map((name) => inIt.get(name)!);
    }).map((path) => ({
      path,
      how: infoOf(under(this.#workspace, path)) ? "emptied" : "deleted",
      kept: false,
    }));
  }

  get marked(): Mark | undefined {
    return this.#marked;
  }

  letsGo(): boolean {
    const isSame = [...this.#rests].every(([top, stamps]) =>
      stampsOf(Repository.above(top)) === stamps
    );
    // in another thread nothing is known of them yet
    const may = this.#rests.size === 0 || !isSame;
    if (may) this.#rests.clear();
    return may;
  }

  mark(): void {
    this.#marked = markOf(Repository.above(this.#workspace));
  }

  #isAgreed(path: string, ran: readonly RunCommand[]): boolean {
    const absolute = under(this.#workspace, path);
    return ran.some(({ agreed }) =>
      agreed === "all" ||
      agreed.some((one) =>
        absolute === one || absolute.startsWith(one.endsWith("/") ? one : `${one}/`)
      )
    );
  }

  /** Those that hold what git had before, in the place of work that no commit has. */
  #reverted(all: readonly Gone[]): readonly Gone[] {
    // what narnat has changed in this turn it may change back
    const replaced = all.filter(({ path }) => this.#work.has(path) || this.#handed.has(path));
    if (!this.#marked) return [];
    const { at } = this.#marked;
    return this.#groupedByRepository(replaced, ({ path }) => path).flatMap(({ repository, all }) =>
      repository
        ? all.filter(({ after }) => repository.had(this.#hashesOf(after, repository), at))
        : []
    );
  }

  #inRepository({ top }: Repository, path: string): string {
    return under(this.#workspace, path).slice(top.length + 1);
  }

  /** Without what git ignores, or can bring back. */
  #notInGit(lost: readonly Gone[], resting: (one: Gone) => void): Gone[] {
    return this.#groupedByRepository(lost, ({ path }) => path)
      .flatMap(({ repository, all }) => repository ? this.#notIn(repository, all, resting) : all);
  }

  #groupedByRepository<T>(
    all: readonly T[],
    pathOf: (one: T) => string,
  ): { repository: Repository | undefined; all: T[] }[] {
    const groups = new Map<string, { repository: Repository | undefined; all: T[] }>();
    for (const one of all) {
      const absolute = under(this.#workspace, pathOf(one));
      const repository = Repository.above(absolute.slice(0, absolute.lastIndexOf("/")));
      const group = groups.get(repository?.top ?? "");
      if (group) group.all.push(one);
      else groups.set(repository?.top ?? "", { repository, all: [one] });
    }
    return [...groups.values()];
  }

  #notIn(
    repository: Repository,
    all: readonly Gone[],
    resting: (one: Gone) => void,
  ): readonly Gone[] {
    const here = this.#marked?.top === repository.top ? this.#marked : undefined;
    const commit = here ? headBefore(repository, here) : "HEAD";
    const pathOf = ({ path }: Gone) => this.#inRepository(repository, path);
    // a command that ignores its work makes it no less
    const others = all.filter(({ path }) => !this.#work.has(path));
    const ignored = repository.ignored(others.map(pathOf));
    const risked = all.filter((one) => this.#work.has(one.path) || !ignored.has(pathOf(one)));
    if (risked.length === 0) return [];
    const paths = risked.map(pathOf);
    const without = (some: readonly Gone[], known: ReadonlySet<string>, rest = true) =>
      some.filter((one) => {
        const isKnown = this.#hashesOf(one.before, repository).some((hash) => known.has(hash));
        if (isKnown && rest) {
          resting(one);
          this.#rests.set(repository.top, stampsOf(repository));
        }
        return !isKnown;
      });
    const committed = commit === "" ? [] : repository.committed(commit, paths).values();
    const uncommitted = without(risked, new Set(committed), false);
    if (uncommitted.length === 0) return [];
    const unstaged = without(uncommitted, new Set(repository.staged(paths).values()));
    return unstaged.length === 0 ? [] : without(unstaged, repository.reachedBeside(commit));
  }

  /** What git may call a content: as it is, or with its own line ends; or that it is kept with LFS. */
  #hashesOf(state: State, { gitDir }: Repository): string[] {
    if (state?.kind === "link") return namesOf(new TextEncoder().encode(state.target));
    if (!isFile(state) || state.hash === "") return [];
    const { hash } = state;
    const bytes = contentOf(hash, this.#objects);
    if (!bytes) return [];
    const lfs = under(gitDir, "lfs", "objects", hash.slice(0, 2), hash.slice(2, 4), hash);
    const pointer = infoOf(lfs)
      ? `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize ${bytes.length}\n`
      : undefined;
    const unixEnds = bytes.includes(13) ? withoutReturns(bytes) : undefined;
    return [
      ...namesOf(bytes),
      ...unixEnds ? namesOf(unixEnds) : [],
      ...pointer === undefined ? [] : namesOf(new TextEncoder().encode(pointer)),
    ];
  }
}

/** How the workspace's repository stands. */
export interface Mark {
  /** Empty where there is none. */
  readonly top: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Bytes of the log of HEAD. */
  readonly log: number;
}

function markOf(repository: Repository | undefined): Mark {
  const log = repository && infoOf(under(repository.gitDir, "logs", "HEAD"));
  return { top: repository?.top ?? "", at: Date.now(), log: log?.size ?? 0 };
}

/** Files of git's own by which one sees that it leads to other contents. */
const LEADING = [
  "index",
  "logs/HEAD",
  "logs/refs/stash",
  "refs/stash",
  "refs/heads",
  "packed-refs",
];

const stampsOf = (repository: Repository | undefined): string =>
  LEADING.map((name) => {
    const info = repository && infoOf(under(repository.gitDir, name));
    return info ? `${info.size} ${info.mtime?.getTime()} ${info.ino}` : "";
  }).join();

/** The commit that was checked out when the mark was made; empty where there was none. */
function headBefore({ gitDir }: Repository, { log }: Mark): string {
  try {
    const text = Deno.readTextFileSync(under(gitDir, "logs", "HEAD")).slice(log);
    const [hash = ""] = text.split(" ", 1);
    if (/^[0-9a-f]{40,64}$/.test(hash)) return /^0+$/.test(hash) ? "" : hash;
  } catch { /* it keeps no log */ }
  return "HEAD";
}

const isFile = (state: State): state is FileState => state?.kind === "file";

/** Nothing, or no more than blanks and line ends. */
const isBlank = ({ size, hash }: FileState, objects: Objects): boolean =>
  size === 0 ||
  size <= MOST_BLANKS && textureOf(contentOf(hash, objects) ?? new Uint8Array()) === "blank";

/** Zeros or noise are in the place of a text. */
function isWiped(
  { before, after }: Pick<Gone, "before" | "after">,
  now: Entry | undefined,
  objects: Objects,
): boolean {
  if (!isFile(before) || !isFile(after)) return false;
  if (after.size === 0 || now?.texture === "blank") return true;
  const text = now?.texture === "binary" ? contentOf(before.hash, objects) : undefined;
  return text !== undefined && textureOf(text) === undefined;
}

/** The content is no longer there at all. */
const isTaken = (one: Gone, now: Entry | undefined, objects: Objects) =>
  !PASSING.test(one.path) &&
  (isFile(one.before) && !isBlank(one.before, objects) &&
      (!isFile(one.after) || isWiped(one, now, objects)) ||
    one.before?.kind === "link" && one.after === null);

/** There is another, and it is not the one that the turn has found. */
const isReplaced = ({ before, after, first }: Gone) =>
  isFile(before) && before.size > 0 && isFile(after) && after.size > 0 &&
  before.hash !== after.hash && !sameState(first, after);

/** The names that git may have for a content: most repositories use SHA-1. */
const namesOf = (bytes: Uint8Array) =>
  ["sha1", "sha256"].map((kind) =>
    nodeCrypto().createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest("hex")
  );

const withoutReturns = (bytes: Uint8Array) =>
  bytes.filter((byte, at) => byte !== 13 || bytes[at + 1] !== 10);

/**
 * Questions to git that start no program of the repository's and change nothing: among them, what
 * no commit has. All synchronous.
 */
import { under } from "../../../base/path.ts";
import { mayRun, ownEnvironment, systemProgram } from "../../../base/program_path.ts";
import { infoOf } from "../../../search/walk/known_files.ts";
import { namesOf, textOf } from "../files.ts";
import type { Entry } from "./entries.ts";

/** Ends a ring of repositories that borrow from each other. */
const MOST_BORROWED = 5;
const HEAD = 0xff744f63;
const VERSION = 2;
const COUNTS_AT = 8;
const NAMES_AT = COUNTS_AT + 256 * 4;

/** Whether a repository had a content, named by its hash, before a time. */
export function hadContent(gitDir: string, hash: string, before: number): boolean {
  const common = textOf(under(gitDir, "commondir"))?.trim();
  const dir = common === undefined ? gitDir : from(gitDir, common);
  return isIn(under(dir, "objects"), hash, before, MOST_BORROWED);
}

function isIn(objects: string, hash: string, before: number, depth: number): boolean {
  const loose = infoOf(under(objects, hash.slice(0, 2), hash.slice(2)));
  // to add it again makes it look younger
  const made = loose?.birthtime ?? loose?.mtime;
  if (made && made.getTime() < before) return true;
  const packs = under(objects, "pack");
  // a pack is named by a hash of the same kind
  const length = `pack-${hash}.idx`.length;
  const isIndex = (name: string) => name.endsWith(".idx") && name.length === length;
  if (namesOf(packs).some((name) => isIndex(name) && isListed(under(packs, name), hash))) {
    return true;
  }
  if (depth === 0) return false;
  const lenders = textOf(under(objects, "info", "alternates"))?.split("\n") ?? [];
  return lenders.some((path) => path !== "" && isIn(from(objects, path), hash, before, depth - 1));
}

const from = (dir: string, path: string) => path.startsWith("/") ? path : under(dir, path);

/** Whether an index of a pack, sorted by hash, names it. */
function isListed(path: string, hash: string): boolean {
  // a pipe would be waited for
  if (!infoOf(path)?.isFile) return false;
  try {
    using file = Deno.openSync(path);
    const head = new DataView(read(file, 0, NAMES_AT).buffer);
    if (head.getUint32(0) !== HEAD || head.getUint32(4) !== VERSION) return false;
    const first = Number.parseInt(hash.slice(0, 2), 16);
    const countTo = (byte: number) => byte < 0 ? 0 : head.getUint32(COUNTS_AT + byte * 4);
    const [begin, end] = [countTo(first - 1), countTo(first)];
    const bytes = hash.length / 2;
    const names = read(file, NAMES_AT + begin * bytes, (end - begin) * bytes);
    const wanted = Uint8Array.from(hash.match(/../g)!, (pair) => Number.parseInt(pair, 16));
    for (let at = 0; at < names.length; at += bytes) {
      if (wanted.every((byte, i) => names[at + i] === byte)) return true;
    }
  } catch { /* git cannot read it either */ }
  return false;
}

function read(file: Deno.FsFile, at: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  file.seekSync(at, Deno.SeekMode.Start);
  for (let done = 0; done < length;) {
    const n = file.readSync(bytes.subarray(done));
    if (n === null) throw new Deno.errors.UnexpectedEof(`Cannot read the index of a pack: cut off`);
    done += n;
  }
  return bytes;
}

/** `DIRC` and `link`. */
const INDEX_HEAD_BYTES = 0x44495243;
const LINK = 0x6c696e6b;
const HEAD_BYTES = 12;
/** Times, device, inode, mode, owner and size, ten words, and the hash. */
const NAME_LENGTH_AT = 60;
const EXTENDED = 0x4000;
const SHA1_BYTES = 20;

/** A file as it was when it was last the same as the index has it; undefined where the index is of another kind. */
export function indexStamps(bytes: Uint8Array): Map<string, string> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number) => view.getUint32(at);
  if (bytes.length < HEAD_BYTES + SHA1_BYTES || word(0) !== INDEX_HEAD_BYTES) return undefined;
  const version = word(4);
  if (version < 2 || version > 4) return undefined;
  const decoder = new TextDecoder();
  const stamps = new Map<string, string>();
  let at = HEAD_BYTES;
  let name: Uint8Array = new Uint8Array();
  try {
    for (let left = word(8); left > 0; left--) {
      const extended = (view.getUint16(at + NAME_LENGTH_AT) & EXTENDED) !== 0;
      let from = at + NAME_LENGTH_AT + (extended ? 4 : 2);
      let kept = 0;
      if (version === 4) {
        // how much of the name before is not in this one
        let cut = bytes[from]! & 0x7f;
        while (bytes[from++]! & 0x80) cut = (cut + 1) * 128 + (bytes[from]! & 0x7f);
        kept = name.length - cut;
      }
      const end = bytes.indexOf(0, from);
      if (end < 0 || kept < 0) return undefined;
      const own = bytes.subarray(from, end);
      name = kept === 0 ? own : new Uint8Array([...name.subarray(0, kept), ...own]);
      const ctime = word(at) * 1000;
      const mtime = word(at + 8) * 1000 + Math.floor(word(at + 12) / 1e6);
      stamps.set(decoder.decode(name), stampText(mtime, ctime, word(at + 20), word(at + 36)));
      at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
    }
  } catch {
    return undefined;
  }
  return endsWell(view, at) ? stamps : undefined;
}

/** Whether only what adds to the entries follows, and the hash; with a link most of them are in another file. */
function endsWell(view: DataView, from: number): boolean {
  let at = from;
  const end = view.byteLength - SHA1_BYTES;
  while (at + 8 <= end && view.getUint32(at) !== LINK) at += 8 + view.getUint32(at + 4);
  return at === end;
}

/** The index holds the last 32 bits of an inode's number, Deno tells whole seconds of a change. */
export const stampText = (mtime: number, ctime: number, ino: number, size: number): string =>
  `${mtime} ${Math.floor(ctime / 1000)} ${ino % 2 ** 32} ${size % 2 ** 32}`;

/** Paths that one command line names. */
const NAMED_AT_ONCE = 200;
/** Paths are names, not patterns. */
const LITERAL = "--literal-pathspecs";
/** Commits beside the known one whose contents are listed. */
const MOST_COMMITS = "1000";
/** Files of git's own that are read without a limit of time; a command may have put a pipe there. */
const OWN_FILES = ["HEAD", "index", "config", "packed-refs", "logs/HEAD", "info/exclude"];
/** A git that waits for what never comes is ended then. */
const PATIENCE_SECONDS = "10";
/** The least exit code by which it tells that it has ended git, or could not start it; git says 128 of a fault. */
const CUT_OFF = 124;

export class Repository {
  /** Absolute folder of the work tree. */
  readonly top: string;
  /** What is this work tree's own: HEAD, its log, the index. */
  readonly gitDir: string;

  private constructor(top: string, gitDir: string) {
    this.top = top;
    this.gitDir = gitDir;
  }

  /** The nearest one at or above a folder, which need not be there; undefined where there is none that can be read. */
  static above(folder: string): Repository | undefined {
    for (let at = folder; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const dir = gitDirOf(at);
      if (dir !== undefined) return isReadable(dir) ? new Repository(at, dir) : undefined;
    }
    return undefined;
  }

  /** Hashes of the contents that a commit has at paths, which are relative to the top. */
  committed(commit: string, paths: readonly string[]): Map<string, string> {
    const lines = this.#each([LITERAL, "ls-tree", "-r", "-z", "--full-tree", commit], paths);
    return new Map(lines.map(fieldsOf).map(([path, , , hash = ""]) => [path, hash]));
  }

  /** The same of the index. */
  staged(paths: readonly string[]): Map<string, string> {
    const lines = this.#each([LITERAL, "ls-files", "-s", "-z", "--full-name"], paths);
    return new Map(lines.map(fieldsOf).map(([path, , hash = ""]) => [path, hash]));
  }

  /** Those of the paths that are ignored and not tracked. */
  ignored(paths: readonly string[]): Set<string> {
    return new Set(this.#each(["check-ignore"], paths, "\n"));
  }

  /** Stamps of files as they were when they were last the same as the index has them. */
  stamps(): Map<string, string> {
    try {
      const known = indexStamps(Deno.readFileSync(under(this.gitDir, "index")));
      if (known) return known;
    } catch { /* git may know where it is */ }
    const said = ask(this.top, ["ls-files", "--debug"]);
    const files = said.matchAll(
      /^(\S.*)\n +ctime: (\d+:\d+)\n +mtime: (\d+:\d+)\n +dev: .*ino: (\d+)\n.*\n +size: (\d+)/gm,
    );
    return new Map(
      [...files].map(([, path = "", ctime, mtime, ino, size]) =>
        [path, stampText(timeOf(mtime), timeOf(ctime), Number(ino), Number(size))] as const
      ),
    );
  }

  /** When the second began in which the index was written: what has changed since may have kept its stamp. */
  stampedAt(): number {
    const ms = infoOf(under(this.gitDir, "index"))?.mtime?.getTime() ?? 0;
    return Math.floor(ms / 1000) * 1000;
  }

  /** Paths of which the index has another content than the commit that is checked out. */
  stagedOnly(): Set<string> {
    const said = ask(this.top, ["diff", "--cached", "--name-only", "--no-renames", "-z"]);
    return new Set(said.split("\0"));
  }

  /** Whether one of the contents, which are named by their hashes, was there before a time. */
  had(hashes: readonly string[], before: number): boolean {
    return hashes.some((hash) => hadContent(this.gitDir, hash, before));
  }

  /** Contents that a branch, a tag, the stash or a log leads to, without those of a commit. */
  reachedBeside(commit: string): Set<string> {
    const without = commit === "" ? [] : [`^${commit}`];
    const said = ask(
      this.top,
      ["rev-list", "--objects", "--all", "--reflog", "--max-count", MOST_COMMITS, ...without],
    );
    return new Set(said.split("\n").map((line) => line.split(" ", 1)[0]!));
  }

  #each(args: readonly string[], paths: readonly string[], end = "\0"): string[] {
    const lines: string[] = [];
    for (let at = 0; at < paths.length; at += NAMED_AT_ONCE) {
      const some = paths.slice(at, at + NAMED_AT_ONCE);
      lines.push(...ask(this.top, [...args, "--", ...some]).split(end));
    }
    return lines.filter((line) => line !== "");
  }
}

const isReadable = (gitDir: string) =>
  OWN_FILES.every((name) => {
    try {
      return Deno.statSync(under(gitDir, name)).isFile;
    } catch {
      return true; // not there
    }
  });

/** `.git` is a file in a work tree of its own and in a submodule; either may be reached by a link. */
function gitDirOf(folder: string): string | undefined {
  const path = under(folder, ".git");
  try {
    const { isDirectory, isFile } = Deno.statSync(path);
    if (isDirectory || !isFile) return isDirectory ? path : undefined;
    const [, to = ""] = /^gitdir: (.+)$/m.exec(Deno.readTextFileSync(path)) ?? [];
    return to === "" || to.startsWith("/") ? to || undefined : under(folder, to);
  } catch {
    return undefined;
  }
}

/** Milliseconds of `seconds:nanoseconds`. */
function timeOf(text = ""): number {
  const [seconds, nanoseconds] = text.split(":").map(Number);
  return seconds! * 1000 + Math.floor(nanoseconds! / 1e6);
}

/** Of `words TAB path` the path, then the words. */
function fieldsOf(line: string): readonly [string, ...string[]] {
  const tab = line.indexOf("\t");
  return [line.slice(tab + 1), ...line.slice(0, tab).split(" ")];
}

/** What git says; nothing where it fails, or takes too long. */
function ask(cwd: string, args: readonly string[]): string {
  if (!mayRun("git")) return "";
  const own = Object.entries(ownEnvironment(Deno.env.toObject(), cwd));
  const timeout = systemProgram("timeout");
  try {
    const { stdout, code } = new Deno.Command(timeout ?? "git", {
      args: [
        ...timeout ? ["-k", "1", PATIENCE_SECONDS, "git"] : [],
        ...["--no-optional-locks", "--no-pager", "-C", cwd],
        ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"],
        ...["-c", "core.quotePath=false", ...args],
      ],
      clearEnv: true,
      env: {
        ...Object.fromEntries(own.filter(([name]) => !name.startsWith("GIT_"))),
        GIT_NO_LAZY_FETCH: "1",
        GIT_ALLOW_PROTOCOL: "",
      },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).outputSync();
    return code >= CUT_OFF ? "" : new TextDecoder().decode(stdout);
  } catch {
    return "";
  }
}

/** So many repositories within the workspace are asked; the files of any others count as not committed. */
const MOST_ASKED = 20;
/** Paths that they are asked about. */
const MOST_PATHS = 2000;

/** What one repository has of the workspace. */
interface Part {
  readonly repository: Repository;
  /** What its names have before those of the workspace, or a path of the workspace before its names. */
  readonly before: string;
  readonly cut: number;
  readonly stamps: ReadonlyMap<string, string>;
  readonly staged: ReadonlySet<string>;
  /** In milliseconds; what has changed since may have the same stamp. */
  readonly stampedAt: number;
}

/** A file, and whether git knows its path. */
interface Uncommitted {
  readonly path: string;
  readonly entry: Entry;
  readonly tracked: boolean;
  /** It only may be another content than that of a commit. */
  readonly unsure: boolean;
}

/** Files whose content no commit has; `repositories` are the paths of every `.git` in the workspace. */
export function* uncommitted(
  workspace: string,
  entries: ReadonlyMap<string, Entry>,
  repositories: readonly string[],
): Generator<Uncommitted> {
  const partOf = partsOf(workspace, repositories, (repository) => ({
    stamps: repository.stamps(),
    staged: repository.stagedOnly(),
    stampedAt: repository.stampedAt(),
  }));
  for (const [path, entry] of entries) {
    const { kind, mtime, ctime, ino, size } = entry;
    if (kind !== "file") continue;
    const part = partOf(path);
    const name = part && part.before + path.slice(part.cut);
    const stamp = name === undefined ? undefined : part!.stamps.get(name);
    const tracked = stamp !== undefined;
    const same = tracked && !part!.staged.has(name!) &&
      stamp === stampText(mtime, ctime, ino, size);
    if (!same) yield { path, entry, tracked, unsure: false };
    else if (ctime >= part!.stampedAt) yield { path, entry, tracked, unsure: true };
  }
}

/** The same without those that git ignores. */
export function withoutIgnored(
  workspace: string,
  paths: readonly string[],
  repositories: readonly string[],
): readonly string[] {
  if (paths.length === 0) return paths;
  const partOf = partsOf(workspace, repositories, NOTHING_KNOWN);
  const asked = new Map<Part, string[]>();
  for (const path of paths.slice(0, MOST_PATHS)) {
    const part = partOf(path);
    const some = part && asked.get(part);
    if (some) some.push(path);
    else if (part) asked.set(part, [path]);
  }
  const ignored = new Set([...asked].flatMap(([{ repository, before, cut }, some]) => {
    const names = repository.ignored(some.map((path) => before + path.slice(cut)));
    return some.filter((path) => names.has(before + path.slice(cut)));
  }));
  return ignored.size === 0 ? paths : paths.filter((path) => !ignored.has(path));
}

type Known = Pick<Part, "stamps" | "staged" | "stampedAt">;

const NOTHING_KNOWN = (): Known => ({ stamps: new Map(), staged: new Set(), stampedAt: 0 });

/** Tells the repository that a path belongs to; none where there is none, or one that is not asked. */
function partsOf(
  workspace: string,
  repositories: readonly string[],
  know: (repository: Repository) => Known,
): (path: string) => Part | undefined {
  const partAt = (folder: string): Part | undefined => {
    const absolute = folder === "" ? workspace : under(workspace, folder);
    const repository = Repository.above(absolute);
    if (!repository) return undefined;
    const below = under(absolute, "").slice(repository.top.length + 1);
    return {
      repository,
      before: below,
      cut: folder === "" ? 0 : folder.length + 1,
      ...know(repository),
    };
  };
  const whole = partAt("");
  const nested = new Map(
    repositories.filter((git) => git.includes("/")).map((git, i) => {
      const folder = git.slice(0, git.lastIndexOf("/"));
      return [folder, i < MOST_ASKED ? partAt(folder) : undefined] as const;
    }),
  );
  if (nested.size === 0) return () => whole;
  return (path) => {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (nested.has(folder)) return nested.get(folder);
    }
    return whole;
  };
}

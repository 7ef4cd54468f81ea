/** Questions to git that start no program of the repository's and change nothing. All synchronous. */
import { infoOf } from "../../../search/walk/known_files.ts";
import { indexStamps, stampText } from "./git_index.ts";
import { hadContent } from "./git_objects.ts";
import { mayRun, ownEnvironment, systemProgram } from "../../../base/program_path.ts";
import { under } from "../../../base/under.ts";

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

/** Finds what no commit has, as far as git's own files tell it. */
import { under } from "../../../base/path.ts";
import { Repository, stampText } from "./repository.ts";
import type { Entry } from "./entries.ts";

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

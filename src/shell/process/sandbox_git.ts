/** What of a repository runs programs, and so is not for a sandboxed command to write. */
import { dirname, isAbsolute, join } from "../../base/path.ts";
import { infoOf, realOf, within } from "../../base/paths.ts";

export interface GitPlaces {
  /** Folders outside of the workspace that a commit writes to. */
  readonly write: readonly string[];
  /** To be made where it is not there; a folder without `text`. */
  readonly make: readonly { readonly path: string; readonly text?: string }[];
  readonly protect: readonly string[];
}

/** How deep submodules are looked for. */
const MAX_DEPTH = 6;

/** Of the repository at `workspace`; with `reserve` its place is kept where there is none. */
export function gitPlaces(workspace: string, reserve: boolean): GitPlaces {
  const git = join(workspace, ".git");
  const info = infoOf(git);
  if (info?.isDirectory) return { write: [], ...ofRepository(git) };
  if (info?.isFile) return ofLinked(git, workspace);
  if (info) return { write: [], make: [], protect: [git] };
  if (!reserve || hasAbove(workspace)) return { write: [], make: [], protect: [] };
  return { write: [], make: [{ path: git }], protect: [git] };
}

function ofRepository(git: string): Omit<GitPlaces, "write"> {
  const at = (name: string) => join(git, name);
  const make = [
    { path: at("hooks") },
    { path: at("config"), text: "" },
    // it would name another place for both
    { path: at("commondir"), text: "." },
  ];
  const more = [at("config.worktree")];
  for (const name of names(at("worktrees"))) {
    more.push(at(`worktrees/${name}/commondir`), at(`worktrees/${name}/config.worktree`));
  }
  const inner = submodules(at("modules"), MAX_DEPTH).map(ofRepository);
  return {
    make: [...make, ...inner.flatMap((one) => one.make)],
    protect: [
      ...make.map(({ path }) => path),
      ...more.filter((path) => infoOf(path)),
      ...inner.flatMap((one) => one.protect),
    ],
  };
}

/** The file may name any folder: only one inside counts, and one that knows the workspace for its worktree. */
function ofLinked(file: string, workspace: string): GitPlaces {
  const own = [file];
  const dir = pointed(file, /^gitdir: (.+)$/m);
  const inside = dir && infoOf(dir)?.isDirectory && within(realOf(dir), workspace)
    ? ofRepository(realOf(dir))
    : undefined;
  const none = { write: [], make: inside?.make ?? [], protect: [...own, ...inside?.protect ?? []] };
  const back = dir && pointed(join(dir, "gitdir"), /^(.+)$/m);
  const common = dir && pointed(join(dir, "commondir"), /^(.+)$/m);
  if (!dir || !common || !back || realOf(back) !== realOf(file)) return none;
  if (dirname(realOf(dir)) !== join(realOf(common), "worktrees")) return none;
  const inner = ofRepository(realOf(common));
  return { write: [realOf(common)], make: inner.make, protect: [...own, ...inner.protect] };
}

/** The path that a file names, seen from where it lies. */
function pointed(file: string, line: RegExp): string | undefined {
  try {
    const path = line.exec(Deno.readTextFileSync(file))?.[1]?.trim();
    return path && (isAbsolute(path) ? path : join(dirname(file), path));
  } catch {
    return undefined;
  }
}

function submodules(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  return names(folder).map((name) => join(folder, name)).flatMap((path) =>
    infoOf(join(path, "HEAD")) ? [path] : submodules(path, depth - 1)
  );
}

function hasAbove(folder: string): boolean {
  for (let at = dirname(folder); at !== folder; folder = at, at = dirname(at)) {
    if (infoOf(join(at, ".git"))) return true;
  }
  return false;
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter((one) => one.isDirectory).map(({ name }) => name);
  } catch {
    return [];
  }
}

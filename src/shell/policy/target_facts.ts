/**
 * What a delete would take, counted in the time a person does not notice: among it the files that
 * git could not bring back.
 */
import { basename, dirname, infoOf, isAbsolute, join, relative, within } from "../../base/path.ts";
import { ownEnvironment } from "../../base/program_path.ts";
import type { Stakes } from "../../base/types.ts";
import type { Part } from "./rules/rule.ts";
import { isOutside, type Matches, matches, thereFirst } from "./targets.ts";

const PATIENCE_MS = 500;

interface GitAsked {
  /** For git. */
  readonly env: { readonly [name: string]: string };
  /** How long git may take for an answer; half a second when left out. */
  readonly gitMs?: number;
}

/** Repositories that are asked about one question. */
const MAX_REPOSITORIES = 3;
/** Lists the files that are not as the last commit has them; paths follow. A submodule is asked nothing: it has settings of its own. */
const CHANGED = [
  ...["diff", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"],
  ...["--ignore-submodules=dirty", "HEAD", "--"],
];

/** Settings that name programs which comparing files starts. */
const STARTING = /^(filter\..*\.)(?:clean|process|smudge|required)$/is;

const INSIDE_GIT = /[/\\]\.git[/\\]/;

/** What git says of files that go. */
interface GitFacts {
  /**
   * How many no commit holds as they are: untracked, ignored, changed, of a repository that goes
   * itself, or of none. Undefined where none of the targets is of a repository, or git does not
   * answer in half a second.
   */
  readonly notInGit?: number;
  /** A repository goes with its history. */
  readonly history?: boolean;
}

/** Absolute paths of the untracked or changed files at and below `targets`; undefined where git does not tell. */
async function filesOfPart(
  part: Exclude<Part, "some">,
  targets: readonly string[],
  asked: GitAsked,
): Promise<string[] | undefined> {
  const signal = AbortSignal.timeout(asked.gitMs ?? PATIENCE_MS);
  const found: string[] = [];
  const homes = grouped(targets);
  if (homes.size === 0 || homes.size > MAX_REPOSITORIES) return undefined;
  for (const [root, below] of homes) {
    const args = part === "changed" ? [...CHANGED, ...pathspecs(root, below)] : [
      ...["ls-files", "-z", "--others", ...part === "untracked" ? ["--exclude-standard"] : []],
      ...["--", ...pathspecs(root, below)],
    ];
    const names = await git(root, args, asked.env, signal);
    if (names === undefined || signal.aborted) return undefined;
    for (const name of names) found.push(join(root, name));
  }
  return found;
}

/** What git says of `files`, found at or below `targets`; all of them go, or with `some` only some. */
async function gitFacts(
  targets: readonly string[],
  files: readonly string[],
  asked: GitAsked,
  some = false,
): Promise<GitFacts> {
  const history = !some &&
    (targets.some(holdsHistory) || files.some((path) => /[/\\]\.git[/\\]HEAD$/.test(path)));
  const known: GitFacts = history ? { history } : {};
  const homes = grouped(some ? targets : targets.filter((target) => !holdsHistory(target)));
  if (homes.size > MAX_REPOSITORIES || homes.size === 0 && !history) return known;
  const safe = new Set<string>();
  for (const [root, below] of homes) {
    // The history itself goes: then nothing comes back.
    if (below.some((target) => target === join(root, ".git"))) continue;
    const kept = await committed(root, below, asked);
    if (kept === undefined) return known;
    for (const path of kept) safe.add(path);
  }
  const lost = files.filter((path) => !safe.has(path) && !(some && INSIDE_GIT.test(path)));
  return { ...known, notInGit: lost.length };
}

/** Paths by the repository they are or lie in. */
function grouped(paths: readonly string[]): Map<string, string[]> {
  const homes = new Map<string, string[]>();
  for (const path of paths) {
    const root = repositoryOf(path);
    if (root !== undefined) homes.set(root, [...homes.get(root) ?? [], path]);
  }
  return homes;
}

/** The nearest repository at or above a folder. */
function repositoryOf(path: string): string | undefined {
  for (let folder = path;; folder = dirname(folder)) {
    if (isRepository(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

const isRepository = (folder: string) => gitOf(folder) !== undefined;

/** In a work tree of its own, or a submodule, `.git` is a file; the history is elsewhere. */
const holdsHistory = (folder: string) => gitOf(folder)?.isDirectory === true;

function gitOf(folder: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(join(folder, ".git"));
  } catch {
    return undefined;
  }
}

/** The paths as they are, below the repository's folder. */
const pathspecs = (root: string, paths: readonly string[]) =>
  paths.map((path) => `:(top,literal)${relative(root, path).replaceAll("\\", "/")}`);

/** Absolute paths of the files below `targets` that are as the last commit has them. */
async function committed(
  root: string,
  targets: readonly string[],
  asked: GitAsked,
): Promise<string[] | undefined> {
  const below = pathspecs(root, targets);
  const signal = AbortSignal.timeout(asked.gitMs ?? PATIENCE_MS);
  const [tracked, changed] = await Promise.all([
    git(root, ["ls-files", "-z", "--", ...below], asked.env, signal),
    git(root, [...CHANGED, ...below], asked.env, signal),
  ]);
  if (tracked === undefined || signal.aborted) return undefined;
  // Before the first commit there is nothing to compare with, and nothing kept.
  if (changed === undefined) return [];
  const lost = new Set(changed);
  return tracked.filter((path) => !lost.has(path)).map((path) => join(root, path));
}

/** Runs a reading git command that starts no program of the repository's; undefined when it fails. */
async function git(
  root: string,
  args: readonly string[],
  env: { readonly [name: string]: string },
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const words = await spawnGit(
    root,
    ["config", "--includes", "--show-scope", "-z", "--name-only", "--list"],
    { env, signal },
  );
  // in pairs: where a setting stands, and its name; the user's own filters are theirs
  const filters = new Set(
    words?.flatMap((name, i) => {
      const filter = i % 2 === 1 && /^(?:local|worktree)$/.test(words[i - 1]!) &&
        STARTING.exec(name);
      return filter ? [filter[1]!] : [];
    }),
  );
  const off = [...filters].flatMap((filter) => [
    ...["clean", "process", "smudge"].map((key) => [filter + key, ""]),
    [`${filter}required`, "false"],
  ]);
  return words && await spawnGit(root, args, { env, signal, settings: [...SAFE, ...off] });
}

const SAFE = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
];

interface Spawn {
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  /** That hold against the repository's own. */
  readonly settings?: readonly (readonly string[])[];
}

async function spawnGit(
  root: string,
  args: readonly string[],
  { env, signal, settings = SAFE }: Spawn,
): Promise<string[] | undefined> {
  if (Deno.permissions.querySync({ name: "run", command: "git" }).state !== "granted") return;
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["--no-optional-locks", "--no-pager", "-C", root, ...args],
      clearEnv: true,
      env: {
        ...Object.fromEntries(
          Object.entries(ownEnvironment(env, root)).filter(([name]) => !name.startsWith("GIT_")),
        ),
        GIT_CONFIG_COUNT: String(settings.length),
        ...Object.fromEntries(
          settings.flatMap(([key = "", value = ""], i) => [
            [`GIT_CONFIG_KEY_${i}`, key],
            [`GIT_CONFIG_VALUE_${i}`, value],
          ]),
        ),
        // what is missing of a partial clone stays missing
        GIT_NO_LAZY_FETCH: "1",
        GIT_ALLOW_PROTOCOL: "",
      },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal,
    }).output();
    if (!success) return undefined;
    return new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
  } catch {
    return undefined;
  }
}

const MAX_ENTRIES = 10_000;
const MAX_MS = 200;
/** Entries of a folder among which a wildcard's matches are looked for. */
const MAX_LISTED = 100_000;
/** Targets whose way is followed for links. */
const MAX_LOOKED_UP = 100;
/** How long the walk may keep the screen from being drawn. */
const SLICE_MS = 10;

export interface FactsOptions extends GitAsked {
  /** Absolute. */
  readonly workspace: string;
  /** Which files below the targets go; all of them when left out. */
  readonly part?: Part | undefined;
  /** Milliseconds on any clock that does not jump; the real one when left out. */
  readonly now?: () => number;
}

/** What was found below the targets. */
interface Count {
  files: string[];
  folders: number;
  bytes: number;
  more: boolean;
}

/**
 * Counts what stands at and below `targets` (absolute paths, wildcards among them), links not
 * followed, for at most 200 ms and 10,000 entries; asks git for 500 ms at most. Undefined when there
 * is nothing there. Never throws.
 */
export async function targetFacts(
  targets: readonly string[],
  options: FactsOptions,
): Promise<Stakes | undefined> {
  const now = options.now ?? (() => performance.now());
  const { part, workspace, env } = options;
  const matched = targets.map((target) => everyMatch(target, MAX_ENTRIES));
  const named = matched.flatMap(({ paths }) => paths);
  const below = standing(named);
  const listed = part === undefined || part === "some"
    ? undefined
    : await filesOfPart(part, below, options);
  const roots = listed === undefined ? below : standing(listed);
  if (roots.length === 0) return undefined;
  const found = await count(roots, now);
  // What is untracked or changed is by that not in git.
  const lost = listed === undefined
    ? await gitFacts(roots, found.files, options, part === "some")
    : { notInGit: found.files.length };
  const whole = part === undefined ? wholeOf(below, targets, workspace, env.HOME) : undefined;
  const own = part === undefined && takesOwn(below, workspace);
  return {
    files: found.files.length,
    folders: found.folders,
    bytes: found.bytes,
    more: found.more || matched.some(({ more }) => more),
    outside: thereFirst(named, workspace).slice(0, MAX_LOOKED_UP)
      .filter((path) => isOutside(path, workspace)).length,
    ...lost,
    ...part === undefined ? {} : { some: true },
    ...whole && { whole },
    ...own && { own },
  };
}

/** The greatest thing of which nothing would be left but what a star passes over. */
function wholeOf(
  below: readonly string[],
  targets: readonly string[],
  workspace: string,
  home: string | undefined,
): Stakes["whole"] {
  const patterns = targets.filter(isAbsolute);
  const taken = [
    ...below,
    ...patterns.map((path) => /^\*+$/.test(basename(path)) ? dirname(path) : path),
  ];
  const takes = (place: string) => taken.some((path) => within(place, path));
  if (takes("/")) return "root";
  if (home !== undefined && takes(home)) return "home";
  return takes(workspace) ? "workspace" : undefined;
}

/** Whether sessions, checkpoints or the trash go. */
function takesOwn(targets: readonly string[], workspace: string): boolean {
  const places = ["sessions", "checkpoints", "trash"]
    .map((name) => join(workspace, ".narnat", name)).filter(infoOf);
  return places.some((place) => targets.some((path) => within(place, path)));
}

/** What a target stands for: a wildcard for what it matches, if anything, at most `limit` paths. */
export function everyMatch(target: string, limit: number): Matches {
  const literal = target.replace(/\[([*?])\]/g, "$1");
  const wild = /[*?[]/.test(target.replace(/\[[*?]\]/g, ""));
  if (!isAbsolute(target) || !wild) return { paths: [literal], more: false };
  const found = matches(target, limit, MAX_LISTED);
  // what matches nothing the shell takes for a name
  return found.paths.length === 0 && infoOf(target) ? { paths: [target], more: false } : found;
}

/** The targets that are there; none that lies below another. */
function standing(targets: readonly string[]): string[] {
  const unique = new Set(
    targets.filter(isAbsolute).map((path) => join(dirname(path), basename(path))),
  );
  const all = [...unique].filter((path) => infoOf(path));
  return all.filter((path) => !above(path).some((folder) => unique.has(folder)));
}

/** The folders a path lies in. */
function above(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== path; path = at, at = dirname(at)) folders.push(at);
  return folders;
}

async function count(roots: readonly string[], now: () => number): Promise<Count> {
  const found: Count = { files: [], folders: 0, bytes: 0, more: false };
  const ends = now() + MAX_MS;
  let pause = now() + SLICE_MS;
  const open = roots.toReversed();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.files.length + found.folders >= MAX_ENTRIES || now() > ends) {
      found.more = true;
      break;
    }
    if (now() > pause) {
      await new Promise((resolve) => setTimeout(resolve));
      pause = now() + SLICE_MS;
    }
    const info = infoOf(path);
    if (!info) continue;
    if (info.isDirectory) {
      found.folders++;
      if (!enter(path, open)) found.more = true;
    } else {
      found.files.push(path);
      found.bytes += info.size;
    }
  }
  return found;
}

/** Adds what a folder holds, no more than will be looked at; false when it cannot be read or was too much. */
function enter(folder: string, open: string[]): boolean {
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (open.length > MAX_ENTRIES) return false;
      open.push(join(folder, name));
    }
    return true;
  } catch {
    return false;
  }
}

/** Which files git could not bring back. */
import { dirname, join, relative } from "../../base/path.ts";
import { ownEnvironment } from "../../base/program_path.ts";
import type { Part } from "./rules/rule.ts";

const PATIENCE_MS = 500;

export interface GitAsked {
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
export interface GitFacts {
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
export async function filesOfPart(
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
export async function gitFacts(
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

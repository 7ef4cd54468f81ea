/** Fetches a skill repository into the user's cache. Nothing in it runs by being fetched. */
import {
  hostOf,
  repoName,
  shownUrl,
  urlFault,
  urlHash,
  withoutSecret,
} from "../../base/git_url.ts";
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { mayRead, parentOf } from "../../context/files.ts";
import { CACHE, type Clone, filesBelow, findClone, isFileOf, RECEIPT } from "./clones.ts";
import { GitFailed, gitFault, type GitOptions, runGit } from "./git_run.ts";

/** Mode of a repository within the repository. */
const SUBMODULE = "160000";

/** One file of the tree, before it is written. */
interface Listed {
  readonly mode: string;
  readonly path: string;
  readonly bytes: number;
}

/** The rows of `git ls-tree -r -l -z`. */
function treeOf(text: string): Listed[] {
  return text.split("\0").flatMap((row) => {
    const [, mode, size, path] = /^(\d+) \w+ \w+ +(\d+|-)\t(.*)$/s.exec(row) ?? [];
    return path === undefined ? [] : [{ mode: mode!, path, bytes: Number(size) || 0 }];
  });
}

const RUNS = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|rb|pl|php|lua|ps1|bat|cmd|exe|jar|command)$/i;

/** Those that a system would run. */
const scriptsOf = (files: readonly { mode?: string; path: string }[]) =>
  files.filter(({ mode, path }) => mode === "100755" || RUNS.test(path)).map(({ path }) => path);

/** What is told of a clone that was there already. */
function contentsOf(dir: string) {
  const all = filesBelow(dir);
  return {
    files: all.length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    scripts: scriptsOf(
      all.filter(({ link }) => !link).map(({ path }) => {
        const executable =
          ((Deno.lstatSync(under(dir, ...path.split("/"))).mode ?? 0) & 0o111) !== 0;
        return { path, mode: executable ? "100755" : "100644" };
      }),
    ),
    links: [],
    submodules: [],
  };
}

/** Takes out the links that lead nowhere or out: who reads such a "file" would read another. */
function dropLinksOut(dir: string): string[] {
  const out = filesBelow(dir).filter(({ path, link }) => {
    if (!link) return false;
    const full = under(dir, ...path.split("/"));
    return !isFileOf(dir, full) && !isFolderOf(dir, full);
  }).map(({ path }) => path);
  for (const path of out) Deno.removeSync(under(dir, ...path.split("/")));
  return out;
}

function isFolderOf(dir: string, path: string): boolean {
  try {
    const [root, real] = [Deno.realPathSync(dir), Deno.realPathSync(path)];
    return real.startsWith(under(root, "")) && Deno.statSync(real).isDirectory;
  } catch {
    return false;
  }
}

export const URL_FAULTS = {
  option:
    "The skill repository {repo} is refused: an address that begins with - is an option to git",
  transport:
    "The skill repository {repo} is refused: only https, http, ssh, git and file are taken; other transports may start programs",
  form:
    "{repo} is no address of a git repository; write https://host/path.git, git@host:path.git, or the absolute path of one on this machine",
} as const;

export interface CloneOptions {
  readonly userDir: string;
  readonly t: T;
  readonly env: { readonly [name: string]: string };
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Fetches it though there is a clone, which the new one then replaces. */
  readonly anew?: boolean;
  readonly limits?: Limits;
}

/** What a repository may take. */
export interface Limits {
  readonly ms: number;
  readonly bytes: number;
  readonly files: number;
}

const LIMITS: Limits = { ms: 60_000, bytes: 100 * 1024 * 1024, files: 20_000 };

/** A clone, and what is in it. */
export interface Fetched extends Clone {
  readonly bytes: number;
  readonly files: number;
  /** Files that a system would run, in the order of their names. */
  readonly scripts: readonly string[];
  /** Links that lead out of it, and were taken out. */
  readonly links: readonly string[];
  /** Repositories within it, which are not fetched. */
  readonly submodules: readonly string[];
  /** False when it was there already. */
  readonly fresh: boolean;
  /** What it replaced, and what has changed since. */
  readonly before?: { readonly commit: string; readonly changes: readonly Change[] };
}

/** How a file has changed; without counts where it is no text. */
export interface Change {
  readonly path: string;
  readonly added?: number;
  readonly removed?: number;
}

/** Clones a repository, or finds the clone there is. Throws an Error with words for the user. */
export async function cloneRepo(url: string, o: CloneOptions): Promise<Fetched> {
  const { t, userDir, limits = LIMITS } = o;
  const repo = shownUrl(url);
  const fault = urlFault(url);
  if (fault) throw new Error(t(URL_FAULTS[fault], { repo }));
  const cache = under(userDir, CACHE);
  demand({ name: "run", command: "git" }, "run", o);
  demand({ name: "write", path: cache }, "write", o);
  const host = hostOf(url);
  if (host !== undefined) demand({ name: "net", host }, "net", o);
  const time = AbortSignal.timeout(limits.ms);
  const signal = AbortSignal.any([o.signal, time]);
  try {
    Deno.mkdirSync(cache, { recursive: true, mode: 0o700 });
    const hash = await urlHash(url);
    using lock = await lockFile(under(cache, `.${hash}.lock`), signal);
    void lock;
    const there = await findClone(userDir, url);
    if (there && !o.anew) return { ...there, ...contentsOf(there.dir), fresh: false };
    sweep(cache, hash);
    return await fetchInto(under(cache, hash), url, there, { ...o, signal, limits });
  } catch (error) {
    if (!await findClone(userDir, url)) await dropLock(url, userDir);
    throw new Error(withoutSecret(wordsFor(error, { ...o, limits, repo, time }), url));
  }
}

/** Takes a repository's clone away, if there is one. */
export async function dropClone(url: string, userDir: string): Promise<void> {
  await drop(under(userDir, CACHE, await urlHash(url)));
  await dropLock(url, userDir);
}

/** Should another narnat hold it: of two that fetch the same the last one counts. */
const dropLock = async (url: string, userDir: string) =>
  await drop(under(userDir, CACHE, `.${await urlHash(url)}.lock`));

async function drop(path: string): Promise<void> {
  if (mayRead(path)) await Deno.remove(path, { recursive: true }).catch(() => {});
}

type Work = CloneOptions & { readonly limits: Limits };

async function fetchInto(
  home: string,
  url: string,
  there: Clone | undefined,
  o: Work,
): Promise<Fetched> {
  const { t, limits } = o;
  const made = under(parentOf(home)!, `.${home.split(/[/\\]/).at(-1)}.${crypto.randomUUID()}`);
  const dir = under(made, repoName(url));
  Deno.mkdirSync(made, { mode: 0o700 });
  const full = new AbortController();
  const signal = AbortSignal.any([o.signal, full.signal]);
  const git = (...args: string[]) => runGit(args, { ...o, cwd: made, signal });
  try {
    const env = await sshQuietly(url, { ...o, cwd: made, signal });
    // what is fetched tells its size before it is written out
    const watch = setInterval(() => {
      if (bytesBelow(made) > limits.bytes) full.abort(new TooBig());
    }, 200);
    await runGit([
      ...["clone", "--quiet", "--no-checkout", "--depth=1", "--single-branch", "--no-tags"],
      ...["--no-local", "--no-recurse-submodules", "--template=", "--", url, dir],
    ], { ...o, env, cwd: made, signal }).finally(() => clearInterval(watch));
    const inside = (...args: string[]) => git(`--git-dir=${under(dir, ".git")}`, ...args);
    const commit = await inside("rev-parse", "--verify", "HEAD").then((text) => text.trim())
      .catch((error) => {
        throw error instanceof GitFailed
          ? new Error(t("the repository is empty, there is no commit in it"))
          : error;
      });
    const listed = treeOf(await inside("ls-tree", "-r", "-l", "-z", "HEAD"));
    const bytes = listed.reduce((sum, { bytes }) => sum + bytes, 0);
    if (bytes > limits.bytes || listed.length > limits.files) throw new TooBig();
    // of all places for attributes this one counts most: no filter of the user's runs for its files
    Deno.mkdirSync(under(dir, ".git", "info"), { recursive: true });
    Deno.writeTextFileSync(under(dir, ".git", "info", "attributes"), PLAIN);
    await inside(`--work-tree=${dir}`, "reset", "--quiet", "--hard", "HEAD");
    Deno.removeSync(under(dir, ".git"), { recursive: true });
    const links = dropLinksOut(dir);
    const loadedAt = o.now().getTime();
    const receipt = { repo: shownUrl(url), commit, loadedAt };
    Deno.writeTextFileSync(under(made, RECEIPT), JSON.stringify(receipt) + "\n", { mode: 0o600 });
    const changes = there && await changesBetween(there.dir, dir, { ...o, cwd: made, signal });
    signal.throwIfAborted();
    takePlace(made, home);
    const clone = (await findClone(o.userDir, url))!;
    return {
      ...clone,
      ...contentsOf(clone.dir),
      scripts: scriptsOf(listed),
      links,
      submodules: listed.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path),
      fresh: true,
      ...there && changes ? { before: { commit: there.commit, changes } } : {},
    };
  } finally {
    await Deno.remove(made, { recursive: true }).catch(() => {});
  }
}

const PLAIN = "* -filter -ident -text -eol -working-tree-encoding -diff -merge\n";

class TooBig extends Error {}

/** One move, or two where an old clone goes: a killed narnat leaves an old one, a new one or none. */
function takePlace(made: string, home: string): void {
  const old = `${made}.old`;
  try {
    Deno.renameSync(home, old);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  Deno.renameSync(made, home);
  try {
    Deno.removeSync(old, { recursive: true });
  } catch { /* there was none */ }
}

/** What is different between two folders, as git counts it. */
async function changesBetween(before: string, after: string, o: GitOptions): Promise<Change[]> {
  const args = ["diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-renames"];
  // git says 1 where there is a difference, and prints it all the same
  const text = await runGit([...args, "--numstat", "-z", "--", before, after], {
    ...o,
    differences: true,
  });
  const rows = text.split("\0");
  const changes: Change[] = [];
  for (let at = 0; at + 2 < rows.length; at += 3) {
    const [added, removed] = rows[at]!.split("\t");
    const [from, to] = [rows[at + 1]!, rows[at + 2]!];
    const path = to === "/dev/null" ? from.slice(before.length + 1) : to.slice(after.length + 1);
    const text = added !== "-";
    changes.push({ path, ...text ? { added: Number(added), removed: Number(removed) } : {} });
  }
  return changes;
}

/** ssh would ask on the terminal; where the user has named their own, it stays. */
async function sshQuietly(url: string, o: GitOptions): Promise<CloneOptions["env"]> {
  const over = !/^(?:https?|git|file):/i.test(url) && hostOf(url) !== undefined;
  if (!over || o.env["GIT_SSH_COMMAND"] || o.env["GIT_SSH"]) return o.env;
  const own = await runGit(["config", "--get", "core.sshCommand"], o).catch(() => "");
  return own.trim() === "" ? { ...o.env, GIT_SSH_COMMAND: "ssh -oBatchMode=yes" } : o.env;
}

/** Waits until no other narnat fetches the same. */
async function lockFile(path: string, signal: AbortSignal): Promise<Deno.FsFile> {
  const file = Deno.openSync(path, { write: true, create: true, mode: 0o600 });
  try {
    while (!await file.tryLock(true)) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch (error) {
    // a file system without locks; of two clones the last one counts
    if (!signal.aborted) return file;
    file.close();
    throw error;
  }
  return file;
}

/** What a narnat left behind that was killed at it; the lock says that none is at it now. */
function sweep(cache: string, hash: string): void {
  for (const { name, isDirectory } of Deno.readDirSync(cache)) {
    if (!isDirectory || !name.startsWith(`.${hash}.`)) continue;
    try {
      Deno.removeSync(under(cache, name), { recursive: true });
    } catch { /* git is still writing: next time */ }
  }
}

function bytesBelow(dir: string): number {
  try {
    return filesBelow(dir).reduce((sum, { bytes }) => sum + bytes, 0);
  } catch {
    return 0; // git moves its files about
  }
}

function demand(
  descriptor: Deno.PermissionDescriptor,
  kind: "run" | "write" | "net",
  { t }: CloneOptions,
): void {
  if (Deno.permissions.querySync(descriptor).state === "granted") return;
  throw new Error(t("narnat has no {kind} permission for it", { kind }));
}

/** Why it failed, for the user. */
function wordsFor(
  error: unknown,
  o: Work & { readonly repo: string; readonly time: AbortSignal },
): string {
  const { t, repo, limits } = o;
  const why = error instanceof Deno.errors.NotFound
    ? t("there is no git. Install git first")
    : o.signal.aborted
    ? t("it was stopped")
    : o.time.aborted
    ? t("it was not done in {seconds} s and was stopped", { seconds: Math.round(limits.ms / 1000) })
    : error instanceof TooBig
    ? t("it is larger than {mb} MB or {files} files and was stopped", {
      mb: Math.round(limits.bytes / 1024 / 1024),
      files: limits.files,
    })
    : error instanceof GitFailed
    ? gitFault(error.message, t)
    : error instanceof Error
    ? error.message
    : String(error);
  return t("Cannot clone {repo}: {why}", { repo, why });
}

/** The git repository inside `memory/`, in which Dream's changes can be seen and undone. */
import type { T } from "../../base/t.ts";
import { under } from "../../base/path.ts";
import { MEMORY_FILES } from "../../session/memory_files.ts";

export interface MemoryRepo {
  /** Commits what has changed in the memory files and in `more` (paths below `.narnat`); the commit's id, or undefined when nothing has. */
  commit(message: string, more?: readonly string[]): Promise<string | undefined>;
  /** The last commits with their changes, newest first; empty when there are none. */
  log(count: number): Promise<string>;
  /** Undoes one commit by another one; returns what was undone. Throws when later changes stand in the way. */
  restore(id: string | undefined): Promise<string>;
  /** Both sides' changes of a file's text; lines that both sides changed stay in both forms. */
  merge(mine: string, base: string, theirs: string): Promise<string>;
}

export interface RepoOptions {
  /** The project's `.narnat`, which is the work tree. */
  readonly narnatDir: string;
  readonly t: T;
  readonly env: { readonly [name: string]: string };
}

/** All that `git init` and we write there: anything else could have git start programs. */
const OURS =
  /^(?:\[core\]|repositoryformatversion = 0|(?:filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks) = (?:true|false)|worktree = \.\.\/\.\.|)$/;

const SETTINGS = [
  "user.name=narnat",
  "user.email=narnat@localhost",
  "commit.gpgSign=false",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.excludesFile=/dev/null",
  "core.attributesFile=/dev/null",
  "core.autocrlf=false",
  "core.quotePath=false",
  "init.defaultBranch=main",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

/** Throws where the repository holds settings that narnat did not write. */
function refuseForeign(gitDir: string, t: T): void {
  const config = under(gitDir, "config");
  // git takes the settings of the repository that a file `commondir` names
  const foreign = !Deno.lstatSync(gitDir).isDirectory || exists(under(gitDir, "commondir")) ||
    exists(config) && (!Deno.lstatSync(config).isFile ||
        Deno.readTextFileSync(config).split("\n").some((line) => !OURS.test(line.trim())));
  if (foreign) {
    throw new Error(
      t(
        "{path} holds settings that narnat did not write and that could have git run programs; it was not used. Move that .git folder away",
        { path: config },
      ),
    );
  }
}

/** The newest Dream that was not undone; empty for none. */
async function lastDream(git: (...args: string[]) => Promise<string>): Promise<string> {
  const commits = (await git("log", "-n500", "--format=%H%x1f%s%x1f%b%x00")).split("\0")
    .map((one) => one.trim().split("\x1f"));
  const undone = commits.flatMap(([, , body]) =>
    /^This reverts commit ([0-9a-f]+)/m.exec(body ?? "")?.[1] ?? []
  );
  return commits.find(([hash, subject]) => subject?.startsWith(DREAM) && !undone.includes(hash!))
    ?.[0] ?? "";
}

/** A folder in another one for the time of some work. */
async function inFolder<V>(parent: string, work: (dir: string) => Promise<V>): Promise<V> {
  const dir = await Deno.makeTempDir({ dir: parent, prefix: ".merge-" });
  try {
    return await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Opens the repository, made where there is none; undefined where git cannot be run. Throws when it is not ours. */
export async function openRepo(o: RepoOptions): Promise<MemoryRepo | undefined> {
  const { narnatDir, t } = o;
  Deno.mkdirSync(under(narnatDir, "memory"), { recursive: true, mode: 0o700 });
  if (Deno.permissions.querySync({ name: "run", command: "git" }).state !== "granted") return;
  const memory = under(narnatDir, "memory");
  const gitDir = under(memory, ".git");
  const git = (...args: string[]) => run(o, [`--git-dir=${gitDir}`, ...args]);
  if (!await run(o, ["--version"]).then(() => true, () => false)) return undefined;
  if (!exists(gitDir)) {
    await run(o, ["init", "--quiet", "--template=", memory]);
    await git("config", "core.worktree", "../..");
  }
  refuseForeign(gitDir, t);
  // one that is spoilt would pass for one without commits
  await git("rev-parse", "--git-dir");
  for (const name of LOCKS) dropStaleLock(under(gitDir, ...name.split("/")));
  const tree = (...args: string[]) => git(`--work-tree=${narnatDir}`, ...args);
  const hasCommit = () =>
    git("rev-parse", "--quiet", "--verify", "HEAD").then(() => true, () => false);

  /** Takes a commit's lines back, wherever they stand now: `revert` minds what stands beside them. Throws where only that tells their place. */
  const takeLinesBack = (hash: string, subject: string) =>
    inFolder(memory, async (dir) => {
      const patch = await git("show", "--format=", "--no-color", "--no-ext-diff", "-U0", hash);
      if (/^@@ \S+ \+\d+,0 @@/m.test(patch)) throw new Error("it took lines out");
      const path = under(dir, "patch");
      await Deno.writeTextFile(path, patch);
      await tree("apply", "--reverse", "--unidiff-zero", "--index", path);
      const message = `Revert "${subject}"\n\nThis reverts commit ${hash}.`;
      await tree("commit", "--quiet", "--no-verify", "-m", message);
    });

  const repo: MemoryRepo = {
    async commit(message, more = []) {
      const tracked = (await tree("ls-files", "-z")).split("\0").filter((path) => path !== "");
      const there = [...MEMORY_FILES.map((name) => `memory/${name}`), ...more]
        .filter((path) => exists(under(narnatDir, ...path.split("/"))));
      const paths = [...new Set([...tracked, ...there])];
      if (paths.length === 0) return undefined;
      await tree("add", "--force", "--all", "--", ...paths);
      const same = await tree("diff", "--cached", "--quiet", "--no-ext-diff")
        .then(() => true, () => false);
      if (same) return undefined;
      await tree("commit", "--quiet", "--no-verify", "-m", message);
      return (await git("rev-parse", "--short", "HEAD")).trim();
    },
    async log(count) {
      if (!await hasCommit()) return "";
      const handChange = t("Changed outside of Dreams (/remember, or by hand)");
      const format = "--format=%x00%h  %ad  %s";
      const text = await tree(
        ...["log", `-n${count}`, "-p", "--no-color", "--no-ext-diff", "--no-textconv", "-U1"],
        ...["--date=format:%Y-%m-%d %H:%M", format],
      );
      return text.split("\0")
        .map((one) => one.replaceAll(NOISE, "").trim().replace(HAND_LINE, () => handChange))
        .filter((one) => one !== "").join("\n\n");
    },
    async restore(id) {
      if (!await hasCommit()) {
        throw new Error(t("There is no record yet: no Dream has changed anything"));
      }
      if (id !== undefined && !/^[0-9a-f]{4,40}$/i.test(id)) {
        throw new Error(t("There is no {id} to undo; /dream-log lists what there is", { id }));
      }
      await repo.commit(BY_HAND);
      const found = id === undefined ? await lastDream(git) : await git(
        ...["rev-parse", "--quiet", "--verify", `${id}^{commit}`],
      ).then((text) => text.trim(), () => "");
      if (found === "") {
        throw new Error(
          t("There is no {id} to undo; /dream-log lists what there is", { id: id ?? "Dream" }),
        );
      }
      const subject = (await git("log", "-n1", "--format=%s", found)).trim();
      if (subject === BY_HAND) {
        throw new Error(
          t(
            "{id} was written by /remember or by hand and was left alone: only a Dream is undone here. /memory edit changes it",
            { id: id ?? "" },
          ),
        );
      }
      try {
        await tree("revert", "--no-edit", found);
      } catch {
        const files = (await tree("diff", "--name-only", "--diff-filter=U").catch(() => "")).trim();
        await tree("revert", "--abort").catch(() => {});
        const names = files === "" ? found.slice(0, 7) : files.replaceAll("\n", ", ");
        await takeLinesBack(found, subject).catch(() => {
          throw new Error(
            t(
              "Cannot undo it: later changes overlap with it ({files}). Undo the newer ones first, or edit the file",
              { files: names },
            ),
          );
        });
      }
      return (await git("log", "-n1", "--format=%h %s", found)).trim();
    },
    merge: (mine, base, theirs) =>
      inFolder(memory, async (dir) => {
        const paths = await Promise.all([mine, base, theirs].map(async (text, at) => {
          const path = under(dir, String(at));
          await Deno.writeTextFile(path, text);
          return path;
        }));
        return await run(o, ["merge-file", "-p", "--union", ...paths]);
      }),
  };
  return repo;
}

/** What git holds while it commits. */
const LOCKS = ["index.lock", "HEAD.lock", "refs/heads/main.lock"];
const STALE_MS = 10_000;

/** Subjects of commits: a Dream's begins so; what people changed between Dreams. */
export const DREAM = "Dream:";
export const BY_HAND = "Changed by hand";

/** The subject, in the first line of what is shown of a commit. */
const HAND_LINE = new RegExp(`(?<=^\\S+ {2}\\S+ \\S+ {2})${BY_HAND}(?=\\n|$)`);

/** What a diff says of itself besides its lines. */
const NOISE =
  /^(?:diff --git|index|new file mode|deleted file mode|similarity index) .*\n|^--- .*\n/gm;

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** A git that was killed leaves its lock behind. */
function dropStaleLock(path: string): void {
  try {
    const { mtime } = Deno.lstatSync(path);
    if (mtime && Date.now() - mtime.getTime() > STALE_MS) Deno.removeSync(path);
  } catch { /* there is none */ }
}

/** Runs git with nobody's settings but ours; resolves with its output. Throws with what it says. */
async function run(o: RepoOptions, args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(o.env).filter(([name]) => !name.startsWith("GIT_")),
  );
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: [...SETTINGS, ...args],
    cwd: o.narnatDir,
    clearEnv: true,
    env: {
      ...env,
      LC_ALL: "C.UTF-8",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_EDITOR: "true",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  if (!success) {
    const why = decoder.decode(stderr).trim().split("\n")[0] || "git";
    throw new Error(
      o.t("git failed: {why} (if memory/.git is spoilt, move it away and a new record begins)", {
        why,
      }),
    );
  }
  return decoder.decode(stdout);
}

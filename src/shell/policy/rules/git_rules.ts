/** Git commands that lose uncommitted work, commits or refs. */
import { dirname, isAbsolute, join, resolve } from "../../../base/path.ts";
import { type Invocation, type Options, readOptions } from "../reader/invocation.ts";
import type { Part, Rule } from "./rule.ts";
import { type Arg, hasMarks, plainArg } from "../reader/words.ts";

const GLOBALS = "-C -c --git-dir --work-tree --namespace --exec-path --config-env";

/** A git call without its global options; undefined when there is no subcommand. */
export function gitVerb(
  args: readonly Arg[],
): { verb: string; args: readonly Arg[]; folder: string | undefined } | undefined {
  const options = readOptions(args, GLOBALS, true);
  const [verb, ...rest] = options.operands;
  return verb && { verb: verb.text, args: rest, folder: options.value("-C") };
}

type GitHits = (options: Options, call: Invocation, folder: string | undefined) =>
  | readonly Arg[]
  | undefined;

function git(
  verb: string,
  takes: string,
  hits: GitHits,
  yes: string[],
  no: string[],
  part?: (options: Options) => Part,
): Rule {
  return {
    names: "git",
    hits: (call) => {
      if (!call.args.some(({ text }) => text === verb)) return undefined;
      const found = gitVerb(call.args);
      if (found?.verb !== verb) return undefined;
      const options = readOptions(found.args, takes);
      if (options.has("--help", "-h")) return undefined;
      return hits(options, call, found.folder)?.map((arg) => inside(found.folder, arg));
    },
    ...part && {
      part: (call) => {
        const found = gitVerb(call.args);
        return found?.verb === verb ? part(readOptions(found.args, takes)) : undefined;
      },
    },
    yes,
    no,
  };
}

/** Git takes paths from the folder of its `-C`. */
function inside(folder: string | undefined, arg: Arg): Arg {
  const fixed = folder === undefined || isAbsolute(arg.text) || /^[$~"']/.test(arg.source);
  return fixed ? arg : { text: join(folder, arg.text), source: join(folder, arg.source) };
}

const paths = (test: (options: Options) => boolean): GitHits => (options) =>
  test(options) ? options.operands : undefined;

/** What is lost are commits, refs or changes: no file to name. */
const when = (test: (options: Options, call: Invocation) => boolean): GitHits => (options, call) =>
  test(options, call) ? [] : undefined;

const first = (pattern: RegExp): GitHits => ({ operands }) =>
  pattern.test(operands[0]?.text ?? "") ? [] : undefined;

/** Verbs that can be aborted, and what stands in the repository's folder until then. */
const UNDERWAY: readonly (readonly [verb: string, state: string])[] = [
  ["merge", "MERGE_HEAD"],
  ["rebase", "rebase-merge"],
  ["rebase", "rebase-apply"],
  ["am", "rebase-apply"],
  ["cherry-pick", "CHERRY_PICK_HEAD"],
  ["revert", "REVERT_HEAD"],
];

export const gitRules: readonly Rule[] = [
  git(
    "rm",
    "--pathspec-from-file",
    paths((options) => !options.has("--cached", "-n", "--dry-run")),
    ["git rm a", "git -C x rm -r a"],
    ["git rm --cached -r dist", "git rm -n a"],
  ),
  git(
    "clean",
    "-e --exclude",
    (options) => {
      if (options.has("-n", "--dry-run")) return undefined;
      return options.operands.length > 0 ? options.operands : [plainArg(".")];
    },
    ["git clean -ffd", "git clean -fdx", "yes 1 | git clean -i -d", "git clean -di <<< 1"],
    ["git clean --dry-run", "git clean -nd"],
    (options) => options.has("-x", "-X") ? "ignored" : "untracked",
  ),
  git(
    "reset",
    "--pathspec-from-file",
    when((options, call) =>
      options.begins("--hard", "--merge") || call.hasInput && options.begins("-p", "--patch")
    ),
    ["git reset --hard", "git reset --hard HEAD~1", "git reset --har", "git reset --merge"],
    ["git reset HEAD~1", "git reset --soft HEAD~1", "git reset a.txt"],
  ),
  git(
    "checkout",
    "-b -B --orphan --conflict",
    (options, call, folder) => checkout(options, call, folder),
    [
      "git checkout -- a",
      "git checkout .",
      "git checkout -f",
      "git checkout HEAD~1 -- lib",
      "git checkout '*.txt'",
      "git checkout ':(top)'",
      "git checkout :/",
      "git checkout -f -b new",
      "git checkout -B main",
      "git checkout HEAD --pathspec-from-file=list",
      "git checkout --theirs a",
      "yes | git checkout -p",
    ],
    ["git checkout main", "git checkout -b x", "git checkout -b x origin/main", "git checkout -"],
    () => "changed",
  ),
  git(
    "restore",
    "-s --source",
    paths((options) => !options.has("-S", "--staged") || options.has("-W", "--worktree")),
    ["git restore a", "git restore --staged --worktree a"],
    ["git restore --staged a"],
    () => "changed",
  ),
  git(
    "switch",
    "-c -C --create --force-create",
    when((options) => options.begins("-f", "--force", "--discard-changes", "-C", "--force-create")),
    ["git switch -f main", "git switch -C side main", "git switch --force-create=side"],
    ["git switch main", "git switch -c x"],
  ),
  git(
    "stash",
    "-m --message",
    first(/^(drop|clear)$/),
    ["git stash drop", "git stash clear"],
    ["git stash", "git stash pop", "git stash push -m drop"],
  ),
  git(
    "branch",
    "-u --set-upstream-to",
    (options, call, folder) => {
      const { operands } = options;
      const forced = options.begins("-f", "--force");
      const moves = options.begins("-m", "--move", "-c", "--copy", "-M", "-C");
      if (options.has("-D") || forced && options.begins("-d", "--delete")) return [];
      if (!forced && !options.has("-M", "-C")) return undefined;
      // `git branch -M main` names what is new in most repositories
      const isNew = moves && operands.length === 1 && isFree(operands[0]!.text, call.cwd, folder);
      return isNew ? undefined : [];
    },
    [
      "git branch -D x",
      "git branch -d -f x",
      "git branch -f side HEAD",
      "git branch -M main side",
      "git branch -m -f main side",
      "git branch --del x --forc",
    ],
    ["git branch", "git branch -d merged", "git branch -m new", "git branch --format='%(refname)'"],
  ),
  git(
    "tag",
    "-m -F -u",
    when((options) => options.begins("-d", "--delete", "-f", "--force")),
    ["git tag -d v1", "git tag -f v1 main~1"],
    ["git tag v1", "git tag -a v1 -m 'delete old'"],
  ),
  git(
    "push",
    "-o --push-option --repo",
    when((options) =>
      !options.has("-n", "--dry-run") &&
      (options.begins("-d", "--delete", "--mirror", "--prune", "-f", "--force") ||
        options.operands.slice(1).some((arg) => /^(?:\+|:.)/.test(arg.text)))
    ),
    [
      "git push origin --delete x",
      "git push origin :x",
      "git push -f origin main",
      "git push origin +main",
      "git push origin HEAD:main --force",
    ],
    ["git push", "git push origin main:main", "git push --force-with-lease", "git push -fn"],
  ),
  git(
    "worktree",
    "",
    (options) => {
      const [verb, ...rest] = options.operands;
      const only = verb?.text === "prune" && options.has("-n", "--dry-run");
      return /^(remove|prune)$/.test(verb?.text ?? "") && !only ? rest : undefined;
    },
    ["git worktree remove ../x", "git worktree prune -v"],
    ["git worktree list", "git worktree add ../x", "git worktree prune -n"],
  ),
  git(
    "read-tree",
    "",
    when((options) => options.begins("--reset") && !options.has("-n", "--dry-run")),
    ["git read-tree --reset -u HEAD"],
    ["git read-tree HEAD", "git read-tree -m HEAD"],
  ),
  git(
    "submodule",
    "",
    (options) => {
      const [verb, ...rest] = options.operands;
      const resets = verb?.text === "update" && options.begins("-f", "--force");
      return verb?.text === "deinit" || resets ? rest : undefined;
    },
    ["git submodule deinit -f x", "git submodule update --init --force x"],
    ["git submodule update --init"],
  ),
  git(
    "reflog",
    "--expire",
    (options) =>
      /^(expire|delete)$/.test(options.operands[0]?.text ?? "") && !options.has("-n", "--dry-run")
        ? []
        : undefined,
    ["git reflog expire --expire=now --all"],
    ["git reflog", "git reflog expire --dry-run --all"],
  ),
  git(
    "gc",
    "",
    when((options) => options.has("--prune")),
    ["git gc --prune=now"],
    ["git gc"],
  ),
  git(
    "update-ref",
    "-m",
    when(() => true),
    ["git update-ref -d refs/heads/x", "git update-ref refs/heads/x HEAD~1"],
    ["git update-ref --help"],
  ),
  git(
    "remote",
    "",
    first(/^(rm|remove)$/),
    ["git remote rm origin"],
    ["git remote -v", "git remote prune origin", "git remote add rm https://a.example/b"],
  ),
  git(
    "fetch",
    "-j --depth --deepen -o --refmap",
    when((options) =>
      options.operands.slice(1).some(({ text }) => {
        const [, plus, to] = /^(\+?)[^:]*:(.+)$/.exec(text) ?? [];
        const forced = plus === "+" || options.begins("-f", "--force");
        return forced && to !== undefined && !/^refs\/(?!heads|tags)/.test(to);
      })
    ),
    ["git fetch origin +main:main", "git fetch -f origin main:main"],
    ["git fetch --force", "git fetch origin '+refs/heads/*:refs/remotes/origin/*'"],
  ),
  git(
    "apply",
    "-p -C --directory --exclude --include",
    when((options) =>
      options.begins("-R", "--reverse") &&
      !options.has("--check", "--stat", "--numstat", "--summary", "--cached")
    ),
    ["git diff | git apply -R", "git apply --reverse a.patch"],
    ["git apply a.patch", "git apply -R --check a.patch"],
  ),
  git(
    "mv",
    "",
    (options) =>
      options.begins("-f", "--force") && !options.has("-n", "--dry-run")
        ? options.operands.slice(-1)
        : undefined,
    ["git mv -f a b"],
    ["git mv a b", "git mv -fn a b"],
  ),
  ...["show", "cat-file"].map((verb) =>
    git(
      verb,
      "",
      ({ operands }, { truncates }) => {
        // the file as it was, over the file as it is
        const lost = truncates.filter(({ text }) =>
          operands.some((arg) => arg.text.endsWith(`:${text}`) || arg.text.endsWith(`/${text}`))
        );
        return lost.length > 0 ? lost : undefined;
      },
      [`git ${verb} HEAD:a > a`],
      [`git ${verb} HEAD:a > b`, `git ${verb} HEAD:a`],
      () => "changed",
    )
  ),
  git(
    "fast-import",
    "",
    when(() => true),
    ["git fast-import < dump"],
    ["git fast-import --help"],
  ),
  git(
    "init",
    "--template -b --initial-branch",
    when((options) => options.begins("--separate-git-dir")),
    ["git init -q --separate-git-dir=x"],
    ["git init", "git init -b main x"],
  ),
  git(
    "prune",
    "",
    when((options) => !options.has("-n", "--dry-run")),
    ["git prune --expire now"],
    ["git prune -n"],
  ),
  git(
    "notes",
    "--ref",
    (options) =>
      /^(remove|prune)$/.test(options.operands[0]?.text ?? "") && !options.has("-n", "--dry-run")
        ? []
        : undefined,
    ["git notes remove HEAD"],
    ["git notes show", "git notes prune -n"],
  ),
  ...["symbolic-ref", "replace"].map((verb) =>
    git(
      verb,
      "",
      when((options) => options.begins("-d", "--delete")),
      [`git ${verb} -d x`],
      [`git ${verb} x y`],
    )
  ),
  git(
    "filter-branch",
    "--index-filter --tree-filter --msg-filter --env-filter",
    when((options) => options.has("-f", "--force", "--tree-filter", "--index-filter")),
    ["git filter-branch -f --index-filter 'git rm --cached a' HEAD"],
    ["git filter-branch --help"],
  ),
  git(
    "filter-repo",
    "",
    when((options) => !options.has("--dry-run", "--analyze")),
    ["git filter-repo --path a --invert-paths"],
    ["git filter-repo --analyze"],
  ),
  git(
    "config",
    "-f --file --blob --type --default",
    when((options) =>
      options.begins("--remove-section") || options.operands[0]?.text === "remove-section"
    ),
    ["git config --remove-section remote.origin", "git config remove-section a"],
    ["git config --unset a.b", "git config a.b remove-section", "git config --list"],
  ),
  // what was settled of it so far is in no commit
  ...UNDERWAY.map(([verb, state]) =>
    git(
      verb,
      "",
      (options, call, folder) =>
        options.has("--abort", "--skip") && isUnderway(state, call.cwd, folder) ? [] : undefined,
      [`git -C "$elsewhere" ${verb} --abort`],
      [`git ${verb} --abort`, `git ${verb} --quit`],
      () => "changed",
    )
  ),
  git(
    "checkout-index",
    "",
    paths((options) => options.has("-f", "--force") && !options.has("--prefix", "--temp")),
    ["git checkout-index -f -a"],
    ["git checkout-index a", "git checkout-index -fa --prefix=out/"],
  ),
];

function checkout(options: Options, call: Invocation, folder: string | undefined) {
  const forced = options.begins("-f", "--force");
  if (options.has("-B")) return [];
  if (options.has("-b", "--orphan")) return forced ? [] : undefined;
  if (options.has("-p", "--patch")) return call.hasInput ? [] : undefined;
  const { operands } = options;
  const dashes = call.args.findIndex((arg) => arg.text === "--");
  const named = dashes >= 0 ? call.args.slice(dashes + 1) : operands.slice(1);
  if (forced || options.begins("--pathspec-from-file")) return named;
  if (named.length > 0 && !options.has("-t", "--track")) return named;
  const [only] = operands;
  const chooses = options.has("--ours", "--theirs");
  return only && (chooses || isPath(only, call.cwd, folder)) ? operands : undefined;
}

/** One operand is a branch or a path; git takes the path when there is no such branch. */
function isPath(arg: Arg, cwd: string | undefined, folder: string | undefined): boolean {
  // no branch has a star or a colon in its name
  if (/^\.{1,2}(\/|$)|^:|\/$|[*?[]/.test(arg.text) || arg.text !== arg.text.trim()) return true;
  if (hasMarks(arg.text) || cwd === undefined) return arg.source.includes("*");
  return thereIs(resolve(cwd, folder ?? "", arg.text));
}

/** Whether it is certain that no branch of the repository has a name. */
function isFree(name: string, cwd: string | undefined, folder: string | undefined): boolean {
  if (cwd === undefined || hasMarks(name)) return false;
  const own = repositoryOf(cwd, folder);
  try {
    const packed = thereIs(join(own, "packed-refs"))
      ? Deno.readTextFileSync(join(own, "packed-refs"))
      : "";
    return Deno.statSync(join(own, "refs", "heads")).isDirectory &&
      !thereIs(join(own, "reftable")) &&
      !thereIs(join(own, "refs", "heads", name)) && !packed.includes(` refs/heads/${name}\n`);
  } catch {
    return false;
  }
}

/** Whether a merge or the like waits to be ended; where that cannot be looked up it may. */
function isUnderway(state: string, cwd: string | undefined, folder: string | undefined): boolean {
  if (cwd === undefined || hasMarks(folder ?? "")) return true;
  const own = repositoryOf(cwd, folder);
  // a worktree's own folder is elsewhere
  return thereIs(join(own, state)) || thereIs(own) && !thereIs(join(own, "HEAD"));
}

function repositoryOf(cwd: string, folder: string | undefined): string {
  let at = resolve(cwd, folder ?? "");
  while (!thereIs(join(at, ".git")) && dirname(at) !== at) at = dirname(at);
  return join(at, ".git");
}

function thereIs(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

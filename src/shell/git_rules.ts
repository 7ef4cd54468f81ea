/** Git commands that lose uncommitted work, commits or refs. */
import { isAbsolute, join, resolve } from "node:path";
import { type Options, readOptions } from "./options.ts";
import type { Invocation } from "./invocation.ts";
import type { Part, Rule } from "./rule.ts";
import { type Arg, hasMarks, plainArg } from "./words.ts";

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
const when = (test: (options: Options) => boolean): GitHits => (options) =>
  test(options) ? [] : undefined;

const first = (pattern: RegExp): GitHits => ({ operands }) =>
  pattern.test(operands[0]?.text ?? "") ? [] : undefined;

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
      if (options.has("-n", "--dry-run", "-i", "--interactive")) return undefined;
      return options.operands.length > 0 ? options.operands : [plainArg(".")];
    },
    ["git clean -ffd", "git clean -fdx"],
    ["git clean --dry-run", "git clean -nd"],
    (options) => options.has("-x", "-X") ? "ignored" : "untracked",
  ),
  git(
    "reset",
    "--pathspec-from-file",
    when((options) => options.has("--hard", "--merge")),
    ["git reset --hard", "git reset --hard HEAD~1"],
    ["git reset HEAD~1", "git reset --soft HEAD~1", "git reset a.txt"],
  ),
  git(
    "checkout",
    "-b -B --orphan --conflict",
    (options, call, folder) => checkout(options, call, folder),
    ["git checkout -- a", "git checkout .", "git checkout -f", "git checkout HEAD~1 -- lib"],
    ["git checkout main", "git checkout -b x", "git checkout -b x origin/main"],
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
    "-c -C --create",
    when((options) => options.has("-f", "--force", "--discard-changes")),
    ["git switch -f main"],
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
    when((options) =>
      options.has("-D") || (options.has("-d", "--delete") && options.has("-f", "--force"))
    ),
    ["git branch -D x", "git branch -d -f x"],
    ["git branch", "git branch -d merged"],
  ),
  git(
    "tag",
    "-m -F -u",
    when((options) => options.has("-d", "--delete")),
    ["git tag -d v1"],
    ["git tag v1", "git tag -a v1 -m 'delete old'"],
  ),
  git(
    "push",
    "-o --push-option --repo",
    when((options) =>
      options.has("-d", "--delete", "--mirror", "--prune") ||
      options.operands.slice(1).some((arg) => /^\+?:./.test(arg.text))
    ),
    ["git push origin --delete x", "git push origin :x"],
    ["git push", "git push origin main:main"],
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
    when((options) => options.has("--reset") && !options.has("-n", "--dry-run")),
    ["git read-tree --reset -u HEAD"],
    ["git read-tree HEAD", "git read-tree -m HEAD"],
  ),
  git(
    "submodule",
    "",
    (options) => options.operands[0]?.text === "deinit" ? options.operands.slice(1) : undefined,
    ["git submodule deinit -f x"],
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
    when((options) => options.has("-d")),
    ["git update-ref -d refs/heads/x"],
    ["git update-ref refs/heads/x HEAD"],
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
    "checkout-index",
    "",
    paths((options) => options.has("-f", "--force")),
    ["git checkout-index -f -a"],
    ["git checkout-index a"],
  ),
];

function checkout(options: Options, call: Invocation, folder: string | undefined) {
  if (options.has("-b", "-B", "--orphan", "-p", "--patch")) return undefined;
  const { operands } = options;
  const dashes = call.args.findIndex((arg) => arg.text === "--");
  const named = dashes >= 0 ? call.args.slice(dashes + 1) : operands.slice(1);
  if (options.has("-f", "--force")) return named;
  if (named.length > 0 && !options.has("-t", "--track")) return named;
  const [only] = operands;
  return only && isPath(only, call.cwd, folder) ? operands : undefined;
}

/** One operand is a branch or a path; git takes the path when there is no such branch. */
function isPath(arg: Arg, cwd: string | undefined, folder: string | undefined): boolean {
  if (/^\.{1,2}(\/|$)|^:\/|\/$/.test(arg.text) || arg.text !== arg.text.trim()) return true;
  if (hasMarks(arg.text) || cwd === undefined) return arg.source.includes("*");
  try {
    Deno.statSync(resolve(cwd, folder ?? "", arg.text));
    return true;
  } catch {
    return false;
  }
}

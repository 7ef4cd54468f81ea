/** What is known of one shell command: its call carries it along, and whoever judges the command reads it here. */
import { under } from "../../base/path.ts";
import type { CommandAnalysis } from "../../base/types.ts";
import { jobName, type Verification, verificationOf } from "./command_purpose.ts";
import { checkCommand, type CheckOptions, readBash, type Verdict } from "./gate.ts";
import type { Reading } from "./reader/read_command.ts";

/** Programs that only read, whatever their arguments. */
const READERS = new Set(
  ("pwd ls wc du df which whoami uname id true false echo cat head tail nl cut tr grep egrep fgrep stat" +
    " basename dirname realpath readlink nproc jq diff cmp cksum md5sum sha1sum sha256sum" +
    " cd test [ : sleep").split(
      " ",
    ),
);
/** Programs that only read with such arguments. */
const READER_FORMS: { readonly [name: string]: (args: readonly string[]) => boolean } = {
  date: (args) => args.every((arg) => /^(?:\+|-u$|-R$|-I)/.test(arg)),
  find: (args) => !args.some((arg) => /^-(?:exec|ok|delete|fprint|fls)/.test(arg)),
  // it can give variables other values, as PATH
  printf: ([form = ""]) => !/^-|%[^a-z%]*n/i.test(form),
  sed: ([option, script = "", ...files]) =>
    option === "-n" && /^\d+(?:,\d+)?p$/.test(script) && !files.some((one) => one.startsWith("-")),
  sort: (args) => args.every((arg) => /^(?:-[bdfghinrRsuVz]+|-k\S+|[^-].*)$/.test(arg)),
  // a second name is written to
  uniq: (args) => args.every((arg) => /^-[cdiu]+$/.test(arg)),
};
/** Programs that tell their version; with any other argument they may do anything. */
const VERSIONED = new Set(
  "node deno bun npm pnpm yarn python python3 pip go cargo rustc java javac ruby gcc clang make cmake git tsc"
    .split(" "),
);
const GIT_READERS = new Set(
  ("status log diff show blame shortlog describe rev-parse rev-list ls-files ls-tree cat-file merge-base" +
    " name-rev for-each-ref show-ref diff-tree count-objects").split(" "),
);
/** Git's commands that only read when they are given nothing else. */
const GIT_FORMS: { readonly [command: string]: RegExp } = {
  branch: /^(?:(?:-[arv]+|--all|--remotes|--show-current|--list)(?: |$))*$/,
  remote: /^(?:-v|--verbose)?$/,
  tag: /^(?:(?:-l|--list)(?: .*)?)?$/,
  stash: /^list$/,
  worktree: /^list$/,
  reflog: /^(?:show)?$/,
  config: /^(?:--list|-l|--get \S+)$/,
};
/** What only says where messages go. */
const QUIET = /(?<=\s)(?:2>&1|[12]?>\s?\/dev\/null)(?=\s|$|[|;&])/g;
/** Substitutions, redirections, groups, escapes, line ends: more than is read here. */
const MORE = /[$`<>(){}\\\n\r\0!#]/;

/** A pattern fails on words of millions of characters. */
const MOST_CHARS = 100_000;

/** True for a bash command of simple programs that only read, joined by `|`, `&&`, `||` and `;`. */
export function onlyReads(command: string): boolean {
  const text = command.trim().replaceAll(QUIET, "");
  if (text.length > MOST_CHARS || MORE.test(text)) return false;
  const commands = simpleCommands(text);
  return commands !== undefined && commands.length > 0 && commands.every(reads);
}

function reads([name = "", ...args]: readonly string[]): boolean {
  if (READERS.has(name)) return true;
  if (VERSIONED.has(name) && args.length === 1 && args[0] === "--version") return true;
  if (Object.hasOwn(READER_FORMS, name)) return READER_FORMS[name]!(args);
  return name === "git" && gitReads(args);
}

function gitReads(args: readonly string[]): boolean {
  let at = 0;
  while (args[at] === "--no-pager" || args[at] === "-C") at += args[at] === "-C" ? 2 : 1;
  const [command = "", ...rest] = args.slice(at);
  if (Object.hasOwn(GIT_FORMS, command)) return GIT_FORMS[command]!.test(rest.join(" "));
  return GIT_READERS.has(command) && !rest.some(writesOrRuns);
}

/** `--output`, `--ext-diff` and their abbreviations. */
const writesOrRuns = (arg: string) =>
  arg.startsWith("--o") && arg !== "--oneline" || /^--(?:ext|textconv|filters)/.test(arg);

/** The words of each command; undefined where the text is more than such commands. */
function simpleCommands(text: string): string[][] | undefined {
  const commands: string[][] = [[]];
  const pattern = /\s+|(&&|\|\||\||;)|((?:[^\s'"|&;]|'[^']*'|"[^"]*")+)|(.)/gsy;
  for (const [, joint, word, other] of text.matchAll(pattern)) {
    if (other !== undefined) return undefined;
    if (joint !== undefined) commands.push([]);
    if (word !== undefined) commands.at(-1)!.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  }
  if (commands.at(-1)!.length === 0) commands.pop();
  return commands.some((words) => words.length === 0) ? undefined : commands;
}

/** Where a command is run. */
interface Whereabouts {
  readonly cwd: string;
  readonly workspace: string;
  readonly env: { readonly [name: string]: string };
}

/** Settings by which git starts a program while it reads, or reads another repository too. */
const STARTING =
  /fsmonitor|hookspath|external|textconv|command|filter|include|gpg|signature|promisor|partial|uploadpack|helper|proxy|submodule/i;

/** True for a command that only reads, by programs that no project has made, with settings that start none. */
export function surelyReads(command: string, { cwd, workspace, env }: Whereabouts): boolean {
  if (!onlyReads(command)) return false;
  const ours = (folder: string) =>
    !folder.startsWith("/") || `${folder}/`.startsWith(`${workspace}/`);
  if ((env["PATH"] ?? "").split(":").some(ours)) return false;
  if (!/\bgit\b/.test(command)) return true;
  return !/\bcd\b|-C/.test(command) && gitStartsNothing(cwd);
}

/** Of the repository that a folder belongs to. */
function gitStartsNothing(cwd: string): boolean {
  for (let at = cwd; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const git = under(at, ".git");
    const info = infoOf(git);
    if (!info) continue;
    if (!info.isDirectory || infoOf(under(at, ".gitmodules"))) return false;
    if (infoOf(under(git, "hooks", "post-index-change"))) return false;
    return ["config", "config.worktree"].map((name) => under(git, name)).every((path) =>
      // a pipe would be waited for
      infoOf(path)?.isFile !== false && !STARTING.test(textOf(path))
    );
  }
  return true;
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

export class Analysis implements CommandAnalysis {
  readonly command: string;
  readonly #found = new Map<string, unknown>();

  constructor(command: string) {
    this.command = command;
  }

  onlyReads(where?: Whereabouts): boolean {
    if (Deno.build.os === "windows") return false;
    return this.#once(
      ["reads", where?.cwd],
      () => where ? surelyReads(this.command, where) : onlyReads(this.command),
    );
  }

  /** What the gate decides. A command that only never ends (tail -f) may do so in the background. */
  verdict(options: CheckOptions, background: boolean): Verdict {
    const verdict = this.#once(
      ["verdict", options],
      () => checkCommand(this.command, options, this.#reading(options)),
    );
    if (!background || verdict.kind !== "interactive") return verdict;
    return checkCommand(`(${this.command}\n) &`, options);
  }

  /** Whether it can show that a change works when it runs in `cwd`. */
  verification(cwd: string, workspace: string, home?: string): Verification {
    return verificationOf(this.command, cwd, workspace, this.#reading({ cwd, home }));
  }

  /** A short name for it that none of `taken` is. */
  jobName(taken: readonly string[], cwd: string, home?: string): string {
    return jobName(this.command, taken, this.#reading({ cwd, home }));
  }

  #reading({ cwd, home }: Pick<CheckOptions, "cwd" | "home">): Reading | undefined {
    return this.#once(["reading", cwd, home], () => readBash(this.command, { cwd, home }));
  }

  #once<V>(what: readonly unknown[], find: () => V): V {
    const key = JSON.stringify(what);
    if (!this.#found.has(key)) this.#found.set(key, find());
    return this.#found.get(key) as V;
  }
}

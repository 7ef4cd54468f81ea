/** Programs that are not known: what their arguments would run, should they run them. */
import { programName } from "./invocation.ts";
import type { Layer } from "./layers.ts";
import { type Arg, hasMarks } from "./words.ts";

/** Names at which a command may begin among another's arguments; the rules then judge what follows. */
const BEGINS = new Set(
  ("rm rmdir unlink shred srm rimraf find bfs git truncate dd wipefs blkdiscard mkfs tee tar" +
    " python python2 python3 perl ruby node php lua awk sh bash dash zsh ksh ash fish tcsh csh sudo" +
    " doas env xargs nohup timeout busybox toybox docker podman kubectl aws terraform psql mysql" +
    " sqlite3 redis-cli dropdb rsync").split(" "),
);
/** Those that delete whatever they are given. */
const ALWAYS = /^(?:rm|rmdir|unlink|shred|srm|rimraf)$/;
/** Programs that are told names and texts, and run none of them. */
export const TOLD: ReadonlySet<string> = new Set(
  ("echo printf print say cat bat ls eza exa tree stat file which where whereis type hash man tldr" +
    " cheat tealdeer help info whatis apropos compgen complete test [ [[ expr true false grep egrep" +
    " fgrep zgrep rg ag ack sed gsed head tail wc sort uniq cut tr diff cmp comm basename dirname" +
    " readlink realpath sha1sum sha256sum md5sum b2sum touch mkdir chmod chown chgrp du df nm ldd" +
    " strings objdump readelf jq yq ps pgrep pkill killall pidof kill alias unalias export declare" +
    " typeset local readonly unset set shift read let return exit cd pushd logger wall notify-send" +
    " cowsay figlet toilet espeak mail mutt code subl open xdg-open less more shellcheck shfmt" +
    " apt apt-get apt-cache apt-file aptitude dpkg dpkg-query dpkg-divert update-alternatives dnf yum" +
    " rpm zypper pacman yay paru apk brew port nix-env snap flatpak choco winget scoop pip pip3" +
    " pipx conda mamba composer go dotnet gradle gradlew mvn swift rustup asdf mise sdk spack dvc" +
    " bower gcc g++ cc c++ clang rustc tcc ld ar zig javac pkg emerge eopkg xbps-query opkg slackpkg swupd tlmgr luarocks opam nimble" +
    " semgrep ast-grep comby xml xmlstarlet gifsicle mkvpropedit")
    .split(" "),
);
/** A command inside one argument: behind `name=`, `EXEC:`, `!`, `|` or a word such as `shell`. */
const HANDED =
  /^(?:[\w.-]*[=:]|[!|%+\\({]|\s|(?:platform|shell|system|exec|spawn|run)\s)*(?=[\w./-]+\s)/i;
/** One behind a bracket or a quote, in a language that is not known. */
const INSIDE = /[({"'`!|;]\s*(?:exec\s+)?((?:\S*\/)?(?:rm|rmdir|unlink|shred|srm)\s+[^(){}"'`]+)/;
/** Options, and words, behind which a command stands in one argument. */
const TAKES_COMMAND =
  /^-{1,2}(?:c|e|ex|i|x|z|wrap|scripts?|eval|hook|pre|post|prog(?:ram)?)$|^(?:-{1,2}|[\w-]+\.)?(?:exec|execute|command|cmd|shell|ssh)(?:[.:]\w+)?$|^--?run$/;
/** A word behind which a program that reaches elsewhere is told what to run there. */
const CARRIES = /^(?:exec|run|ssh|rsh|shell|console|debug|enter|invoke|lock|elect|watch|--)$/;
/** Options of theirs that are told it, in one argument. */
const CARRYING = /^--?(?:exec|command|commands|cmd|shell|ssh-command|parameters|scripts?)(?:=|$)/;
/** Their words of that kind stand before names of the project's own, or are read already. */
const OWN_WORDS =
  /^(?:npm|pnpm|yarn|bun|deno|cargo|gem|mix|rake|rails|git|svn|hg|docker|podman|nerdctl|docker-compose|php|find|bfs|rm|mv|cp|tee)$/;
const CARRIED_WITHIN = 12;
/** Programs known for deleting that start others besides. */
export const HANDS_ON = /^(?:scp|s?ftp|lftp|ncftp|smbclient|split|maxima)$/;
/** Programs named after what they do: run a text. */
const RUNS_TEXT = /(?:[sd]sh|[_-](?:run|shell|window|pane)|exec)$|^(?:run|pee|mispipe)$/;
/** What a program that is not known may run of what it reads. */
const FED =
  /(?:^|\n)[ \t]*:?(?:!|\.sy[ \t])[ \t]*([^\n]+)|\b(?:m4_)?(?:sys(?:cmd|tem)|esyscmd|shell|popen)\s*\(\s*["'`]?([^)"'`\n]+)/g;
/** Programs whose arguments are prose, or patterns to look for. */
const PROSE =
  /^(?:echo|printf|print|say|cat|test|\[|\[\[|expr|man|tldr|help|z?grep|[ef]grep|rg|ag|ack|g?sed|jq|yq|tr|alias|export|declare|typeset|local|readonly|read|logger|wall|notify-send|cowsay|figlet|toilet|espeak|mail|mutt|code|open|pgrep|pkill|let|return)$/;
/** A longer row of such names is no command line. */
const MAX_TAILS = 64;

/** What of a program's arguments would be a command; nothing for one that is told names only. */
export function tailsOf({ name, args }: Pick<Layer, "name" | "args">): (readonly Arg[])[] {
  if (TOLD.has(name)) return [];
  const tails: (readonly Arg[])[] = [];
  for (let i = 0; i < args.length - 1 && tails.length < MAX_TAILS; i++) {
    const { text } = args[i]!;
    // what it starts is itself only told names
    if (TOLD.has(text) && !args[i - 1]?.text.startsWith("-")) break;
    if (begins(text)) tails.push(args.slice(i));
    // it takes all that follows
    if (begins(text) && ALWAYS.test(programName(text))) break;
  }
  return tails;
}

/** What a program that is known for deleting by itself is told to run elsewhere. */
export function carriedBy({ name, args }: Pick<Layer, "name" | "args">): readonly Arg[] {
  if (OWN_WORDS.test(name)) return [];
  const at = args.slice(0, CARRIED_WITHIN).findIndex(({ text }) => CARRIES.test(text));
  if (at >= 0) return args.slice(at);
  return args.filter(({ text }, i) =>
    CARRYING.test(text) || CARRYING.test(args[i - 1]?.text ?? "")
  );
}

/** The command lines that a program's arguments may hold, each in one argument. */
export function handedTexts({ name, args }: Pick<Layer, "name" | "args">): string[] {
  if (PROSE.test(name)) return [];
  return args.slice(0, MAX_TAILS).flatMap(({ text }, i) => {
    if (!/\s/.test(text)) return [];
    const source = text.replace(HANDED, "");
    const isCommand = source !== text || RUNS_TEXT.test(name) ||
      !isProse(source, args[i - 1]?.text ?? "");
    if (isCommand && begins(source.slice(0, source.search(/\s/)))) return [source];
    const inside = TOLD.has(name) ? undefined : INSIDE.exec(text)?.[1];
    return inside === undefined ? [] : [inside];
  });
}

/** The command lines in what a program reads, where they stand as commands do there. */
export function fedTexts({ name, stdin }: Pick<Layer, "name" | "stdin">): string[] {
  if (stdin === undefined || TOLD.has(name) || /patch|^tee$/.test(name)) return [];
  return [...stdin.matchAll(FED)].map(([, line, call]) => line ?? call ?? "")
    .filter((source) => begins(source.split(/\s/, 1)[0]!));
}

/** A sentence that begins like a command (`jest -t 'rm deletes files'`): no option, path or sign in it. */
function isProse(source: string, option: string): boolean {
  const isShort = option.startsWith("--") || /^\S+\s+\S+$/.test(source);
  return !(isShort && TAKES_COMMAND.test(option)) &&
    !/\s-\w|[/*$.~;|&>"'`]/.test(source.replace(/^\S+/, ""));
}

/** A bare name, or one in a folder of programs. */
function begins(word: string): boolean {
  return !hasMarks(word) && /^(?:\S*\/)?[\w.-]+$/.test(word) &&
    (!word.includes("/") || /(?:^|\/)s?bin\/[^/]+$/.test(word)) &&
    BEGINS.has(programName(word).replace(/^mkfs\..*/, "mkfs"));
}

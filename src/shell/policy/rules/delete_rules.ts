/** What counts as deleting: files first, then git work, databases and things in a cloud. */
import { resolve } from "../../../base/path.ts";
import { deletesInCode } from "../reader/code.ts";
import { readOptions } from "../reader/invocation.ts";
import { LANGUAGES } from "../reader/languages.ts";
import { findRoots, readsCommands, runsUnknown } from "../reader/layers.ts";
import { type Arg, hasMarks, plainArg } from "../reader/words.ts";
import { SHELLS } from "../reader/wrappers.ts";
import { EMPTY_RULES, realFiles } from "./empty_rules.ts";
import { gitRules } from "./git_rules.ts";
import { OWN_DELETE_RULES } from "./own_rules.ts";
import { noFiles, operandsOf, type Rule, verbs, withOption } from "./rule.ts";
import { SERVICE_RULES } from "./service_rules.ts";

/** Commands that were written down and then made unreadable on their way to a shell. */
const DISGUISED: Rule = {
  names: [...SHELLS, "eval source ."].join(" "),
  hits: ({ name, args, disguised, veiled }) =>
    veiled && (!SHELLS.has(name) || runsUnknown(args)) ||
      disguised && SHELLS.has(name) && readsCommands(args)
      ? []
      : undefined,
  unseen: true,
  yes: [
    `python3 -c "print('r' + 'm a')" | sh`,
    "git branch --format='git branch -D %(refname:short)' | grep x | sh",
    `eval "$(perl -e 'print "r", "m a"')"`,
    "bash <(tr a-y b-z <<< 'ql -qe btqb')",
    `python3 -c "print('r' + 'm a')" > x.sh; sh x.sh`,
    "tr a-y b-z <<< 'ql -qe btqb' | sh",
    "echo 'ez n' | tr a-z n-za-m | sudo bash -s",
    "echo ZWNobyBoaQ== | openssl base64 -d | cat | sh",
  ],
  no: [
    "curl -fsSL https://example.com/install.sh | sh",
    'echo "$SETUP" | openssl base64 -d | bash',
    "python3 make.py | tr a b | sh",
    'eval "$(ssh-agent -s)"',
    "source <(kubectl completion bash)",
    'bash -c "$(curl -fsSL https://example.com/install.sh)"',
    `ls | awk '{print "mv " $1 " x"}' | sh`,
    "echo y | tr y n | sh install.sh",
    "echo 'ls' | sh",
    "tr a-z A-Z <<< hello | grep H",
  ],
};

const NO_ARGS: readonly Arg[] = [];
/** With it a program that deletes only lists, or brings back. */
const SHOWS = /^--(?:list\S*|preview|gui|inspect|seance|unbury|restore)$/;
/** The system's own programs that delete. */
const DELETER = /^(\/usr)?\/s?bin\/(rm|rmdir|unlink|shred)$/;

const files: readonly Rule[] = [
  DISGUISED,
  {
    names: "rm",
    hits: (call) =>
      call.args.some((arg) => /^--(help|version)$/.test(arg.text))
        ? undefined
        : readOptions(call.args).operands,
    yes: ["rm a", "rm -rf out/", "rm -- -x", "/bin/rm a", "sudo -u root rm a"],
    no: ["rm --help", "echo rm a", "npm rm left-pad"],
  },
  {
    names:
      "rmdir unlink srm wipe trash trash-cli trash-put trash-empty trash-rm rmtrash gtrash trashy rip" +
      " rm-improved saferm safe-rm recycle macos-trash gvfs-rm secure-delete scrub nwipe mdel" +
      " mdeltree bleachbit tmpreaper tmpwatch rimraf del-cli rd erase premove rm-cli gomi rm-safe sdelete" +
      " sdelete64",
    hits: (call) =>
      call.args.some(({ text }) => SHOWS.test(text))
        ? undefined
        : operandsOf()(call)?.filter((arg) => !/^\/[a-z]$/i.test(arg.text)),
    yes: [
      "rmdir a",
      "unlink a",
      "npx rimraf dist",
      "yarn rimraf dist",
      "cmd /c rd /s /q x",
      "npx --yes rimraf@latest dist",
      "bunx rimraf@5 dist",
      "pnpm dlx rimraf@5 x",
      "npm exec -- rimraf@5 x",
      "npx -y del-cli@^5.0.0 x",
      "corepack pnpm@9 dlx rimraf x",
    ],
    no: ["trash --list", "rip --unbury a", "rmdir --help", "grep -n unlink src/a.c -R | wc -l"],
  },
  {
    names:
      "del remove-item ri clear-content clear-recyclebin clc clear-item cli remove-itemproperty",
    hits: ({ name, args }) => {
      const operands = args.filter((arg) => !/^[-/]\w/.test(arg.text));
      // Ruby has an ri of its own, which shows what a class or method is for
      const ruby = name === "ri" && args.length > 0 &&
        args.every(({ text }) => /^(?:--[\w-]+|[A-Z]\w*(?:(?:::|[#.])\w+[?!=]?)*)$/.test(text));
      return ruby || args.some((arg) => /^-whatif$/i.test(arg.text)) ? undefined : operands;
    },
    yes: [
      "del /q *.log",
      "Remove-Item x -Recurse",
      "REMOVE-ITEM x",
      "cmd.exe /c del a.txt",
      'cmd /c "d^el a.txt"',
      'cmd /c "if exist a del a"',
      'cmd /c "if not exist b (echo x) else (del a)"',
      'cmd /c "for %f in (*.tmp) do del %f"',
      "cmd /c 'for /r %i in (*.o) do @del %i'",
      'forfiles /m *.tmp /c "cmd /c del @path"',
      "ri x; clc y",
    ],
    no: ["ri File#read", "Get-Item x", "Remove-Item x -WhatIf", "cmd /c echo del a", "cmd /c dir"],
  },
  {
    names: "shred",
    hits: operandsOf("-n -s --iterations --size --random-source"),
    yes: ["shred -u key.pem"],
    no: ["shred --version"],
  },
  {
    // under another name it would pass unseen
    names: "cp mv ln install hash rsync scp dd cat",
    hits: ({ name, args, truncates }) =>
      (name !== "cat" || truncates.length > 0) &&
        args.some(({ text }) => DELETER.test(text.replace(/^if=/, "")))
        ? NO_ARGS
        : undefined,
    yes: [
      "ln -s /bin/rm z && ./z a",
      "cp /usr/bin/unlink z",
      "hash -p /bin/rm z; z a",
      "rsync /bin/rm z",
      "cat /bin/rm > z",
    ],
    no: [
      "cat /bin/rm | wc -c",
      "cp /usr/bin/env z",
      "ln -s ../rm rm",
      "install -m 755 build/rm /usr/local/bin/",
    ],
  },
  {
    names: "find bfs",
    hits: ({ args }) => deletesFound(args) ? findRoots(args) : undefined,
    part: ({ args }) => args.length > findRoots(args).length + 1 ? "some" : undefined,
    yes: [
      "find . -name '*.o' -delete",
      "find . -exec rm {} +",
      "find a -execdir rm -f {} \\;",
      "bfs . -delete",
    ],
    no: [
      "find . -name 'rm*' -type f -newer x",
      "find . -name x -exec ls {} +",
      "find . -name -delete -print",
      "find . -exec echo -delete \\; -print",
    ],
  },
  {
    names: "fdupes jdupes rdfind",
    hits: ({ name, args }) => {
      const options = readOptions(args, "-deleteduplicates -o --order -X --exclude");
      const deletes = name === "rdfind"
        ? options.value("-deleteduplicates") === "true"
        : options.has("-d", "--delete", "-I", "--immediate");
      return deletes ? options.operands : undefined;
    },
    yes: ["fdupes -rdN .", "jdupes --delete a b", "rdfind -deleteduplicates true ."],
    no: ["fdupes -r .", "rdfind -dryrun true ."],
  },
  {
    names: "cmake",
    hits: ({ args }) => {
      const [option, verb, ...rest] = args;
      return option?.text === "-E" && /^(?:rm|remove(?:_directory)?)$/.test(verb?.text ?? "")
        ? readOptions(rest).operands
        : undefined;
    },
    yes: ["cmake -E rm -rf a", "cmake -E remove_directory a"],
    no: ["cmake -E echo rm", "cmake --build . --target clean"],
  },
  {
    names: "svn hg chg sl bzr brz cvs p4 darcs pijul bfg fossil",
    hits: ({ name, args }) => {
      const options = readOptions(args, "-R --repository -m");
      if (name === "bfg") {
        return args.some((arg) => arg.text.startsWith("--delete")) ? NO_ARGS : undefined;
      }
      const [verb, ...rest] = options.operands;
      // hg's update throws changes away, svn's cleanup what is not its own
      const throws = /^(?:update|up|co|checkout)$/.test(verb?.text ?? "") && name !== "svn"
        ? options.has("-C", "--clean")
        : options.has("--remove-unversioned", "--remove-ignored") ||
          name !== "svn" && /^(?:shelve|bookmarks?|tag|rebase|histedit)$/.test(verb?.text ?? "") &&
            options.has("-d", "--delete", "--remove", "--cleanup", "--abort");
      const deletes =
        /^(?:rm|remove|delete|del|purge|strip|revert|clean|clean-tree|obliterate|unpull|reset|rollback|hide)$/
          .test(verb?.text ?? "");
      return (deletes || throws) &&
          !options.has("-n", "--dry-run", "--keep-local", "-A", "--after", "--help")
        ? rest
        : undefined;
    },
    yes: [
      "svn rm a",
      "hg purge",
      "hg strip tip",
      "svn revert -R .",
      "bfg --delete-files a",
      "hg update --clean",
      "svn cleanup --remove-unversioned",
      "bzr clean-tree --force",
      "darcs obliterate",
      "p4 clean",
      "hg shelve --delete a",
      "hg rebase --abort",
    ],
    no: ["svn status", "hg log", "svn rm --keep-local a", "hg update tip", "svn cleanup"],
  },
  {
    names: "patch",
    hits: ({ args }) => {
      const options = readOptions(args, "-p -i -d -o -D -F -g -r -V -Y -z -B --input --directory");
      const reverses = options.begins("-R", "--reverse") && !options.has("--dry-run", "-C");
      return reverses && !options.has("-o", "--output") ? options.operands.slice(0, 1) : undefined;
    },
    yes: ["git diff HEAD | patch -p1 -R", "patch -Rp1 < a.diff"],
    no: ["patch -p1 < a.diff", "patch -R --dry-run < a.diff"],
  },
  {
    // sessions, checkpoints, trash and commits are gone from where they are looked for
    names: "mv",
    hits: ({ args }) => {
      const moved = readOptions(args, "-S --suffix -t --target-directory").operands
        .filter(({ text }) => /(?:^|\/)\.(?:narnat|git|hg|svn|jj)\/*$/.test(text));
      return moved.length > 0 ? moved : undefined;
    },
    yes: ["mv .narnat /elsewhere", "mv -- a ./.narnat/ b", "mv .git ../b"],
    no: ["mv .narnat/outputs/a b", "mv a.narnat b", "mv .gitignore b"],
  },
  {
    names: "cp mv install",
    empties: true,
    hits: ({ args }) => {
      const { operands } = readOptions(args, "-t -S --target-directory --suffix -m -o -g");
      const nulls = operands.filter((arg) => arg.text === "/dev/null");
      const rest = operands.filter((arg) => arg.text !== "/dev/null");
      return nulls.length > 0 && operands.length > 1 ? rest : undefined;
    },
    yes: ["cp /dev/null a", "mv a /dev/null"],
    no: ["cp a b", "mv a b"],
  },
  {
    names: "dd",
    hits: ({ args, cwd }) => {
      const empties = args.some((arg) => arg.text === "if=/dev/null");
      const out = args.filter((arg) => arg.text.startsWith("of=")).map((arg) => part(arg, 3));
      const lost = empties
        ? out
        : out.filter((arg) => !/^\/dev\/(?!shm\/)/.test(arg.text) && isFile(arg, cwd));
      return lost.length > 0 ? lost : undefined;
    },
    yes: ["dd if=/dev/null of=a", "dd if=a of=/etc/passwd"],
    no: ["dd if=a of=/dev/null", "dd if=a bs=1 count=1"],
  },
  {
    // always confirmed, a file that is not there yet too
    names: "dd",
    hits: ({ args, cwd }) => {
      const out = args.filter(({ text }) => /^of=(?!\/dev\/(?!shm\/))./.test(text))
        .map((arg) => part(arg, 3))
        .filter((arg) => !isFile(arg, cwd));
      return out.length > 0 ? out : undefined;
    },
    reason: "the command writes raw to a file or disk ({names})",
    yes: ["dd if=a of=b", "dd if=/dev/zero of=disk.img bs=1M count=1", 'dd of="$x" < a'],
    no: ["dd if=a of=/dev/null", "dd if=/dev/urandom bs=16 count=1 | base64", "dd --help"],
  },
  {
    names: "rsync",
    hits: ({ args }) => {
      const options = readOptions(args, "-e -f --rsh --filter --exclude --include");
      const mirrors = args.some((arg) =>
        /^--(del|delete(-\w+)*|remove-source-files)$/.test(arg.text)
      );
      return mirrors && !options.has("-n", "--dry-run") ? options.operands.slice(-1) : undefined;
    },
    yes: ["rsync -a --delete a/ b/", "rsync -a --del a/ b/", "rsync --remove-source-files a b"],
    no: ["rsync -a a/ b/", "rsync -an --delete a/ b/"],
  },
  {
    names: "tar",
    hits: withOption("-f -C --file --directory", "--remove-files", "--delete"),
    yes: ["tar czf a.tgz --remove-files b", "tar --delete -f a.tar b"],
    no: ["tar czf a.tgz b"],
  },
  {
    names: "zip",
    hits: withOption("", "-m", "--move", "-d", "--delete"),
    yes: ["zip -rm a.zip b", "zip -d a.zip b"],
    no: ["zip -r a.zip b"],
  },
  {
    names: "7z 7za 7zr 7zz rar arj lha ar",
    hits: (call) =>
      verbs("", "d")(call)?.slice(0, 1) ??
        (call.args.some(({ text }) => /^-(?:sdel|df|dw)$/i.test(text)) ||
            call.name === "ar" && /^-?d/.test(call.args[0]?.text ?? "") ||
            /^(?:rar|arj|lha)$/.test(call.name) && /^mf?$/.test(call.args[0]?.text ?? "")
          ? readOptions(call.args).operands.slice(1)
          : undefined),
    yes: [
      "7z d a.zip b",
      "7z a -sdel a.7z b",
      "rar m a.rar b",
      "rar a -df a.rar b",
      "ar d a.a b",
      "lha m a b",
    ],
    no: ["7z a a.7z d", "7z x a.7z", "7z l a.7z", "ar rcs a.a b.o", "rar x a.rar"],
  },
  {
    names: "gio gvfs-trash kioclient kioclient5 kioclient6",
    hits: (call) =>
      call.name === "gvfs-trash"
        ? operandsOf()(call)
        : verbs("", "trash", "remove", "rm", "del")(call),
    yes: ["gio trash a", "gvfs-trash a", "kioclient remove a"],
    no: ["gio info a", "kioclient copy a b"],
  },
  {
    names: "journalctl systemd-tmpfiles nix-collect-garbage",
    hits: ({ name, args }) =>
      !readOptions(args).has("--dry-run") &&
        args.some(({ text }) =>
          name === "journalctl"
            ? text.startsWith("--vacuum-")
            : /^(?:--remove|--clean|--purge|-d|--delete-old|--delete-older-than)$/.test(text)
        )
        ? NO_ARGS
        : undefined,
    yes: ["journalctl --vacuum-time=1s", "systemd-tmpfiles --remove", "nix-collect-garbage -d"],
    no: ["journalctl -u a", "systemd-tmpfiles --create", "nix-collect-garbage"],
  },
  {
    names: "crontab",
    // a table that is read takes the place of the one that is there
    hits: ({ args, stdin }) => {
      const options = readOptions(args, "-u");
      const [table] = options.operands.map(({ text }) => text);
      const empty = table === "/dev/null" || table === "-" && stdin?.trim() === "";
      return options.has("-r") || empty ? NO_ARGS : undefined;
    },
    yes: ["crontab -r", "crontab /dev/null", "crontab - < /dev/null", "echo '' | crontab -"],
    no: ["crontab -l", "crontab a.cron"],
  },
  {
    names: "userdel deluser groupdel delgroup",
    hits: noFiles(operandsOf()),
    yes: ["userdel ann"],
    no: ["userdel --help"],
  },
  {
    names: "lvremove lvreduce vgremove vgreduce pvremove dropdb dropuser pg_dropcluster",
    hits: noFiles(operandsOf()),
    yes: ["lvremove vg/a", "lvreduce -L 1G vg/a", "dropdb shop", "pg_dropcluster 14 main"],
    no: ["dropdb --help"],
  },
];

const code: readonly Rule[] = [
  {
    names:
      "python python2 python3 pypy pypy3 micropython ipython ipython3 jython graalpy node nodejs deno bun" +
      " sage tsx ts-node perl ruby php lua luajit texlua rscript r littler awk gawk mawk julia elixir iex erl escript ghci scala-cli octave-cli csharp dotnet-script" +
      " guile racket sbcl clisp ecl csi gosh ghc runghc runhaskell ocaml swift crystal dart raku bb" +
      " clojure clj octave matlab root gp maxima scilab" +
      " vim vi nvim view gview gvim rvim vimdiff ex" +
      " tclsh wish expect emacs jshell groovy scala kotlin kotlinc mysql mariadb psql sqlite3 duckdb clickhouse clickhouse-client sqlcmd cqlsh hive beeline spark-sql trino presto snowsql usql cockroach mysqlsh litecli pgcli mycli isql osql sqlplus mongo mongosh powershell pwsh osascript",
    hits: (call) => deletesInCode(call)?.map(plainArg),
    yes: LANGUAGES.flatMap((language) => language.yes),
    no: LANGUAGES.flatMap((language) => language.no),
  },
];

export const DELETE_RULES: readonly Rule[] = [
  ...files,
  ...EMPTY_RULES,
  ...gitRules,
  ...code,
  ...SERVICE_RULES,
  ...OWN_DELETE_RULES,
  {
    names: "",
    empties: true,
    hits: (call) => realFiles(call.truncates),
    yes: ["> a", ">| a; ls", "{ :; } > a"],
    no: ["> /dev/null", ">> a"],
  },
];

/** A regular file that is there and would be overwritten. */
function isFile(arg: Arg, cwd: string | undefined): boolean {
  if (cwd === undefined || hasMarks(arg.text)) return false;
  try {
    return Deno.statSync(resolve(cwd, arg.text)).isFile;
  } catch {
    return false;
  }
}

/** Without the commands of `-exec`, up to their end. */
function withoutExec(args: readonly Arg[]): readonly Arg[] {
  let inside = false;
  return args.filter(({ text }) => {
    if (/^-(?:exec|ok)(?:dir)?$/.test(text)) inside = true;
    else if (inside && /^[;+]$/.test(text)) inside = false;
    return !inside;
  });
}

/** Find's tests and actions that take a word: what looks like an action behind them is none. */
const FIND_TAKES =
  /^-(?:i?(?:name|path|wholename|regex|lname)|type|xtype|newer\w*|[acm]?newer|[acm]time|[acm]min|size|perm|user|group|uid|gid|links|inum|samefile|fstype|printf|fprint0?|fls|regextype|maxdepth|mindepth|used|context|files0-from)$/;

function deletesFound(all: readonly Arg[]): boolean {
  const args = withoutExec(all);
  return args.some(({ text }, i) =>
    text === "-delete" && !FIND_TAKES.test(args[i - 1]?.text ?? "")
  );
}

function part(arg: Arg, from: number): Arg {
  return { text: arg.text.slice(from), source: arg.source.slice(from) };
}

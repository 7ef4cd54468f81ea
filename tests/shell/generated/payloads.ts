/** What a generated command does at its heart: a delete, or something that only looks like one. */
import type { Random } from "./random.ts";
import { hidden, quoted, spelt } from "./spelling.ts";

/** A source of names no other part of the same command uses. */
export type Fresh = (prefix: string) => string;

const WRAPPERS = [
  "sudo",
  "sudo -u root",
  "sudo -E --",
  "env",
  "env A=1 B=2",
  "env -u A",
  "env -i PATH=BIN",
  "timeout 5",
  "timeout -k 1 5",
  "timeout --signal=INT 5s",
  "nice",
  "nice -n 3",
  "nice -5",
  "nohup",
  "setsid -w",
  "stdbuf -oL",
  "stdbuf -o L -e0",
  "exec",
  "exec -a x",
  "builtin command",
  "command --",
  "$none",
  "command",
  "time",
  "time -p",
  "A=1",
  "A=1 B='x y'",
  "> out 2>&1",
  "2>/dev/null",
  "! ",
  "xargs -a list",
  "xargs -n1 -a list",
  "xargs -r <<< b",
  "echo b | xargs",
  "printf 'a\\0b' | xargs -0",
  "echo b | xargs -I{}",
];

/** A simple command whose name is a deleting program. */
function simple(random: Random, fresh: Fresh, bin: string): string {
  const name = random.pick(["rm", "rm", "rm", "rm", "rm", "unlink", "shred", "rmdir"]);
  const args = random.pick(
    {
      rm: ["a", "-f a", "-rf d", "-- a b", "'c d'", "*", "*.o a", "a &", "{a,b}", "-v $PWD/a"],
      unlink: ["a", "./a", "'c d'"],
      shred: ["-u a", "-n 1 a b", "--remove a"],
      rmdir: ["e", "-p e", "./e"],
    }[name]!,
  );
  if (random.below(3) === 0) {
    const { before, word } = hidden(name, fresh("v"), random);
    const rest = random.below(2) === 0 || /\n$/.test(before)
      ? ""
      : random.pick(["", "sudo ", "env "]);
    return `${before}${
      /\n$/.test(before) ? "" : random.pick(["; ", "\n", " && "])
    }${rest}${word} ${args}`;
  }
  const wrapper = random.below(2) === 0 ? "" : random.pick(WRAPPERS).replace("BIN", bin) + " ";
  return `${wrapper}${spelt(name, random, bin)} ${args}`;
}

/** Deletes in other forms; each is a whole command. */
const OTHER_DELETES: readonly ((random: Random, bin: string) => string)[] = [
  () => "find . -name '*.o' -delete",
  () => "find d -type f -delete",
  (random, bin) => `find . -name a -exec ${spelt("rm", random, bin)} {} \\;`,
  () => "find d -exec rm -f {} +",
  () => "find . -maxdepth 1 -name a -execdir rm {} ';'",
  () => "find . -name a -exec sh -c 'rm \"$1\"' _ {} \\;",
  () => "find . -name a -exec sh -c 'rm \"$@\"' sh {} +",
  () => "find . -name a -exec env A=1 rm {} \\;",
  () => "find . -name a -print0 | xargs -0 rm",
  () => "find . -name a | xargs -I% sh -c 'rm %'",
  () => 'find . -name a | while read -r f; do rm "$f"; done',
  () => "ls | grep a | xargs rm -f",
  () => "cat list | xargs -n 1 rm",
  () => "xargs -a list rm",
  () => "while read f; do rm $f; done < list",
  () => "for f in $(cat list); do rm $f; done",
  () => "for f in a b; do rm $f; done",
  () => "for c in ls rm; do $c a; done",
  () => "for ((i = 0; i < 1; i++)); do rm a; done",
  () => "for i in {1..2}; do rm -f a$i a; done",
  () => "select c in rm; do $c a; break; done <<< 1",
  () => 'set -- rm a; "$@"',
  () => 'set -- x rm a; shift; "$@"',
  () => 'set -- a b; rm "$1"',
  () => "case x in x) rm a ;; esac",
  () => "case $(echo rm) in r*) rm a ;; esac",
  () => "x=rm; case $x in rm) $x a;; esac",
  () => "[[ -f a ]] && rm a",
  () => "[ -f a ] && rm a || true",
  () => "test -e a; rm a",
  () => "((1)) && rm a",
  () => "echo $((1 + $(rm a; echo 1)))",
  () => "a[$(rm a; echo 0)]=1",
  () => 'echo "$(rm a)"',
  () => "echo `rm a`",
  () => "echo ${x:-$(rm a)}",
  () => "x=$(rm a)",
  () => "export x=$(rm a)",
  () => "cat <(rm a)",
  () => "echo x > >(rm a); sleep 0.02",
  () => "cat <<< $(rm a)",
  () => "cat <<X\n$(rm a)\nX",
  () => "[[ -n $(rm a) ]]",
  () => "[[ a == $(rm a; echo a) ]]",
  () => "{ rm a; } 2>&1 | cat",
  () => "(rm a) > out",
  () => "rm a & wait",
  () => "if rm a; then :; fi",
  () => "while rm a; do break; done",
  () => "until rm a; do break; done",
  () => "! rm a",
  () => ": > a",
  () => "> a",
  () => "true >| a",
  () => "truncate -s 0 a",
  () => "truncate --size=0 a",
  () => "cp /dev/null a",
  () => "cat /dev/null > a",
  () => "echo -n > a",
  () => "printf '' > a",
  () => "tar cf t.tar --remove-files a",
  () => "dd if=/dev/null of=a 2>/dev/null",
  (random) => `perl -e ${quoted('unlink "a"', random)}`,
  () => 'perl -e \'unlink "a", "b"\'',
  () => "perl -e 'system(\"rm a\")'",
  () => "perl -e 'exec qw(rm a)'",
  () => "perl -e '`rm a`'",
  () => "perl -e 'rmdir \"e\"'",
  () => "perl -MFile::Path=remove_tree -e 'remove_tree(\"d\")'",
  () => "perl -e 'foreach (glob(\"*\")) { unlink if -f }'",
  () => "perl <<'P'\nunlink 'a';\nP",
  () => "echo 'unlink \"a\"' | perl",
  () => "perl -lne 'unlink if -f' list",
  () => "awk 'BEGIN { system(\"rm a\") }'",
  () => "awk 'BEGIN { c = \"rm a\"; c | getline }'",
  () => 'awk \'BEGIN { print "rm a" | "sh" }\'',
  () => "awk '{ print \"rm \" $1 }' list | sh",
  () => "awk '{ system(\"rm \" $0) }' list",
  () => "sed -n '1e rm a' list",
  () => "sed 's/.*/rm &/e' list",
  () => "sed 's/^/rm /' list | sh",
];

const PYTHON_DELETES = [
  "python3 -c 'import os; os.remove(\"a\")'",
  "python3 -c 'import os\nfor f in [\"a\"]: os.unlink(f)'",
  "python3 -c 'import shutil; shutil.rmtree(\"d\")'",
  "python3 -c \"from pathlib import Path; Path('a').unlink()\"",
  "python3 -c \"import subprocess; subprocess.run(['rm', 'a'])\"",
  "python3 -c 'import os; os.system(\"rm a\")'",
  "python3 - <<'P'\nimport os\nos.remove('a')\nP",
  "echo 'import os; os.rmdir(\"e\")' | python3",
  "python3 -c 'from os import remove as r; r(\"a\")'",
  "python3 -c 'import os as o; o.remove(\"a\")'",
  'python3 -c \'__import__("os").remove("a")\'',
  'python3 -c \'import os; getattr(os, "remove")("a")\'',
  'python3 -c \'open("a", "w").close()\'',
];

/** Things that name a delete and delete nothing. */
const NEAR_MISSES: readonly ((random: Random, fresh: Fresh, bin: string) => string)[] = [
  (random, _, bin) => `echo ${spelt("rm", random, bin)} a`,
  (random) => `echo ${quoted("rm -rf d", random)}`,
  (random) => `printf '%s\\n' ${quoted("rm -rf d", random)}`,
  (random) => `grep rm list; grep -c ${quoted("rm -rf", random)} list`,
  (random) => `: ${quoted("rm a", random)}`,
  (random) => `# ${random.pick(["rm a", "then rm -rf d", "it's rm a"])}\nls`,
  () => "ls # rm a",
  () => "ls #rm a; rm b",
  () => "echo a#b rm",
  (random, fresh) => `${fresh("x")}=${quoted("rm -rf d", random)}`,
  (random, fresh) => {
    const x = fresh("x");
    return `${x}=${quoted("rm -rf d", random)}; echo "$${x}"`;
  },
  (_, fresh) => {
    const x = fresh("x");
    return `${x}=rm; echo $${x} a`;
  },
  (_, fresh) => {
    const x = fresh("x");
    return `${x}=(rm a); echo "\${${x}[@]}"; ls`;
  },
  (_, fresh) => {
    const x = fresh("x");
    return `${x}=(rm ls); \${${x}[1]} a`;
  },
  (_, fresh) => {
    const x = fresh("x");
    return `${x}=$(echo rm a); echo $${x}`;
  },
  (_, fresh) => `${fresh("f")}() { rm a; }; ls`,
  (_, fresh) => `${fresh("f")}() { rm a; }\ndeclare -F > /dev/null`,
  (_, fresh) => {
    const f = fresh("f");
    return `${f}() { "$@"; }; ${f} echo rm a`;
  },
  (_, fresh) => {
    const f = fresh("f");
    return `${f}() { echo "rm $1"; }; ${f} a`;
  },
  (_, fresh) => {
    const f = fresh("f");
    return `rm() { echo "$@"; }; ${f}=1`;
  },
  () => "git rm --cached a",
  () => "git rm -n a",
  () => "git rm --dry-run -r d",
  () => "git clean -n",
  () => "git clean -nd",
  () => "git commit -m 'rm -rf d'",
  () => "git commit -m \"$(cat <<'X'\nrm -rf the old code\n\nRemove-Item too\nX\n)\"",
  () => "git log --grep=rm -S 'rm a'",
  () => "git diff -- rm",
  () => "git remote prune origin",
  () => "git config alias.x 'status'",
  () => "npm rm left-pad",
  () => "npm run rm",
  () => "npm uninstall x && npm run clean",
  () => "docker ps -a --filter name=rm",
  () => "docker run --rm x ls",
  () => "rm --help",
  () => "rm --version",
  () => "which rm",
  () => "command -v rm",
  () => "command -V rm",
  () => "type rm",
  () => "type -a rm unlink",
  () => "hash rm",
  () => "help rm",
  () => "compgen -c rm",
  () => "find . -name rm",
  () => "find . -name 'rm*' -print",
  () => "find . -name '*.rm' -exec echo rm {} \\;",
  () => "find . -type f -exec grep -l 'rm a' {} +",
  () => "find . -type f -exec sh -c 'echo rm \"$1\"' _ {} \\;",
  () => "find d -name delete",
  () => "find . -name x.o | xargs echo rm",
  () => "xargs -n1 echo rm < list",
  () => "cat list | xargs -I{} echo rm {}",
  () => "ls rm",
  () => "ls -- -rm",
  () => "mkdir -p rm",
  () => "touch rm unlink rmdir",
  () => "cat > clean.sh <<'X'\nrm -rf d\nX",
  () => "cat > clean.sh <<X\nrm -rf \\$1\nX",
  () => "cat <<X\nrm a\nX",
  () => "cat <<'X' | grep rm\nrm a\n$(rm a)\nX",
  () => "cat <<< 'rm a'",
  () => "printf 'rm a\\n' > clean.sh",
  () => "echo 'rm a' >> clean.sh; ls",
  () => "tee clean.sh <<< 'rm a'",
  () => "bash -n -c 'rm a'",
  () => "bash -c 'echo \"$@\"' _ rm a",
  () => "bash -c 'echo $0 $1' rm a",
  () => "sh -c 'echo rm a'",
  () => "sh -c 'ls \"$1\"' rm a",
  () => "bash -c : rm a",
  () => "eval echo rm a",
  () => "eval 'echo \"rm a\"'",
  () => "[ rm = a ]",
  () => "[[ rm == r* ]]",
  () => '[[ "rm a" =~ rm ]]',
  () => "test -e rm",
  () => "case rm in ls) ls ;; esac",
  () => "case $x in rm) ls ;; *) echo rm ;; esac",
  () => "for x in rm unlink; do echo $x; done",
  () => "for x in 'rm a' 'rm b'; do echo \"run: $x\"; done",
  () => "for f in *; do echo rm $f; done",
  () => 'while read l; do echo "rm $l"; done < list',
  () => 'set -- rm a; echo "$@"',
  () => 'set -- rm a; shift; ls "$@"',
  () => "if [ -d rm ]; then ls; else echo rm; fi",
  () => "trap 'echo rm a' EXIT",
  () => "trap - EXIT",
  () => "alias r='rm -i'",
  () => "alias rm='rm -i'; ls",
  () => "unalias rm 2>/dev/null; ls",
  () => "unset rm",
  () => "export RM='rm -f'",
  () => "RM='rm -f' env",
  () => "readonly CLEAN='rm a'; ls",
  () => "echo $(echo rm a)",
  () => "echo \"$(echo 'rm a')\"",
  () => "echo `echo rm a`",
  () => "echo 'rm a' | cat",
  () => "echo 'rm a' | sort | uniq",
  () => "echo 'rm a' | sed 's/rm/mv/'",
  () => "echo rm a | wc -c",
  () => "echo rm a | xargs echo",
  () => "echo ls a | sh",
  () => "echo 'echo rm a' | sh",
  () => "echo \"echo 'rm a'\" | bash",
  () => "sh <<'X'\necho rm a\nX",
  () => "bash <<< 'echo rm a'",
  () => "awk '/rm/ { print }' list",
  () => "awk '{ delete seen[$1]; print }' list",
  () => "awk '{ print \"rm \" $1 }' list",
  () => "sed -n '/rm/p' list",
  () => "sed '/a/d' list",
  () => "sed 's/a/rm a/' list",
  () => "perl -ne 'print if /rm|unlink/' list",
  () => "perl -e 'print \"rm a\\n\"'",
  () => "perl -e 'my %h = (a => 1); delete $h{a};'",
  () => "perl -e 'print \"unlink\"'",
  () => "base64 <<< 'rm a'",
  () => "echo cm0gYQ== | base64 -d",
  () => "echo {rm,unlink} a",
  () => "echo r{m,mdir}",
  () => "echo $'\\x72m' a",
  () => "ls *rm* 2>/dev/null",
  () => "ls r?",
  () => "env | grep rm",
  () => "env A=rm ls",
  () => "timeout 5 echo rm a",
  () => "nice echo rm",
  () => "sudo -u rm ls",
  () => "sudo echo rm a",
  () => "nohup echo rm a",
  () => "time echo rm",
  () => "exec echo rm a",
  () => "command echo rm a",
  () => "builtin echo rm a",
  () => "exec 3> rm.txt; echo rm >&3",
  () => "echo a > rm",
  () => "ls > rm.log 2>&1",
  () => "echo $((rm + 1))",
  () => "((rm = 1)); echo $rm",
  () => "rm=1; echo ${rm}",
  () => "${none:-echo} rm a",
  () => "$none echo rm",
  () => "x=${none:-rm}; echo $x",
  () => "echo ${none:=rm a}",
  () => "read x <<< 'rm a'; echo \"$x\"",
  () => "read -r c x <<< 'ls rm'; $c",
  () => "mapfile -t x <<< 'rm a'; echo ${x[0]}",
  () => "printf -v x 'rm %s' a; echo \"$x\"",
  () => "diff <(echo rm) <(echo rm)",
  () => "cat <(echo rm a)",
  () => "ssh host 'echo rm a'",
  () => "ssh rm ls",
  () => "touch a; ls; cp a f.rm; mv f.rm g",
  () => "mkdir -p x; cp -r d x; ls x",
  () => "truncate -s +10 a",
  () => "truncate -s 1K new",
  () => "dd if=/dev/zero of=/dev/null bs=1 count=1 2>/dev/null",
  () => "tar cf t.tar a; tar tf t.tar",
  () => "echo x >> a",
  () => ": > /dev/null",
];

const PYTHON_NEAR_MISSES = [
  "python3 -c 'print(\"os.remove\")'",
  "python3 -c 'l = [1]; l.remove(1)'",
  "python3 -c \"s = 'rm -rf'; print(s)\"",
  "python3 - <<'P'\n# os.remove('a')\nprint('rmtree')\nP",
  "python3 -c \"import subprocess; subprocess.run(['echo', 'rm', 'a'])\"",
  "python3 -c 'import os; os.system(\"echo rm a\")'",
  "python3 -c 'd = {1: 2}; del d[1]; d.pop(1, None)'",
];

/** A command that deletes, unless bash reads it otherwise. */
export function deleting(random: Random, fresh: Fresh, bin: string): string {
  const dice = random.below(100);
  if (dice < 68) return simple(random, fresh, bin);
  if (dice < 98) return random.pick(OTHER_DELETES)(random, bin);
  return random.pick(PYTHON_DELETES);
}

/** A command that deletes nothing, unless bash reads it otherwise. */
export function harmless(random: Random, fresh: Fresh, bin: string): string {
  if (random.below(100) < 98) return random.pick(NEAR_MISSES)(random, fresh, bin);
  return random.pick(PYTHON_NEAR_MISSES);
}

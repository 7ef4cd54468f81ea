/**
 * What leaves a file empty without deleting it: written over with nothing, by whatever program.
 * Nothing is lost where the command has made the file itself.
 */
import { isAbsolute, resolve } from "../../../base/path.ts";
import { type Invocation, readOptions } from "../reader/invocation.ts";
import { sedScripts } from "../reader/produce.ts";
import { type Arg, hasMarks } from "../reader/words.ts";
import { targetsOf } from "../targets.ts";
import type { Rule } from "./rule.ts";

/** Those of an invocation's targets that may hold something; undefined where none does. */
export type Fresh = (call: Invocation, hits: readonly Arg[]) => readonly Arg[] | undefined;

/** They write no file but through a redirection. */
const HARMLESS =
  /^(?::|true|false|cd|pushd|popd|pwd|mkdir|touch|echo|printf|set|export|declare|local|test|\[|sleep|date|ls|cat|head|tail|wc|which|umask|shopt)$/;
/** They run what their words say, which is a call too. */
const STARTERS = /^(?:sudo|env|command|nice|nohup|time)$/;
/** Behind these what is written later may run earlier. */
const REORDERS =
  /\b(?:for|while|until|select|trap|function|coproc)\b|\(\s*\)|(?<![&><])&(?![&><\d])/;
/** A person's command has no more; each target is held against all of them. */
const MAX_CALLS = 100;
/** Targets that are looked up. */
const MAX_LOOKED_UP = 100;

/** Finds the targets in the calls of `command` that are not there, and that it has not written before. */
export function freshIn(
  command: string,
  calls: readonly Invocation[],
  home: string | undefined,
): Fresh {
  let left = MAX_LOOKED_UP;
  const reorders = REORDERS.test(command);
  return (call, hits) => {
    if (calls.length > MAX_CALLS) return hits;
    const at = calls.indexOf(call);
    const others = reorders ? calls.filter((one) => one !== call) : calls.slice(0, at);
    const harmless = at >= 0 && !call.guessed && others.every(isHarmless);
    if (!harmless) return hits;
    const written = new Set(
      others.flatMap((one) => one.truncates.map((arg) => pathOf(arg, one.cwd, home))),
    );
    const kept = hits.filter((arg) => {
      const path = pathOf(arg, call.cwd, home);
      return path === undefined || written.has(path) || written.has(undefined) ||
        isAppended(command, arg.text) || left-- <= 0 || !isMissing(path, call.cwd!);
    });
    return kept.length > 0 || hits.length === 0 ? kept : undefined;
  };
}

/** Whether all that it writes stands in calls of its own, or in its redirections. */
function isHarmless({ name, args }: Invocation): boolean {
  if (HARMLESS.test(name)) return true;
  const told = args.every(({ text }) => !hasMarks(text));
  return told && (STARTERS.test(name) || /^(?:ba|da)?sh$/.test(name) && args[0]?.text === "-c");
}

/** The one path that a target surely is. */
function pathOf(arg: Arg, cwd: string | undefined, home: string | undefined): string | undefined {
  if (cwd === undefined || hasMarks(arg.text) || /[*?[\]{}$`\\]/.test(arg.text)) return undefined;
  const [path] = targetsOf(arg, cwd, home, false);
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** Whether the command adds to it by `>>`, which no call tells of. */
function isAppended(command: string, text: string): boolean {
  const name = text.slice(text.lastIndexOf("/") + 1);
  const found = command.indexOf(name);
  return found < 0 || />>[^\n;|&]*$/.test(command.slice(0, found));
}

function isMissing(path: string, cwd: string): boolean {
  try {
    // a folder that is not there is one that the command has yet to make, and may fill
    if (!Deno.statSync(cwd).isDirectory) return false;
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound && isFolder(cwd);
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Builtins that never print. */
const SILENT = /^(?:false|test|\[|unset|let|shift|wait|umask|kill|mkdir|touch|chmod|chown)$/;

export const EMPTY_RULES: readonly Rule[] = [
  {
    names: ": true cat echo printf",
    empties: true,
    hits: (call) => printsNothing(call) ? realFiles(call.truncates) : undefined,
    yes: [
      ": > a",
      "true > a",
      "cat /dev/null > a",
      "cat < /dev/null > a",
      "echo -n > a",
      "printf '' > a",
      "printf '%s' '' > a",
    ],
    no: ["echo x > a", "cat b > a", ": > /dev/null", "echo -n x > a"],
  },
  {
    // where nothing is there yet, it only makes a file
    names:
      "false test [ unset let shift wait umask kill mkdir touch chmod chown export declare typeset local" +
      " readonly head tail sed gsed awk gawk mawk jq seq",
    hits: (call) => isSilent(call) ? filled(call.truncates, call.cwd) : undefined,
    yes: [
      "false > /etc/passwd",
      "[ -n a ] > /etc/passwd",
      "export A=1 > /etc/passwd",
      "head -c 0 b > /etc/passwd",
      "tail -n0 b > /etc/passwd",
      "sed -n '' b > /etc/passwd",
      "sed d b > /etc/passwd",
      "jq -n empty > /etc/passwd",
      "seq 0 > /etc/passwd",
      "awk 'BEGIN{}' > /etc/passwd",
    ],
    no: [
      "false > not-there",
      "test -f a > /dev/null",
      "head -n 1 b > /etc/passwd",
      "export -p > /etc/passwd",
      "sed -n p b > /etc/passwd",
      "jq . b > /etc/passwd",
      "mkdir -v a > /etc/passwd",
    ],
  },
  {
    names: "tee sponge",
    empties: true,
    hits: ({ name, args, stdin, cwd }) => {
      const options = readOptions(args);
      if (stdin?.trim() !== "" || options.has("-a", "--append")) return undefined;
      return stdin === "" && name === "tee"
        ? realFiles(options.operands)
        : filled(options.operands, cwd);
    },
    yes: [
      "echo -n | tee a",
      "printf '' | tee a b",
      ": | tee a",
      "tee a < /dev/null",
      "tee /etc/passwd <<< ''",
      "sponge /etc/passwd < /dev/null",
    ],
    no: [
      "echo x | tee a",
      "ls | tee a",
      "echo -n | tee -a a",
      "echo | tee not-there",
      "sort b | sponge a",
    ],
  },
  {
    names: "sed gsed",
    hits: ({ args }) => {
      const inPlace = args.some((arg) => /^-[nErsz]*i|^--in-place/.test(arg.text));
      if (!inPlace) return undefined;
      const [first, ...rest] = readOptions(args, "-e --expression -f --file").operands;
      const scripts = sedScripts(args);
      const operands = scripts[0] === first?.text ? rest : [first!, ...rest];
      const quiet = args.some(({ text }) => /^-[Eirsz]*n|^--(?:quiet|silent)$/.test(text)) &&
        !args.some(({ text }) => /^(?:-f|--file)/.test(text)) &&
        scripts.every((script) => !/[pPwWlFraic=]/.test(script));
      return quiet || /^\s*(1?,?\$)?\s*d\s*$/.test(scripts.join(";")) ? operands : undefined;
    },
    yes: ["sed -i d a", "sed -i '1,$d' a", "sed -i -n '' a", "sed -ni '/x/d' a", "sed -i -e d a"],
    no: ["sed -i '/x/d' a", "sed -i 1d a", "sed d a", "sed -n -i '/x/p' a"],
  },
  {
    names: "perl",
    hits: ({ args }) => {
      const options = readOptions(args, "-e -E -I -M");
      const code = options.value("-e", "-E");
      const prints = /\b(?:print|printf|say|syswrite|write)\b/
        .test(code?.replace(/\b(?:print|say)\s+(?:if\s+0|unless\s+1)\b/g, "") ?? "print");
      const inPlace = args.some(({ text }) => /^-[nlwsa0]*i/.test(text)) || options.has("-i");
      return inPlace && options.has("-n") && !prints ? options.operands : undefined;
    },
    yes: ["perl -ni -e '' a", "perl -n -i -e 'print if 0' a", "perl -i -ne 1 a"],
    no: ["perl -ni -e 'print if /x/' a", "perl -pi -e 's/a/b/' a", "perl -ne 1 a"],
  },
  {
    names: "truncate",
    empties: true,
    hits: ({ args }) => {
      const options = readOptions(args, "-s -r --size --reference");
      const size = options.value("-s", "--size");
      const none = options.value("-r", "--reference") === "/dev/null" && size === undefined;
      return none || /^([-<]|0+[a-z]*$)/i.test(size ?? "") ? options.operands : undefined;
    },
    yes: [
      "truncate -s 0 a",
      "truncate -s0 a",
      "truncate --size=0 a",
      "truncate --size 0 a",
      "truncate -s -5 a",
      "truncate -s '<5' a",
      "truncate -r /dev/null a",
    ],
    no: ["truncate -s 10M a", "truncate -s +5 a", "truncate -r b a"],
  },
  {
    names: "sort",
    empties: true,
    hits: ({ args }) => {
      const options = readOptions(args, "-o -k -t -S -T --output --key");
      const out = options.value("-o", "--output");
      const { operands } = options;
      const nothing = operands.length > 0 && operands.every(({ text }) => text === "/dev/null");
      return nothing && out !== undefined ? [{ text: out, source: out }] : undefined;
    },
    yes: ["sort -o a /dev/null"],
    no: ["sort -o a a", "sort /dev/null"],
  },
  {
    names: "ln",
    hits: ({ args, cwd }) => {
      const options = readOptions(args, "-t -S --target-directory --suffix");
      const { operands } = options;
      return options.has("-f", "--force") && operands.length > 1
        ? filled(operands.slice(-1), cwd)
        : undefined;
    },
    yes: ["ln -sf /dev/null /etc/passwd"],
    no: ["ln -sf a b", "ln -s a /etc/passwd"],
  },
  {
    names: "find bfs",
    hits: ({ args, cwd }) =>
      filled(args.filter((_, i) => /^-f(?:print[0f]?|ls)$/.test(args[i - 1]?.text ?? "")), cwd),
    yes: ["find . -fprintf /etc/passwd ''"],
    no: ["find . -fprint not-there"],
  },
  {
    names: "vi vim nvim ex",
    hits: ({ args }) => {
      const texts = args.map(({ text }) => text).join("\n");
      const clears = /(?:^|[\n|+:])\s*:?(?:%|1,\$)\s*d(?:elete)?\s*(?:$|[\n|])/.test(texts);
      return clears && /(?:^|[\n|+:])\s*:?(?:wq?a?|x|up(?:date)?)!?\s*(?:$|[\n|])/.test(texts)
        ? readOptions(args, "-c --cmd").operands.filter(({ text }) => !/^\+|[|]/.test(text))
        : undefined;
    },
    yes: ["vim -es -c '%d' -c wq a", "ex -sc '%d|x' a"],
    no: ["vim -es -c '%s/a/b/' -c wq a"],
  },
  {
    names: "ed",
    hits: ({ args, stdin }) =>
      /^\s*(?:1?,\$?|%)d\s*$/m.test(stdin ?? "") && /^\s*wq?/m.test(stdin ?? "")
        ? readOptions(args, "-p").operands
        : undefined,
    yes: ["printf '1,$d\\nw\\n' | ed -s a", "ed a <<< $'%d\\nwq'"],
    no: ["printf '1d\\nw\\n' | ed -s a"],
  },
  {
    names: "fallocate",
    hits: ({ args }) => {
      const options = readOptions(args, "-l -o --length --offset");
      const cuts = ["-p", "--punch-hole", "-c", "--collapse-range", "-z", "--zero-range"];
      return options.has(...cuts) ? options.operands : undefined;
    },
    yes: ["fallocate -p -o 0 -l 100 a"],
    no: ["fallocate -l 1G a"],
  },
];

/** The targets that are files to be lost, no devices. */
export function realFiles(targets: readonly Arg[]): readonly Arg[] | undefined {
  const real = targets.filter((arg) => !/^\/dev\/|^&?\d*$/.test(arg.text));
  return real.length > 0 ? real : undefined;
}

/** Those of the targets that are files with something in them. */
export function filled(
  targets: readonly Arg[],
  cwd: string | undefined,
): readonly Arg[] | undefined {
  const there = realFiles(targets)?.filter(({ text }) => {
    if (cwd === undefined || hasMarks(text)) return false;
    try {
      const info = Deno.lstatSync(resolve(cwd, text));
      return info.isFile && info.size > 0;
    } catch {
      return false;
    }
  });
  return there && there.length > 0 ? there : undefined;
}

function printsNothing({ name, args, stdin }: Invocation): boolean {
  if (name === ":" || name === "true") return true;
  if (name === "cat") {
    return (args.length > 0 || stdin === "") && args.every((arg) => arg.text === "/dev/null");
  }
  const texts = args.map((arg) => arg.text);
  if (name === "echo") return /^-[neE]*n/.test(texts[0] ?? "") && texts.slice(1).join("") === "";
  return name === "printf" && /^(?:%s)*$/.test(texts.join(""));
}

function isSilent({ name, args, assigns }: Invocation): boolean {
  const counts = /^(?:head|tail)$/.test(name) ? "-n -c --lines --bytes" : "";
  const options = readOptions(args, counts);
  const [first, ...more] = options.operands.map(({ text }) => text);
  if (SILENT.test(name)) return !options.has("-v", "--verbose", "-c", "--changes", "-l", "--help");
  switch (name) {
    case "head":
    case "tail":
      return /^0+$/.test(options.value("-n", "-c", "--lines", "--bytes") ?? "");
    case "sed":
    case "gsed": {
      const script = sedScripts(args).join(";").trim();
      return script === "d" || script === "" && args.some(({ text }) => /^-\w*n/.test(text));
    }
    case "awk":
    case "gawk":
    case "mawk":
      return first !== undefined && /^\s*(?:BEGIN\s*\{\s*\})?\s*$/.test(first);
    case "jq":
      return first === "empty";
    case "seq":
      return first === "0" && more.length === 0;
    default:
      // the builtins that declare
      return args.length + assigns.size > 0 && !options.has("-p", "-f", "-F");
  }
}

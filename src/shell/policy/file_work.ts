/** The iron rule "Bash only executes": plain reading, searching and editing of files has its own tools. */
import type { Text } from "../../base/t.ts";
import { programName, readOptions } from "./reader/invocation.ts";
import { ruleIndex, rulesFor } from "./rules/rule.ts";
import {
  type CommandNode,
  type ParsedScript,
  parseScript,
  type Redirection,
  type WordNode,
  wordsOf,
} from "./reader/syntax.ts";
import { type Arg, plainArg } from "./reader/words.ts";

interface FileRule {
  readonly names: string;
  readonly redirectsTo: Text;
  readonly applies: (args: readonly Arg[], files: Redirects, name: string) => boolean;
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

interface Redirects {
  /** Target of the one `>`; undefined when there is none. */
  readonly output: string | undefined;
  readonly heredoc: boolean;
  /** Anything else: appending, input from a file, other descriptors. */
  readonly other: boolean;
}

/** Not files of a project. */
const SPECIAL = /^\/(dev|proc|sys)\/|^-$|^$/;

const READ_PART = "Bash only executes; read a part of a file with Read (file_path, offset, limit)";
const WRITE = "Bash only executes; write a file with Write";
const EDIT = "Bash only executes; change a file with Read, then Edit";
const GLOB = "Bash only executes; find files by name with Glob (pattern, path)";

export const FILE_RULES: readonly FileRule[] = [
  {
    names: "cat bat",
    redirectsTo: "Bash only executes; read files with Read (file_path)",
    applies: (args, files) => {
      const options = readOptions(args);
      return none(files) && plain(options.operands) &&
        args.every((arg) => !/^-/.test(arg.text) || /^-[nbAsvET]+$/.test(arg.text));
    },
    yes: ["cat src/a.ts", "cat -n 'a b.txt'", "cd src && cat a.ts"],
    no: ["cat a | wc -l", "cat a b > c", "cat /proc/cpuinfo", "cat", "cat $f", "cat *.log"],
  },
  {
    names: "cat tee",
    redirectsTo: WRITE,
    applies: (args, files) => {
      const target = files.output ?? args[0]?.text;
      return files.heredoc && !files.other && target !== undefined && !SPECIAL.test(target) &&
        args.length + (files.output === undefined ? 0 : 1) === 1;
    },
    yes: ["cat > a.ts <<'X'\nlet a;\nX", "cat <<X > a.ts\nlet a;\nX", "tee a.ts <<'X'\nlet a;\nX"],
    no: ["cat >> a.ts <<'X'\nlet a;\nX", "cat <<X > a\n$USER\nX", "cat <<X\na\nX"],
  },
  {
    names: "echo printf",
    redirectsTo: WRITE,
    applies: (args, files) =>
      files.output !== undefined && !SPECIAL.test(files.output) && !files.other &&
      args.some((arg) => arg.text !== "" && !arg.text.startsWith("-")),
    yes: ["echo 'let a;' > a.ts", "printf 'a\\n' > a.txt"],
    no: ["echo a >> b", "echo $USER > a", "echo a", "echo a > /dev/null", "echo a 2> b"],
  },
  {
    names: "head tail",
    redirectsTo: READ_PART,
    applies: (args, files) => {
      const options = readOptions(args, "-n --lines");
      return none(files) && plain(options.operands) &&
        !options.has("-f", "-F", "--follow", "-c", "--bytes");
    },
    yes: ["head -50 src/a.ts", "tail -n 20 a.log", "head -n 5 a b"],
    no: ["timeout 5 tail -f a.log", "head -c 10 a", "ls | head -5", "head -5"],
  },
  {
    names: "sed gsed",
    redirectsTo: READ_PART,
    applies: (args, files) => {
      const options = readOptions(args, "-e -f");
      const [script, ...operands] = options.operands;
      return none(files) && options.has("-n") && !options.has("-i") && plain(operands) &&
        /^(\d+|\$)(,(\d+|\$))?p$/.test(script?.text ?? "");
    },
    yes: ["sed -n '10,20p' a.ts", "sed -n 5p a.ts"],
    no: ["sed 's/a/b/' a.ts", "sed -n '/x/p' a.ts", "sed -n 1p"],
  },
  {
    names: "sed gsed",
    redirectsTo: EDIT,
    applies: (args, files) => {
      const inPlace = args.some((arg) => /^-[nErsz]*i|^--in-place/.test(arg.text));
      const operands = readOptions(args, "-e -f").operands.filter((arg) => arg.text !== "");
      const scripted = args.some((arg) => /^-(e|f|-expression)/.test(arg.text));
      return none(files) && inPlace && operands.length === (scripted ? 1 : 2);
    },
    yes: ["sed -i 's/a/b/' src/a.ts", "sed -i.bak -e 's/a/b/' a.ts"],
    no: ["sed -i 's/a/b/' src/*.ts", "sed -i 's/a/b/' a.ts b.ts", "sed 's/a/b/' a.ts > b.ts"],
  },
  {
    names: "perl",
    redirectsTo: EDIT,
    applies: (args, files) =>
      none(files) && args.some((arg) => /^-\w*i/.test(arg.text)) &&
      args.some((arg) => /^-\w*p/.test(arg.text)) &&
      readOptions(args, "-e").operands.length === 1,
    yes: ["perl -pi -e 's/a/b/' a.ts", "perl -i -pe 's/a/b/' a.ts"],
    no: ["perl a.pl", "perl -pe 's/a/b/' a.ts", "perl -pi -e 's/a/b/' *.ts"],
  },
  {
    names: "rg",
    redirectsTo: GLOB,
    applies: (args, files) => none(files) && readOptions(args, "-g").has("--files"),
    yes: ["rg --files", "rg --files -g '*.ts'"],
    no: ["rg --files | wc -l"],
  },
  {
    names: "grep egrep fgrep rg ag ack",
    redirectsTo: "Bash only executes; search contents with Grep (pattern, path)",
    applies: (args, files, name) => none(files) && searches(args, /^(rg|ag|ack)$/.test(name)),
    yes: ["grep -rn TODO src", "grep foo a.ts", "rg foo", "rg -n 'a b' src", "grep -c x Makefile"],
    no: ["git log | grep x", "grep -q x a", "grep x", "grep x /proc/cpuinfo", "grep --version"],
  },
  {
    names: "find fd fdfind",
    redirectsTo: GLOB,
    applies: (args, files) => {
      if (!none(files)) return false;
      const texts = args.map((arg) => arg.text);
      const known =
        /^-(name|iname|path|ipath|wholename|type|maxdepth|mindepth|not|o|or|a|and|print|H|L)$/;
      const options = texts.filter((text) => /^-/.test(text));
      return texts.some((text) => /^-i?(name|path|wholename)$/.test(text)) &&
        options.every((text) => known.test(text)) && !texts.some((text) => SPECIAL.test(text)) &&
        !/^\/(etc|usr|var|opt|lib)?$/.test(texts[0] ?? "");
    },
    yes: ["find . -name '*.ts'", "find src -type f -name '*.ts' -not -path '*/x/*'"],
    no: ["find . -type d", "find . -name '*.o' -size +1M", "find . -name x -exec ls {} +", "fd x"],
  },
];

const INDEX = ruleIndex(FILE_RULES);

/**
 * Which tool does the whole command's work better; undefined when the command is more than one plain
 * file operation (a pipe, an expansion, a wildcard) and so belongs to the shell.
 */
export function fileWork(command: string | ParsedScript): Text | undefined {
  let node: CommandNode | undefined;
  try {
    node = onlyCommand(command);
  } catch {
    // too deep for the grammar: more than a plain file operation
    return undefined;
  }
  if (!node?.name || node.prefix.length > 0) return undefined;
  const words = wordsOf(node);
  if (!words.every(literal) || words.length !== node.suffix.length - node.redirects.length + 1) {
    return undefined;
  }
  const name = programName(node.name.value);
  const files = redirectsOf(node.redirects);
  if (!files) return undefined;
  const args = words.slice(1).map((word) => plainArg(word.value));
  return rulesFor(INDEX, name).find((rule) => rule.applies(args, files, name))?.redirectsTo;
}

/** The one command of a line, a leading `cd x &&` apart. */
function onlyCommand(command: string | ParsedScript): CommandNode | undefined {
  const script = typeof command === "string" ? parseScript(command) : command;
  const [statement, ...more] = script.commands;
  if (!statement || more.length > 0 || statement.background || script.errors?.length) {
    return undefined;
  }
  let node = statement.command;
  if (node.type === "AndOr") {
    const [first, second, ...others] = node.commands;
    if (others.length > 0 || node.operators[0] !== "&&" || !second) return undefined;
    if (first?.type !== "Command" || first.name?.value !== "cd") return undefined;
    node = second;
  }
  return node.type === "Command" ? node : undefined;
}

function redirectsOf(redirects: readonly Redirection[]): Redirects | undefined {
  let output: string | undefined;
  let [heredoc, other] = [false, false];
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      if (redirect.body.parts?.some((part) => part.type !== "Literal")) return undefined;
      heredoc = true;
    } else if (
      redirect.type === "Redirect" && /^>\|?$/.test(redirect.operator) && !redirect.descriptor &&
      redirect.target && literal(redirect.target)
    ) {
      output = redirect.target.value;
    } else if (redirect.type === "Redirect" && redirect.target?.value === "/dev/null") {
      continue;
    } else {
      other = true;
    }
  }
  return { output, heredoc, other };
}

function searches(args: readonly Arg[], recursive: boolean): boolean {
  const options = readOptions(args, "-e -f -A -B -C -m -g -t -T --include --exclude --exclude-dir");
  if (options.has("-q", "--quiet", "--silent", "--version", "--help", "-f", "-z", "-Z", "-o")) {
    return false;
  }
  const paths = options.operands.slice(options.has("-e") ? 0 : 1);
  if (paths.some((arg) => SPECIAL.test(arg.text))) return false;
  return paths.length > 0 ||
    (options.operands.length > 0 && (recursive || options.has("-r", "-R", "--recursive")));
}

function none(files: Redirects): boolean {
  return files.output === undefined && !files.heredoc && !files.other;
}

function plain(operands: readonly Arg[]): boolean {
  return operands.length > 0 && operands.every((arg) => !SPECIAL.test(arg.text));
}

/** A word that the shell does not change but for its quotes. */
function literal(word: WordNode): boolean {
  return (word.parts ?? []).every((part) =>
    part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted" ||
    (part.type === "DoubleQuoted" && part.parts.every((inner) => inner.type === "Literal"))
  );
}

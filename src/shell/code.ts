/** Deletes inside code that is handed to an interpreter, a database client or PowerShell. */
import { readOptions } from "./options.ts";
import type { Layer } from "./layers.ts";

type Code = Pick<Layer, "name" | "args" | "stdin">;

interface Language {
  readonly programs: RegExp;
  /** Options whose value is code. */
  readonly options: string;
  /** Where string literals and comments are. */
  readonly strings: RegExp;
  /** A call that deletes, looked for with string literals blanked. */
  readonly deletes: RegExp;
  /** A call that starts a shell or a program: then the literals themselves are read as commands. */
  readonly starts?: RegExp;
  /** The first operand is code too. */
  readonly operand?: boolean;
  /** What a deleting call is given first is the path of a file. */
  readonly paths?: boolean;
}

const STRINGS =
  /"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`(?:\\[^]|[^`\\])*`/g;
const SQL_STRINGS = /'(?:''|[^'])*'|--[^\n]*|\/\*[^]*?\*\//g;

const LANGUAGES: readonly Language[] = [
  {
    programs: /^python[\d.]*$/,
    options: "-c",
    strings: /"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|#[^\n]*/g,
    deletes:
      /\b(os|_os|pathlib)\s*\.\s*(remove|unlink|rmdir|removedirs|truncate)\s*\(|__import__\s*\([^)]*\)\s*\.\s*(remove|unlink|rmdir)\b|\b(rmtree|send2trash)\s*\(|\.\s*(unlink|rmdir)\s*\(|\bfrom\s+os\s+import\b[^\n;]*\b(remove|unlink|rmdir)\b/,
    starts:
      /\b(system|popen|Popen|run|call|check_call|check_output|getoutput|exec[lv]\w*|spawn\w*)\s*\(/,
    paths: true,
  },
  {
    programs: /^(node|nodejs|deno|bun|tsx|ts-node)$/,
    options: "-e --eval -p --print",
    strings: STRINGS,
    deletes:
      /\b(unlink|unlinkSync|rmSync|rmdir|rmdirSync|rimraf|removeSync|emptyDirSync|truncateSync)\s*\(|\b(fs|fsp|promises|fsPromises|Deno)\s*\.\s*(rm|remove|truncate)\s*\(|\)\s*\.\s*(promises\s*\.\s*)?rm\s*\(/,
    starts: /\b(exec|execSync|execFile\w*|spawn|spawnSync|fork|Command)\s*\(|\$\s*`/,
    paths: true,
  },
  {
    programs: /^perl[\d.]*$/,
    options: "-e -E",
    strings: STRINGS,
    deletes: /\b(unlink|rmdir|rmtree|remove_tree|truncate)\b/,
    starts: /\b(system|exec|qx|open)\b|`/,
    paths: true,
  },
  {
    programs: /^ruby[\d.]*$/,
    options: "-e",
    strings: STRINGS,
    deletes:
      /\b(File|Dir|FileUtils|Pathname|IO)\s*\.\s*(delete|unlink|rm\w*|remove\w*|rmdir|rmtree|truncate)\b|\.\s*(rmtree|unlink)\b|\brm_rf?\b/,
    starts: /\b(system|exec|spawn|popen\w*|capture\w*)\b|`|%x/,
    paths: true,
  },
  {
    programs: /^php[\d.]*$/,
    options: "-r",
    strings: STRINGS,
    deletes: /\b(unlink|rmdir|ftruncate)\s*\(/,
    starts: /\b(system|exec|shell_exec|passthru|popen|proc_open)\s*\(|`/,
    paths: true,
  },
  {
    programs: /^lua[\d.]*$/,
    options: "-e",
    strings: STRINGS,
    deletes: /\bos\s*\.\s*remove\s*\(/,
    starts: /\b(execute|popen)\s*\(/,
    paths: true,
  },
  {
    programs: /^rscript$/,
    options: "-e",
    strings: STRINGS,
    deletes: /\b(unlink|file\.remove)\s*\(/,
    starts: /\bsystem2?\s*\(/,
    paths: true,
  },
  {
    programs: /^(n?vim?|g?view|[gr]vim|vimdiff|ex)$/,
    options: "-c --cmd",
    strings: /"(?:\\[^]|[^"\\\n])*"|'(?:''|[^'\n])*'/g,
    deletes: /\bdelete\s*\(/,
    starts: /\bsystem(list)?\s*\(/,
    operand: true,
    paths: true,
  },
  {
    programs: /^[gm]?awk$/,
    options: "-e --source",
    strings: /"(?:\\[^]|[^"\\])*"/g,
    deletes: /(?!)/,
    starts: /\bsystem\s*\(|\|/,
    operand: true,
  },
  {
    programs: /^osascript$/,
    options: "-e",
    strings: STRINGS,
    deletes: /\bdelete\b|\bempty\s+(the\s+)?trash\b/i,
    starts: /\bdo shell script\b/,
  },
  {
    programs: /^(mysql|mariadb|psql|sqlite3|duckdb|clickhouse-client|sqlcmd)$/,
    options: "-e -c -q -Q -cmd --execute --command --query",
    strings: SQL_STRINGS,
    deletes:
      /\bdelete\s+from\b|\bdrop\s+(table|database|schema|view|index|column|user|role|sequence|trigger|function|type|extension|materialized|owned|tablespace)\b|\btruncate\s+(table\s+)?["`\w]/i,
    operand: true,
  },
  {
    programs: /^mongo(sh)?$/,
    options: "--eval",
    strings: STRINGS,
    deletes: /\.\s*(drop\w*|delete(One|Many)|remove|findOneAndDelete)\s*\(/,
    operand: true,
  },
  {
    programs: /^(powershell|pwsh)$/,
    options: "-c -command -Command -C",
    strings: STRINGS,
    deletes:
      /(^|[;|{(&\n=]|\bdo|\belse)\s*(remove-item|ri|rm|rmdir|rd|del|erase|clear-content|clear-recyclebin|format-volume)\b|::\s*delete\s*\(|\.\s*delete\s*\(/im,
    operand: true,
  },
];

/**
 * The paths that the code given on the command line, or piped in, deletes and names literally;
 * undefined when it deletes nothing.
 */
export function deletesInCode(call: Code): string[] | undefined {
  let deletes = false;
  const paths: string[] = [];
  for (const { language, text } of codeOf(call)) {
    const bare = text.replace(language.strings, (literal) => blank(literal));
    const pattern = new RegExp(language.deletes, "g" + language.deletes.flags);
    for (const { 0: found, index } of bare.matchAll(pattern)) {
      deletes = true;
      if (language.paths) paths.push(...literalsAround(text, index, index + found.length));
    }
  }
  return deletes ? paths : undefined;
}

/** The literals handed to the call that stands between two places, or to the `Path(…)` it is made on. */
function literalsAround(text: string, start: number, end: number): string[] {
  const open = /\s*\(?\s*/y;
  open.lastIndex = end;
  open.exec(text);
  const literal = /(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*([,;)\n]|$)\s*/y;
  literal.lastIndex = open.lastIndex;
  const literals: string[] = [];
  for (
    let found = literal.exec(text);
    found;
    found = found[3] === "," ? literal.exec(text) : null
  ) {
    literals.push(found[1] ?? found[2] ?? "");
  }
  const path = /\bPath\s*\(\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*\)\s*$/
    .exec(text.slice(Math.max(0, start - 1000), start));
  return path ? [...literals, path[1] ?? path[2] ?? ""] : literals;
}

/** The string literals of code that starts programs: each may be a command. */
export function commandsInCode(call: Code): string[] {
  return codeOf(call).flatMap(({ language, text }) => {
    if (!language.starts?.test(text.replace(language.strings, (literal) => blank(literal)))) {
      return [];
    }
    const literals = text.match(language.strings) ?? [];
    const texts = literals.filter((one) => !one.startsWith("#"))
      .map((literal) => literal.replace(/^(["'`]{3}|["'`])|(["'`]{3}|["'`])$/g, ""));
    return [...texts, ...arrays(text, language.strings)];
  });
}

function codeOf({ name, args, stdin }: Code): { language: Language; text: string }[] {
  const language = LANGUAGES.find((one) => one.programs.test(name));
  if (!language) return [];
  const texts: string[] = [];
  args.forEach((arg, i) => {
    const previous = args[i - 1]?.text ?? "";
    const glued = /^--?\w+=/.exec(arg.text)?.[0];
    if (takesCode(previous, language.options)) texts.push(arg.text);
    else if (glued && takesCode(glued.slice(0, -1), language.options)) {
      texts.push(arg.text.slice(glued.length));
    } else if (language.operand && !arg.text.startsWith("-")) texts.push(arg.text);
    else if (/^-[ecE]./.test(arg.text) && !arg.text.startsWith("--")) texts.push(arg.text.slice(2));
  });
  if (/^(deno|bun|node)$/.test(name) && args[0]?.text === "eval") texts.push(args[1]?.text ?? "");
  const { operands } = readOptions(args, language.options);
  const script = operands.find((arg) => arg.text !== "-" && arg.text !== "/dev/stdin");
  const readsCode = language.operand && !/awk$/.test(name) || script === undefined;
  if (stdin !== undefined && readsCode) texts.push(stdin);
  if (/^(powershell|pwsh)$/.test(name)) texts.push(args.map((arg) => arg.text).join(" "));
  return texts.map((text) => ({ language, text }));
}

/** `-c`, and clusters that end in it such as `-lc`. */
function takesCode(option: string, options: string): boolean {
  return options.split(" ").some((one) =>
    option === one ||
    (one.length === 2 && /^-[a-zA-Z]{2,}$/.test(option) && option.endsWith(one[1]!))
  );
}

/** `["rm", "-rf", "a"]` as `rm -rf a`. */
function arrays(text: string, strings: RegExp): string[] {
  return [...text.matchAll(/\[([^\][]*)\]/g)].map((match) =>
    (match[1]!.match(strings) ?? []).map((literal) => literal.slice(1, -1)).join(" ")
  ).filter((one) => one !== "");
}

function blank(literal: string): string {
  return literal.replace(/[^\n"'`#]/g, " ").replace(
    /^#.*/,
    (comment) => " ".repeat(comment.length),
  );
}

/** Deletes inside code that is handed to an interpreter, a database client or PowerShell. */
import { decodedCommand, type Language } from "./language.ts";
import { LANGUAGES } from "./languages.ts";
import type { Layer } from "./layers.ts";
import { readOptions } from "./invocation.ts";
import type { Arg } from "./words.ts";

/** SQL in a program of another language: a literal that begins with a statement. */
const STATEMENT =
  /\b(?:execute\w*|query|exec|run|raw|prepare|do)\s*\(?\s*f?["'`]{1,3}\s*(?:drop\s+(?:table|database|schema|index|view)|delete\s+from|truncate\s+(?:table\s+)?\w|alter\s+table\s+\S+\s+drop)\b/i;

type Code = Pick<Layer, "name" | "args" | "stdin" | "files">;

/**
 * The paths that the code given on the command line, or piped in, deletes and names literally;
 * undefined when it deletes nothing.
 */
export function deletesInCode(call: Code): string[] | undefined {
  let deletes = false;
  const paths: string[] = [];
  for (const { language, text } of codeOf(call)) {
    const blanked = text.replace(language.strings, (literal) => blank(literal));
    // code that runs text as code
    const bare = /\b(eval|exec)\s*[("']/.test(blanked) ? text : blanked;
    const pattern = new RegExp(language.deletes, "g" + language.deletes.flags);
    for (const { 0: found, index } of bare.matchAll(pattern)) {
      deletes = true;
      if (language.paths) paths.push(...literalsAround(text, index, index + found.length));
    }
    if (language.says?.test(text)) deletes = true;
    if (language.opens?.test(text) && !language.writes?.test(bare)) deletes = true;
    if (language.paths && STATEMENT.test(text)) deletes = true;
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

/** The commands that the string literals of code that starts programs may be. */
export function commandsInCode(call: Code): string[] {
  return codeOf(call).flatMap(({ language, text }) => {
    const own = language.shell ? [text] : [];
    if (language.escapes) {
      for (const [, ...groups] of text.matchAll(language.escapes)) {
        own.push(...groups.filter((one) => one !== undefined));
      }
    }
    const bare = text.replace(language.strings, (literal) => blank(literal));
    if (!language.starts?.test(bare)) return own;
    const given = /awk$/.test(call.name) ? assigned(call.args) : [];
    return [...commandLists(text, language.strings), ...given, ...own];
  });
}

/** Whether a call carries a program in itself that may print anything. */
export function isProgram(call: Code): boolean {
  return codeOf(call).some(({ language, text }) => language.paths === true && text.trim() !== "");
}

/** A program of any of the languages. */
const ANY = new RegExp(LANGUAGES.map(({ programs }) => programs.source).join("|"));

function codeOf({ name, args, stdin, files }: Code): { language: Language; text: string }[] {
  if (!ANY.test(name)) return [];
  const language = LANGUAGES.find((one) => one.programs.test(name));
  if (!language) return [];
  const texts: string[] = [...files];
  args.forEach((arg, i) => {
    const previous = args[i - 1]?.text ?? "";
    const glued = /^--?\w+=/.exec(arg.text)?.[0];
    if (takesCode(previous, language.options)) texts.push(arg.text);
    else if (glued && takesCode(glued.slice(0, -1), language.options)) {
      texts.push(arg.text.slice(glued.length));
    } else if (language.operand && !arg.text.startsWith("-")) texts.push(arg.text);
    else if (/^-[ecE]./.test(arg.text) && !arg.text.startsWith("--")) texts.push(arg.text.slice(2));
  });
  if (/^(deno|bun|node|crystal)$/.test(name) && args[0]?.text === "eval") {
    texts.push(args[1]?.text ?? "");
  }
  const { operands } = readOptions(args, language.options);
  const [first] = operands;
  const script = first && /^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(first.text) ? undefined : first;
  const readsCode = language.operand && !/awk$/.test(name) || script === undefined;
  if (stdin !== undefined && readsCode) texts.push(stdin);
  if (/^(powershell|pwsh)$/.test(name)) {
    texts.push(
      (decodedCommand(args) ?? args.map((arg) => arg.text).join(" ")).replace(/`(?=\w)/g, ""),
    );
  }
  return texts.map((text) => ({ language, text }));
}

/** `-c`, and clusters that end in it such as `-lc`. */
function takesCode(option: string, options: string): boolean {
  return options.split(" ").some((one) =>
    option === one ||
    (one.length === 2 && /^-[a-zA-Z]{2,}$/.test(option) && option.endsWith(one[1]!))
  );
}

/**
 * The commands that literals of a code may be: each for itself, and those that stand in a row as one
 * command's words. `["echo", "rm"]` is one command, and its words are none.
 */
function commandLists(text: string, strings: RegExp): string[] {
  const commands: string[] = [];
  let row: string[] = [];
  let listed = false;
  let end = -1;
  const close = () => {
    if (row.length > 1) commands.push(row.map(quote).join(" "));
    commands.push(
      ...row.filter((one, i) => i === 0 ? !listed || row.length === 1 : /\s/.test(one) && !listed),
    );
    row = [];
  };
  for (const { 0: literal, index } of text.matchAll(strings)) {
    if (/^(#|\/|m\W|s\W|tr\W|y\W|qr)/.test(literal)) continue;
    const between = text.slice(Math.max(end, 0), index);
    if (row.length === 0 || !/^\s*,\s*[[(]?\s*$/.test(between)) {
      close();
      listed = /\[\s*$/.test(between);
    }
    const words = /^qw\s*.(.*).$/s.exec(literal)?.[1];
    if (words === undefined) row.push(unquoted(literal));
    else row.push(...words.trim().split(/\s+/));
    end = index + literal.length;
  }
  close();
  return commands;
}

/** The values of awk's `-v name=value`. */
function assigned(args: readonly Arg[]): string[] {
  return args.flatMap((arg, i) => {
    const value = /^(?:-v)?\w+=(.*)$/s.exec(arg.text)?.[1];
    return value !== undefined && (arg.text.startsWith("-v") || args[i - 1]?.text === "-v")
      ? [value]
      : [];
  });
}

/** What stands between a literal's quotes. */
function unquoted(literal: string): string {
  const perl = /^q[qx]?\s*[^\w\s](.*)[^\w\s]$/s.exec(literal)?.[1];
  return perl ?? literal.replace(/^(["'`]{3}|["'`])|(["'`]{3}|["'`])$/g, "");
}

function quote(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function blank(literal: string): string {
  // Perl's command stands in a literal
  if (/^qx\b/.test(literal)) return "qx" + " ".repeat(literal.length - 2);
  return literal.replace(/[^\n"'`#]/g, " ").replace(
    /^#.*/,
    (comment) => " ".repeat(comment.length),
  );
}

/**
 * Colours for code, a line at a time: comments, strings, numbers and the words of each language.
 */
import type { Style } from "../style.ts";

interface Grammar {
  /** As they stand behind a fence, in small letters. */
  readonly names: readonly string[];
  readonly words: ReadonlySet<string>;
  /** Words count in capitals too. */
  readonly anyCase?: boolean;
  /** Pattern of what begins a comment that ends with the line. */
  readonly line?: string;
  /** Begin and end of comments, and of strings, that may span lines. */
  readonly block?: readonly (readonly [open: string, close: string])[];
  readonly long?: readonly (readonly [open: string, close: string])[];
  /** Pattern of a string on one line. */
  readonly string?: string;
  /** Pattern of names that are marked: JSON's keys, tags, shell variables. */
  readonly key?: string;
  readonly word?: string;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const DOUBLE = '"(?:\\\\.|[^"\\\\])*"?';
const SINGLE = "'(?:\\\\.|[^'\\\\])*'?";
/** A character; not a lifetime. */
const CHAR = "'(?:\\\\[^']+|[^'\\\\])'";
/** Bounded, as are all lookbehinds: a line of nothing but slashes must not cost its square. */
const REGEX = "(?<![\\w)\\]$]\\s{0,9})/(?![/*])" +
  "(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\]){0,99}\\]|[^/\\\\\\[]){1,199}/[a-z]*";
const SLASHES = "//";
const HASH = "(?<!\\S)#";
const STARS = [["/*", "*/"]] as const;

export const GRAMMARS: readonly Grammar[] = [
  {
    names: ["js", "jsx", "ts", "tsx", "javascript", "typescript", "mjs", "cjs", "mts"],
    words: set(
      "abstract any as async await boolean break case catch class const continue declare default " +
        "delete do else enum export extends false finally for from function get if implements " +
        "import in infer instanceof interface is keyof let namespace never new null number object " +
        "of override private protected public readonly return satisfies set static string super " +
        "switch symbol this throw true try type typeof undefined unknown var void while with yield",
    ),
    line: SLASHES,
    block: STARS,
    long: [["`", "`"]],
    string: `${DOUBLE}|${SINGLE}|${REGEX}`,
  },
  {
    names: ["json", "json5", "jsonc", "jsonl"],
    words: set("true false null"),
    line: SLASHES,
    block: STARS,
    key: '"(?:\\\\.|[^"\\\\])*"(?=\\s{0,9}:)',
    string: DOUBLE,
  },
  {
    names: ["py", "python", "pyi"],
    words: set(
      "False None True and as assert async await break case class continue def del elif else " +
        "except finally for from global if import in is lambda match nonlocal not or pass raise " +
        "return self try while with yield",
    ),
    line: "#",
    long: [['"""', '"""'], ["'''", "'''"]],
    string: `${DOUBLE}|${SINGLE}`,
  },
  {
    names: ["sh", "bash", "shell", "zsh", "console", "dockerfile", "docker"],
    words: set(
      "case do done elif else esac export fi for function if in local readonly return select set " +
        "shift source then trap unset until while cd echo exit FROM RUN COPY ADD CMD ENTRYPOINT " +
        "ENV ARG WORKDIR EXPOSE USER VOLUME LABEL AS",
    ),
    line: HASH,
    long: [["'", "'"]],
    string: DOUBLE,
    key: "\\$(?:\\w+|\\{[^}]*\\}|[?!#@*$-])",
    word: "[\\w-]+",
  },
  {
    names: ["rs", "rust"],
    words: set(
      "as async await bool box break char const continue crate dyn else enum extern f32 f64 false " +
        "fn for i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref return self " +
        "Self static str struct super trait true type u16 u32 u64 u8 unsafe use usize where while",
    ),
    line: SLASHES,
    block: STARS,
    string: `${DOUBLE}|${CHAR}`,
  },
  {
    names: ["go", "golang"],
    words: set(
      "any bool break byte case chan const continue default defer else error fallthrough false " +
        "float64 for func go goto if import int int64 interface iota map nil package range return " +
        "rune select string struct switch true type var",
    ),
    line: SLASHES,
    block: STARS,
    long: [["`", "`"]],
    string: `${DOUBLE}|${CHAR}`,
  },
  {
    names: ["c", "h", "cpp", "c++", "cc", "hpp", "cxx", "objc", "zig"],
    words: set(
      "auto bool break case catch char class const constexpr continue default delete do double " +
        "else enum explicit extern false float for friend if inline int long namespace new noexcept " +
        "nullptr NULL operator override private protected public return short signed sizeof static " +
        "struct switch template this throw true try typedef typename union unsigned using virtual " +
        "void volatile while fn pub comptime",
    ),
    line: SLASHES,
    block: STARS,
    string: `${DOUBLE}|${CHAR}`,
    key: "(?<=^\\s{0,60})#\\s*\\w+",
  },
  {
    names: ["java", "kotlin", "kt", "scala", "cs", "csharp", "c#", "swift", "dart", "groovy"],
    words: set(
      "abstract as async await base bool boolean break byte case catch char class const continue " +
        "data def default do double else enum extends extension false final finally float for " +
        "foreach fun func get guard if implements import in init instanceof int interface internal " +
        "is let long namespace new nil null object out override package private protected public " +
        "record return sealed self set short static string struct super switch this throw throws " +
        "trait true try typealias using val var virtual void volatile when where while with yield",
    ),
    line: SLASHES,
    block: STARS,
    long: [['"""', '"""']],
    string: `${DOUBLE}|${SINGLE}`,
  },
  {
    names: ["php"],
    words: set(
      "abstract array as break case catch class const continue default do echo else elseif extends " +
        "false final finally fn for foreach function if implements interface match namespace new " +
        "null private protected public readonly return static switch this throw trait true try use " +
        "while",
    ),
    line: `${SLASHES}|#(?!\\[)`,
    block: STARS,
    string: `${DOUBLE}|${SINGLE}`,
    key: "\\$\\w+",
  },
  {
    names: ["rb", "ruby", "elixir", "ex", "exs"],
    words: set(
      "alias and begin break case class def defmodule do else elsif end ensure false fn for if in " +
        "module next nil not or private raise require rescue return self super then true unless " +
        "until use when while yield",
    ),
    line: "#(?!\\{)",
    string: `${DOUBLE}|${SINGLE}`,
    key: "(?<![:\\w]):\\w+",
  },
  {
    names: ["sql", "postgres", "postgresql", "mysql", "sqlite"],
    words: set(
      "add all alter and as asc avg begin between by case check column commit constraint count " +
        "create cross default delete desc distinct drop else end exists foreign from full group " +
        "having if in index inner insert int integer into is join key left like limit max min not " +
        "null offset on or order outer over partition primary references returning right rollback " +
        "select set sum table text then union unique update values varchar view when where with",
    ),
    anyCase: true,
    line: "--",
    block: STARS,
    string: `'(?:''|[^'])*'?|${DOUBLE}`,
  },
  {
    names: ["yaml", "yml", "toml", "ini", "conf", "env", "properties"],
    words: set("true false null yes no on off"),
    line: `${HASH}|(?<=^\\s{0,60});`,
    key: "(?<=^\\s{0,60}(?:- {1,9})?)[\\w.\\/-]+(?=\\s{0,9}[:=])|(?<=^\\s{0,60})\\[[^\\]]*\\]",
    string: `${DOUBLE}|(?<![\\w])${SINGLE}`,
  },
  {
    names: ["html", "xml", "svg", "vue", "svelte", "xhtml"],
    words: set(""),
    block: [["<!--", "-->"]],
    key: "</?[A-Za-z][\\w:.-]*|/?>",
    string: `(?<==)(?:${DOUBLE}|${SINGLE})`,
  },
  {
    names: ["css", "scss", "less"],
    words: set("important"),
    block: STARS,
    key: "[\\w-]{1,60}(?=\\s{0,9}:[^:{]{0,200}[;}]?$)|@[\\w-]+",
    string: `${DOUBLE}|${SINGLE}`,
    word: "[\\w-]+",
  },
  {
    names: ["lua"],
    words: set(
      "and break do else elseif end false for function goto if in local nil not or repeat return " +
        "then true until while",
    ),
    line: "--(?!\\[\\[)",
    block: [["--[[", "]]"]],
    long: [["[[", "]]"]],
    string: `${DOUBLE}|${SINGLE}`,
  },
  {
    names: ["make", "makefile", "cmake"],
    words: set("define else endef endif export ifdef ifeq ifndef ifneq include override"),
    line: "#",
    key: "^[\\w./%-]+(?=\\s{0,9}:(?!=))|\\$[({][^)}]*[)}]",
    string: `${DOUBLE}|${SINGLE}`,
  },
];

/** What a line left open, for the next one: the end of a comment or a string is still to come. */
export interface Open {
  readonly close: string;
  readonly kind: "comment" | "string";
}

export interface Highlighted {
  readonly lines: string[];
  readonly open: Open | undefined;
}

/** Colours `code`, which goes on where `open` was left; code in a language it does not know stays as it is. */
export type Highlighter = (code: string, lang: string, open?: Open) => Highlighted;

const ESCAPES = /[.*+?^${}()|[\]\\]/g;
const NUMBER =
  "(?<number>\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d[\\d_]*)?(?:[eE][+-]?\\d+)?)\\w*)";

/** One pattern per grammar; what it does not match is left as it is. */
function patternOf(grammar: Grammar): RegExp {
  const quoted = (texts: readonly string[]) =>
    texts.map((text) => text.replace(ESCAPES, "\\$&")).join("|");
  const openers = [...grammar.block ?? [], ...grammar.long ?? []].map(([open]) => open);
  const parts = [
    ...grammar.line ? [`(?<comment>(?:${grammar.line})[^\\n]*)`] : [],
    ...openers.length > 0 ? [`(?<opener>${quoted(openers)})`] : [],
    ...grammar.key ? [`(?<key>${grammar.key})`] : [],
    ...grammar.string ? [`(?<string>${grammar.string})`] : [],
    NUMBER,
    `(?<word>${grammar.word ?? "[\\p{L}_$][\\p{L}\\p{N}_$]*"})`,
  ];
  return new RegExp(parts.join("|"), "gu");
}

export function createHighlighter(style: Style): Highlighter {
  const patterns = new Map<Grammar, RegExp>();
  const paints = { comment: style.dim, string: style.green };

  const paintLine = (
    line: string,
    grammar: Grammar,
    pattern: RegExp,
    from: Open | undefined,
  ): [string, Open | undefined] => {
    let out = "";
    let at = 0;
    const take = (open: Open, start: number): Open | undefined => {
      const end = closing(line, open.close, start);
      out += paints[open.kind](line.slice(at, end < 0 ? undefined : end));
      at = end < 0 ? line.length : end;
      return end < 0 ? open : undefined;
    };
    let open = from && take(from, 0);
    while (at < line.length) {
      pattern.lastIndex = at;
      const match = pattern.exec(line);
      if (match === null) break;
      const text = match[0];
      const { opener, comment, string, key, number, word } = match.groups!;
      out += line.slice(at, match.index);
      at = match.index;
      if (opener !== undefined) {
        const block = grammar.block?.find(([begin]) => begin === opener);
        const [, close] = block ?? grammar.long!.find(([begin]) => begin === opener)!;
        open = take({ close, kind: block ? "comment" : "string" }, at + opener.length);
        continue;
      }
      at += text.length;
      if (comment !== undefined) out += style.dim(text);
      else if (string !== undefined) out += style.green(text);
      else if (key !== undefined) out += style.blue(text);
      else if (number !== undefined) out += style.cyan(text);
      else out += isWord(word!, grammar) ? style.blue(text) : text;
    }
    return [out + line.slice(at), open];
  };

  return (code, lang, from) => {
    const name = /^[\w+#-]*/.exec(lang.trim().toLowerCase())![0];
    const lines = code.split("\n");
    if (name === "diff" || name === "patch") {
      return { lines: lines.map((line) => diffLine(line, style)), open: undefined };
    }
    const grammar = GRAMMARS.find(({ names }) => names.includes(name));
    if (grammar === undefined) return { lines, open: undefined };
    let pattern = patterns.get(grammar);
    if (pattern === undefined) patterns.set(grammar, pattern = patternOf(grammar));
    let open = from;
    const painted = lines.map((line) => {
      const [text, next] = paintLine(line, grammar, pattern, open);
      open = next;
      return text;
    });
    return { lines: painted, open };
  };
}

function isWord(word: string, { words, anyCase }: Grammar): boolean {
  return words.has(anyCase ? word.toLowerCase() : word);
}

/** Index behind the next `close` that no backslash makes harmless, or -1. */
function closing(line: string, close: string, from: number): number {
  for (let at = line.indexOf(close, from); at >= 0; at = line.indexOf(close, at + 1)) {
    let slashes = 0;
    while (line[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0 || close.length > 1) return at + close.length;
  }
  return -1;
}

function diffLine(line: string, style: Style): string {
  if (/^(?:@@|diff |index |--- |\+\+\+ )/.test(line)) return style.cyan(line);
  return line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line;
}

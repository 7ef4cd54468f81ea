/** What a few plain programs print, for commands that are built from other commands' output. */
import { readOptions } from "./invocation.ts";
import { type Arg, plainArg, UNKNOWN } from "./words.ts";

/** The output of a program by its base name, or undefined where the text does not tell. */
export function produce(
  name: string,
  args: readonly Arg[],
  stdin: string | undefined,
): string | undefined {
  switch (name) {
    case "":
    case ":":
    case "true":
    case "false":
    case "test":
    case "[":
    case "cd":
    case "set":
    case "export":
    case "sleep":
      return "";
    case "echo":
      return echo(args);
    case "printf":
      return printf(args);
    case "cat":
    case "tee":
      return name === "tee" || args.every((arg) => arg.text === "-") ? stdin : undefined;
    case "which":
    case "type":
      return paths(args, "/usr/bin/");
    case "command":
      return args[0]?.text === "-v" ? paths(args, "") : undefined;
    case "basename":
      return args[0] && `${args[0].text.split("/").at(-1)}\n`;
    case "base64":
      return readOptions(args).has("-d", "-D", "--decode") ? decode(stdin) : undefined;
    case "xxd":
      return args.some((arg) => /^-\w*r/.test(arg.text)) ? unhex(stdin) : undefined;
    case "rev":
      return stdin?.split("\n").map((line) => [...line].reverse().join("")).join("\n");
    case "sed":
    case "gsed":
      return sed(args);
    case "awk":
    case "gawk":
    case "mawk":
      return awk(args);
    case "xargs":
      return xargs(args);
    case "find":
      return find(args);
    case "sudo":
    case "env":
    case "stdbuf":
      return wrapped(args, stdin);
    default:
      return undefined;
  }
}

/** sed's `s`: delimiter, pattern, replacement, flags. */
const SUBSTITUTION =
  /(?:^|[;{}\n\d$/!])\s*s([|/,#!@:%~_+])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1(\w*)/s;

/** sed's scripts, in their order. */
export function sedScripts(args: readonly Arg[]): string[] {
  const scripts = args.flatMap((arg, i) => {
    const glued = /^(?:-[nErsuz]*e|--expression=)(.+)$/s.exec(arg.text)?.[1];
    if (glued !== undefined) return [glued];
    return /^(-[nErsuz]*e|--expression)$/.test(args[i - 1]?.text ?? "") ? [arg.text] : [];
  });
  if (scripts.length > 0) return scripts;
  return readOptions(args).operands.slice(0, 1).map((arg) => arg.text);
}

/** What the `s` in a sed script makes of a line nobody knows, from where it changes it. */
export function substitution(script: string): { text: string; flags: string } | undefined {
  const found = SUBSTITUTION.exec(script);
  if (!found) return undefined;
  const [, , pattern = "", replacement = "", flags = ""] = found;
  const filled = replacement.replace(
    /\\(.)|&/gs,
    (whole, char) => whole === "&" || /\d/.test(char) ? UNKNOWN : char === "n" ? "\n" : char,
  );
  const before = /^\^|^\.\*|^\\\(\.\*|^\(\.\*/.test(pattern) ? "" : UNKNOWN;
  return { text: `${before}${filled}${UNKNOWN}`, flags };
}

/** A sed script with its `s` commands taken out. */
export function withoutSubstitutions(script: string): string {
  return script.replace(new RegExp(SUBSTITUTION, "gs"), ";");
}

function sed(args: readonly Arg[]): string | undefined {
  const swap = sedScripts(args).map(substitution).find((one) => one !== undefined);
  return swap && swap.text + "\n";
}

/** `print` and `printf` of literals; fields are unknown. */
function awk(args: readonly Arg[]): string | undefined {
  const program = readOptions(args, "-F -v -f").operands[0]?.text ?? "";
  const prints = [...program.matchAll(/\bprintf?\b\s*\(?((?:"(?:\\.|[^"\\])*"|[^;}"|>])*)/g)];
  if (prints.length === 0) return undefined;
  return prints.map(([, list = ""]) => {
    const parts = list.match(/"(?:\\.|[^"\\])*"|,|[^",]+/g) ?? [];
    return parts.map((part) => {
      if (part.startsWith('"')) {
        return unescape(part.slice(1, -1)).replace(/%[-\d.]*[a-z]/g, UNKNOWN);
      }
      return part === "," ? " " : part.trim() === "" ? "" : UNKNOWN;
    }).join("") + "\n";
  }).join("");
}

/** `xargs echo rm`, for what is piped on into a shell. */
function xargs(args: readonly Arg[]): string | undefined {
  const takes = "-I -n -P -L -d -E -s -a --max-args --max-procs --max-lines --delimiter --arg-file";
  const options = readOptions(args, takes, true);
  const [first, ...rest] = options.operands;
  const mark = options.value("-I", "--replace");
  if (!first) return undefined;
  const filled = mark === undefined
    ? [...rest, plainArg(UNKNOWN)]
    : rest.map((arg) => plainArg(arg.text.replaceAll(mark, UNKNOWN)));
  return produce(first.text, filled, undefined);
}

/** `-printf` and `-exec echo`. */
function find(args: readonly Arg[]): string | undefined {
  const at = args.findIndex((arg) => /^-(printf|exec|execdir)$/.test(arg.text));
  if (at < 0) return undefined;
  const rest = args.slice(at + 1);
  if (args[at]!.text === "-printf") {
    return unescape(rest[0]?.text ?? "").replace(/%[-\d.]*\w/g, UNKNOWN);
  }
  const end = rest.findIndex((arg) => arg.text === ";" || arg.text === "+");
  const argv = rest.slice(0, end < 0 ? undefined : end)
    .map((arg) => plainArg(arg.text.replaceAll("{}", UNKNOWN)));
  return argv[0] && produce(argv[0].text, argv.slice(1), undefined);
}

function wrapped(args: readonly Arg[], stdin: string | undefined): string | undefined {
  const { operands } = readOptions(args, "-u -g -i -o -e", true);
  const at = operands.findIndex((arg) => !/^\w+=/.test(arg.text));
  return at < 0 ? undefined : produce(operands[at]!.text, operands.slice(at + 1), stdin);
}

function echo(args: readonly Arg[]): string {
  let rest = args.map((arg) => arg.text);
  let [escapes, newline] = [false, true];
  while (/^-[neE]+$/.test(rest[0] ?? "")) {
    if (rest[0]!.includes("e")) escapes = true;
    if (rest[0]!.includes("n")) newline = false;
    rest = rest.slice(1);
  }
  const text = rest.join(" ");
  return (escapes ? unescape(text) : text) + (newline ? "\n" : "");
}

function printf(args: readonly Arg[]): string | undefined {
  if (args[0]?.text === "-v") return "";
  const [format, ...values] = args.map((arg) => arg.text).filter((text, i) =>
    i > 0 || text !== "--"
  );
  if (format === undefined) return undefined;
  let next = 0;
  let text = "";
  do {
    const before = next;
    // the values themselves are not unescaped
    text += format.split(/(%%|%[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z])/).map((piece, i) => {
      if (i % 2 === 0) return unescape(piece);
      if (piece === "%%") return "%";
      const value = values[next++] ?? "";
      const kind = piece.at(-1);
      return kind === "s" || kind === "d" ? value : kind === "b" ? unescape(value) : UNKNOWN;
    }).join("");
    if (next === before) break;
  } while (next < values.length);
  return text;
}

function unescape(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([nrt\\abefv]))/g,
    (_, hex, unicode, octal, letter) => {
      if (hex ?? unicode) return String.fromCharCode(parseInt(hex ?? unicode, 16));
      if (octal) return String.fromCharCode(parseInt(octal, 8));
      return ({ n: "\n", r: "\r", t: "\t", "\\": "\\" } as Record<string, string>)[letter] ?? "";
    },
  );
}

function paths(args: readonly Arg[], folder: string): string {
  return args.filter((arg) => !arg.text.startsWith("-")).map((arg) => `${folder}${arg.text}\n`)
    .join("");
}

function unhex(text: string | undefined): string | undefined {
  const pairs = text?.replace(/\s/g, "").match(/[0-9a-f]{2}/gi);
  return pairs?.map((pair) => String.fromCharCode(parseInt(pair, 16))).join("");
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replace(/\s/g, "")), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** What a few plain programs print, for commands that are built from other commands' output. */
import { readOptions } from "./options.ts";
import { type Arg, UNKNOWN } from "./words.ts";

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
    case "rev":
      return stdin?.split("\n").map((line) => [...line].reverse().join("")).join("\n");
    default:
      return undefined;
  }
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
    text += unescape(format.replace(/%%|%[-+ 0#]*\d*(?:\.\d+)?([a-zA-Z])/g, (whole, kind) => {
      if (whole === "%%") return "%";
      const value = values[next++] ?? "";
      return kind === "s" || kind === "d" ? value : kind === "b" ? unescape(value) : UNKNOWN;
    }));
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

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replace(/\s/g, "")), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

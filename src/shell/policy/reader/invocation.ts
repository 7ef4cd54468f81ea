/** One program as the policy sees it, its options read the way getopt does. */
import { basename } from "../../../base/path.ts";
import type { Arg } from "./words.ts";

/** One program that a command would run. */
export interface Invocation {
  /** Base name, lower case, without `.exe`; empty for a command of redirections only. */
  readonly name: string;
  /** The program as it was named, with its folder; empty where another program names it. */
  readonly written: string;
  /** Arguments after the name. */
  readonly args: readonly Arg[];
  /** The name was completed from a wildcard, or stands in a string of some program's code. */
  readonly guessed: boolean;
  /** Something is piped or redirected into it, or it has a terminal of its own. */
  readonly hasInput: boolean;
  /** That input, where the text tells. */
  readonly stdin: string | undefined;
  /** That input stands in the command, changed by a program that is not followed. */
  readonly disguised: boolean;
  /** The same is true of a word of it. */
  readonly veiled: boolean;
  /** Texts of files that the same command line wrote, or substituted, and that stand in its arguments. */
  readonly files: readonly string[];
  /** Files that `>` empties before it runs. */
  readonly truncates: readonly Arg[];
  /** Variables that it is given, or that it sets itself. */
  readonly assigns: ReadonlySet<string>;
  /** Something ends it: `timeout`, a reader behind it, or the shell does not wait for it. */
  readonly bounded: boolean;
  /** It may fail without the exit of the whole command telling so. */
  readonly untold: boolean;
  /** Folder in which it runs; undefined when not known or not on this machine. */
  readonly cwd: string | undefined;
}

/** A release or a build behind the name of an interpreter, an editor or a shell. */
const RELEASE =
  /^(python[23]|pypy3|lua|luajit|perl|ruby|irb|php|node|nodejs|deno|bun|tclsh|wish|expect|vim|awk|gawk|mawk|bash|zsh|ksh|busybox|emacs)[-.]?(?:\d[\d.]*|basic|tiny|nox|gtk3?|athena|static)$/;
/** GNU's programs beside others of the same names. */
const GNU =
  /^g(?=(?:rm|rmdir|unlink|shred|truncate|find|xargs|tee|cp|mv|ln|dd|env|nice|nohup|stdbuf|sort|install|cat|chroot)$)/;

/** Nothing of all that. */
const PLAIN = /^(?!g|.*(?:basic|tiny|nox|gtk|athena|static)$)[a-z_]+$/;

/** Base name in lower case, without `.exe`, release and GNU's `g`; understands both kinds of slashes. */
export function programName(text: string): string {
  if (PLAIN.test(text)) return text;
  const name = /[\\/]/.test(text) ? basename(text.replaceAll("\\", "/")) : text;
  return name.toLowerCase().replace(/\.exe$/, "")
    .replace(RELEASE, "$1").replace(GNU, "").replace(/^original-awk$/, "awk");
}

export interface Options {
  /** Whether one of the options (`-f`, `--force`) was given. */
  has(...names: readonly string[]): boolean;
  /** The same, where a long name may be cut short (`--har`). */
  begins(...names: readonly string[]): boolean;
  /** The value of the first of the options that was given with one. */
  value(...names: readonly string[]): string | undefined;
  readonly operands: readonly Arg[];
}

/**
 * Splits arguments (without the program's name) into options and operands.
 * `takes` lists the options, blank-separated, whose value may be the next argument; a value glued to
 * its option is understood for these and for every `--name=value`; a long one of them may be cut
 * short. With `stop` everything from the first operand on is an operand.
 */
export function readOptions(args: readonly Arg[], takes = "", stop = false): Options {
  const taking = new Set(takes.split(" "));
  const given = new Map<string, string | undefined>();
  const operands: Arg[] = [];
  const note = (name: string, value?: string) => {
    if (value !== undefined || !given.has(name)) given.set(name, value);
  };
  for (let i = 0; i < args.length; i++) {
    const text = args[i]!.text;
    if (text === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      operands.push(...(stop ? args.slice(i) : [args[i]!]));
      if (stop) break;
    } else if (text.startsWith("--") || taking.has(text) || isLongWithValue(text, taking)) {
      const at = text.indexOf("=");
      const name = whole(at > 0 ? text.slice(0, at) : text, taking);
      if (at > 0) note(name, text.slice(at + 1));
      else note(name, taking.has(name) ? args[++i]?.text : undefined);
    } else {
      note(text);
      for (let k = 1; k < text.length; k++) {
        const name = "-" + text[k]!;
        if (!taking.has(name)) {
          note(name);
          continue;
        }
        const glued = text.slice(k + 1);
        note(name, glued === "" ? args[++i]?.text : glued);
        break;
      }
    }
  }
  const has = (...names: readonly string[]) => names.some((name) => given.has(name));
  return {
    has,
    begins: (...names) =>
      has(...names) ||
      [...given.keys()].some((key) =>
        /^--\w/.test(key) && names.some((name) => name.startsWith(key))
      ),
    value: (...names) => names.map((name) => given.get(name)).find((value) => value !== undefined),
    operands,
  };
}

/** Whether a call only prints what a program is for, or what it would do. `-path` is no `-h`. */
export function showsOnly(args: readonly Arg[]): boolean {
  return args.some(({ text }) =>
    /^(?:-h|--help|--dry-?run(?:=(?!none|false).*)?|--whatif)$/.test(text)
  );
}

/** A long option that takes a value, as it is called in full. */
function whole(name: string, taking: ReadonlySet<string>): string {
  if (taking.has(name) || !/^--\w/.test(name)) return name;
  for (const one of taking) if (one.startsWith(name)) return one;
  return name;
}

/** `-exec=x`, as Go's programs have it. */
function isLongWithValue(text: string, taking: ReadonlySet<string>): boolean {
  const at = text.indexOf("=");
  return at > 2 && taking.has(text.slice(0, at));
}

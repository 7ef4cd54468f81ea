/** One program as the policy sees it. */
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
  /** It may fail without the exit of the whole command telling so, where that was asked for. */
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

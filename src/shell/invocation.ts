/** One program as the policy sees it. */
import { basename } from "node:path";
import type { Arg } from "./words.ts";

/** One program that a command would run. */
export interface Invocation {
  /** Base name, lower case, without `.exe`; empty for a command of redirections only. */
  readonly name: string;
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
  /** Files that `>` empties before it runs. */
  readonly truncates: readonly Arg[];
  /** Environment assignments before the command. */
  readonly assigns: ReadonlySet<string>;
  /** Something ends it: `timeout`, a reader behind it, or the shell does not wait for it. */
  readonly bounded: boolean;
  /** It may fail without the exit of the whole command telling so. */
  readonly untold: boolean;
  /** Folder in which it runs; undefined when not known or not on this machine. */
  readonly cwd: string | undefined;
}

/** Base name in lower case, without `.exe`; understands both kinds of slashes. */
export function programName(text: string): string {
  return basename(text.replaceAll("\\", "/")).toLowerCase().replace(/\.exe$/, "");
}

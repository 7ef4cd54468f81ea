/** Commands as a shell calls them: `narnat NAME`. */
import type { T, Text } from "../base/t.ts";
import type { Command } from "../base/types.ts";
import type { CommandHost } from "./environment.ts";
import type { Flags } from "./flags.ts";

/** Runs a command; resolves with the exit code. Rejects with ConfigError. */
export type RunInShell = (
  flags: Flags,
  words: string[],
  host: CommandHost,
) => Promise<number>;

export interface ShellCommand {
  /** One line for the help. */
  readonly brief: Text;
  readonly flags: { readonly [name in keyof Flags]: Flag };
  /** The words that it takes; none when left out. */
  readonly words?: { readonly brief: Text; readonly placeholder: string };
  /** Reads its arguments, the command's name among them, before the flags are; returns a text where they are wrong. */
  readonly args?: (args: readonly string[], t: T) => Promise<readonly string[] | string>;
  /** Loads what runs it. */
  readonly load: () => Promise<RunInShell>;
}

/** A command of both worlds: `/name` in a session, `narnat name` in a shell. */
export interface SharedCommand extends Command {
  readonly shell: ShellCommand;
}

/** A flag of a command; the help shows `placeholder` for its value. */
export type Flag =
  & { readonly brief: Text }
  & (
    | { readonly is: "text"; readonly placeholder: string; readonly bare?: true }
    | { readonly is: "texts"; readonly placeholder: string }
    | { readonly is: "number" | "whole"; readonly least: number }
    | { readonly is: "choice"; readonly values: readonly string[] }
    | { readonly is: "yes" }
    /** Holds unless it is negated. */
    | { readonly is: "on" }
  );

/** The form in which the gate's policy is written down. */
import type { Text } from "../../../base/t.ts";
import { type Invocation, readOptions, showsOnly } from "../reader/invocation.ts";
import type { Arg } from "../reader/words.ts";

/** What git knows of the files that go (`ignored`: untracked and ignored ones), or just not all. */
export type Part = "untracked" | "ignored" | "changed" | "some";

/** One line of policy. A test runs every example through the whole gate. */
export interface Rule {
  /** Program names, lower case; `*` for any, `?` for those that no other rule names. */
  readonly names: string;
  /** What the invocation hits (files, where they are files); undefined when the rule does not apply. */
  readonly hits: (invocation: Invocation) => readonly Arg[] | undefined;
  /** Which files below what it hits go; all of them when left out or undefined. */
  readonly part?: (invocation: Invocation) => Part | undefined;
  /** It empties what it hits: where nothing is there yet, nothing is lost. */
  readonly empties?: boolean;
  /** What it deletes cannot be told. */
  readonly unseen?: boolean;
  /** Why it is asked about, where that is not why the others are. */
  readonly reason?: Text;
  /** Commands to which the rule must apply. */
  readonly yes: readonly string[];
  /** Commands with the same programs to which it must not. */
  readonly no: readonly string[];
}

/** Rules by program name, those for any program behind its own. */
export function ruleIndex<R extends { readonly names: string }>(
  rules: readonly R[],
): ReadonlyMap<string, readonly R[]> {
  const index = new Map<string, R[]>([["?", []]]);
  for (const rule of rules) {
    for (const name of rule.names.split(" ")) {
      const own = index.get(name);
      if (own) own.push(rule);
      else index.set(name, [rule]);
    }
  }
  const any = index.get("*") ?? [];
  for (const [name, own] of index) if (name !== "*") own.push(...any);
  return index;
}

/** The rules that a program's name falls under. */
export function rulesFor<R>(index: ReadonlyMap<string, readonly R[]>, name: string): readonly R[] {
  return index.get(name) ?? index.get("?")!;
}

/** The rule applies as before, but what it hits are no files: none are named. */
export function noFiles(hits: Rule["hits"]): Rule["hits"] {
  return (call) => hits(call) && [];
}

/** Every operand is hit; nothing for a call that only asks for help. */
export function operandsOf(takes = ""): Rule["hits"] {
  return ({ args }) => {
    const options = readOptions(args, takes);
    return options.has("--help", "--version") ? undefined : options.operands;
  };
}

/** Applies when the operands begin with one of the word sequences; hits the operands after it. */
export function verbs(takes: string, ...sequences: readonly string[]): Rule["hits"] {
  const split = sequences.map((one) => one.split(" "));
  return ({ args }) => {
    if (showsOnly(args)) return undefined;
    const options = readOptions(args, takes);
    const words = options.operands.map((arg) => arg.text.toLowerCase());
    const length = split.find((one) => one.every((word, i) => words[i] === word))?.length;
    return length === undefined ? undefined : options.operands.slice(length);
  };
}

/** Applies when an operand matches. */
export function anyOperand(pattern: RegExp): Rule["hits"] {
  return ({ args }) => {
    const options = readOptions(args);
    if (options.has("--help", "--dry-run", "--dryrun")) return undefined;
    const at = options.operands.findIndex((arg) => pattern.test(arg.text));
    return at < 0 ? undefined : options.operands.slice(at + 1);
  };
}

/** Applies when one of the options was given; hits the operands. */
export function withOption(takes: string, ...names: readonly string[]): Rule["hits"] {
  return ({ args }) => {
    const options = readOptions(args, takes);
    return options.has(...names) ? options.operands : undefined;
  };
}

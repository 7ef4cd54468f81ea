/** Reading a program's options the way getopt does. */
import type { Arg } from "./words.ts";

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

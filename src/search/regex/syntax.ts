import type { CodePoints } from "./unicode.ts";

/** A place between characters; `ascii` where only ASCII letters make a word. */
export type Assertion =
  | { readonly at: "line_start" | "line_end" | "text_start" | "text_end" | "last_line_end" }
  | {
    readonly at:
      | "word"
      | "not_word"
      | "word_start"
      | "word_end"
      | "not_after_word"
      | "not_before_word";
    readonly ascii: boolean;
  };

/** A regular expression, read. Case is folded into the sets already. */
export type Node =
  | { readonly kind: "set"; readonly set: CodePoints }
  | { readonly kind: "sequence"; readonly items: readonly Node[] }
  | { readonly kind: "choice"; readonly items: readonly Node[] }
  | {
    readonly kind: "repeat";
    readonly item: Node;
    readonly min: number;
    /** May be Infinity. */
    readonly max: number;
    readonly lazy: boolean;
  }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "capture"; readonly group: number; readonly item: Node }
  /** What has matched is not given back: `(?>…)`, `a++`. */
  | { readonly kind: "atomic"; readonly item: Node }
  | {
    readonly kind: "look";
    readonly ahead: boolean;
    readonly negative: boolean;
    readonly item: Node;
  }
  | { readonly kind: "reference"; readonly group: number; readonly ignoreCase: boolean };

/** What can be wrong with a regular expression; each is worded under `grep.regex.<reason>`. */
export type Reason =
  | "unclosed_group"
  | "unopened_group"
  | "unclosed_class"
  | "reversed_range"
  | "reversed_repeat"
  | "nothing_to_repeat"
  | "unknown_escape"
  | "bad_escape"
  | "trailing_backslash"
  | "unknown_property"
  | "unknown_class"
  | "unknown_flag"
  | "unknown_group"
  | "no_such_group"
  | "unsupported"
  | "too_large"
  | "too_deep";

/** Thrown for a regular expression that cannot be used. */
export class PatternError extends Error {
  override readonly name = "PatternError";
  readonly reason: Reason;
  /** The expression at fault. */
  readonly pattern: string;
  /** Index in it, in UTF-16 code units. */
  readonly at: number;
  /** What stands there, as far as it is at fault. */
  readonly found: string;

  constructor(reason: Reason, pattern: string, at: number, found = "") {
    super(`Cannot read the regular expression: ${reason} at ${at}`);
    this.reason = reason;
    this.pattern = pattern;
    this.at = at;
    this.found = found;
  }
}

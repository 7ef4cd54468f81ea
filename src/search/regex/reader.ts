import { type CodePoints, intersection, union } from "./code_points.ts";
import { PatternError, type Reason } from "./syntax.ts";
import type { Unicode } from "./unicode.ts";

/** What `(?i)` and its like have set. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  /** `^` and `$` are those of lines. */
  readonly lines: boolean;
  /** Blanks and comments do not count. */
  readonly spaced: boolean;
  /** `\w`, `\d`, `\s`, `\b` and case go beyond ASCII. */
  readonly unicode: boolean;
}

const ASCII = [0, 127];

/** A pattern and the place in it. */
export class Reader {
  readonly source: string;
  readonly unicode: Unicode;
  at = 0;

  constructor(source: string, unicode: Unicode) {
    this.source = source;
    this.unicode = unicode;
  }

  peek(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  take(text: string): boolean {
    if (!this.peek(text)) return false;
    this.at += text.length;
    return true;
  }

  /** The next character; there must be one. */
  next(): string {
    const char = String.fromCodePoint(this.source.codePointAt(this.at)!);
    this.at += char.length;
    return char;
  }

  /** Takes what a sticky expression matches here. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.source);
    if (match) this.at += match[0].length;
    return match;
  }

  skipSpace(): void {
    this.match(/(?:\s|#[^\n]*)+/y);
  }

  /** The set with the other cases of its characters, where case does not count. */
  folded(set: CodePoints, flags: Flags): CodePoints {
    if (!flags.ignoreCase) return set;
    const folded = this.unicode.fold(set);
    return flags.unicode ? folded : union(set, intersection(folded, ASCII));
  }

  fail(reason: Reason, at: number, found = ""): never {
    throw new PatternError(reason, this.source, at, found);
  }
}

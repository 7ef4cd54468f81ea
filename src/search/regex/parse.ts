import { type CodePoints, complement, type Unicode } from "./unicode.ts";
import { type Flags, parseClass, parseEscape, Reader } from "./reader.ts";
import type { Node } from "./syntax.ts";

const DEPTH_AT_MOST = 250;
const REPEATS_AT_MOST = 100_000;

/** Constructs of other engines that we know and do not have. */
const UNSUPPORTED = /^\((?:\*[A-Z]|\?(?:R\)|[|&(]|P>|[+-]?\d))/;
/** `(?R)`, which is ripgrep's flag for line ends and not PCRE's recursion where nothing precedes but flags. */
const LEADING_FLAG = /^(?:\(\?[a-zA-Z^-]*\))*\(\?R\)$/;

/** How a pattern is to be read. */
export interface ParseOptions {
  readonly ignoreCase: boolean;
  /** `.` matches line ends too. */
  readonly dotAll: boolean;
  /** Number of groups in the patterns before this one. */
  readonly groupsBefore: number;
}

/**
 * Reads a regular expression in the syntax that ripgrep, PCRE, JavaScript and Python share, and
 * most of what each has alone. Throws PatternError.
 */
export function parse(
  source: string,
  options: ParseOptions,
  unicode: Unicode,
): { node: Node; groups: number } {
  const parser = new Parser(source, options, unicode);
  return { node: parser.parse(), groups: parser.groups };
}

class Parser extends Reader {
  /** Groups opened so far, in all patterns. */
  groups: number;
  readonly #groupsBefore: number;
  readonly #names = new Map<string, number>();
  readonly #references: { node: { group: number }; name: string; at: number }[] = [];
  #flags: Flags;
  #depth = 0;

  constructor(source: string, options: ParseOptions, unicode: Unicode) {
    super(source, unicode);
    this.#groupsBefore = this.groups = options.groupsBefore;
    this.#flags = {
      ignoreCase: options.ignoreCase,
      dotAll: options.dotAll,
      lines: true,
      spaced: false,
      unicode: true,
    };
  }

  parse(): Node {
    const node = this.#choice();
    if (this.at < this.source.length) this.fail("unopened_group", this.at, ")");
    for (const { node, name, at } of this.#references) {
      const group = this.#groupNamed(name);
      if (group === undefined) this.fail("no_such_group", at, name);
      node.group = group;
    }
    return node;
  }

  #groupNamed(name: string): number | undefined {
    const named = this.#names.get(name);
    if (named !== undefined || !/^\d+$/.test(name)) return named;
    const group = this.#groupsBefore + Number(name);
    return Number(name) > 0 && group <= this.groups ? group : undefined;
  }

  #choice(): Node {
    const items = [this.#sequence()];
    while (this.take("|")) items.push(this.#sequence());
    return items.length === 1 ? items[0]! : { kind: "choice", items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    for (;;) {
      if (this.#flags.spaced) this.skipSpace();
      if (this.at >= this.source.length || this.peek("|") || this.peek(")")) break;
      if (this.take("\\Q")) {
        const end = this.source.indexOf("\\E", this.at);
        const text = this.source.slice(this.at, end < 0 ? undefined : end);
        for (const each of text) items.push(this.#character(each.codePointAt(0)!));
        this.at = end < 0 ? this.source.length : end + 2;
        if (items.length > 0 && text !== "") items.push(this.#repeated(items.pop()!));
        continue;
      }
      if (this.take("\\E")) continue;
      const item = this.#atom();
      if (item) items.push(this.#repeated(item));
    }
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  #repeated(item: Node): Node {
    let node = item;
    for (let times = 0;; times++) {
      if (this.#flags.spaced) this.skipSpace();
      const at = this.at;
      const bounds = this.#bounds();
      if (!bounds) return node;
      const [min, max] = bounds;
      if (min > max) this.fail("reversed_repeat", at, this.source.slice(at, this.at));
      if (min > REPEATS_AT_MOST || (max > REPEATS_AT_MOST && max !== Infinity)) {
        this.fail("too_large", at, this.source.slice(at, this.at));
      }
      if (times + this.#depth > DEPTH_AT_MOST) this.fail("too_deep", at);
      const lazy = this.take("?");
      const possessive = !lazy && this.take("+");
      node = { kind: "repeat", item: node, min, max, lazy };
      if (possessive) node = { kind: "atomic", item: node };
    }
  }

  /** A brace that is no repetition is an ordinary character: `interface {`. */
  #bounds(): [number, number] | undefined {
    if (this.take("*")) return [0, Infinity];
    if (this.take("+")) return [1, Infinity];
    if (this.take("?")) return [0, 1];
    const counted = this.match(/\{(\d+)(,?)(\d*)\}|\{,(\d+)\}/y);
    if (!counted) return undefined;
    const [, min, comma, max, most] = counted;
    if (most !== undefined) return [0, Number(most)];
    return [Number(min), max ? Number(max) : comma ? Infinity : Number(min)];
  }

  #atom(): Node | undefined {
    const at = this.at;
    const char = this.next();
    switch (char) {
      case "(":
        return this.#group(at);
      case "[":
        this.at = at;
        return this.#set(parseClass(this, this.#flags), false);
      case ".":
        return this.#set(this.#flags.dotAll ? complement([]) : complement([10, 10]), false);
      case "^":
        return assertion(this.#flags.lines ? "line_start" : "text_start");
      case "$":
        return assertion(this.#flags.lines ? "line_end" : "text_end");
      case "*":
      case "+":
      case "?":
        return this.fail("nothing_to_repeat", at, char);
      case "{":
        if (/^\{\d+(,\d*)?\}/.test(this.source.slice(at))) {
          return this.fail("nothing_to_repeat", at, this.source.slice(at, at + 1));
        }
        return this.#character(123);
      case "\\":
        return this.#escape(at);
      default:
        return this.#character(char.codePointAt(0)!);
    }
  }

  #character(codePoint: number): Node {
    return this.#set([codePoint, codePoint], true);
  }

  #set(set: CodePoints, foldable: boolean): Node {
    return { kind: "set", set: foldable ? this.folded(set, this.#flags) : set };
  }

  #escape(at: number): Node {
    this.at = at;
    const escape = parseEscape(this, this.#flags);
    switch (escape.kind) {
      case "reference": {
        const node = { kind: "reference" as const, group: 0, ignoreCase: this.#flags.ignoreCase };
        const { name } = escape;
        const relative = /^([+-])(\d+)$/.exec(name);
        const back = relative ? this.groups - this.#groupsBefore + 1 - Number(relative[2]) : 0;
        this.#references.push({ node, name: relative ? String(back) : name, at });
        return node;
      }
      case "set":
        return this.#set(escape.set, escape.foldable);
      default:
        return escape.node;
    }
  }

  #group(at: number): Node | undefined {
    const isFlag = LEADING_FLAG.test(this.source.slice(0, at + 4));
    if (!isFlag && UNSUPPORTED.test(this.source.slice(at, at + 8))) {
      this.fail("unsupported", at, this.match(/[?*][^)\s]{0,12}/y)?.[0] ?? "");
    }
    if (this.match(/\?#[^)]*\)/y)) return undefined;
    const back = this.match(/\?P=(\w+)\)/y);
    if (back) {
      const node = { kind: "reference" as const, group: 0, ignoreCase: this.#flags.ignoreCase };
      this.#references.push({ node, name: back[1]!, at });
      return node;
    }
    const outer = this.#flags;
    const flags = this.match(/\?([a-zA-Z^]*)(?:-([a-zA-Z]*))?(?=[:)])/y);
    if (flags) {
      this.#flags = this.#withFlags(outer, flags[1]!, flags[2] ?? "", at + 2);
      // for the rest of the group that is open
      if (this.take(")")) return undefined;
      this.next();
      return this.#inside(at, outer, (item) => item);
    }
    const look = this.match(/\?(<?)([=!])/y);
    if (look) {
      const ahead = look[1] === "";
      const negative = look[2] === "!";
      return this.#inside(at, outer, (item) => ({ kind: "look", ahead, negative, item }));
    }
    if (this.match(/\?>/y)) {
      return this.#inside(at, outer, (item) => ({ kind: "atomic", item }));
    }
    const named = this.match(/\?P?<([\p{L}_][\p{L}\p{N}_.[\]]*)>|\?'([\p{L}_][\p{L}\p{N}_]*)'/uy);
    if (!named && this.peek("?")) {
      this.fail("unknown_group", at, this.source.slice(at, at + 4));
    }
    // a group cannot begin with a repetition, so `foo({` is text
    if (this.peek("{") && !this.#closes(this.at)) return this.#character(40);
    const group = ++this.groups;
    const name = named?.[1] ?? named?.[2];
    if (name !== undefined && !this.#names.has(name)) this.#names.set(name, group);
    return this.#inside(at, outer, (item) => ({ kind: "capture", group, item }));
  }

  #inside(at: number, outer: Flags, make: (item: Node) => Node): Node {
    if (++this.#depth > DEPTH_AT_MOST) this.fail("too_deep", at);
    const item = this.#choice();
    if (!this.take(")")) this.fail("unclosed_group", at, "(");
    this.#depth--;
    this.#flags = outer;
    return make(item);
  }

  /** Whether a parenthesis that is open at `from` is closed at all. */
  #closes(from: number): boolean {
    let depth = 1;
    for (const [each] of this.source.slice(from).matchAll(/\\.|[()]/gs)) {
      if (each === "(") depth++;
      if (each === ")" && --depth === 0) return true;
    }
    return false;
  }

  #withFlags(flags: Flags, on: string, off: string, at: number): Flags {
    const changed = { ...flags };
    const names = { i: "ignoreCase", s: "dotAll", m: "lines", x: "spaced", u: "unicode" } as const;
    [...on + "-" + off].forEach((each, index) => {
      const value = index < on.length;
      const name = names[each as keyof typeof names];
      if (name) changed[name] = value;
      // U and J change nothing about which line matches, R holds always; ^ puts all back
      else if (each === "^") Object.assign(changed, { ignoreCase: false, spaced: false });
      else if (!"-UJnR".includes(each)) this.fail("unknown_flag", at + index, each);
    });
    return changed;
  }
}

function assertion(
  at: "line_start" | "line_end" | "text_start" | "text_end",
): Node {
  return { kind: "assertion", assertion: { at } };
}

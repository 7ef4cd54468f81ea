interface Rule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  /** Matches the last part of a path only; otherwise the whole path. */
  readonly nameOnly: boolean;
  readonly test: (subject: string) => boolean;
}

/** The rules of one ignore file, in git's meaning. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    const lines = (text.startsWith("\ufeff") ? text.slice(1) : text).split("\n");
    this.#rules = lines.map(parseRule).filter((rule) => rule !== undefined).reverse();
  }

  /** True: ignored; false: taken back by a `!` rule; undefined: not mentioned. `path` is relative to the file's folder. */
  decide(path: string, name: string, isFolder: boolean): boolean | undefined {
    for (const rule of this.#rules) {
      if (rule.folderOnly && !isFolder) continue;
      if (rule.test(rule.nameOnly ? name : path)) return !rule.negated;
    }
    return undefined;
  }
}

function parseRule(line: string): Rule | undefined {
  let glob = stripTrailingSpaces(line.endsWith("\r") ? line.slice(0, -1) : line);
  if (glob === "" || glob.startsWith("#")) return undefined;
  const negated = glob.startsWith("!");
  if (negated) glob = glob.slice(1);
  const folderOnly = glob.endsWith("/");
  if (folderOnly) glob = glob.slice(0, -1);
  const nameOnly = !glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  const test = glob === "" ? undefined : globTest(glob, nameOnly);
  return test && { negated, folderOnly, nameOnly, test };
}

function stripTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0;
    while (line[end - 2 - slashes] === "\\") slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}

function globTest(
  glob: string,
  nameOnly: boolean,
): ((subject: string) => boolean) | undefined {
  if (!/[*?[\\]/.test(glob)) return (subject) => subject === glob;
  const suffix = glob.slice(1);
  if (nameOnly && glob.startsWith("*") && !/[*?[\\]/.test(suffix)) {
    return (name) => name.endsWith(suffix);
  }
  const source = globSource(glob);
  if (source === undefined) return undefined;
  const regex = new RegExp(`^${source}$`, "su");
  return (subject) => regex.test(subject);
}

/** The regular expression for one git glob; undefined when git would never match it. */
function globSource(glob: string): string | undefined {
  let out = "";
  let at = 0;
  const firstWild = glob.search(/[*?[\\]/);
  while (at < glob.length) {
    const char = glob[at]!;
    if (char === "*") {
      let end = at;
      while (glob[end] === "*") end++;
      // `**` is special only between slashes; git compares what precedes the first wildcard apart
      const whole = end - at >= 2 && (at === firstWild || glob[at - 1] === "/");
      if (whole && glob[end] === "/") {
        out += "(?:.*/)?";
        end++;
      } else if (whole && end === glob.length) {
        out += ".*";
      } else {
        out += "[^/]*";
      }
      at = end;
    } else if (char === "?") {
      out += "[^/]";
      at++;
    } else if (char === "[") {
      const set = bracket(glob, at);
      if (!set) return undefined;
      out += set.source;
      at = set.end;
    } else if (char === "\\") {
      if (at + 1 >= glob.length) return undefined;
      out += escapeRegex(String.fromCodePoint(glob.codePointAt(at + 1)!));
      at += 1 + charLength(glob, at + 1);
    } else {
      out += escapeRegex(char);
      at++;
    }
  }
  return out;
}

const CLASSES: { readonly [name: string]: string } = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "A-Za-z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9A-Fa-f",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  print: "\\x20-\\x7e",
  graph: "\\x21-\\x7e",
};

/** Translates the bracket expression that begins at `start`. */
function bracket(glob: string, start: number): { source: string; end: number } | undefined {
  let at = start + 1;
  const negated = glob[at] === "!" || glob[at] === "^";
  if (negated) at++;
  let body = "";
  for (let first = true;; first = false) {
    if (at >= glob.length) return undefined;
    if (glob[at] === "]" && !first) break;
    const close = glob.startsWith("[:", at) ? glob.indexOf(":]", at) : -1;
    if (close > 0) {
      const known = CLASSES[glob.slice(at + 2, close)];
      if (known === undefined) return undefined;
      body += known;
      at = close + 2;
      continue;
    }
    if (glob[at] === "\\") at++;
    if (at >= glob.length) return undefined;
    const low = glob.codePointAt(at)!;
    at += charLength(glob, at);
    if (glob[at] !== "-" || glob[at + 1] === "]" || at + 1 >= glob.length) {
      body += inSet(low);
      continue;
    }
    at++;
    if (glob[at] === "\\") at++;
    if (at >= glob.length) return undefined;
    const high = glob.codePointAt(at)!;
    at += charLength(glob, at);
    if (high >= low) body += `${inSet(low)}-${inSet(high)}`;
  }
  const source = negated ? `[^/${body}]` : body === "" ? "(?!)" : `(?!/)[${body}]`;
  return { source, end: at + 1 };
}

function charLength(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function inSet(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

function escapeRegex(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
}

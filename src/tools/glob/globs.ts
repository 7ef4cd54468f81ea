/** What models write for globs, made into what the search room reads. */

/** What no glob of ours means: `!(a)`, `+(a)`, and `*(a|b)`, `?(a|b)` where the parentheses can be no name. */
const EXTENDED = /(?<!\\)(?:[!+]\([^()]*\)|[*?]\([^()]*[|*?[][^()]*\))/;
const WILD = /[*?[\]{}()!\\]/;

/** Splits `*.ts, *.js` at commas and blanks outside braces. */
export function globsIn(text: string): string[] {
  return text.match(/(?:\{[^}]*\}|[^\s,])+/g) ?? [];
}

/** A set, in which a backslash is none of Windows', or a backslash. */
const SET_OR_BACKSLASH = /((?<!\\)\[[^\]/]*\])|\\/g;

/** `src\lib\*.ts` as `src/lib/*.ts`: outside a set a backslash before a letter or digit can only be Windows' separator. */
export function withSlashes(glob: string): string {
  const bare = glob.replace(SET_OR_BACKSLASH, (all, set) => set ? "" : all);
  if (!/\\[\p{L}\d]/u.test(bare)) return glob;
  return glob.replace(SET_OR_BACKSLASH, (_all, set) => set ?? "/");
}

/** True for the extended globs of shells, which are not read. */
export function isExtended(glob: string): boolean {
  return EXTENDED.test(glob);
}

/** True when a `{` is never closed. */
export function isUnclosed(glob: string): boolean {
  let depth = 0;
  for (const char of glob.replace(/\\./gs, "")) {
    if (char === "{") depth++;
    else if (char === "}" && depth > 0) depth--;
  }
  return depth > 0;
}

/** True when a path has wildcards in it. */
export function hasWildcards(path: string): boolean {
  return /[*?{]/.test(path);
}

/** The glob for everything in the folders that `glob` matches. */
export function inFolders(glob: string): string {
  const trimmed = glob.replace(/\/+$/, "");
  return trimmed.includes("/") ? `${trimmed}/**` : `**/${trimmed}/**`;
}

/** The globs for leaving out what `glob` names: files, and where it may name a folder what is in it. */
export function without(glob: string): string[] {
  const plain = glob.replace(/^!/, "");
  const name = plain.split("/").at(-1)!;
  return WILD.test(name) || name === "" ? [`!${plain}`] : [`!${plain}`, `!${inFolders(plain)}`];
}

/** The globs for searching what `glob` names: a file, or a folder with what is in it. */
export function within(glob: string): string[] {
  const name = glob.split("/").at(-1)!;
  const folder = !WILD.test(name) && name !== "" && !/.\.[a-z]\w{0,4}$/i.test(name);
  return folder ? [glob, inFolders(glob)] : [glob];
}

/** Paths and globs taken apart as text. `node:path` would cost each worker two megabytes. */

const WINDOWS = Deno.build.os === "windows";
const SEPARATOR = WINDOWS ? /[\\/]+/ : /\/+/;
const LAST_NAME = WINDOWS ? /[\\/]+[^\\/]*[\\/]*$/ : /\/+[^/]*\/*$/;
const ABSOLUTE = WINDOWS ? /^(?:[\\/]|[a-z]:[\\/])/i : /^\//;

/** What `path` means to whoever is in `folder`. */
export function pathIn(folder: string, path: string): string {
  if (ABSOLUTE.test(path)) return path;
  return withSlash(folder) + path;
}

/** A folder's path to put a name behind. */
export function withSlash(folder: string): string {
  return folder.endsWith("/") ? folder : folder + "/";
}

/** The folder an absolute path lies in; of a root the root itself. */
export function folderOf(path: string): string {
  const folder = path.replace(LAST_NAME, "");
  return folder === "" || folder.endsWith(":") && WINDOWS ? folder + "/" : folder;
}

/** The names in a path, from the top down. */
export function namesIn(path: string): string[] {
  return path.split(SEPARATOR).filter((name) => name !== "");
}

/** Writes `a//b` and `a/./b` as `a/b`; `a/{b,}/c` stands for such a path too. */
export function plainSteps(glob: string): string {
  return glob.replace(/\/(?:\.?\/)+/g, "/");
}

/** Returns the folder that every match of the glob lies in, as far as it is spelled out; "" for none. */
export function globFolder(glob: string): string {
  if (glob.startsWith("!")) return "";
  const parts = plainSteps(glob).replace(/^(\.?\/)+/, "").split("/");
  const plain = parts.slice(0, -1).findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  return parts.slice(0, plain < 0 ? parts.length - 1 : plain).join("/");
}

/** How many folders deep a match of the glob can lie at most; Infinity where that is not plain. */
export function globDepth(glob: string): number {
  const deep = !glob.includes("/") || glob.endsWith("/") || /\*\*|[{[(][^}\])]*\/|\\/.test(glob);
  return deep ? Infinity : glob.replace(/^(\.?\/)+/, "").split("/").length - 1;
}

/** A star: whatever of one name. */
export const STAR = "[^/]*";
/**
 * Joins the units of one name, each a character or STAR. All stars but the last end where what
 * follows them stands first, which is as good as any later place: so a name matches in one way only.
 */
export function joinName(units: readonly string[]): string {
  if (units.indexOf(STAR) === units.lastIndexOf(STAR)) return units.join("");
  const chunks = [""];
  for (const unit of units) {
    if (unit === STAR) chunks.push("");
    else chunks[chunks.length - 1] += unit;
  }
  const [first, ...others] = chunks;
  const last = others.pop();
  const middle = others.map((chunk) => chunk && `(?:(?!${chunk})[^/])*${chunk}`);
  return first + middle.join("") + STAR + last;
}

/**
 * Joins what stands between the `**` of a glob: all but the last end with a slash. `deep` is what
 * `**` and its slash match, `folder` one name and its slash as they do.
 */
export function joinDeep(parts: readonly string[], deep: string, folder: string): string {
  const [first, ...others] = parts;
  const last = others.pop();
  if (last === undefined) return first ?? "";
  const middle = others.map((part) => part && `(?:(?!${part})${folder})*${part}`);
  return first + middle.join("") + deep + last;
}

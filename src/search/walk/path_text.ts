/** Paths taken apart as text. `node:path` would cost each worker two megabytes. */

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

/**
 * `node:path`, without the 8 ms and 5 MB of Deno's Node layer that it brings into each thread; and
 * what stands at a path, where nothing is no error.
 */

type Path = Pick<
  typeof import("node:path"),
  "basename" | "dirname" | "isAbsolute" | "join" | "normalize" | "relative" | "resolve" | "sep"
>;

const SLASH = "/";
const isAbsolutePosix = (path: string) => path.startsWith(SLASH);

/** Where the slashes at the end of `path` begin. */
function endOf(path: string): number {
  let end = path.length;
  while (end > 0 && path[end - 1] === SLASH) end--;
  return end;
}

/** The parts that are left when `.`, `..` and doubled slashes are read as text. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split(SLASH)) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!isAbsolutePosix(path)) parts.push(part);
  }
  return parts;
}

function normalizePosix(path: string): string {
  if (path === "") return ".";
  const text = partsOf(path).join(SLASH);
  if (isAbsolutePosix(path)) {
    return text !== "" && path.endsWith(SLASH) ? `/${text}/` : `/${text}`;
  }
  return (text || ".") + (path.endsWith(SLASH) ? SLASH : "");
}

function resolvePosix(...paths: string[]): string {
  let text = "";
  for (let at = paths.length - 1; at >= 0 && !isAbsolutePosix(text); at--) {
    if (paths[at] !== "") text = `${paths[at]}/${text}`;
  }
  return SLASH + partsOf(isAbsolutePosix(text) ? text : `${Deno.cwd()}/${text}`).join(SLASH);
}

/** As `node:path` does on Linux and macOS, character by character. */
export const posix: Path = {
  sep: SLASH,
  isAbsolute: isAbsolutePosix,
  normalize: normalizePosix,
  resolve: resolvePosix,
  join: (...paths) => normalizePosix(paths.filter((path) => path !== "").join(SLASH)),
  dirname(path) {
    if (path === "") return ".";
    const slash = path.lastIndexOf(SLASH, Math.max(endOf(path), 1) - 1);
    if (slash < 0) return ".";
    if (slash === 0) return SLASH;
    return slash === 1 && path[0] === SLASH ? "//" : path.slice(0, slash);
  },
  basename(path, suffix = "") {
    if (suffix !== "" && path === suffix) return "";
    const end = endOf(path);
    const name = path.slice(path.lastIndexOf(SLASH, end - 1) + 1, end);
    return suffix !== "" && name !== suffix && name.endsWith(suffix)
      ? name.slice(0, -suffix.length)
      : name;
  },
  relative(from, to) {
    const [here, there] = [partsOf(resolvePosix(from)), partsOf(resolvePosix(to))];
    let same = 0;
    while (same < here.length && here[same] === there[same]) same++;
    return [...here.slice(same).map(() => ".."), ...there.slice(same)].join(SLASH);
  },
};

export const { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep }: Path =
  Deno.build.os === "windows"
    // deno-lint-ignore no-process-global -- loads the Node layer, there only
    ? process.getBuiltinModule("node:path")
    : posix;

/** The path of something under a folder, both as they stand: no `..` is resolved. */
export function under(folder: string, ...names: readonly string[]): string {
  const slash = Deno.build.os === "windows" ? "\\" : "/";
  return [folder.endsWith(slash) ? folder.slice(0, -1) : folder, ...names].join(slash);
}

/** A link is not followed; undefined where there is nothing, or nothing that may be seen. */
export function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

/** The real path, or the path itself where there is none. */
export function realOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** Whether a path is a folder, or lies in it; links are not followed. */
export function within(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(/[/\\]/)[0] !== "..";
}

import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "../base/path.ts";
import { FileError } from "../base/errors.ts";

const LINKS_AT_MOST = 40;
/** The longest path a system takes. */
const CHARS_AT_MOST = 4096;

/**
 * Returns the absolute path for what a model wrote: absolute, relative to the workspace, or
 * beginning with `~`. Throws FileError "bad_name" on a blank path, on one with NUL or half a character, and
 * on one that no system takes.
 */
export function resolvePath(given: string, workspace: string, home?: string): string {
  if (given.trim() === "") throw new FileError("bad_name", "Cannot use path: it is empty");
  if (given.length > CHARS_AT_MOST) {
    throw new FileError("bad_name", "Cannot use path: it is too long");
  }
  if (given.includes("\0") || !given.isWellFormed()) {
    throw new FileError(
      "bad_name",
      `Cannot use path ${JSON.stringify(given)}: no such name can be`,
    );
  }
  if (home && (given === "~" || given.startsWith("~/"))) return join(home, given.slice(1));
  return resolve(workspace, given);
}

/** Returns `path` relative to the workspace with `/`, or as it is when it lies outside; the workspace itself is `.`. */
export function displayPath(path: string, workspace: string): string {
  const inside = relative(workspace, path);
  if (inside === "") return ".";
  if (inside === ".." || inside.startsWith(".." + sep) || isAbsolute(inside)) return path;
  return sep === "/" ? inside : inside.replaceAll(sep, "/");
}

/** Returns the real path of what is there; throws FileError "not_regular" for what has none, such as a pipe in /dev/fd. */
export async function realPlace(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    const info = error instanceof Deno.errors.NotFound
      ? await Deno.stat(path).catch(() => undefined)
      : undefined;
    if (!info || info.isFile || info.isDirectory) throw error;
    throw new FileError("not_regular", `Cannot open "${path}": not a regular file`, error);
  }
}

/** Returns the real path; the last parts may be missing, and a dangling link leads to the place it names. */
export async function realTarget(path: string): Promise<string> {
  try {
    // the first touch of a disk that may not answer must not hold up all of narnat
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return realTargetSync(path);
}

/** The same at once, which is for folders of narnat's own. */
export function realTargetSync(path: string): string {
  let at = path;
  for (let links = 0; links < LINKS_AT_MOST; links++) {
    try {
      return Deno.realPathSync(at);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    const link = linkAt(at);
    if (link === undefined) {
      const parent = dirname(at);
      return parent === at ? at : join(realTargetSync(parent), basename(at));
    }
    at = resolve(dirname(at), link);
  }
  throw new FileError("loop", `Cannot follow "${path}": too many symbolic links`);
}

function linkAt(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the link on the way to a missing path that leads nowhere, and the place it names; undefined when there is none. */
export async function danglingLink(
  missing: string,
): Promise<{ readonly link: string; readonly target: string } | undefined> {
  for (let at = missing;; at = dirname(at)) {
    const info = await Deno.lstat(at).catch(() => undefined);
    if (info) {
      if (!info.isSymlink || await Deno.stat(at).catch(() => undefined)) return undefined;
      return { link: at, target: await realTarget(at) };
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Memory that programs share as files. */
const SHARED = /^\/dev\/shm\//;

/** Throws FileError "virtual" for a place in /proc, /sys or /dev, whose files are the kernel's own. */
export function refuseVirtual(real: string): void {
  const kernels = Deno.build.os === "linux" ? /^\/(proc|sys|dev)(\/|$)/ : /^\/dev(\/|$)/;
  if (kernels.test(real) && !SHARED.test(real)) {
    throw new FileError("virtual", `Cannot write "${real}": its file system is not a disk`);
  }
}

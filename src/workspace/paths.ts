import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { FileError } from "./file_error.ts";

const LINKS_AT_MOST = 40;

/**
 * Returns the absolute path for what a model wrote: absolute, relative to the workspace, or
 * beginning with `~`. Throws FileError "bad_name" on an empty path or one with a NUL.
 */
export function resolvePath(given: string, workspace: string, home?: string): string {
  if (given === "") throw new FileError("bad_name", "Cannot use path: it is empty");
  if (given.includes("\0")) throw new FileError("bad_name", "Cannot use path: it contains NUL");
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

/** Returns the real path; the last parts may be missing, and a dangling link leads to the place it names. */
export async function realTarget(path: string): Promise<string> {
  let at = path;
  for (let links = 0; links < LINKS_AT_MOST; links++) {
    try {
      return await Deno.realPath(at);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    const link = await Deno.readLink(at).catch(() => undefined);
    if (link === undefined) {
      const parent = dirname(at);
      return parent === at ? at : join(await realTarget(parent), basename(at));
    }
    at = resolve(dirname(at), link);
  }
  throw new FileError("loop", `Cannot follow "${path}": too many symbolic links`);
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

/** Throws FileError "virtual" for a place in /proc or /sys, whose files are the kernel's own. */
export function refuseVirtual(real: string): void {
  if (Deno.build.os === "linux" && /^\/(proc|sys)(\/|$)/.test(real)) {
    throw new FileError("virtual", `Cannot write "${real}": its file system is not a disk`);
  }
}

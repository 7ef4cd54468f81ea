/** A copy of a workspace to try things in. */
import { basename, isAbsolute, join, relative, within } from "../../base/path.ts";

/** What narnat keeps of its own in `.narnat`, and no rerun needs. */
const OWN = ["sessions", "logs", "outputs", "checkpoints", "trash", "memory"];

/** Removed when narnat ends, in whatever way it does so by itself, unless it is kept. */
export interface Scratch {
  readonly path: string;
  keep(): void;
  remove(): void;
}

/**
 * Copies a folder with modes, times and links, which lead into the copy where they led into the
 * folder; what cannot be read, what has just gone, and what is no file, is left out.
 */
export async function scratchCopy(workspace: string): Promise<Scratch> {
  const parent = await Deno.realPath(await Deno.makeTempDir({ prefix: "narnat-rerun-" }));
  const path = join(parent, basename(workspace) || "workspace");
  const keep = () => removeEventListener("unload", remove);
  const remove = () => {
    keep();
    Deno.removeSync(parent, { recursive: true });
  };
  addEventListener("unload", remove);
  try {
    const link = (target: string) =>
      isAbsolute(target) && within(target, workspace)
        ? join(path, relative(workspace, target))
        : target;
    await copyFolder(workspace, path, ["", ...OWN.map((name) => join(".narnat", name))], link);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, keep, remove };
}

/** `without` names paths relative to `from`. */
async function copyFolder(
  from: string,
  to: string,
  without: readonly string[],
  link: (target: string) => string,
): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory, isFile, isSymlink } of Deno.readDir(from)) {
    if (without.includes(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    try {
      if (isSymlink) await Deno.symlink(link(await Deno.readLink(source)), target);
      else if (isDirectory) {
        const below = without.filter((one) => one.startsWith(join(name, "x").slice(0, -1)));
        await copyFolder(source, target, below.map((one) => one.slice(name.length + 1)), link);
      } else if (isFile) await copyFile(source, target);
    } catch (error) {
      const { PermissionDenied, NotFound } = Deno.errors;
      if (!(error instanceof PermissionDenied || error instanceof NotFound)) throw error;
    }
  }
}

async function copyFile(from: string, to: string): Promise<void> {
  await Deno.copyFile(from, to);
  const { atime, mtime } = await Deno.stat(from);
  // what is made from other files is made again by its time
  if (mtime) await Deno.utime(to, atime ?? mtime, mtime);
}

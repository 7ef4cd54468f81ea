/** Which branch a folder is on, read from git's own files: no process is started. */
import { dirname, isAbsolute, join } from "../base/path.ts";

/**
 * The branch of the repository that `folder` lies in, the first seven digits of the commit where no
 * branch is checked out; undefined outside a repository and where it may not be read.
 */
export async function branchOf(folder: string): Promise<string | undefined> {
  const git = await gitFolder(folder);
  if (git === undefined) return undefined;
  const head = (await read(join(git, "HEAD")))?.trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head ?? "")?.[1];
  return branch ?? /^[0-9a-f]{40,64}$/.exec(head ?? "")?.[0].slice(0, 7);
}

/** Where HEAD stands: in a worktree or submodule `.git` is a file that names the place. */
async function gitFolder(folder: string): Promise<string | undefined> {
  for (let at = folder;; at = dirname(at)) {
    const git = join(at, ".git");
    const text = await read(git);
    const pointed = /^gitdir: (.+)$/m.exec(text ?? "")?.[1]?.trim();
    if (pointed !== undefined) return isAbsolute(pointed) ? pointed : join(at, pointed);
    if (await read(join(git, "HEAD")) !== undefined) return git;
    if (dirname(at) === at) return undefined;
  }
}

/** The text of a file; undefined where there is none, or none that may be read without asking. */
async function read(path: string): Promise<string | undefined> {
  try {
    if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return undefined;
    // a pipe never ends, and neither does what a link may lead to
    return (await Deno.stat(path)).isFile ? await Deno.readTextFile(path) : undefined;
  } catch {
    return undefined;
  }
}

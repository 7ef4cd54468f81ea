/** What root makes in a folder of somebody else's (`sudo narnat`, a container) is given to them. */
import { under } from "../base/path.ts";
import { granted } from "../base/host.ts";

const ROOT = 0;

/** Gives `.narnat` of the workspace, as far as it is root's, to the workspace's owner; they could not use narnat there otherwise. */
export async function giveToOwner(workspace: string): Promise<void> {
  if (Deno.build.os === "windows" || !granted({ name: "sys", kind: "uid" })) return;
  if (Deno.uid() !== ROOT) return;
  const { uid, gid } = Deno.statSync(workspace);
  if (uid === null || gid === null || uid === ROOT) return;
  const { lchownSync } = await import("node:fs");
  const give = (path: string): void => {
    try {
      const info = Deno.lstatSync(path);
      // one with another name elsewhere may not be of our making
      if (info.uid === ROOT && (info.isDirectory || info.nlink === 1)) lchownSync(path, uid, gid);
      if (!info.isDirectory) return;
      for (const { name } of Deno.readDirSync(path)) give(under(path, name));
    } catch { /* gone meanwhile, or the disk does not let us */ }
  };
  give(under(workspace, ".narnat"));
}

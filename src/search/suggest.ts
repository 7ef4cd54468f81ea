import { basename, dirname, join } from "../base/path.ts";
import { nearest } from "../base/nearest.ts";
import { displayPath } from "../files/paths.ts";
import { newWalkReport, walk } from "./walk/walk.ts";

const ENTRIES_LOOKED_AT = 5000;

/** Returns up to three existing paths, relative to the workspace, that a missing path may have meant. */
export async function suggestPaths(missing: string, workspace: string): Promise<string[]> {
  const found = new Set<string>();
  for (const tail of tails(missing, workspace)) {
    if (await exists(join(workspace, tail))) found.add(tail);
  }
  const parent = dirname(missing);
  const siblings: string[] = [];
  try {
    for await (const entry of Deno.readDir(parent)) {
      siblings.push(entry.name);
      if (siblings.length >= ENTRIES_LOOKED_AT) break;
    }
  } catch {
    // the folder is missing too: only the same name elsewhere can help
  }
  const name = basename(missing).normalize("NFC");
  for (const sibling of siblings) {
    if (sibling.normalize("NFC") === name) found.add(displayPath(join(parent, sibling), workspace));
  }
  for (const sibling of nearest(name, siblings)) {
    found.add(displayPath(join(parent, sibling), workspace));
  }
  if (found.size === 0) {
    let seen = 0;
    for (const path of walk(workspace, newWalkReport())) {
      if (basename(path).toLowerCase() === name.toLowerCase()) found.add(path);
      if (++seen >= ENTRIES_LOOKED_AT || found.size >= 3) break;
    }
  }
  return [...found].slice(0, 3);
}

/** The path without its first parts: `/repo/src/a.ts` written for `src/a.ts`. */
function tails(missing: string, workspace: string): string[] {
  const parts = displayPath(missing, workspace).split(/[\\/]+/).filter(Boolean);
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join("/"));
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch {
    return false;
  }
}

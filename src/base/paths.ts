/** What stands at a path, where nothing is no error. */
import { isAbsolute, relative } from "./path.ts";

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

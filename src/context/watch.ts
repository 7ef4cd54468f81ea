/** Files that count from a session's beginning, watched for changes meanwhile. */
import { mayRead } from "./files.ts";

/** A file, and how people name it. */
export interface WatchedFile {
  readonly path: string;
  readonly name: string;
}

/** Returns a function that names the files that came, went or changed since it was last asked. */
export function watch(filesNow: () => readonly WatchedFile[]): () => string[] {
  const stamps = () => new Map(filesNow().map(({ path, name }) => [name, stampOf(path)]));
  let known = stamps();
  return () => {
    const before = known;
    known = stamps();
    return [...new Set([...before.keys(), ...known.keys()])]
      .filter((name) => (before.get(name) ?? "") !== (known.get(name) ?? ""));
  };
}

function stampOf(path: string): string {
  if (!mayRead(path)) return "";
  try {
    const { mtime, size } = Deno.statSync(path);
    return `${mtime?.getTime()} ${size}`;
  } catch {
    return "";
  }
}

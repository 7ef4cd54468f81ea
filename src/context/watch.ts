/** Files that count from a session's beginning, watched for changes meanwhile. */
/** A file where one may look, and how people name it. */
export interface WatchedFile {
  readonly path: string;
  readonly name: string;
}

/** Returns a function that gives the files that came, went or changed since it was last asked. */
export function watch(filesNow: () => readonly WatchedFile[]): () => WatchedFile[] {
  const stamps = () =>
    new Map(filesNow().map((file) => [file.name, { file, stamp: stampOf(file.path) }]));
  let known = stamps();
  return () => {
    const before = known;
    known = stamps();
    return [...new Map([...before, ...known]).values()].map(({ file }) => file)
      .filter(({ name }) => (before.get(name)?.stamp ?? "") !== (known.get(name)?.stamp ?? ""));
  };
}

function stampOf(path: string): string {
  try {
    const { mtime, size } = Deno.statSync(path);
    return `${mtime?.getTime()} ${size}`;
  } catch {
    return "";
  }
}

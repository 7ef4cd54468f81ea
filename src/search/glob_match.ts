import picomatch from "picomatch";

/** Tests a path relative to the root, with `/`. */
export type PathTest = (path: string) => boolean;

type Picomatch = (
  glob: string,
  options: { dot: boolean; basename: boolean; nonegate: boolean },
) => PathTest;

/**
 * Compiles globs: `**`, braces, sets. A pattern without `/` matches a name at any depth; a leading
 * `/` or `./` ties it to the root; `!` in front excludes. A path passes when one pattern that is
 * not negated matches (or there is none) and no negated one does.
 */
export function globTest(globs: readonly string[]): PathTest {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(compile);
  const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) =>
    compile(glob.slice(1))
  );
  return (path) =>
    (wanted.length === 0 || wanted.some((test) => test(path))) &&
    !unwanted.some((test) => test(path));
}

function compile(glob: string): PathTest {
  const rooted = glob.replace(/^(\.?\/)+/, "");
  // a folder means what is in it
  const pattern = rooted.endsWith("/") ? `${rooted}**` : rooted;
  const basename = glob === pattern && !pattern.includes("/");
  return (picomatch as unknown as Picomatch)(pattern, { dot: true, basename, nonegate: true });
}

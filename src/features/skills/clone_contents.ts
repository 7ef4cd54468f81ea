/** What a fetched repository holds, before and after its files are written. */
import { under } from "../../base/under.ts";
import { filesBelow, isFileOf } from "./clones.ts";

/** Mode of a repository within the repository. */
export const SUBMODULE = "160000";

/** One file of the tree, before it is written. */
export interface Listed {
  readonly mode: string;
  readonly path: string;
  readonly bytes: number;
}

/** The rows of `git ls-tree -r -l -z`. */
export function treeOf(text: string): Listed[] {
  return text.split("\0").flatMap((row) => {
    const [, mode, size, path] = /^(\d+) \w+ \w+ +(\d+|-)\t(.*)$/s.exec(row) ?? [];
    return path === undefined ? [] : [{ mode: mode!, path, bytes: Number(size) || 0 }];
  });
}

const RUNS = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|rb|pl|php|lua|ps1|bat|cmd|exe|jar|command)$/i;

/** Those that a system would run. */
export const scriptsOf = (files: readonly { mode?: string; path: string }[]) =>
  files.filter(({ mode, path }) => mode === "100755" || RUNS.test(path)).map(({ path }) => path);

/** What is told of a clone that was there already. */
export function contentsOf(dir: string) {
  const all = filesBelow(dir);
  return {
    files: all.length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    scripts: scriptsOf(
      all.filter(({ link }) => !link).map(({ path }) => {
        const executable =
          ((Deno.lstatSync(under(dir, ...path.split("/"))).mode ?? 0) & 0o111) !== 0;
        return { path, mode: executable ? "100755" : "100644" };
      }),
    ),
    links: [],
    submodules: [],
  };
}

/** Takes out the links that lead nowhere or out: who reads such a "file" would read another. */
export function dropLinksOut(dir: string): string[] {
  const out = filesBelow(dir).filter(({ path, link }) => {
    if (!link) return false;
    const full = under(dir, ...path.split("/"));
    return !isFileOf(dir, full) && !isFolderOf(dir, full);
  }).map(({ path }) => path);
  for (const path of out) Deno.removeSync(under(dir, ...path.split("/")));
  return out;
}

function isFolderOf(dir: string, path: string): boolean {
  try {
    const [root, real] = [Deno.realPathSync(dir), Deno.realPathSync(path)];
    return real.startsWith(under(root, "")) && Deno.statSync(real).isDirectory;
  } catch {
    return false;
  }
}

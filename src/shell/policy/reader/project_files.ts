/** Files that programs look for by themselves: where the command line wrote them, they are read. */
import type { Layer } from "./layers.ts";
import { recipesOf } from "./makefile.ts";

/** Gives the texts of the written files whose names a pattern knows. */
type Written = (pattern: RegExp) => readonly string[];

const HOOK = /^(?:pre|post|prepare|commit|applypatch|fsmonitor|update|reference)-?[a-z-]*$/;
/** Scripts that a package manager runs with others, or by a short name. */
const IMPLIED = /^(?:(?:pre|post)?(?:install|test|start|prepare|pack|publish)|prepublishOnly)$/;

/** The shell's texts that a program finds in such files. */
export function projectScripts(
  { name, args }: Pick<Layer, "name" | "args">,
  written: Written,
): string[] {
  if (/^g?make$/.test(name)) return recipesOf({ args, files: written(/^(?:gnu)?makefile$/i) });
  if (name === "just") return recipesOf({ args, files: written(/^\.?justfile$/i) });
  if (name === "git") return [...written(HOOK)];
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(name)) return [];
  const named = new Set(args.map(({ text }) => text));
  return written(/^package\.json$/).flatMap((text) =>
    scripts(text).filter(([key]) =>
      IMPLIED.test(key) || named.has(key.replace(/^(?:pre|post)/, "")) || named.has(key)
    )
      .map(([, source]) => source)
  );
}

function scripts(text: string): [string, string][] {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== "object" || found === null || !("scripts" in found)) return [];
    return Object.entries(found.scripts ?? {})
      .filter((entry): entry is [string, string] => typeof entry[1] === "string");
  } catch {
    return [];
  }
}

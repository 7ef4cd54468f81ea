/** Lays lazily imported files together before they are bundled: to open a chunk costs more than most of them hold. */
import { dirname, join } from "node:path";
import { ROOT } from "./bundle.ts";

/** Files that are imported lazily and loaded together. */
export interface Group {
  /** The group that is loaded by then: what both need goes into that one's chunk. */
  readonly after?: string;
  /** Each is loaded for itself; only what they come after is the same. */
  readonly each?: boolean;
  /** Each is bundled for itself with all it needs, as a thread of its own shares no code with the others. */
  readonly apart?: boolean;
  readonly files: readonly string[];
}

export interface Groups {
  readonly [name: string]: Group;
}

const LAZY = /(?<!typeof )import\(\s*"(\.[^"]+)"\s*,?\s*\)/g;

/**
 * Copies `main.ts` and `src/` to `folder` with each lazy import turned to a file that stands for the
 * import's whole group. A bundler cuts a chunk for each set of lazy imports that reach the same files;
 * so there are fewer sets. What no group names comes after group `last`, each for itself. Returns the
 * files in `folder` that are to be bundled apart.
 */
export async function layTogether(
  folder: string,
  groups: Groups,
  last: string,
): Promise<string[]> {
  const sources = new Map<string, string>();
  for await (const path of filesOf(ROOT, ["main.ts", "deno.json", "deno.lock", "src"])) {
    sources.set(path, await Deno.readTextFile(join(ROOT, path)));
  }
  const lazy = new Set<string>();
  for (const [path, text] of sources) {
    for (const [, word = ""] of text.matchAll(LAZY)) lazy.add(join(dirname(path), word));
  }
  const named = Object.values(groups).flatMap(({ files }) => files);
  const unknown = named.filter((path, at) => !lazy.has(path) || named.indexOf(path) !== at);
  if (unknown.length > 0) {
    throw new Error(`Cannot group ${unknown.join(", ")}: not imported lazily, or named twice`);
  }
  const rest: Group = {
    after: last,
    each: true,
    files: [...lazy].filter((path) => !named.includes(path)),
  };

  /** The file that stands for a lazily imported one, and the name it is exported by, where that has several. */
  const places = new Map<string, { readonly file: string; readonly name?: string }>();
  const alone = new Set<string>();
  const laid = new Map<string, string>();
  for (const [group, { after, each, apart, files }] of Object.entries<Group>({ ...groups, rest })) {
    const first = after === undefined ? "" : `import "./${after}.ts";\n`;
    const whole = `${group}.ts`;
    for (const path of files) {
      const name = path.replaceAll(/\W/g, "_");
      const file = each ? `${name}.ts` : whole;
      if (apart) alone.add(file);
      places.set(path, each ? { file } : { file, name });
      laid.set(
        file,
        (laid.get(file) ?? first) + `export *${each ? "" : ` as ${name}`} from "./${path}";\n`,
      );
    }
  }
  for (const [path, text] of sources) {
    laid.set(
      path,
      !path.endsWith(".ts") ? text : text.replace(LAZY, (_, word: string) => {
        const { file, name } = places.get(join(dirname(path), word))!;
        if (alone.has(file)) return `import(import.meta.resolve("./${file.replace(/ts$/, "js")}"))`;
        const to = `import("${"../".repeat(path.split("/").length - 1) || "./"}${file}")`;
        return name === undefined ? to : `${to}.then((group) => group.${name})`;
      }),
    );
  }
  for (const [path, text] of laid) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
  return [...alone];
}

/** The files under `paths`, in the same order everywhere. */
async function* filesOf(folder: string, paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths.toSorted()) {
    const { isDirectory } = await Deno.stat(join(folder, path));
    if (!isDirectory) yield path;
    else {
      const names = await Array.fromAsync(Deno.readDir(join(folder, path)), ({ name }) => name);
      yield* filesOf(folder, names.map((name) => `${path}/${name}`));
    }
  }
}

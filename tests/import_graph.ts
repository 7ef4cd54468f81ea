import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** File → the files of the project it imports, both relative to the root; types and lazy imports count. */
export type Graph = ReadonlyMap<string, readonly string[]>;

interface Info {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier?: string };
      readonly type?: { readonly specifier?: string };
    }[];
  }[];
}

/** Reads the import graph of `files` and all they reach, as Deno itself resolves it. */
export async function importGraph(root: string, files: readonly string[]): Promise<Graph> {
  const temp = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    const urls = files.map((file) => pathToFileURL(join(root, file)).href);
    await Deno.writeTextFile(temp, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(""));
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--no-lock", "--config", join(root, "deno.json"), temp],
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return readInfo(root, JSON.parse(new TextDecoder().decode(stdout)));
  } finally {
    await Deno.remove(temp);
  }
}

function readInfo(root: string, info: Info): Graph {
  const inside = (specifier: string | undefined): string[] => {
    if (!specifier?.startsWith("file:")) return [];
    const path = relative(root, fileURLToPath(specifier));
    return path.startsWith("..") ? [] : [path];
  };
  const graph = new Map<string, string[]>();
  for (const module of info.modules) {
    for (const file of inside(module.specifier)) {
      const to = (module.dependencies ?? []).flatMap(({ code, type }) => [
        ...inside(code?.specifier),
        ...inside(type?.specifier),
      ]);
      graph.set(file, [...new Set(to)]);
    }
  }
  return graph;
}

/** The files of one cycle, the first named again at its end; empty when there is none. */
export function findCycle(graph: Graph): readonly string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

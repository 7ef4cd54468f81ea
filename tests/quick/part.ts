import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const TESTS = dirname(import.meta.dirname!);
const PARTS = 4;

/** Paths of the files with tests below a folder, in a stable order. */
function* testFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    const path = join(folder, name);
    if (isDirectory) yield* testFiles(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

/** Registers the tests of every fourth file: what the files share is loaded four times, not 400 times. */
export async function importPart(part: number): Promise<void> {
  for (const [at, file] of [...testFiles(TESTS)].entries()) {
    if (at % PARTS === part) await import(pathToFileURL(file).href);
  }
}

/** Builds `dist/narnat`, the self-extracting executable for the platform it runs on. */
import { dirname, join } from "node:path";
import { pinnedDeno, projectVersion, ROOT, script } from "./bundle.ts";
import { bundleNarnat } from "./groups.ts";
import { pack, type Packed } from "./pack.ts";

/**
 * Packs what `bundle` makes with the running Deno and writes the executable; returns its size in
 * bytes. `bundle` is given an empty folder and returns the entry's name.
 */
export async function build(
  bundle: (folder: string) => Promise<string>,
  out: string,
  level = 9,
): Promise<number> {
  const deno = await pinnedDeno();
  const folder = await Deno.makeTempDir({ prefix: "narnat-build-" });
  try {
    const main = await bundle(folder);
    const names = (await Array.fromAsync(Deno.readDir(folder), (file) => file.name)).sort();
    const files: Packed[] = [
      { name: "deno", bytes: await Deno.readFile(Deno.execPath()), executable: true },
      ...await Promise.all(
        names.map(async (name) => ({ name, bytes: await Deno.readFile(join(folder, name)) })),
      ),
    ];
    const bytes = pack(files, { version: await projectVersion(), deno, entry: main }, level);
    await Deno.mkdir(dirname(out), { recursive: true });
    // by a rename, so that a narnat that runs from the old file is not cut
    await Deno.writeFile(`${out}.new`, bytes, { mode: 0o755 });
    await Deno.rename(`${out}.new`, out);
    return bytes.length;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  const out = join(ROOT, "dist/narnat");
  const size = await build(bundleNarnat, out);
  console.log(`${out}  ${(size / 1e6).toFixed(1)} MB`);
}

if (import.meta.main) await script(main);

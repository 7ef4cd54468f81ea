/** narnat as it is shipped, but for the launcher: it starts in about half the time it takes from source. */
import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { bundleNarnat } from "../../scripts/groups.ts";
import { type Program, ROOT } from "./narnat.ts";

const BUNDLES = join(ROOT, "dist/test");
/** Another run of the tests may still start a bundle as old as this. */
const KEPT_MS = 3600_000;

function* filesBelow(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* filesBelow(path);
    else yield path;
  }
}

/** What the bundle is made of, in a few characters. */
function fingerprint(): string {
  const others = [
    "main.ts",
    "deno.json",
    "deno.lock",
    "scripts/bundle.ts",
    "scripts/groups.ts",
    "scripts/lay_together.ts",
  ];
  const files = [...filesBelow(join(ROOT, "src")), ...others.map((name) => join(ROOT, name))];
  const hash = createHash("sha256").update(Deno.version.deno);
  for (const file of files.sort()) {
    hash.update(`\0${relative(ROOT, file)}\0`).update(Deno.readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

function removeOld(): void {
  for (const { name } of Deno.readDirSync(BUNDLES)) {
    const path = join(BUNDLES, name);
    try {
      const age = Date.now() - Deno.statSync(path).mtime!.getTime();
      if (age > KEPT_MS) Deno.removeSync(path, { recursive: true });
    } catch (error) {
      // another test file was faster
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** Bundles the sources as they are, unless that has been done; returns the entry's path. */
async function freshBundle(): Promise<string> {
  const place = join(BUNDLES, fingerprint());
  const entry = join(place, "main.js");
  try {
    await Deno.utime(place, new Date(), new Date());
    return entry;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await Deno.mkdir(BUNDLES, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: BUNDLES });
  await bundleNarnat(folder);
  try {
    await Deno.rename(folder, place);
  } catch {
    // another test file was faster
    await Deno.remove(folder, { recursive: true });
  }
  removeOld();
  return entry;
}

/** narnat bundled from the sources as they are now. */
export const BUNDLED: Program = {
  name: "bundled",
  command: Deno.execPath(),
  args: [
    ...["run", "-q", "-A", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-npm"],
    await freshBundle(),
  ],
};

const NOBODY = 65534;

async function openTo(path: string): Promise<void> {
  const info = await Deno.stat(path);
  await Deno.chmod(path, info.isDirectory ? 0o755 : 0o644);
  if (!info.isDirectory) return;
  for await (const { name } of Deno.readDir(path)) await openTo(join(path, name));
}

/**
 * The bundled narnat as the user `nobody`, in a folder that one may read; undefined, and said so,
 * where that cannot be.
 */
export async function asNobody(dir: string): Promise<Program | undefined> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) {
    console.warn("SKIPPED: only root can run narnat as another user");
    return undefined;
  }
  const deno = join(dir, "deno");
  const bundle = join(dir, "bundle");
  const [entry] = BUNDLED.args.slice(-1);
  await new Deno.Command("cp", { args: ["-r", dirname(entry!), bundle] }).output();
  await openTo(bundle);
  const source = await Deno.realPath(Deno.execPath());
  await Deno.link(source, deno).catch(() => Deno.copyFile(source, deno));
  await Deno.chmod(dir, 0o755);
  const by = ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups", deno];
  const program: Program = {
    name: "nobody",
    command: "setpriv",
    args: [...by, ...BUNDLED.args.slice(0, -1), join(bundle, "main.js")],
  };
  try {
    const args = [...program.args, "--version"];
    const env = { PATH: Deno.env.get("PATH") ?? "", DENO_DIR: join(dir, "deno_dir") };
    const out = await new Deno.Command("setpriv", { args, clearEnv: true, env }).output();
    if (out.success) return program;
    console.warn(`SKIPPED: ${new TextDecoder().decode(out.stderr)}`);
  } catch (error) {
    console.warn(`SKIPPED: ${error}`);
  }
  return undefined;
}

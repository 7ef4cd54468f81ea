/** narnat run by a user who may do little, where this machine lets us be one. */
import { dirname, join } from "node:path";
import { BUNDLED } from "./bundled.ts";
import type { Program } from "./narnat.ts";

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

import { dirname, join } from "node:path";

/** Files of a workspace: path → text or bytes. */
export type Files = { readonly [path: string]: string | Uint8Array };

/** Makes a real temporary folder with `files`, hands its real path to `use`, and removes it. */
export async function withWorkspace<T>(
  files: Files,
  use: (root: string) => Promise<T> | T,
): Promise<T> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "narnat-test-" }));
  try {
    await writeFiles(root, files);
    return await use(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Writes files by their paths in a folder, and the folders that they need. */
export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    await Deno.mkdir(dirname(full), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(full, content);
    else await Deno.writeFile(full, content);
  }
}

interface SmallDisk {
  readonly root: string;
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
  /** Remounts it. */
  readOnly(on: boolean): Promise<void>;
}

async function run(command: string, ...args: string[]): Promise<string | undefined> {
  try {
    const out = await new Deno.Command(command, { args, stderr: "piped" }).output();
    return out.success ? undefined : new TextDecoder().decode(out.stderr).trim();
  } catch (error) {
    return String(error);
  }
}

/** Hands a disk of so many bytes to `use`; where none can be mounted it says so, and skips. */
export async function withSmallDisk(
  bytes: number,
  use: (disk: SmallDisk) => Promise<void> | void,
): Promise<void> {
  await withWorkspace({ "disk/.keep": "" }, async (dir) => {
    const root = join(dir, "disk");
    const no = await run("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", root);
    if (no !== undefined) return console.warn(`SKIPPED: no tmpfs can be mounted here: ${no}`);
    const filler = join(root, "filler");
    const readOnly = async (on: boolean) => {
      const why = await run("mount", "-o", `remount,${on ? "ro" : "rw"}`, root);
      if (why !== undefined) throw new Error(why);
    };
    try {
      await use({
        root,
        fill() {
          using file = Deno.openSync(filler, { append: true, create: true });
          for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
            try {
              while (file.writeSync(new Uint8Array(size)) === size);
            } catch { /* full for this size */ }
          }
        },
        free: () => Deno.removeSync(filler),
        readOnly,
      });
    } finally {
      const why = await run("umount", root) && await run("umount", "-l", root);
      if (why) console.warn(why);
    }
  });
}

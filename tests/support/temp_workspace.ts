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

import { basename, dirname, join } from "node:path";

/** The checkout's root folder. */
export const ROOT: string = dirname(import.meta.dirname ?? Deno.cwd());

/** Lies beside the bundle, as it is read where a lane speaks Chinese. */
const BESIDE = "./zh.json";

/** The version that `deno.json` states. */
export async function projectVersion(): Promise<string> {
  return JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json"))).version;
}

/** The Deno version the project is pinned to; throws when the running Deno is another. */
export async function pinnedDeno(): Promise<string> {
  const pinned = (await Deno.readTextFile(join(ROOT, ".dvmrc"))).trim();
  if (Deno.version.deno !== pinned) {
    throw new Error(
      `Cannot build with Deno ${Deno.version.deno}: .dvmrc pins ${pinned}. ` +
        `Use it: npx -y deno@${pinned} task build`,
    );
  }
  return pinned;
}

/**
 * Bundles `entry` and all it imports into `outDir`: the entry under its own name with `.js`, one
 * or more chunks for each lazy import, their names behind `prefix`. The same sources give the same
 * bytes wherever they lie. Returns the entry's file name.
 */
export async function bundle(entry: string, outDir: string, prefix = ""): Promise<string> {
  const out = await Deno.makeTempDir({ prefix: "narnat-bundle-" });
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["bundle", "-q", "--minify", "--code-splitting", "--external", BESIDE],
        ...["--outdir", out, entry],
      ],
      // deno bundle resolves bare imports from the working folder's deno.json
      cwd: dirname(entry),
      env: { NO_COLOR: "1" },
      stdout: "null",
      stderr: "piped",
    }).output();
    if (!success) {
      throw new Error(`Cannot bundle ${entry}: ${said(stderr)}`);
    }
    const main = basename(entry, ".ts") + ".js";
    await renameChunks(out, outDir, main, prefix);
    return main;
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

/**
 * Numbers the chunks in the order of their mention, as esbuild's own names hash where the sources
 * lie, and hides lazy imports from Deno, which else reads every chunk it sees named at each start.
 */
async function renameChunks(
  folder: string,
  outDir: string,
  main: string,
  prefix: string,
): Promise<void> {
  const texts = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    texts.set(name, await Deno.readTextFile(join(folder, name)));
  }
  const mention = /(import\()?"\.\/([^"/]+\.js)"/g;
  const names = new Map([[main, main]]);
  for (const old of names.keys()) {
    for (const [, , name = ""] of (texts.get(old) ?? "").matchAll(mention)) {
      if (texts.has(name) && !names.has(name)) names.set(name, `${prefix}chunk_${names.size}.js`);
    }
  }
  for (const [old, name] of names) {
    const text = (texts.get(old) ?? "").replace(mention, (whole, lazy, mentioned) => {
      const now = names.get(mentioned);
      if (now === undefined) return whole;
      return lazy ? `import("./${now}"+""` : `"./${now}"`;
    });
    await Deno.writeTextFile(
      join(outDir, name),
      text.replace(`import("${BESIDE}"`, `import("${BESIDE}"+""`),
    );
  }
}

/** What a failed deno printed, without its own backtrace. */
export function said(stderr: Uint8Array): string {
  return new TextDecoder().decode(stderr).split("Stack backtrace:")[0]?.trim() ?? "";
}

/** Runs a script's `main`; an error becomes its message on stderr and exit code 1. */
export async function script(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exit(1);
  }
}

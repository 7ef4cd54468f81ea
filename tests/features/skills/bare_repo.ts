import { join } from "node:path";

/** A file of a repository; `link` and `submodule` have their target, or commit, as text. */
type Entry = string | Uint8Array | {
  readonly mode: "executable" | "link" | "submodule";
  readonly text: string;
};

const MODES = { executable: "100755", link: "120000", submodule: "160000" };

/** Makes a real bare repository with one commit, or puts another one on top; returns its path. */
export async function bareRepo(
  root: string,
  name: string,
  files: { readonly [path: string]: Entry },
): Promise<string> {
  const path = join(root, name);
  const known = await Deno.stat(path).then(() => true, () => false);
  if (!known) await git(root, ["init", "--quiet", "--bare", "-b", "main", path]);
  const pieces: (string | Uint8Array)[] = [
    "commit refs/heads/main\ncommitter A <a@localhost> 1700000000 +0000\ndata 1\nc\n",
    known ? "from refs/heads/main^0\ndeleteall\n" : "",
  ];
  for (const [file, entry] of Object.entries(files)) {
    const text = typeof entry === "object" && "mode" in entry ? entry.text : entry;
    const mode = typeof entry === "object" && "mode" in entry ? MODES[entry.mode] : "100644";
    if (mode === MODES.submodule) {
      pieces.push(`M ${mode} ${text} ${JSON.stringify(file)}\n`);
      continue;
    }
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    pieces.push(`M ${mode} inline ${JSON.stringify(file)}\ndata ${bytes.length}\n`, bytes, "\n");
  }
  await git(root, [`--git-dir=${path}`, "fast-import", "--quiet", "--force"], pieces);
  return path;
}

async function git(cwd: string, args: string[], input: readonly (string | Uint8Array)[] = []) {
  const child = new Deno.Command("git", {
    args,
    cwd,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH")!, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  for (const piece of input) {
    await writer.write(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  }
  await writer.close();
  const said = await new Response(child.stderr).text();
  if (!(await child.status).success) throw new Error(`git ${args.join(" ")}: ${said}`);
}

/** A workspace, a home and a place outside of both, none of them in the temporary folder, and a sandbox around. */
import { join } from "node:path";
import { createJobs, type Jobs } from "../../src/shell/process/jobs.ts";
import {
  createSandbox,
  type SandboxOptions,
  seatbeltProfile,
} from "../../src/shell/process/sandbox.ts";

export { seatbeltProfile };

interface Yard {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly outside: string;
  readonly env: { readonly [name: string]: string };
  readonly jobs: Jobs;
  run(command: string, more?: { timeoutMs?: number; signal?: AbortSignal }): Promise<
    Awaited<ReturnType<Jobs["run"]>> & { readonly text: string }
  >;
}

/** False, said aloud, where bubblewrap cannot run: the tests of the sandbox prove nothing there. */
export const sandboxRuns: boolean = await (async () => {
  if (Deno.build.os !== "linux") return told("this is not Linux");
  try {
    const args = ["--unshare-user", "--ro-bind", "/", "/", "true"];
    const { success, stderr } = await new Deno.Command("bwrap", { args }).output();
    return success || told(new TextDecoder().decode(stderr));
  } catch (error) {
    return told(`${error}`);
  }
})();

function told(why: string): false {
  console.error(`THE SANDBOX IS NOT TESTED: bubblewrap does not run here: ${why.trim()}`);
  return false;
}

export async function withYard(
  use: (yard: Yard) => Promise<void>,
  settings: Partial<Pick<SandboxOptions, "network" | "write">> & {
    /** Makes what is to be there before. */
    readonly before?: (at: { workspace: string; home: string; outside: string }) => Promise<void>;
    readonly git?: boolean;
    /** The workspace's `bin` comes first in PATH. */
    readonly ownBin?: boolean;
    readonly workspace?: (root: string) => string;
  } = {},
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp", prefix: "yard-" }));
  const home = join(root, "home");
  const workspace = settings.workspace?.(root) ?? join(root, "ws");
  const outside = join(root, "outside");
  const env = {
    PATH: [...settings.ownBin ? [join(workspace, "bin")] : [], Deno.env.get("PATH")].join(":"),
    LANG: "C.UTF-8",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  for (const dir of [home, workspace, outside, join(workspace, ".narnat", "outputs")]) {
    await Deno.mkdir(dir, { recursive: true });
  }
  await Deno.writeTextFile(join(home, ".bashrc"), "# mine\n");
  await Deno.writeTextFile(join(outside, "kept.txt"), "kept\n");
  await Deno.writeTextFile(join(workspace, ".narnat", "narnat.json"), "{}\n");
  await Deno.writeTextFile(join(workspace, "a.txt"), "a\n");
  if (settings.git !== false) {
    await new Deno.Command("git", { args: ["init", "-q"], cwd: workspace, env }).output();
  }
  await settings.before?.({ workspace, home, outside });
  const { network = true, write = [] } = settings;
  const sandbox = createSandbox({ workspace, home, env, network, write });
  const jobs = createJobs({ sandbox });
  const base = { cwd: workspace, env, outputDir: join(workspace, ".narnat", "outputs") };
  try {
    await use({
      root,
      workspace,
      home,
      outside,
      env,
      jobs,
      async run(command, more = {}) {
        const options = { timeoutMs: 20_000, signal: new AbortController().signal, ...more };
        const result = await jobs.run({ ...base, command, ...options });
        return { ...result, text: result.output.head };
      },
    });
  } finally {
    await jobs.close();
    await Deno.remove(root, { recursive: true });
  }
}

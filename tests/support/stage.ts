/** narnat as a script runs it: a workspace and a home of its own, and a provider that it is configured to use. */
import { join } from "node:path";
import { BUNDLED } from "./bundled.ts";
import { type FakeProvider, type Script, startFakeProvider } from "./fake_provider.ts";
import { type Outcome, runNarnat, type RunOptions } from "./narnat.ts";
import { type Files, withWorkspace, writeFiles } from "./temp_workspace.ts";

export interface Stage {
  /** The workspace, `w` in `dir`. */
  readonly root: string;
  readonly home: string;
  /** What holds the workspace and the home. */
  readonly dir: string;
  readonly provider: FakeProvider;
  readonly env: { readonly [name: string]: string };
  /** Runs narnat in the workspace to its end. */
  narnat(args: readonly string[], more?: Partial<RunOptions>): Promise<Outcome>;
}

/** Sets the stage, with files by their paths in `dir`, hands it to `play`, and removes everything. */
export async function stage(
  script: Script,
  play: (stage: Stage) => Promise<void>,
  files: Files | ((dir: string) => Files) = {},
  protocol: "openai" | "anthropic" = "openai",
): Promise<void> {
  await withWorkspace({ "w/.keep": "" }, async (dir) => {
    await writeFiles(dir, typeof files === "function" ? files(dir) : files);
    const provider = await startFakeProvider(script);
    const root = join(dir, "w");
    const env = {
      NARNAT_API_KEY: "k-123456",
      NARNAT_BASE_URL: protocol === "openai" ? provider.url : provider.anthropicUrl,
      NARNAT_MODEL: "fake",
    };
    const narnat: Stage["narnat"] = (args, more = {}) =>
      runNarnat(BUNDLED, args, { cwd: root, ...more, env: { ...env, ...more.env } });
    try {
      await play({ root, home: join(dir, "home"), dir, provider, env, narnat });
    } finally {
      await provider.close();
    }
  });
}

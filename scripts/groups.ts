/** What of narnat is loaded together: each group is one chunk, or a few where others need parts of it. */
import { join } from "node:path";
import { bundle, ROOT } from "./bundle.ts";
import { type Groups, layTogether } from "./lay_together.ts";

export const GROUPS: Groups = {
  cli: { files: ["src/cli/cli.ts"] },
  workspace: { after: "cli", files: ["src/app/environment.ts"] },
  tool: { after: "workspace", each: true, files: ["src/cli/tool.ts"] },
  request: {
    after: "workspace",
    files: [
      "src/headless/output.ts",
      "src/models/catalog.ts",
      "src/cli/run.ts",
      "src/cli/run_headless.ts",
      "src/features/memory/dream_mark.ts",
      "src/app/features.ts",
      "src/context/mod.ts",
      "src/models/errors.ts",
      "src/models/model_facts.ts",
      "src/models/mod.ts",
      "src/models/wire/openai.ts",
      "src/base/types.ts",
    ],
  },
  files: {
    after: "workspace",
    files: [
      "src/search/here.ts",
      "src/search/mod.ts",
      "src/tools/edit/edit.ts",
      "src/tools/glob/glob.ts",
      "src/tools/grep/grep.ts",
      "src/tools/read/read.ts",
      "src/tools/write/write.ts",
      "src/files/atomic.ts",
      "src/files/file_lock.ts",
      "src/files/edit/kernel.ts",
    ],
  },
  shell: {
    after: "request",
    files: [
      "src/shell/policy/analysis.ts",
      "src/shell/process/jobs.ts",
      "src/shell/policy/losses.ts",
      "src/shell/policy/target_facts.ts",
      "src/tools/bash/bash.ts",
      "src/features/trash/bash.ts",
    ],
  },
  screen: {
    after: "request",
    files: [
      "src/cli/run_terminal.ts",
      "src/terminal/before.ts",
      "src/terminal/screen.ts",
      "src/terminal/device/terminal.ts",
      "src/terminal/transcript/transcript.ts",
    ],
  },
  // before the command line is read
  early: { files: ["src/cli/early.ts"] },
  threads: {
    each: true,
    apart: true,
    files: ["src/features/undo/worker.ts", "src/search/worker.ts"],
  },
};

/** Bundles narnat into `outDir`; returns the entry's file name. */
export async function bundleNarnat(outDir: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-build-" });
  try {
    for (const file of await layTogether(folder, GROUPS, "request")) {
      await bundle(join(folder, file), outDir, file.replace(/ts$/, ""));
    }
    // read where a lane's language is Chinese
    await Deno.copyFile(join(ROOT, "src/base/zh.json"), join(outDir, "zh.json"));
    return await bundle(join(folder, "main.ts"), outDir);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

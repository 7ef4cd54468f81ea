/** What of narnat is loaded together: each group is one chunk, or a few where others need parts of it. */
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { type Groups, layTogether } from "./lay_together.ts";

export const GROUPS: Groups = {
  cli: { files: ["src/cli.ts"] },
  workspace: { after: "cli", files: ["src/cli/ground.ts"] },
  tool: { after: "workspace", each: true, files: ["src/cli/tool.ts"] },
  request: {
    after: "workspace",
    files: [
      "src/channels/output.ts",
      "src/cli/models.ts",
      "src/cli/run.ts",
      "src/cli/run_headless.ts",
      "src/context/dream_mark.ts",
      "src/context/mod.ts",
      "src/context/skills.ts",
      "src/model/errors.ts",
      "src/model/images.ts",
      "src/model/mod.ts",
      "src/model/openai.ts",
      "src/model/price.ts",
      "src/model/window.ts",
      "src/types.ts",
    ],
  },
  files: {
    after: "workspace",
    files: [
      "src/search/here.ts",
      "src/search/mod.ts",
      "src/tools/edit.ts",
      "src/tools/glob.ts",
      "src/tools/grep.ts",
      "src/tools/read.ts",
      "src/tools/write.ts",
      "src/workspace/atomic.ts",
      "src/workspace/file_lock.ts",
      "src/workspace/kernel.ts",
    ],
  },
  shell: {
    after: "request",
    files: [
      "src/shell/can_verify.ts",
      "src/shell/gate.ts",
      "src/shell/job_name.ts",
      "src/shell/jobs.ts",
      "src/shell/losses.ts",
      "src/shell/only_reads.ts",
      "src/shell/target_facts.ts",
      "src/tools/bash.ts",
      "src/tools/bash_trash.ts",
      "src/workspace/trash_record.ts",
    ],
  },
  screen: {
    after: "request",
    files: [
      "src/cli/run_terminal.ts",
      "src/ui/before.ts",
      "src/ui/screen.ts",
      "src/ui/terminal.ts",
      "src/ui/transcript.ts",
    ],
  },
  // before the command line is read
  early: { files: ["src/cli/early.ts"] },
  threads: {
    each: true,
    apart: true,
    files: ["src/checkpoints/worker.ts", "src/search/worker.ts"],
  },
};

/** Bundles narnat into `outDir`; returns the entry's file name. */
export async function bundleNarnat(outDir: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "narnat-build-" });
  try {
    for (const file of await layTogether(folder, GROUPS, "request")) {
      await bundle(join(folder, file), outDir, file.replace(/ts$/, ""));
    }
    return await bundle(join(folder, "main.ts"), outDir);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

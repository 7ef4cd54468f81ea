import { english } from "../../src/base/t.ts";
import type { PromptOptions } from "../../src/context/mod.ts";

/** What a prompt is made of in a workspace where nothing is configured. */
export const promptOptions = (
  workspace: string,
  more: Partial<PromptOptions> = {},
): PromptOptions => ({
  model: "deepseek-v4-pro",
  workspace,
  userDir: undefined,
  t: english,
  platform: "linux x86_64",
  shell: "bash",
  now: () => new Date("2026-11-20T08:00:00Z"),
  append: "",
  tools: [],
  ...more,
});

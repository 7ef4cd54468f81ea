/** What the command line may say. */
import type { Lang } from "../base/t.ts";
import type { Choices } from "./environment.ts";
import project from "../../deno.json" with { type: "json" };

/** The version of narnat. */
export const VERSION: string = project.version;

/** Flags as the command line gives them. */
export type Flags = {
  readonly print?: boolean;
  readonly plain?: boolean;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly api?: "auto" | "openai" | "anthropic";
  readonly cwd?: string;
  readonly continue?: boolean;
  readonly resume?: string;
  readonly inputFormat?: "text" | "stream-json";
  readonly outputFormat?: "text" | "json" | "stream-json";
  readonly permission?: "open" | "guarded" | "ask";
  readonly allowDelete?: boolean;
  readonly tools?: string;
  readonly plan?: boolean;
  readonly maxIterations?: number;
  readonly maxCost?: number;
  readonly maxTotalTokens?: number;
  readonly appendSystemPrompt?: string;
  readonly verbose?: boolean;
  readonly workspaceOnly?: boolean;
  readonly lang?: Lang;
  readonly session?: boolean;
  readonly jsonl?: boolean;
  readonly rerun?: boolean;
  readonly speed?: number;
  readonly redacted?: boolean;
  readonly output?: string;
  readonly list?: boolean;
  readonly redo?: boolean;
  readonly yes?: boolean;
  readonly overwrite?: boolean;
  readonly name?: string;
  readonly url?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly user?: boolean;
  readonly project?: boolean;
  readonly scope?: "user" | "project" | "local";
  readonly transport?: "stdio" | "http" | "sse";
};

/** What every command that works in a workspace takes. */
export const WHERE = {
  cwd: { is: "text", brief: "workspace (the current folder)", placeholder: "DIR" },
  lang: { is: "choice", brief: "language of narnat's own texts", values: ["zh", "en"] },
} as const;

/** Turns flags into what the rooms understand. */
export function choicesFrom(flags: Flags): Choices {
  const settings: Choices["settings"] = {};
  const set = <K extends keyof Choices["settings"]>(
    key: K,
    value: Choices["settings"][K] | undefined,
  ) => {
    if (value !== undefined) settings[key] = value;
  };
  set("model", flags.model);
  set("base_url", flags.baseUrl);
  set("api", flags.api);
  set("permission", flags.permission);
  set("workspace_only", flags.workspaceOnly);
  set("max_iterations", flags.maxIterations);
  set("max_cost", flags.maxCost);
  set("max_total_tokens", flags.maxTotalTokens);
  set("append_system_prompt", flags.appendSystemPrompt);
  set("lang", flags.lang);
  return {
    settings,
    cwd: flags.cwd,
    tools: flags.tools?.split(",").map((name) => name.trim()).filter((name) => name !== ""),
    session: flags.session !== false,
    planFirst: flags.plan === true,
  };
}

/** What a project's file may say of its user's bounds: only what is stricter. */
import { looseSandbox, type SandboxValue } from "./sandbox.ts";
import type { Permission } from "../base/types.ts";

/** What counts where nobody says anything. */
export const DEFAULTS = {
  max_iterations: 200,
  stall_seconds: 120,
  dream_hours: 2,
  checkpoint_file_mb: 50,
  checkpoint_total_mb: 2000,
  checkpoint_days: 30,
} as const;

// more rounds are the user's money
const AT_MOST = [
  "max_cost",
  "max_total_tokens",
  "max_cost_per_day",
  "max_tokens_per_day",
  "max_iterations",
] as const;
const AT_LEAST = [
  "stall_seconds",
  "checkpoint_file_mb",
  "checkpoint_total_mb",
  "checkpoint_days",
] as const;
const STRICTNESS: readonly Permission[] = ["open", "guarded", "ask"];

type Bounds =
  & { [key in typeof AT_MOST[number] | typeof AT_LEAST[number] | "dream_hours"]?: number }
  & {
    permission?: Permission;
    checkpoints?: boolean;
    prompt_cache?: boolean;
    workspace_only?: boolean;
    sandbox?: SandboxValue;
  };

/** Takes away what of the project's is looser than its user's; returns the names of what does not count. */
export function tighten(project: Bounds, user: Bounds): string[] {
  const { permission, dream_hours: hours } = project;
  const bound = (key: keyof typeof DEFAULTS) => user[key] ?? DEFAULTS[key];
  const loose = [
    ...AT_MOST.filter((key) => {
      const most = key === "max_iterations" ? bound(key) : user[key];
      return most !== undefined && project[key] !== undefined && project[key] > most;
    }),
    ...AT_LEAST.filter((key) => project[key] !== undefined && project[key] < bound(key)),
  ] as (keyof Bounds)[];
  if (
    permission !== undefined && user.permission !== undefined &&
    STRICTNESS.indexOf(permission) < STRICTNESS.indexOf(user.permission)
  ) loose.push("permission");
  // a Dream more often than theirs is their money too
  const own = bound("dream_hours");
  if (hours && (own === 0 || hours < own)) loose.push("dream_hours");
  // what is not kept is paid for in full
  if (project.prompt_cache === false && user.prompt_cache !== false) loose.push("prompt_cache");
  if (project.checkpoints === false && user.checkpoints !== false) loose.push("checkpoints");
  if (project.workspace_only === false && user.workspace_only) loose.push("workspace_only");
  for (const key of loose) delete project[key];
  return [...loose, ...looseSandbox(user.sandbox, project.sandbox)];
}

/** Whether a command changes nothing here: what only reads may start programs that do not. */
import { under } from "../../base/under.ts";
import { onlyReads } from "./only_reads.ts";

/** Where a command is run. */
export interface Whereabouts {
  readonly cwd: string;
  readonly workspace: string;
  readonly env: { readonly [name: string]: string };
}

/** Settings by which git starts a program while it reads, or reads another repository too. */
const STARTING =
  /fsmonitor|hookspath|external|textconv|command|filter|include|gpg|signature|promisor|partial|uploadpack|helper|proxy|submodule/i;

/** True for a command that only reads, by programs that no project has made, with settings that start none. */
export function surelyReads(command: string, { cwd, workspace, env }: Whereabouts): boolean {
  if (!onlyReads(command)) return false;
  const ours = (folder: string) =>
    !folder.startsWith("/") || `${folder}/`.startsWith(`${workspace}/`);
  if ((env["PATH"] ?? "").split(":").some(ours)) return false;
  if (!/\bgit\b/.test(command)) return true;
  return !/\bcd\b|-C/.test(command) && gitStartsNothing(cwd);
}

/** Of the repository that a folder belongs to. */
function gitStartsNothing(cwd: string): boolean {
  for (let at = cwd; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const git = under(at, ".git");
    const info = infoOf(git);
    if (!info) continue;
    if (!info.isDirectory || infoOf(under(at, ".gitmodules"))) return false;
    if (infoOf(under(git, "hooks", "post-index-change"))) return false;
    return ["config", "config.worktree"].map((name) => under(git, name)).every((path) =>
      // a pipe would be waited for
      infoOf(path)?.isFile !== false && !STARTING.test(textOf(path))
    );
  }
  return true;
}

function infoOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

/** A project that narnat was probably meant to work in. */
import { under } from "../base/under.ts";
import { isThere, mayRead, parentOf } from "./files.ts";
import type { PromptOptions } from "./part.ts";

/** What people write; the rest of `.narnat` is made by every session. */
const WRITTEN = [
  ...["narnat.json", "narnat.md", "mcp.json", "rules", "skills", "commands", "agents"],
  "memory/MEMORY.md",
];

export interface ProjectAbove {
  readonly dir: string;
  /** What narnat would use of it. */
  readonly names: readonly string[];
}

/**
 * The nearest folder above a workspace without settings of its own that has some; none beyond the
 * root of the git repository or in the home.
 */
export function projectAbove({ workspace, userDir }: PromptOptions): ProjectAbove | undefined {
  const home = userDir && parentOf(userDir);
  for (let dir = workspace; dir !== home && mayRead(dir);) {
    const names = [
      ...isProject(dir) ? [".narnat"] : [],
      ...isThere(under(dir, ".mcp.json")) ? [".mcp.json"] : [],
    ];
    if (names.length > 0) return dir === workspace ? undefined : { dir, names };
    const above = parentOf(dir);
    if (above === undefined || isThere(under(dir, ".git"))) return undefined;
    dir = above;
  }
  return undefined;
}

function isProject(dir: string): boolean {
  const narnat = under(dir, ".narnat");
  return isThere(narnat) && WRITTEN.some((name) => isThere(under(narnat, ...name.split("/"))));
}

import type { Tool } from "../base/types.ts";
import type { Searcher } from "../search/mod.ts";
import type { Jobs } from "../shell/process/jobs.ts";
import { bashWithin } from "./bash/bash_declaration.ts";
import { deferred } from "./toolbox.ts";
import { editDeclaration } from "./edit/edit_declaration.ts";
import { globDeclaration } from "./glob/glob_declaration.ts";
import { grepDeclaration } from "./grep/grep_declaration.ts";
import { readDeclaration } from "./read/read_declaration.ts";
import { todoWrite } from "./todo_write.ts";
import { webFetchTool } from "./web_fetch.ts";
import { type WebSearchOptions, webSearchTool } from "./web_search.ts";
import { writeDeclaration } from "./write/write_declaration.ts";

/** What the built-in tools are made with. */
export interface ToolOptions extends WebSearchOptions {
  /** Shared by Glob and Grep; its owner closes it. */
  readonly searcher: Searcher;
  /** Makes what runs Bash's commands; their owner closes them. */
  readonly jobs?: () => Promise<Jobs>;
  /** They use no file outside of the workspace. */
  readonly workspaceOnly?: boolean;
  /** Milliseconds that a command of Bash may run. */
  readonly bashMs?: number | undefined;
  /** Characters of a Read's answer. */
  readonly readChars?: number | undefined;
}

/** Makes the nine built-in tools, in the order the model sees them; most are loaded when they are called. */
export function builtinTools(
  { searcher, jobs, workspaceOnly, bashMs, readChars, ...web }: ToolOptions,
): Tool[] {
  const tools = [
    deferred(readDeclaration, async () => (await import("./read/read.ts")).readTool(readChars)),
    deferred(writeDeclaration, async () => (await import("./write/write.ts")).write),
    deferred(editDeclaration, async () => (await import("./edit/edit.ts")).edit),
    deferred(globDeclaration, async () => (await import("./glob/glob.ts")).globTool(searcher)),
    deferred(grepDeclaration, async () => (await import("./grep/grep.ts")).grepTool(searcher)),
    bashOver(jobs, bashMs),
    webSearchTool(web),
    webFetchTool(web.proxy ? { proxy: web.proxy } : {}),
    todoWrite,
  ];
  if (!workspaceOnly) return tools;
  return tools.map((tool) => ({
    ...tool,
    run: (input, context) => tool.run(input, { ...context, workspaceOnly }),
  }));
}

/** Bash over these jobs, or over its own, whose commands may run `mostMs`. */
export function bashOver(jobs: ToolOptions["jobs"], mostMs?: number): Tool {
  return deferred(
    bashWithin(mostMs),
    async () => (await import("./bash/bash.ts")).bashTool(await jobs?.()),
  );
}

/** Keeps the tools whose needed permissions were all granted. */
export function toolsFor(
  permissions: ReadonlySet<Tool["needs"][number]>,
  tools: readonly Tool[],
): Tool[] {
  return tools.filter((tool) => tool.needs.every((need) => permissions.has(need)));
}

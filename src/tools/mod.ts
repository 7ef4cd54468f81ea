import type { T } from "../base/t.ts";
import type { PreparedCall, Tool, Toolbox } from "../base/types.ts";
import { nearest } from "../base/nearest.ts";
import type { Searcher } from "../search/mod.ts";
import type { Jobs } from "../shell/process/jobs.ts";
import { bashWithin } from "./bash/bash_declaration.ts";
import { deferred, preparedCall } from "./declaration.ts";
import { excerpt } from "./excerpt.ts";
import { editDeclaration } from "./edit/edit_declaration.ts";
import { globDeclaration } from "./glob/glob_declaration.ts";
import { grepDeclaration } from "./grep/grep_declaration.ts";
import { readDeclaration } from "./read/read_declaration.ts";
import { parseInput } from "./schema.ts";
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

/** Makes a Toolbox: calls are found by name or alias in any case, and their input is validated. */
export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map<string, Tool>();
  // a tool's own name wins over another's alias
  for (const tool of tools) for (const alias of tool.aliases ?? []) byName.set(key(alias), tool);
  for (const tool of tools) byName.set(key(tool.name), tool);
  return {
    definitions: tools.map(({ name, description, input }) => ({ name, description, input })),
    prepare(name, input, t): PreparedCall | string {
      const tool = byName.get(key(name));
      if (!tool) return unknownTool(name, tools, byName, t);
      const parsed = parseInput(tool, input, t);
      return typeof parsed === "string" ? parsed : preparedCall(tool, parsed);
    },
  };
}

/** Servers may bring hundreds. */
const NAMES_TOLD = 60;

function key(name: string): string {
  return name.trim().toLowerCase();
}

function unknownTool(
  name: string,
  tools: readonly Tool[],
  byName: ReadonlyMap<string, Tool>,
  t: T,
): string {
  const names = tools.slice(0, NAMES_TOLD).map((tool) => tool.name).join(", ") +
    (tools.length > NAMES_TOLD ? ", …" : "");
  const [likely] = nearest(key(name), byName.keys(), 1);
  const near = likely === undefined ? undefined : byName.get(likely)?.name;
  const text = t("Error: Tool '{name}' not found. Available: {names}.", {
    name: excerpt(name),
    names,
  });
  return near ? `${text} ${t("Did you mean {near}?", { near })}` : text;
}

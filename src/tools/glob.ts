import { isAbsolute, join } from "node:path";
import { say } from "../text.ts";
import type { Tool, ToolContext, ToolInput, ToolResult } from "../types.ts";
import { FileError } from "../workspace/file_error.ts";
import { globFolder } from "../search/glob_folder.ts";
import { displayPath } from "../workspace/paths.ts";
import type { Searcher } from "../search/mod.ts";
import { failed, named } from "./files.ts";
import { rename } from "./schema.ts";
import { walkNotes } from "./search_notes.ts";

const FILES_AT_MOST = 100;
const DEADLINE_MS = 10_000;

/** Makes Glob: files by name, newest first. */
export function globTool(searcher: Searcher): Tool {
  return {
    name: "Glob",
    description:
      "Find files by name pattern, newest first, honouring .gitignore. For text inside files use Grep.",
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, description: "**/*.ts, src/**/*.{js,css}" },
        path: { type: "string", description: "Folder, default the workspace" },
      },
      required: ["pattern"],
    },
    readOnly: true,
    needs: ["read"],
    aliases: ["glob_files", "find_files", "list_files", "file_search"],
    adapt: (input) =>
      rename(input, {
        glob: "pattern",
        glob_pattern: "pattern",
        query: "pattern",
        directory: "path",
        dir: "path",
        folder: "path",
      }),
    async run(input, context) {
      try {
        return await globIn(input, context, searcher);
      } catch (error) {
        return await failed(context, "search.cannot", input.path || ".", error);
      }
    },
  };
}

async function globIn(
  input: ToolInput,
  context: ToolContext,
  searcher: Searcher,
): Promise<ToolResult> {
  const { lang } = context;
  const { folder, pattern } = split(input.pattern, input.path || ".");
  const { path, shown } = named(folder, context);
  const root = await Deno.realPath(path);
  if (!(await Deno.stat(root)).isDirectory) throw new FileError("not_folder", "not a folder");
  const query = { root, patterns: [pattern], limit: FILES_AT_MOST, deadlineMs: DEADLINE_MS };
  const found = await searcher.glob(query, context.signal);
  const files = found.files.map((file) => displayPath(join(path, file), context.workspace));
  const notes = walkNotes(found.report, lang, files.length > 0 ? found.stopped : undefined);
  const detail = { kind: "matches", count: found.total, files: found.total } as const;
  if (files.length === 0) {
    const key = found.stopped === "deadline" ? "search.deadline_none" : "glob.none";
    const none = say(lang, key, { pattern: input.pattern, path: shown });
    return { ok: true, text: [none, ...notes].join("\n"), detail };
  }
  if (found.total > files.length) {
    notes.unshift(say(lang, "glob.cut", { shown: files.length, total: found.total }));
  }
  return { ok: true, text: [...files, ...notes.map((note) => `(${note})`)].join("\n"), detail };
}

/** Moves the spelled-out folder of a pattern that leaves the workspace (`/etc/*.conf`, `../x/*`) into the path. */
function split(pattern: string, path: string): { folder: string; pattern: string } {
  const away = isAbsolute(pattern) || pattern.startsWith("~/") || pattern.startsWith("../");
  if (!away) return { folder: path, pattern };
  const lead = pattern.startsWith("/") ? "/" : "";
  const folder = lead + globFolder(pattern);
  const rest = pattern.slice(folder.length).replace(/^\/+/, "");
  return {
    folder: isAbsolute(folder) || folder.startsWith("~") ? folder : join(path, folder),
    pattern: rest,
  };
}

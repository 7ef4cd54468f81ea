import { isAbsolute, join } from "node:path";
import { globFolder } from "../search/glob_folder.ts";
import type { Searcher } from "../search/mod.ts";
import { say } from "../text.ts";
import type { Tool, ToolContext, ToolInput, ToolResult } from "../types.ts";
import { FileError } from "../workspace/file_error.ts";
import { displayPath } from "../workspace/paths.ts";
import { failed, named, refuse } from "./files.ts";
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
        hidden: { type: "boolean", description: "Also names that begin with a dot" },
      },
      required: ["pattern"],
      // `patterns`: several of them, `!` excludes
      additionalProperties: true,
    },
    readOnly: true,
    needs: ["read"],
    aliases: ["glob_files", "find_files", "list_files", "file_search"],
    adapt,
    async run(input, context) {
      try {
        return await globIn(input, context, searcher);
      } catch (error) {
        return await failed(context, "search.cannot", input.path || ".", error);
      }
    },
  };
}

function adapt(input: ToolInput): ToolInput {
  const renamed = rename(input, {
    glob: "pattern",
    glob_pattern: "pattern",
    query: "pattern",
    directory: "path",
    dir: "path",
    folder: "path",
    dot: "hidden",
    include_hidden: "hidden",
  });
  const { pattern = renamed["patterns"], patterns: _, ...rest } = renamed;
  if (!Array.isArray(pattern)) return { pattern, ...rest };
  const several = pattern.filter((each) => typeof each === "string" && each !== "");
  return { pattern: several.join(" "), patterns: several, ...rest };
}

async function globIn(
  input: ToolInput,
  context: ToolContext,
  searcher: Searcher,
): Promise<ToolResult> {
  const { lang } = context;
  const places = (input["patterns"] as string[] ?? [input["pattern"]])
    .map((pattern) => split(pattern, input["path"] || "."));
  const { folder } = places[0]!;
  if (places.some((place) => place.folder !== folder)) return refuse(context, "glob.two_folders");
  const { path, shown } = named(folder, context);
  const root = await Deno.realPath(path);
  if (!(await Deno.stat(root)).isDirectory) throw new FileError("not_folder", "not a folder");
  const found = await searcher.glob({
    root,
    patterns: places.map((place) => place.pattern),
    hidden: input["hidden"] ?? false,
    limit: FILES_AT_MOST,
    deadlineMs: DEADLINE_MS,
  }, context.signal);
  const name = (each: string) => displayPath(join(path, each), context.workspace);
  const files = found.files.map(name);
  const notes = walkNotes(found.report, lang, files.length > 0 ? found.stopped : undefined, name);
  if (found.hidden > 0) notes.unshift(say(lang, "glob.hidden", { count: found.hidden }));
  const detail = { kind: "matches", count: found.total, files: found.total } as const;
  if (files.length === 0) {
    const key = found.stopped === "deadline" ? "search.deadline_none" : "glob.none";
    const none = say(lang, key, { pattern: input["pattern"], path: shown });
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
    // an ending without `/` is a name right there, not at any depth
    pattern: rest.includes("/") ? rest : `./${rest}`,
  };
}

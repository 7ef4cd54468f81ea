import type { JsonSchema, ToolInput } from "../../base/types.ts";
import { rename, type ToolDeclaration, withoutAsides } from "../toolbox.ts";

const SHOWN: JsonSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1, description: "**/*.ts, src/**/*.{js,css}" },
    path: { type: "string", description: "Folder, default the workspace" },
    hidden: { type: "boolean", description: "Also names that begin with a dot" },
  },
  required: ["pattern"],
  additionalProperties: true,
};

/** What is accepted besides; it need not cost every request. */
export const GLOB_ACCEPTED: JsonSchema = {
  ...SHOWN,
  properties: {
    ...SHOWN.properties,
    patterns: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 },
    exclude: { type: "string" },
    head_limit: { type: "integer" },
    no_ignore: { type: "boolean" },
    case_sensitive: { type: "boolean" },
  },
  additionalProperties: false,
};

/** What is known of Glob before it runs. */
export const globDeclaration: ToolDeclaration = {
  name: "Glob",
  description:
    "Find files by name pattern, newest first, honouring .gitignore. For text inside files use Grep.",
  input: SHOWN,
  readOnly: true,
  needs: ["read"],
  aliases: ["glob_files", "find_files", "list_files", "file_search"],
  adapt,
};

function adapt(input: ToolInput): ToolInput {
  const renamed = rename(withoutAsides(input, []), {
    glob: "pattern",
    glob_pattern: "pattern",
    query: "pattern",
    directory: "path",
    dir: "path",
    dir_path: "path",
    target_directory: "path",
    folder: "path",
    dot: "hidden",
    include_hidden: "hidden",
    ignore: "exclude",
    exclude_pattern: "exclude",
    limit: "head_limit",
    max_results: "head_limit",
    maxResults: "head_limit",
  });
  if (renamed["respect_git_ignore"] !== undefined) {
    renamed["no_ignore"] ??= renamed["respect_git_ignore"] === false;
    delete renamed["respect_git_ignore"];
  }
  if (Array.isArray(renamed["exclude"])) renamed["exclude"] = renamed["exclude"].join(",");
  const { pattern = renamed["patterns"], patterns: _, ...rest } = renamed;
  if (!Array.isArray(pattern)) return { pattern, ...rest };
  const several = pattern.filter((each) => typeof each === "string" && each !== "");
  return { pattern: several.join(" "), patterns: several, ...rest };
}

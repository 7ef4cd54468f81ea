import { FILE_PATH_ALIASES, rename, type ToolDeclaration, withoutAsides } from "../toolbox.ts";

/** What is known of Read before it runs. */
export const readDeclaration: ToolDeclaration = {
  name: "Read",
  description:
    "Read a file with line numbers (`N | line`). Read it whole: omit offset and limit unless it has more than 500 lines. A folder is listed.",
  input: {
    type: "object",
    properties: {
      file_path: { type: "string", description: "Absolute, or relative to the workspace" },
      offset: { type: "integer", description: "First line, from 1" },
      limit: { type: "integer", description: "Number of lines" },
    },
    required: ["file_path"],
  },
  readOnly: true,
  needs: ["read"],
  aliases: ["read_file", "view", "view_file", "cat", "open_file"],
  adapt(input) {
    const { view_range = [], ...given } = withoutAsides(input, ["view"]);
    const [from, to] = Array.isArray(view_range) ? view_range : [];
    const { startLine = from, endLine = to, ...more } = given;
    const { start_line = startLine, end_line = endLine, ...rest } = more;
    const out = rename(rest, FILE_PATH_ALIASES);
    out["offset"] ??= start_line;
    // -1 is the end of the file
    if (end_line !== undefined && end_line !== null && Number(end_line) !== -1) {
      const count = Number(end_line) - Math.max(1, Number(out["offset"] ?? 1)) + 1;
      out["limit"] ??= Number.isNaN(count) ? end_line : Math.max(1, count);
    }
    return out;
  },
};

import type { JsonSchema } from "../../base/types.ts";
import type { ToolDeclaration } from "../deferred.ts";
import { adaptGrep } from "./grep_input.ts";

const SHOWN: JsonSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1 },
    path: { type: "string", description: "File or folder" },
    output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
    glob: { type: "string", description: "*.ts" },
    "-i": { type: "boolean" },
    "-C": { type: "integer", description: "Context lines" },
    literal: { type: "boolean" },
    head_limit: { type: "integer" },
  },
  required: ["pattern"],
  additionalProperties: true,
};

/** What is accepted besides; other agents have it, and it need not cost every request. */
export const GREP_ACCEPTED: JsonSchema = {
  ...SHOWN,
  properties: {
    ...SHOWN.properties,
    "-A": { type: "integer" },
    "-B": { type: "integer" },
    "-n": { type: "boolean" },
    type: { type: "string" },
    offset: { type: "integer" },
    multiline: { type: "boolean" },
    word: { type: "boolean" },
    exclude: { type: "string" },
    patterns: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 },
    hidden: { type: "boolean" },
    no_ignore: { type: "boolean" },
    "-o": { type: "boolean" },
    "-v": { type: "boolean" },
  },
  additionalProperties: false,
};

/** What is known of Grep before it runs. */
export const grepDeclaration: ToolDeclaration = {
  name: "Grep",
  description: "Search file contents by regex, line by line. Returns path:line:text.",
  input: SHOWN,
  readOnly: true,
  needs: ["read"],
  aliases: ["search_files", "grep_search", "search", "search_file_content", "ripgrep", "rg"],
  adapt: adaptGrep,
};

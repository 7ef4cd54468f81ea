import type { JsonSchema, ToolInput } from "../../base/types.ts";
import { rename, type ToolDeclaration, withoutAsides } from "../toolbox.ts";

/** Other agents' names for Grep's parameters. */
const NAMES = {
  regex: "pattern",
  regexp: "pattern",
  "-e": "pattern",
  include: "glob",
  file_pattern: "glob",
  include_pattern: "glob",
  includePattern: "glob",
  globs: "glob",
  "-g": "glob",
  exclude_pattern: "exclude",
  excludePattern: "exclude",
  ignore: "exclude",
  directory: "path",
  dir: "path",
  dir_path: "path",
  target_directory: "path",
  case_insensitive: "-i",
  ignore_case: "-i",
  ignoreCase: "-i",
  i: "-i",
  A: "-A",
  B: "-B",
  C: "-C",
  n: "-n",
  context: "-C",
  context_after: "-A",
  context_before: "-B",
  fixed_strings: "literal",
  fixedStrings: "literal",
  "-F": "literal",
  wholeWord: "word",
  whole_word: "word",
  "-w": "word",
  "-U": "multiline",
  max_results: "head_limit",
  maxResults: "head_limit",
  limit: "head_limit",
  caseSensitive: "case_sensitive",
  include_hidden: "hidden",
  "--hidden": "hidden",
  "--no-ignore": "no_ignore",
  noIgnore: "no_ignore",
  includeIgnoredFiles: "no_ignore",
  invert_match: "-v",
  invert: "-v",
  only_matching: "-o",
  mode: "output_mode",
} as const;

/** Other agents' names for the modes. */
const MODES: { readonly [other: string]: string } = {
  files: "files_with_matches",
  filesWithMatches: "files_with_matches",
  files_only: "files_with_matches",
  paths: "files_with_matches",
  count_matches: "count",
  counts: "count",
  lines: "content",
  matches: "content",
};

/** What grep and ripgrep are told and we do anyway. */
const ALWAYS = new Set(["-r", "-R", "-E", "-P", "-H", "recursive"]);

/** Rewrites other agents' calls into ours. */
function adaptGrep(input: ToolInput): ToolInput {
  const { query, isRegex, isRegexp, ...others } = withoutAsides(input, []);
  const regex = isRegex ?? isRegexp;
  // seed 001's search_files: a plain query, `pattern` names files, two lines of context
  const own: ToolInput = query === undefined ? others : {
    literal: !isTrue(regex),
    "-C": 2,
    ...rename(others, { pattern: "glob" }),
    pattern: query,
  };
  const rest = rename(own, NAMES);
  const { case_sensitive, "-l": names, "-c": counts, ...out } = rest;
  if (case_sensitive !== undefined) out["-i"] ??= !isTrue(case_sensitive);
  if (isTrue(names)) out["output_mode"] ??= "files_with_matches";
  if (isTrue(counts)) out["output_mode"] ??= "count";
  const mode = out["output_mode"];
  if (typeof mode === "string" && Object.hasOwn(MODES, mode)) out["output_mode"] = MODES[mode];
  return listed(Object.fromEntries(Object.entries(out).filter(([key]) => !ALWAYS.has(key))));
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** Several patterns, globs or types may come as an array. */
function listed(input: ToolInput): ToolInput {
  const out = { ...input };
  for (const key of ["glob", "type", "exclude"]) {
    if (Array.isArray(out[key])) out[key] = out[key].join(",");
  }
  const patterns = [input["pattern"] ?? [], input["patterns"] ?? []].flat();
  if (patterns.length === 0 || (patterns.length === 1 && !Array.isArray(input["pattern"]))) {
    return patterns.length === 0 ? out : { ...out, pattern: patterns[0] };
  }
  return { ...out, pattern: patterns[0], patterns };
}

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

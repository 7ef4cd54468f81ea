import { dirname, isAbsolute, join } from "node:path";
import { say } from "../text.ts";
import type { JsonSchema, Tool, ToolContext, ToolInput, ToolResult } from "../types.ts";
import { FileError } from "../workspace/file_error.ts";
import { nearest } from "../nearest.ts";
import { typeGlobs, typeNames } from "../search/file_types.ts";
import { displayPath } from "../workspace/paths.ts";
import { PatternError } from "../search/regex/syntax.ts";
import type { Searcher } from "../search/mod.ts";
import type { GrepFound, GrepQuery } from "../search/types.ts";
import { failed, type Named, named, refuse } from "./files.ts";
import { badRegexText, grepNotes, hintFor } from "./grep_notes.ts";
import { rename, validate } from "./schema.ts";

const MATCHES_AT_MOST = 50;
const FILES_AT_MOST = 100;
const CHARS_AT_MOST = 50_000;
const CONTEXT_AT_MOST = 50;
const DEADLINE_MS = 10_000;

/** Named when somebody asks for a file type that does not exist. */
const COMMON_TYPES = "c, cpp, css, go, html, java, js, json, md, py, rust, sh, ts, yaml";

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
const ACCEPTED: JsonSchema = {
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
  },
  additionalProperties: false,
};

/** Makes Grep: text inside files by regular expression. */
export function grepTool(searcher: Searcher): Tool {
  return {
    name: "Grep",
    description: "Search file contents by regex, line by line. Returns path:line:text.",
    input: SHOWN,
    readOnly: true,
    needs: ["read"],
    aliases: ["search_files", "grep_search", "search", "search_file_content", "ripgrep", "rg"],
    adapt,
    async run(input, context) {
      const valid = validate(ACCEPTED, input, context.lang);
      if (typeof valid === "string") return { ok: false, text: valid };
      try {
        return await grepIn(valid, named(valid["path"] || ".", context), context, searcher);
      } catch (error) {
        if (error instanceof PatternError) {
          return { ok: false, text: badRegexText(error, context.lang) };
        }
        return await failed(context, "search.cannot", valid["path"] || ".", error);
      }
    },
  };
}

function adapt(input: ToolInput): ToolInput {
  const { query, isRegex, caseSensitive, ...others } = input;
  // seed 001's search_files: a plain query, `pattern` names files, two lines of context
  const rest: ToolInput = query === undefined ? others : {
    literal: !(isRegex === true || isRegex === "true"),
    "-C": 2,
    ...rename(others, { pattern: "glob" }),
    pattern: query,
  };
  if (caseSensitive === false || caseSensitive === "false") rest["-i"] ??= true;
  if (rest["output_mode"] === "files") rest["output_mode"] = "files_with_matches";
  return listed(rename(rest, {
    regex: "pattern",
    regexp: "pattern",
    "-e": "pattern",
    include: "glob",
    file_pattern: "glob",
    include_pattern: "glob",
    exclude_pattern: "exclude",
    directory: "path",
    dir: "path",
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
    max_results: "head_limit",
    maxResults: "head_limit",
    limit: "head_limit",
  }));
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

async function grepIn(
  input: ToolInput,
  { path, shown }: Named,
  context: ToolContext,
  searcher: Searcher,
): Promise<ToolResult> {
  const { lang, workspace } = context;
  const root = await Deno.realPath(path);
  const info = await Deno.stat(root);
  if (!info.isDirectory && !info.isFile) throw new FileError("not_regular", "not a file");
  // A file named by hand that cannot be opened is an error, not a search without matches.
  if (info.isFile) (await Deno.open(root)).close();
  const types: string[] = [];
  for (const type of listOf(input["type"])) {
    const globs = typeGlobs(type);
    if (!globs) {
      const known = [...nearest(type, typeNames()), COMMON_TYPES].join(", ");
      return refuse(context, "grep.bad_type", { type, known });
    }
    types.push(...globs);
  }
  const query = queryFrom(input, root, info.isDirectory, types, workspace);
  const found = await searcher.grep(query, context.signal);
  const base = info.isDirectory ? path : dirname(path);
  const name = (each: string) =>
    info.isDirectory ? displayPath(join(base, each), workspace) : shown;
  const notes = grepNotes(found, query, lang);
  const count = query.mode === "files" ? found.matchedFiles : found.matches;
  const detail = { kind: "matches", count, files: found.matchedFiles } as const;
  if (found.matches === 0) {
    const none = found.stopped === "deadline" ? "search.deadline_none" : "grep.none";
    const text = say(lang, none, { pattern: query.patterns.join(" | "), path: shown });
    const hint = await hintFor(found, query, searcher, lang, context.signal);
    return { ok: true, text: [text, ...notes, ...(hint ? [hint] : [])].join("\n"), detail };
  }
  const lines = query.mode === "content"
    ? contentLines(found, name)
    : found.files.map((file) =>
      query.mode === "count" ? `${name(file.path)}:${file.count}` : name(file.path)
    );
  const kept = fit(lines);
  if (kept.length < lines.length) notes.unshift(say(lang, "grep.too_long"));
  const body = [...kept, ...notes.map((note) => `(${note})`)].join("\n");
  return { ok: true, text: body.toWellFormed().replaceAll("\0", "\ufffd"), detail };
}

function queryFrom(
  input: ToolInput,
  root: string,
  folder: boolean,
  types: readonly string[],
  workspace: string,
): GrepQuery {
  const modes = { content: "content", files_with_matches: "files", count: "count" } as const;
  const mode = modes[(input["output_mode"] ?? "content") as keyof typeof modes];
  const lines = (value: number | undefined) =>
    Math.min(CONTEXT_AT_MOST, Math.max(0, value ?? input["-C"] ?? 0));
  const limit = input["head_limit"] > 0
    ? input["head_limit"]
    : mode === "content"
    ? MATCHES_AT_MOST
    : FILES_AT_MOST;
  const prefix = (displayPath(root, workspace) + "/").replace(/^\.\//, "");
  // a glob may be written from the workspace although the search begins deeper
  const relative = (glob: string) =>
    prefix !== "" && !isAbsolute(prefix) && glob.startsWith(prefix)
      ? glob.slice(prefix.length)
      : glob;
  const globs = [
    ...listOf(input["glob"]).map(relative),
    ...listOf(input["exclude"]).map((glob) => "!" + relative(glob.replace(/^!/, ""))),
  ];
  return {
    root,
    folder,
    mode,
    globs,
    types,
    patterns: input["patterns"] ?? [input["pattern"]],
    literal: input["literal"] ?? false,
    ignoreCase: input["-i"] ?? false,
    word: input["word"] ?? false,
    multiline: input["multiline"] ?? false,
    before: lines(input["-B"]),
    after: lines(input["-A"]),
    limit,
    offset: Math.max(0, input["offset"] ?? 0),
    deadlineMs: DEADLINE_MS,
  };
}

/** Splits `*.ts, *.js` at commas and spaces outside braces. */
function listOf(globs: string | undefined): string[] {
  return (globs?.match(/(?:\{[^}]*\}|[^\s,])+/g) ?? []).filter((glob) => glob !== "");
}

function contentLines(found: GrepFound, name: (path: string) => string): string[] {
  const lines: string[] = [];
  const withContext = found.lines.some((line) => !line.match);
  let last: { path: string; line: number } | undefined;
  for (const { path, line, text, match } of found.lines) {
    if (withContext && last && (last.path !== path || last.line + 1 !== line)) lines.push("--");
    const mark = match ? ":" : "-";
    lines.push(`${name(path)}${mark}${line}${mark}${text}`);
    last = { path, line };
  }
  return lines;
}

function fit(lines: readonly string[]): readonly string[] {
  let chars = 0;
  const over = lines.findIndex((line) => (chars += line.length + 1) > CHARS_AT_MOST);
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}

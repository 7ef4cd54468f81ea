import { FileError } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import { dirname, isAbsolute, join } from "../../base/path.ts";
import type { T } from "../../base/t.ts";
import type { Hit, Tool, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import { displayPath } from "../../files/paths.ts";
import type { Searcher } from "../../search/mod.ts";
import { regexSource } from "../../search/regex/mod.ts";
import { PatternError } from "../../search/regex/syntax.ts";
import { Unicode } from "../../search/regex/unicode.ts";
import { TimeLimit } from "../../search/time_limit.ts";
import type { GrepFound, GrepLine, GrepQuery } from "../../search/types.ts";
import { typeGlobs, typeNames } from "../../search/walk/file_types.ts";
import { excerpt } from "../../base/strings.ts";
import { failed, inBounds, type Named, named, onOneLine, refuse } from "../files.ts";
import { globsIn, hasWildcards, isExtended, within, without, withSlashes } from "../glob/globs.ts";
import { tooLong, validate } from "../toolbox.ts";
import { GREP_ACCEPTED, grepDeclaration } from "./grep_declaration.ts";
import { badRegexText, grepNotes, hintFor } from "./grep_notes.ts";

const HITS_AT_MOST = 200;
const MATCH_CHARS = 200;
/** What V8 compiles in no time. */
const SOURCE_CHARS = 50_000;
/** Where V8 has done the search itself, it may take as long once more. */
const TIME_MS = 50;

/** Lists the matches of the lines, up to 200 and as far as they are quickly found; of a cut line those that are shown. */
function hitsIn(
  found: readonly GrepLine[],
  query: GrepQuery,
  name: (path: string) => string,
  unicode: Unicode,
): Hit[] {
  const hits: Hit[] = [];
  if (found.length === 0) return hits;
  const { source, regular } = regexSource(query, unicode);
  if (source.length > SOURCE_CHARS) return hits;
  const list = () => {
    const regex = new RegExp(source, "gu");
    for (const lines of stretches(found.filter(({ match }) => match), query.multiline)) {
      for (const hit of hitsOf(lines, regex)) {
        if (hits.length >= HITS_AT_MOST) return;
        hits.push({ ...hit, path: name(hit.path) });
      }
    }
  };
  try {
    // lines that are shown are short: only what may take exponential time needs a limit
    if (regular) list();
    else new TimeLimit().run(TIME_MS, list);
  } catch { /* V8 finds the expression too large */ }
  return hits;
}

/** Lines that a match may span. */
function stretches(lines: readonly GrepLine[], multiline: boolean): GrepLine[][] {
  const all: GrepLine[][] = [];
  for (const line of lines) {
    const before = all.at(-1)?.at(-1);
    const follows = before?.path === line.path && before.line + 1 === line.line;
    if (multiline && follows) all.at(-1)!.push(line);
    else all.push([line]);
  }
  return all;
}

function* hitsOf(lines: readonly GrepLine[], regex: RegExp): Generator<Hit> {
  const texts = lines.map(shownText);
  const matches = [...texts.join("\n").matchAll(regex)];
  const some = matches.some(([match]) => match !== "");
  for (const { 0: match, index } of matches) {
    // between the matches of `a*` there are empty ones
    if (some && match === "") continue;
    let at = 0;
    let start = 0;
    while (start + texts[at]!.length < index) start += texts[at++]!.length + 1;
    const { path, line, skipped } = lines[at]!;
    if (skipped === undefined) continue;
    const col = skipped + index - start + 1;
    yield { path, line, col, match: match.slice(0, MATCH_CHARS).toWellFormed() };
    if (!some) return;
  }
}

/** Without the marks of what was cut off. */
function shownText({ text, skipped }: GrepLine): string {
  const rest = skipped === 0 ? text : text.slice(1);
  return text.length > MATCH_CHARS ? rest.replace(/…$/, "") : rest;
}

const MATCHES_AT_MOST = 50;
const FILES_AT_MOST = 100;
const CHARS_AT_MOST = 50_000;
const CONTEXT_AT_MOST = 50;
const DEADLINE_MS = 10_000;
/** All patterns together, and each list of globs. */
const PATTERN_CHARS = 10_000;

/** Named when somebody asks for a file type that does not exist. */
const COMMON_TYPES = "c, cpp, css, go, html, java, js, json, md, py, rust, sh, ts, yaml";

/** How long the search for a hint may take after a search without a match that took `ms`. */
export type HintTime = (ms: number) => number;

const FRACTION: HintTime = (ms) => Math.min(100, Math.max(40, 0.3 * ms));

/** Makes Grep: text inside files by regular expression. */
export function grepTool(searcher: Searcher, hintTime: HintTime = FRACTION): Tool {
  // what is known of characters serves the next call too
  const unicode = new Unicode();
  return {
    ...grepDeclaration,
    async run(input, context) {
      const valid = validate(GREP_ACCEPTED, input, context.t);
      if (typeof valid === "string") return { ok: false, text: valid };
      const { pattern = "", patterns = [pattern], glob = "", exclude = "", type = "" } = valid;
      const long = tooLong("pattern", patterns.join("|"), PATTERN_CHARS, context.t) ??
        tooLong("glob", glob + exclude + type, PATTERN_CHARS, context.t);
      if (long) return long;
      try {
        return await grepIn(valid, named(valid["path"] || ".", context), context, {
          searcher,
          hintTime,
          unicode,
        });
      } catch (error) {
        if (error instanceof PatternError) {
          return { ok: false, text: badRegexText(error, context.t) };
        }
        const path = valid["path"] || ".";
        if (error instanceof Deno.errors.NotFound && hasWildcards(path)) {
          return refuse(
            context,
            "There is no {path}: path is one file or folder; wildcards belong into the glob parameter.",
            { path },
          );
        }
        return await failed(context, "Cannot search {path}: {why}", path, error);
      }
    },
  };
}

async function grepIn(
  input: ToolInput,
  { path, shown }: Named,
  context: ToolContext,
  { searcher, hintTime, unicode }: { searcher: Searcher; hintTime: HintTime; unicode: Unicode },
): Promise<ToolResult> {
  const { t, workspace, signal } = context;
  if (input["-v"]) {
    return refuse(context, "Grep has no -v (lines that do not match); use grep -v in Bash.");
  }
  const root = await inBounds(path, context);
  // its disk has just answered
  const info = Deno.statSync(root);
  if (!info.isDirectory && !info.isFile) throw new FileError("not_regular", "not a file");
  // A file named by hand that cannot be opened is an error, not a search without matches.
  if (info.isFile) (await Deno.open(root)).close();
  const types: string[] = [];
  for (const type of globsIn(input["type"] ?? "")) {
    const globs = typeGlobs(type);
    if (!globs) {
      const known = [...nearest(type, typeNames()), COMMON_TYPES].join(", ");
      return refuse(
        context,
        "No file type {type}. ripgrep's names are known, such as {known}; or use glob.",
        { type, known },
      );
    }
    types.push(...globs);
  }
  const globs = fileGlobs(input, root, workspace);
  const extended = globs.find(isExtended);
  if (extended !== undefined) {
    return refuse(
      context,
      "Cannot read {glob}: extended globs such as !(…) and +(…) are not known. For one of several write {a,b}; to leave files out add one with !, such as *.ts and !foo.ts.",
      { glob: extended },
    );
  }
  const query = queryFrom(input, root, info.isDirectory, types, globs);
  const began = performance.now();
  const found = await searcher.grep(query, signal);
  const took = performance.now() - began;
  const base = info.isDirectory ? path : dirname(path);
  const shownBase = displayPath(base, workspace);
  const place = (each: string) =>
    shownBase === "." ? each : isAbsolute(shownBase) ? join(base, each) : `${shownBase}/${each}`;
  const name = (each: string) => info.isDirectory ? onOneLine(place(each)) : shown;
  const asked = askedNotes(input, t);
  const count = query.mode === "files" ? found.matchedFiles : found.matches;
  const hits = query.mode === "content"
    ? { hits: hitsIn([...found.lines, ...found.rest], query, name, unicode) }
    : {};
  const detail = { kind: "matches", count, files: found.matchedFiles, ...hits } as const;
  if (found.matches === 0) {
    const none = found.stopped === "deadline"
      ? "Stopped at the time limit with nothing found so far in {path} for {pattern}; narrow path or simplify pattern."
      : "No matches in {path} for {pattern}";
    const text = t(none, {
      pattern: excerpt(query.patterns.join(" | ")),
      path: shown,
    });
    const hint = await hintFor({ found, query, searcher, t, signal, name, ms: hintTime(took) });
    const notes = [...grepNotes(found, query, 0, t), ...asked];
    return { ok: true, text: [text, ...notes, ...(hint ? [hint] : [])].join("\n"), detail };
  }
  const lines = query.mode === "content" ? contentLines(found, name) : found.files.map((file) => ({
    text: query.mode === "count" ? `${name(file.path)}:${file.count}` : name(file.path),
    counts: true,
  }));
  const kept = fit(lines);
  const here = kept.filter((line) => line.counts).length;
  const notes = [...grepNotes(found, query, here, t, kept.length < lines.length), ...asked];
  const body = [...kept.map(({ text }) => text), ...notes.map((note) => `(${note})`)].join("\n");
  return { ok: true, text: body.toWellFormed().replaceAll("\0", "\ufffd"), detail };
}

function queryFrom(
  input: ToolInput,
  root: string,
  folder: boolean,
  types: readonly string[],
  globs: readonly string[],
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
    most: HITS_AT_MOST,
    offset: Math.max(0, input["offset"] ?? 0),
    deadlineMs: DEADLINE_MS,
  };
}

/** The globs of `glob` and `exclude`, relative to the folder in which the search begins. */
function fileGlobs(input: ToolInput, root: string, workspace: string): string[] {
  const prefix = (displayPath(root, workspace) + "/").replace(/^\.\//, "");
  const relative = (glob: string) => {
    for (const top of [root, workspace]) {
      // what an absolute path leads to lies right there, not at any depth
      if (glob.startsWith(`${top}/`)) glob = glob.slice(top.length);
    }
    // a glob may be written from the workspace although the search begins deeper
    const bare = glob.replace(/^\//, "");
    return prefix !== "" && !isAbsolute(prefix) && bare.startsWith(prefix)
      ? bare.slice(prefix.length)
      : glob;
  };
  const wanted = globsIn(input["glob"] ?? "").map(withSlashes);
  const unwanted = globsIn(input["exclude"] ?? "").map(withSlashes).map((glob) => `!${glob}`);
  return [...wanted, ...unwanted].flatMap((glob) => {
    // `!(a)` is no exclusion but a glob to refuse
    if (isExtended(glob)) return [glob];
    const [, marks = "", plain = ""] = /^(!*)(.*)$/s.exec(glob) ?? [];
    return marks === "" ? within(relative(plain)) : without(relative(plain));
  });
}

/** What a caller who asked for it must know. */
function askedNotes(input: ToolInput, t: T): string[] {
  const notes: string[] = [];
  if (input["no_ignore"]) {
    notes.push(t("Ignored files are left out; naming an ignored folder as path reaches it."));
  }
  if (input["hidden"] !== undefined) {
    notes.push(
      t("Files whose name begins with a dot are always searched; exclude leaves them out."),
    );
  }
  if (input["-o"]) notes.push(t("Whole lines are shown; there is no -o."));
  return notes;
}

/** One line of a result; `counts`: it is one of the matches or files that are counted. */
interface Line {
  readonly text: string;
  readonly counts: boolean;
}

function contentLines(found: GrepFound, name: (path: string) => string): Line[] {
  const lines: Line[] = [];
  const withContext = found.lines.some((line) => !line.match);
  let last: { path: string; line: number } | undefined;
  for (const { path, line, text, match } of found.lines) {
    if (withContext && last && (last.path !== path || last.line + 1 !== line)) {
      lines.push({ text: "--", counts: false });
    }
    const mark = match ? ":" : "-";
    lines.push({ text: `${name(path)}${mark}${line}${mark}${text}`, counts: match });
    last = { path, line };
  }
  return lines;
}

function fit(lines: readonly Line[]): readonly Line[] {
  let chars = 0;
  const over = lines.findIndex((line) => (chars += line.text.length + 1) > CHARS_AT_MOST);
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}

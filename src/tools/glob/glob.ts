import { FileError, reasonOf } from "../../base/errors.ts";
import { isAbsolute, join } from "../../base/path.ts";
import type { Tool, ToolContext, ToolInput, ToolResult } from "../../base/types.ts";
import { displayPath } from "../../files/paths.ts";
import type { Searcher } from "../../search/mod.ts";
import type { GlobQuery } from "../../search/types.ts";
import { globFolder, plainSteps } from "../../search/walk/path_text.ts";
import { globTest } from "../../search/walk/glob_match.ts";
import { excerpt } from "../../base/strings.ts";
import { failed, inBounds, listed, named, onOneLine, refuse, walkNotes } from "../files.ts";
import { tooLong, validate } from "../toolbox.ts";
import { GLOB_ACCEPTED, globDeclaration } from "./glob_declaration.ts";
import {
  globsIn,
  hasWildcards,
  inFolders,
  isExtended,
  isUnclosed,
  without,
  withSlashes,
} from "./globs.ts";

const FOLDERS_NAMED = 3;
const LOOK_MS = 1000;

/**
 * Says why globs match no file, where that can be told: a brace left open, files that are ignored,
 * folders that match. `name` shows a path relative to the query's root.
 */
async function whyNone(
  query: GlobQuery,
  searcher: Searcher,
  context: ToolContext,
  name: (path: string) => string,
): Promise<string | undefined> {
  const { t, signal } = context;
  /** A folder or file below the root that may be looked at, by its real path. */
  const found = async (path: string) => {
    try {
      const real = await inBounds(join(query.root, path), context, Deno.realPath);
      return { real, ...await Deno.stat(real) };
    } catch {
      return undefined;
    }
  };
  const wanted = query.patterns.filter((glob) => !glob.startsWith("!"));
  const unclosed = wanted.find(isUnclosed);
  if (unclosed !== undefined) {
    return t("In {pattern} a { is never closed; for the character itself write \\{.", {
      pattern: excerpt(unclosed),
    });
  }
  const look = async (root: string, globs: readonly string[]) => {
    const unwanted = query.patterns.filter((glob) => glob.startsWith("!"));
    const patterns = [...globs, ...root === query.root ? unwanted : []];
    return await searcher.glob({ ...query, root, patterns, deadlineMs: LOOK_MS }, signal);
  };
  for (const glob of wanted) {
    const rooted = glob.replace(/^(\.?\/)+/, "");
    const folder = globFolder(rooted);
    const rest = rooted.slice(folder === "" ? 0 : folder.length + 1);
    const inner = folder !== "" && rest !== "" ? await found(folder) : undefined;
    if (inner?.isDirectory) {
      const pattern = rest.includes("/") ? rest : `./${rest}`;
      const { total } = await look(inner.real, [pattern]);
      const path = onOneLine(name(folder));
      if (total > 0) {
        return t(
          "{count} {count:file|files} would match but {count:is|are} ignored; to reach them send path: {path}, pattern: {pattern}.",
          { count: total, path, pattern },
        );
      }
    }
    if (!/[*?[{]/.test(rooted) && (await found(rooted))?.isFile) {
      return t("{path} exists but is ignored and so not listed; Read opens it by its name.", {
        path: onOneLine(name(rooted)),
      });
    }
  }
  const open = wanted.filter((glob) => !/(^|\/)(\*\*)?$/.test(glob));
  const inside = open.map(inFolders);
  const { files } = open.length > 0 ? await look(query.root, inside) : { files: [] };
  if (files.length === 0) return undefined;
  const matches = globTest(open, query.hidden);
  const folders = [...new Set(files.flatMap(foldersOf))].filter(matches).sort();
  const names = listed(folders.map(name).map(onOneLine), FOLDERS_NAMED);
  return t("Only folders match: {names}. For the files in them send pattern: {pattern}.", {
    names,
    pattern: inside.join(" "),
  });
}

/** The folders above a file, relative to the same root. */
function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

const FILES_BY_DEFAULT = 100;
const FILES_AT_MOST = 500;
const DEADLINE_MS = 10_000;
/** All patterns together. */
const PATTERN_CHARS = 10_000;

/** Makes Glob: files by name, newest first. */
export function globTool(searcher: Searcher): Tool {
  return {
    ...globDeclaration,
    async run(input, context) {
      const valid = validate(GLOB_ACCEPTED, input, context.t);
      if (typeof valid === "string") return { ok: false, text: valid };
      const { pattern, patterns = [pattern], exclude = "" } = valid;
      const long = tooLong("pattern", patterns.join(" ") + exclude, PATTERN_CHARS, context.t);
      if (long) return long;
      try {
        return await globIn(valid, context, searcher);
      } catch (error) {
        const path = valid["path"] || ".";
        if (error instanceof Deno.errors.NotFound && hasWildcards(path)) {
          const pattern = `${path.replace(/\/+$/, "")}/${valid["pattern"]}`;
          return refuse(
            context,
            "There is no folder {path}: wildcards belong into pattern, such as pattern: {pattern}.",
            { path, pattern },
          );
        }
        const outside = reasonOf(error) === "outside" && !valid["path"];
        return await failed(
          context,
          "Cannot search {path}: {why}",
          outside ? patterns.join(" ") : path,
          error,
        );
      }
    },
  };
}

async function globIn(
  input: ToolInput,
  context: ToolContext,
  searcher: Searcher,
): Promise<ToolResult> {
  const { t } = context;
  const given = (input["patterns"] as string[] ?? [input["pattern"]]).map(withSlashes);
  const excluded = globsIn(input["exclude"] ?? "").map(withSlashes);
  const extended = [...given, ...excluded].find(isExtended);
  if (extended !== undefined) {
    return refuse(
      context,
      "Cannot read {glob}: extended globs such as !(…) and +(…) are not known. For one of several write {a,b}; to leave files out add one with !, such as *.ts and !foo.ts.",
      { glob: extended },
    );
  }
  const find = (globs: readonly string[]) => findIn(globs, excluded, input, context, searcher);
  const pieces = input["patterns"] ? [] : globsIn(given[0]!);
  let search = await find(given);
  // blanks and commas may be part of a name; where no name has them they stand between patterns
  if (pieces.length > 1 && search?.found.total === 0 && !search.found.stopped) {
    search = await find(pieces);
  }
  if (!search) {
    return refuse(context, "These patterns lead to different folders; call Glob once for each.");
  }
  const { found, query, name, shown } = search;
  const files = found.files.map((each) => onOneLine(name(each)));
  const notes = walkNotes(found.report, t, files.length > 0 ? found.stopped : undefined, name);
  if (found.hidden > 0) {
    notes.unshift(
      t(
        "{count} hidden {count:file|files} (a name begins with a dot) left out; hidden: true shows them.",
        { count: found.hidden },
      ),
    );
  }
  if (input["no_ignore"]) {
    notes.push(t("Ignored files are left out; naming an ignored folder as path reaches it."));
  }
  if (input["case_sensitive"] === false) {
    notes.push(t("Glob always minds case; where it must not, write [Rr]eadme*."));
  }
  const detail = { kind: "matches", count: found.total, files: found.total } as const;
  if (files.length === 0) {
    const key = found.stopped === "deadline"
      ? "Stopped at the time limit with nothing found so far in {path} for {pattern}; narrow path or simplify pattern."
      : "No files in {path} match {pattern} (ignored files are not listed).";
    const none = t(key, { pattern: excerpt(input["pattern"]), path: shown });
    const why = found.total > 0 || found.stopped || found.hidden > 0
      ? undefined
      : await whyNone(query, searcher, context, name);
    return { ok: true, text: [none, ...why ? [why] : [], ...notes].join("\n"), detail };
  }
  if (found.total > files.length) {
    notes.unshift(
      t("The newest {shown} of {total} are listed; narrow pattern or path.", {
        shown: files.length,
        total: found.total,
      }),
    );
  }
  return { ok: true, text: [...files, ...notes.map((note) => `(${note})`)].join("\n"), detail };
}

/** Searches for the globs in the one folder they lead to; undefined when they lead to several. */
async function findIn(
  globs: readonly string[],
  excluded: readonly string[],
  input: ToolInput,
  context: ToolContext,
  searcher: Searcher,
) {
  const places = globs.map((glob) => split(glob, input["path"] || "."));
  const { folder } = places.find(({ pattern }) => !pattern.startsWith("!")) ?? places[0]!;
  if (places.some((place) => place.folder !== folder)) return undefined;
  const { path, shown } = named(folder, context);
  const root = await inBounds(path, context, Deno.realPath);
  // its disk has just answered
  if (!Deno.statSync(root).isDirectory) throw new FileError("not_folder", "not a folder");
  const patterns = places.flatMap(({ pattern }) =>
    pattern.startsWith("!") ? without(pattern) : [pattern]
  );
  const query = {
    root,
    patterns: [...patterns, ...excluded.flatMap(without)],
    hidden: input["hidden"] ?? false,
    limit: input["head_limit"] > 0
      ? Math.min(input["head_limit"], FILES_AT_MOST)
      : FILES_BY_DEFAULT,
    deadlineMs: DEADLINE_MS,
  };
  const found = await searcher.glob(query, context.signal);
  return {
    found,
    query,
    shown,
    name: (each: string) => displayPath(join(path, each), context.workspace),
  };
}

/** Moves the spelled-out folder of a pattern that leaves the workspace (`/etc/*.conf`, `../x/*`) into the path. */
function split(given: string, path: string): { folder: string; pattern: string } {
  const pattern = plainSteps(given);
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

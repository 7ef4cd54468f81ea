import { FileError, reasonOf } from "../base/errors.ts";
import { whyOf } from "../base/file_why.ts";
import { nearest } from "../base/nearest.ts";
import { basename, dirname, join, within } from "../base/path.ts";
import type { T, Text, ValuesOf } from "../base/t.ts";
import type { SeenFile, ToolContext, ToolResult } from "../base/types.ts";
import { danglingLink, displayPath, realPlace, realTarget, resolvePath } from "../files/paths.ts";
import type { Stopped, WalkReport } from "../search/types.ts";
import { newWalkReport, walk } from "../search/walk/walk.ts";
import { excerpt } from "../base/strings.ts";

const ENTRIES_LOOKED_AT = 5000;

/** Returns up to three existing paths, relative to the workspace, that a missing path may have meant. */
export async function suggestPaths(missing: string, workspace: string): Promise<string[]> {
  const found = new Set<string>();
  for (const tail of tails(missing, workspace)) {
    if (await exists(join(workspace, tail))) found.add(tail);
  }
  const parent = dirname(missing);
  const siblings: string[] = [];
  try {
    for await (const entry of Deno.readDir(parent)) {
      siblings.push(entry.name);
      if (siblings.length >= ENTRIES_LOOKED_AT) break;
    }
  } catch {
    // the folder is missing too: only the same name elsewhere can help
  }
  const name = basename(missing).normalize("NFC");
  for (const sibling of siblings) {
    if (sibling.normalize("NFC") === name) found.add(displayPath(join(parent, sibling), workspace));
  }
  for (const sibling of nearest(name, siblings)) {
    found.add(displayPath(join(parent, sibling), workspace));
  }
  if (found.size === 0) {
    let seen = 0;
    for (const path of walk(workspace, newWalkReport())) {
      if (basename(path).toLowerCase() === name.toLowerCase()) found.add(path);
      if (++seen >= ENTRIES_LOOKED_AT || found.size >= 3) break;
    }
  }
  return [...found].slice(0, 3);
}

/** The path without its first parts: `/repo/src/a.ts` written for `src/a.ts`. */
function tails(missing: string, workspace: string): string[] {
  const parts = displayPath(missing, workspace).split(/[\\/]+/).filter(Boolean);
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join("/"));
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch {
    return false;
  }
}

const FOLDERS_NAMED = 3;

/** A path on one line of a result, whatever is in its name. */
export function onOneLine(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}

/**
 * What a walk left out, a sentence each; a model must not take silence for completeness. `name`
 * makes a folder's path from one relative to the walk's root.
 */
export function walkNotes(
  report: WalkReport,
  t: T,
  stopped?: Stopped,
  name: (path: string) => string = (path) => path,
): string[] {
  const notes: string[] = [];
  const { unreadable, unnameable, dependencies } = report;
  if (stopped === "deadline") {
    notes.push(
      t("The search was stopped at its time limit, this is what it had found; narrow path or simplify pattern."),
    );
  }
  if (unreadable.length > 0) {
    const names = listed(unreadable.map(name), FOLDERS_NAMED);
    notes.push(
      t("{count} {count:folder|folders} could not be listed: {names}.", {
        count: unreadable.length,
        names,
      }),
    );
  }
  if (unnameable > 0) {
    notes.push(
      t("Skipped {count} {count:file|files} with a name that is not valid text.", {
        count: unnameable,
      }),
    );
  }
  if (dependencies > 0) {
    notes.push(
      t("This is no git repository, so node_modules was skipped; name it as path to search it."),
    );
  }
  return notes;
}

/** The first names, and a mark when there are more. */
export function listed(names: readonly string[], most: number): string {
  return names.slice(0, most).join(", ") + (names.length > most ? ", …" : "");
}

/** iconv's names for the encodings as browsers, and so Deno, understand them. */
const ICONV: { readonly [encoding: string]: string } = {
  "big5": "BIG5-HKSCS",
  "shift_jis": "CP932",
  "euc-kr": "CP949",
};

/** The command for Bash that turns a file into UTF-8 and leaves it alone when that fails. */
export function utf8Command(
  encoding: string,
  { path, shown }: Named,
  { cwd, workspace }: ToolContext,
): string {
  const file = cwd === workspace ? shown : path;
  const [from, to] = [file, `${file}.utf8`].map(quoted);
  const name = ICONV[encoding] ?? encoding.toUpperCase().replace("WINDOWS-", "CP");
  return `iconv -f ${name} -t UTF-8 ${from} > ${to} && mv ${to} ${from}`;
}

function quoted(path: string): string {
  const word = path.startsWith("-") ? `./${path}` : path;
  return /^[\p{L}\p{N}_./@%+=:,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The largest file that is read into memory whole, hashed and edited, in bytes. */
export const WHOLE_FILE_BYTES = 64 * 1024 * 1024;

/** A path as the model gave it, resolved. */
export interface Named {
  readonly path: string;
  /** As the model should see it: relative to the workspace where inside. */
  readonly shown: string;
}

/** Resolves a path from a tool's input; throws FileError. */
export function named(given: string, context: ToolContext): Named {
  const path = resolvePath(given, context.workspace, context.env["HOME"]);
  return { path, shown: displayPath(path, context.workspace) };
}

/**
 * The real path of what a call names, as `resolve` finds it. Throws FileError "outside" where only the
 * workspace may be used and it lies elsewhere, links followed, whether it is there or not.
 */
export async function inBounds(
  path: string,
  context: ToolContext,
  resolve: (path: string) => Promise<string> = realPlace,
): Promise<string> {
  if (!context.workspaceOnly) return await resolve(path);
  // what is missing is judged first: why it is and what is near would tell of what lies there
  refuseOutside(await realTarget(path), context);
  const real = await resolve(path);
  refuseOutside(real, context);
  return real;
}

function refuseOutside(real: string, { workspace, outputDir }: ToolContext): void {
  // the model is sent to the full copy of what was cut, wherever that is kept
  if (within(real, workspace) || within(real, outputDir)) return;
  throw new FileError("outside", `"${real}" lies outside of the workspace`);
}

/** Paths are bounded, and a command cut off would do something else. */
const REPEATED_WHOLE = new Set(["path", "command"]);

/** A refusal; of what it repeats only the beginning, paths and commands apart. */
export function refuse<S extends Text>(
  context: ToolContext,
  text: S,
  ...[values = {}]: ValuesOf<S>
): ToolResult {
  const cut = Object.entries<string | number>(values).map(([name, value]) =>
    [name, typeof value === "string" && !REPEATED_WHOLE.has(name) ? excerpt(value) : value] as const
  );
  return { ok: false, text: context.t<Text>(text, Object.fromEntries(cut)) };
}

/** Puts sentences after one another; only English has a blank between them. */
export function sentences(t: T, ...parts: readonly string[]): string {
  return parts.join(t.lang === "en" ? " " : "");
}

/** Says why an operation on a path failed and what to do; a missing path gets the likely ones. */
export async function failed(
  context: ToolContext,
  what:
    | "Cannot read {path}: {why}"
    | "Cannot write {path}: {why}"
    | "Cannot edit {path}: {why}"
    | "Cannot search {path}: {why}",
  given: string,
  error: unknown,
): Promise<ToolResult> {
  if (context.signal.aborted) return refuse(context, "interrupted");
  const { t } = context;
  const reason = reasonOf(error);
  const why = whyOf(t, error);
  const plain = given.trim() !== "" && !/[\p{Cc}\p{Cs}]/u.test(given);
  const shortly = excerpt(given);
  const values = { path: plain ? shortly : JSON.stringify(shortly), why };
  if (reason !== "missing") return refuse(context, what, values);
  const { path, shown } = named(given, context);
  const dangling = await danglingLink(path).catch(() => undefined);
  if (dangling) {
    const link = displayPath(dangling.link, context.workspace);
    const target = displayPath(dangling.target, context.workspace);
    return refuse(context, what, {
      path: shown,
      why: t("{link} is a symbolic link to {target}, which does not exist.", { link, target }),
    });
  }
  const likely = await suggestPaths(path, context.workspace);
  const hint = likely.length > 0
    ? t("Did you mean: {paths}", { paths: likely.map(onOneLine).join(", ") })
    : t("Nothing nearby has a similar name; look for it with Glob.");
  const text = t(what, { path: onOneLine(shown), why });
  return { ok: false, text: sentences(t, text, hint) };
}

/** Ranges of lines in order, those that meet as one. */
export function joined(
  ranges: NonNullable<SeenFile["shown"]>,
): (readonly [first: number, last: number])[] {
  const all: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = all.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else all.push([first, last]);
  }
  return all;
}

/** Lines as Read shows them, numbered from `first`. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, i) => `${first + i} | ${line}`).join("\n");
}

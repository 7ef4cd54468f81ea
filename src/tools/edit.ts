import { say } from "../text.ts";
import type { Tool, ToolContext, ToolInput, ToolResult } from "../types.ts";
import { writeAtomic } from "../workspace/atomic.ts";
import { linesBack, linesOn, unifiedDiff } from "../workspace/diff.ts";
import { FileError, reasonOf } from "../workspace/file_error.ts";
import { kindOf, sizeText } from "../workspace/file_kind.ts";
import { nearestPlace } from "../workspace/nearest_place.ts";
import { danglingLink, refuseVirtual } from "../workspace/paths.ts";
import { placeholderIn } from "../workspace/placeholder.ts";
import {
  decodeText,
  EncodeError,
  encodeText,
  hashBytes,
  looksBinary,
  roundTrips,
  splitLines,
} from "../workspace/text_file.ts";
import {
  findPlaces,
  type Match,
  type Place,
  replacePlaces,
  withoutLineNumbers,
} from "../workspace/text_match.ts";
import {
  failed,
  FILE_PATH_ALIASES,
  type Named,
  named,
  numbered,
  refuse,
  sentences,
  WHOLE_FILE_BYTES,
} from "./files.ts";
import { rename } from "./schema.ts";

const CONTEXT_LINES = 3;
const SHOWN_LINES = 80;
const LINES_NAMED = 10;
const LINE_CHARS = 400;
/** A shorter new_string without a line end stands in many a file by chance. */
const TELLING_CHARS = 10;

/** Edit: replaces one exact stretch of a file that has been Read. */
export const edit: Tool = {
  name: "Edit",
  description:
    "Replace old_string by new_string in a file you have Read. old_string is copied exactly, without line numbers, and must occur once unless replace_all.",
  input: {
    type: "object",
    properties: {
      file_path: { type: "string" },
      old_string: { type: "string" },
      new_string: { type: "string" },
      replace_all: { type: "boolean" },
    },
    required: ["file_path", "old_string", "new_string"],
  },
  readOnly: false,
  needs: ["read", "write"],
  aliases: ["edit_file", "str_replace", "replace", "search_replace"],
  adapt: (input) =>
    rename(input, {
      ...FILE_PATH_ALIASES,
      oldStr: "old_string",
      old_str: "old_string",
      oldString: "old_string",
      old_text: "old_string",
      oldText: "old_string",
      newStr: "new_string",
      new_str: "new_string",
      newString: "new_string",
      new_text: "new_string",
      newText: "new_string",
      replaceAll: "replace_all",
    }),
  async run(input, context) {
    try {
      return await editNamed(input, named(input.file_path, context), context);
    } catch (error) {
      if (input.old_string === "" && reasonOf(error) === "missing") {
        const { path, shown } = named(input.file_path, context);
        if (!await danglingLink(path)) return refuse(context, "edit.use_write", { path: shown });
      }
      return await failed(context, "edit.cannot", input.file_path, error);
    }
  },
};

async function editNamed(
  input: ToolInput,
  { path, shown }: Named,
  context: ToolContext,
): Promise<ToolResult> {
  const wanted: string = input.old_string;
  const replacement: string = input.new_string;
  const real = await Deno.realPath(path);
  refuseVirtual(real);
  const info = await Deno.stat(real);
  if (info.isDirectory) throw new FileError("folder", "a folder was named");
  if (!info.isFile) throw new FileError("not_regular", "not a regular file");
  if (info.size > WHOLE_FILE_BYTES) {
    return refuse(context, "edit.too_large", { path: shown, size: sizeText(info.size) });
  }
  const bytes = await Deno.readFile(real, { signal: context.signal });
  if (looksBinary(bytes)) {
    return refuse(context, "edit.binary", { path: shown, kind: kindOf(bytes) });
  }
  const seen = context.seen.get(real);
  if (!seen) return refuse(context, "edit.not_read", { path: shown });
  if (seen.hash !== await hashBytes(bytes)) return refuse(context, "edit.changed", { path: shown });
  if (wanted === replacement) return refuse(context, "edit.identical");
  const file = decodeText(bytes);
  if (wanted === "" && file.text !== "") return refuse(context, "edit.empty_old", { path: shown });
  if (!roundTrips(file, bytes)) {
    return refuse(context, "edit.bad_bytes", { path: shown, encoding: file.encoding });
  }
  const left = placeholderIn(replacement, wanted);
  if (left !== undefined) return refuse(context, "edit.placeholder", { line: left });

  const match = locate(file.text, wanted, replacement);
  if (!match) return notFound(file.text, wanted, replacement, context);
  if (match.count > 1 && !input.replace_all) return tooMany(file.text, match, context);
  const text = replacePlaces(file.text, match.places);
  let edited: Uint8Array<ArrayBuffer>;
  try {
    edited = encodeText(text, file);
  } catch (error) {
    if (!(error instanceof EncodeError)) throw error;
    const { char, encoding } = error;
    return refuse(context, "edit.unencodable", { path: shown, char, encoding });
  }
  context.signal.throwIfAborted();
  await writeAtomic(real, edited, async () => {
    if (await hashBytes(await Deno.readFile(real)) !== seen.hash) {
      throw new FileError("changed", "the file changed meanwhile");
    }
  });
  const { diff, added, removed } = unifiedDiff(file.text, text);
  const count = match.places.length;
  const done = say(context.lang, "edit.done", { path: shown, count });
  const head = match.rung === "exact"
    ? done
    : sentences(context.lang, done, say(context.lang, `edit.rung.${match.rung}`));
  return {
    ok: true,
    text: `${head}\n${changedLines(text, match.places, context)}`.toWellFormed(),
    detail: { kind: "diff", path: shown, added, removed, diff },
    seen: [{ path: real, hash: await hashBytes(edited) }],
    changed: [shown],
  };
}

/** Finds the text as given, else without line numbers pasted from Read. */
function locate(text: string, wanted: string, replacement: string): Match | undefined {
  if (wanted === "") {
    return { rung: "exact", count: 1, places: [{ start: 0, end: 0, replacement }] };
  }
  const match = findPlaces(text, wanted, replacement);
  if (match) return match;
  const bare = withoutLineNumbers(wanted);
  if (!bare) return undefined;
  return findPlaces(text, bare, withoutLineNumbers(replacement) ?? replacement);
}

function notFound(
  text: string,
  wanted: string,
  replacement: string,
  context: ToolContext,
): ToolResult {
  const { lang } = context;
  const parts = [say(lang, "edit.not_found")];
  const telling = replacement.trim() !== "" &&
    (replacement.length >= TELLING_CHARS || replacement.includes("\n"));
  const done = telling ? text.indexOf(replacement) : -1;
  if (done >= 0) parts.push(say(lang, "edit.already", { line: lineOf(text, done) }));
  const near = nearestPlace(text, withoutLineNumbers(wanted) ?? wanted);
  if (near) {
    const { first, last, diff, cause } = near;
    const place = say(lang, "edit.nearest", { first, last });
    parts.push(
      cause === "other" ? place : sentences(lang, place, say(lang, `edit.cause.${cause}`)),
      diff.toWellFormed(),
    );
  } else {
    parts.push(say(lang, "edit.nothing_near"));
  }
  return { ok: false, text: parts.join("\n") };
}

function tooMany(text: string, match: Match, context: ToolContext): ToolResult {
  const lines = linesOf(text, match.places, LINES_NAMED + 1);
  const named = lines.slice(0, LINES_NAMED).join(", ") + (lines.length > LINES_NAMED ? ", …" : "");
  const head = say(context.lang, "edit.many", { count: match.count });
  const where = lines.length === 1 ? "edit.many_one_line" : "edit.many_lines";
  return { ok: false, text: `${head}\n${say(context.lang, where, { lines: named })}` };
}

/** The numbers of the first lines on which a place begins, each once. */
function linesOf(text: string, places: readonly Place[], most: number): number[] {
  const lines: number[] = [];
  let line = 1;
  let next = text.indexOf("\n");
  for (const { start } of places) {
    while (next >= 0 && next < start) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    if (lines.at(-1) !== line) lines.push(line);
    if (lines.length === most) break;
  }
  return lines;
}

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** The edited places with a few lines around each, numbered. */
function changedLines(text: string, places: readonly Place[], context: ToolContext): string {
  const spans: { from: number; to: number }[] = [];
  let moved = 0;
  for (const { start, end, replacement } of places.slice(0, SHOWN_LINES)) {
    const at = start + moved;
    moved += replacement.length - (end - start);
    const stop = at + replacement.replace(/\n$/, "").length;
    const from = linesBack(text, at, CONTEXT_LINES);
    const to = linesOn(text, stop, CONTEXT_LINES + 1);
    const before = spans.at(-1);
    if (before && from <= before.to) before.to = Math.max(before.to, to);
    else spans.push({ from, to });
  }
  const parts: string[] = [];
  let room = SHOWN_LINES;
  for (const { from, to } of spans) {
    const lines = splitLines(text.slice(from, to));
    const shown = lines.slice(0, room).map(cutLong);
    if (shown.length > 0) parts.push(numbered(shown, lineOf(text, from)));
    room -= lines.length;
  }
  if (room < 0 || places.length > SHOWN_LINES) parts.push(say(context.lang, "edit.more_lines"));
  return parts.join("\n…\n");
}

function cutLong(line: string): string {
  return line.length > LINE_CHARS ? line.slice(0, LINE_CHARS) + "…" : line;
}

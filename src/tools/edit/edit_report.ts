import { say } from "../../base/text.ts";
import type { ToolContext, ToolResult } from "../../base/types.ts";
import type { Hunk } from "../../files/edit/diff.ts";
import { nearestPlace } from "../../files/nearest_place.ts";
import type { Piece } from "../../files/edit/pieces.ts";
import { type Rest, resting } from "../../files/rest.ts";
import { sizeText } from "../../files/file_kind.ts";
import { withoutLineNumbers } from "../../files/line_numbers.ts";
import { type Made, type Outcome, takenBy, type TextEdit } from "../../files/edit/text_edit.ts";
import type { Match } from "../../files/edit/text_match.ts";
import { numbered, sentences, WHOLE_FILE_BYTES } from "../files.ts";
import { truncate } from "../../base/truncate.ts";

const SHOWN_LINES = 80;
/** An edit of more places than this is known by its first lines. */
const PLACES_SHOWN = 10;
const SHOWN_LINES_OF_MANY = 20;
const LINE_CHARS = 400;
const LINES_NAMED = 10;
/** A shorter new_string without a line end stands in many a file by chance. */
const TELLING_CHARS = 10;
/** Of a longer text only the beginning has been counted. */
const COUNTED_BYTES = 256;

type Failure = Extract<Outcome, { readonly ok: false }>;

/** Says which of several edits failed; empty for a single one. */
export function numberOfEdit(
  index: number,
  edits: readonly TextEdit[],
  { lang }: ToolContext,
): string {
  const total = edits.length;
  return total === 1 ? "" : say(lang, "edit.number", { n: index + 1, total }) + "\n";
}

/** What was done: how often, on which rungs, and the changed lines as Read would number them now. */
export function told(
  shown: string,
  made: readonly Made[],
  hunks: readonly Hunk[],
  context: ToolContext,
): string {
  const { lang } = context;
  const count = made.reduce((sum, each) => sum + each.count, 0);
  const notes = made.flatMap((each, index) => {
    const note = sentences(lang, ...notesOf(each, context));
    if (note === "") return [];
    return [made.length === 1 ? note : say(lang, "edit.rung_of", { n: index + 1, note })];
  });
  const done = made.length === 1
    ? say(lang, "edit.done", { path: shown, count })
    : say(lang, "edit.done_several", { path: shown, edits: made.length, count });
  const many = made.some((each) => each.count > PLACES_SHOWN);
  const lines = changedLines(hunks, many ? SHOWN_LINES_OF_MANY : SHOWN_LINES, context);
  return [sentences(lang, done, ...notes), ...(lines ? [lines] : [])].join("\n").toWellFormed();
}

/** How the text was found and what was done so that it fits in. */
function notesOf({ rung, adapted }: Made, { lang }: ToolContext): string[] {
  return [
    ...(rung === "exact" ? [] : [say(lang, `edit.rung.${rung}`)]),
    ...adapted.filter((how) => how !== "line_ends" || rung !== "newlines")
      .map((how) => say(lang, `edit.adapted.${how}`)),
  ];
}

function changedLines(hunks: readonly Hunk[], most: number, { lang }: ToolContext): string {
  const parts: string[] = [];
  let room = most;
  for (const { newLine, steps } of hunks) {
    const lines = steps.filter((step) => step.kind !== "-");
    const shown = lines.slice(0, Math.max(0, room)).map(({ line }) => cutLong(line));
    if (shown.length > 0) parts.push(numbered(shown, newLine));
    room -= lines.length;
  }
  const shown = parts.join("\n…\n");
  return room < 0 ? `${shown}\n${say(lang, "edit.more_lines")}` : shown;
}

/** The edits leave the file as it is. */
export function changesNothing(
  path: string,
  made: readonly Made[],
  context: ToolContext,
): ToolResult {
  const { lang } = context;
  const ends = made.some(({ adapted }) => adapted.includes("line_ends"));
  const why = ends ? [say(lang, "edit.keeps_line_ends")] : [];
  return { ok: false, text: sentences(lang, say(lang, "edit.no_change", { path }), ...why) };
}

/** The places lie in more text than is decoded; `counts` tells how often each old text stands there. */
export function tooLarge(
  counts: readonly number[],
  edits: readonly TextEdit[],
  { path, size }: { readonly path: string; readonly size: number },
  context: ToolContext,
): ToolResult {
  const { lang } = context;
  const index = edits.findIndex(({ wanted, all, expected }, i) =>
    !all && expected === undefined && (counts[i] ?? 0) > 1 &&
    new TextEncoder().encode(wanted).length <= COUNTED_BYTES
  );
  const why = say(lang, "edit.too_large", { path, size: sizeText(size) });
  if (index < 0) return { ok: false, text: why };
  const many = say(lang, "edit.many", { count: counts[index]! });
  return { ok: false, text: `${numberOfEdit(index, edits, context)}${many}\n${why}` };
}

function cutLong(line: string): string {
  const bare = line.replace(/\r?\n$/, "");
  return truncate(bare, LINE_CHARS);
}

/** Why an edit could not be made, and what to do about it. */
export async function whyNot(
  pieces: readonly Piece[],
  edits: readonly TextEdit[],
  { index, texts, refusal }: Failure,
  { path, size }: { readonly path: string; readonly size: number },
  context: ToolContext,
): Promise<ToolResult> {
  const edit = edits[index]!;
  const before = numberOfEdit(index, edits, context);
  const refused = (text: string) => ({ ok: false, text: (before + text).toWellFormed() });
  if (refusal.reason === "empty") return refused(say(context.lang, "edit.empty_old", { path }));
  if (refusal.reason === "numbers") {
    const line = edit.replacement.split("\n").find((each) => each.trim() !== "")!;
    return refused(say(context.lang, "edit.numbers", { line: cutLong(line) }));
  }
  const parts: Part[] = [];
  let moved = 0;
  for (const [i, { text, line }] of pieces.entries()) {
    const now = texts[i]!;
    parts.push({ text: now, line: line + moved });
    if (now !== text) moved += now.split("\n").length - text.split("\n").length;
  }
  const file = index === 0
    ? say(context.lang, "edit.the_file")
    : say(context.lang, index === 1 ? "edit.the_file_after_one" : "edit.the_file_after", {
      n: index,
    });
  if ("match" in refusal) {
    const why = tooMany(parts, edit, refusal.match, context);
    const whose = index === 0 ? [] : [say(context.lang, "edit.lines_of", { file })];
    return refused(sentences(context.lang, why, ...whose));
  }
  const rest = resting(context.signal);
  const taken = await takenBy(pieces.map(({ text }) => text), edits, index, rest);
  return refused(await nowhere(parts, edit, { size, file, taken, rest }, context));
}

interface Part {
  readonly text: string;
  readonly line: number;
}

async function nowhere(
  parts: readonly Part[],
  edit: TextEdit,
  { size, file, taken, rest }: {
    size: number;
    file: string;
    taken: number | undefined;
    rest: Rest;
  },
  { lang }: ToolContext,
): Promise<string> {
  const out = [say(lang, "edit.not_found")];
  const { replacement } = edit;
  const telling = replacement.trim() !== "" &&
    (replacement.length >= TELLING_CHARS || replacement.includes("\n"));
  const done = telling ? parts.find(({ text }) => text.includes(replacement)) : undefined;
  if (taken !== undefined) {
    out.push(say(lang, "edit.taken", { n: taken + 1 }));
  } else if (done) {
    const line = done.line + lineAt(done.text, done.text.indexOf(replacement));
    out.push(say(lang, "edit.already", { line }));
  }
  const [bare] = withoutLineNumbers(edit.wanted);
  const wanted = bare?.text ?? edit.wanted;
  for (const part of parts) {
    const near = await nearestPlace(part.text, wanted, rest);
    if (!near) continue;
    const moved = part.line - 1;
    const [first, last] = [near.first + moved, near.last + moved];
    const key = first === last ? "edit.nearest_line" : "edit.nearest";
    const place = say(lang, key, { first, last, file });
    const numbers = bare ? [say(lang, "edit.cause.numbers")] : [];
    const cause = near.cause === "other" ? [] : [say(lang, `edit.cause.${near.cause}`)];
    const at = near.at
      ? [say(lang, "edit.first_difference", { ...near.at, line: near.at.line + moved })]
      : [];
    out.push(sentences(lang, place, ...numbers, ...cause, ...at), near.diff);
    return out.join("\n");
  }
  if (taken === undefined) {
    out.push(say(lang, size > WHOLE_FILE_BYTES ? "edit.not_compared" : "edit.nothing_near"));
  }
  return out.join("\n");
}

function tooMany(
  parts: readonly Part[],
  { expected, wanted }: TextEdit,
  match: Match,
  { lang }: ToolContext,
): string {
  const lines = parts.flatMap(({ text, line }, i) => {
    const starts = expected === undefined && match.rung === "exact"
      ? startsIn(text, wanted)
      : match.places[i]!.map((place) => place.start);
    return linesOf(text, starts, LINES_NAMED + 1).map((each) => line + each);
  }).slice(0, LINES_NAMED + 1);
  const named = lines.slice(0, LINES_NAMED).join(", ") + (lines.length > LINES_NAMED ? ", …" : "");
  if (expected !== undefined) {
    const count = match.places.reduce((sum, places) => sum + places.length, 0);
    return say(lang, "edit.count", { count, expected, lines: named });
  }
  const where = lines.length === 1 ? "edit.many_one_line" : "edit.many_lines";
  const head = say(lang, "edit.many", { count: match.count });
  return `${head}\n${say(lang, where, { lines: named })}`;
}

/** Where a text stands, overlapping places too. */
function startsIn(text: string, wanted: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) starts.push(at);
  return starts;
}

/** The numbers, from 0, of the first lines on which one of the ascending places lies, each once. */
function linesOf(text: string, places: readonly number[], most: number): number[] {
  const lines: number[] = [];
  let line = 0;
  let next = text.indexOf("\n");
  for (const place of places) {
    while (next >= 0 && next < place) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    if (lines.at(-1) !== line) lines.push(line);
    if (lines.length === most) break;
  }
  return lines;
}

function lineAt(text: string, index: number): number {
  return linesOf(text, [index], 1)[0]!;
}

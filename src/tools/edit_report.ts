import { say } from "../text.ts";
import type { ToolContext, ToolResult } from "../types.ts";
import type { Hunk } from "../workspace/diff.ts";
import { nearestPlace } from "../workspace/nearest_place.ts";
import type { Piece } from "../workspace/pieces.ts";
import type { Made, Outcome, TextEdit } from "../workspace/text_edit.ts";
import { type Match, withoutLineNumbers } from "../workspace/text_match.ts";
import { numbered, refuse, sentences, WHOLE_FILE_BYTES } from "./files.ts";

const SHOWN_LINES = 80;
const LINE_CHARS = 400;
const LINES_NAMED = 10;
/** A shorter new_string without a line end stands in many a file by chance. */
const TELLING_CHARS = 10;

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
  const notes = made.flatMap(({ rung }, index) => {
    if (rung === "exact") return [];
    const note = say(lang, `edit.rung.${rung}`);
    return [made.length === 1 ? note : say(lang, "edit.rung_of", { n: index + 1, note })];
  });
  const done = made.length === 1
    ? say(lang, "edit.done", { path: shown, count })
    : say(lang, "edit.done_several", { path: shown, edits: made.length, count });
  const lines = changedLines(hunks, context);
  return [sentences(lang, done, ...notes), ...(lines ? [lines] : [])].join("\n").toWellFormed();
}

function changedLines(hunks: readonly Hunk[], { lang }: ToolContext): string {
  const parts: string[] = [];
  let room = SHOWN_LINES;
  for (const { newLine, steps } of hunks) {
    const lines = steps.filter((step) => step.kind !== "-");
    const shown = lines.slice(0, Math.max(0, room)).map(({ line }) => cutLong(line));
    if (shown.length > 0) parts.push(numbered(shown, newLine));
    room -= lines.length;
  }
  if (room < 0) parts.push(say(lang, "edit.more_lines"));
  return parts.join("\n…\n");
}

function cutLong(line: string): string {
  const bare = line.replace(/\r?\n$/, "");
  return bare.length > LINE_CHARS ? bare.slice(0, LINE_CHARS) + "…" : bare;
}

/** Why an edit could not be made, and what to do about it. */
export function whyNot(
  pieces: readonly Piece[],
  edits: readonly TextEdit[],
  { index, texts, refusal }: Failure,
  { path, size }: { readonly path: string; readonly size: number },
  context: ToolContext,
): ToolResult {
  const edit = edits[index]!;
  const before = numberOfEdit(index, edits, context);
  const now = texts.map((text, i) => ({ text, line: pieces[i]!.line }));
  if (refusal.reason === "empty") {
    const { text } = refuse(context, "edit.empty_old", { path });
    return { ok: false, text: before + text };
  }
  const why = refusal.reason === "many"
    ? tooMany(now, refusal.match, context)
    : nowhere(now, edit, size, context);
  return { ok: false, text: (before + why).toWellFormed() };
}

interface Part {
  readonly text: string;
  readonly line: number;
}

function nowhere(
  parts: readonly Part[],
  edit: TextEdit,
  size: number,
  { lang }: ToolContext,
): string {
  const out = [say(lang, "edit.not_found")];
  const { replacement } = edit;
  const telling = replacement.trim() !== "" &&
    (replacement.length >= TELLING_CHARS || replacement.includes("\n"));
  const done = telling ? parts.find(({ text }) => text.includes(replacement)) : undefined;
  if (done) {
    const line = done.line + lineAt(done.text, done.text.indexOf(replacement));
    out.push(say(lang, "edit.already", { line }));
  }
  const wanted = withoutLineNumbers(edit.wanted) ?? edit.wanted;
  for (const part of parts) {
    const near = nearestPlace(part.text, wanted);
    if (!near) continue;
    const moved = part.line - 1;
    const [first, last] = [near.first + moved, near.last + moved];
    const place = say(lang, first === last ? "edit.nearest_line" : "edit.nearest", { first, last });
    const cause = near.cause === "other" ? [] : [say(lang, `edit.cause.${near.cause}`)];
    const at = near.at
      ? [say(lang, "edit.first_difference", { ...near.at, line: near.at.line + moved })]
      : [];
    out.push(sentences(lang, place, ...cause, ...at), near.diff);
    return out.join("\n");
  }
  out.push(say(lang, size > WHOLE_FILE_BYTES ? "edit.not_compared" : "edit.nothing_near"));
  return out.join("\n");
}

function tooMany(parts: readonly Part[], match: Match, { lang }: ToolContext): string {
  const lines = parts.flatMap(({ text, line }, i) => {
    const starts = match.places[i]!.map((place) => place.start);
    return linesOf(text, starts, LINES_NAMED + 1).map((each) => line + each);
  }).slice(0, LINES_NAMED + 1);
  const named = lines.slice(0, LINES_NAMED).join(", ") + (lines.length > LINES_NAMED ? ", …" : "");
  const where = lines.length === 1 ? "edit.many_one_line" : "edit.many_lines";
  const head = say(lang, "edit.many", { count: match.count });
  return `${head}\n${say(lang, where, { lines: named })}`;
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

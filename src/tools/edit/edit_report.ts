import type { ToolContext, ToolResult } from "../../base/types.ts";
import type { Hunk } from "../../files/edit/diff.ts";
import { nearestPlace } from "../../files/nearest_place.ts";
import type { Piece } from "../../files/edit/pieces.ts";
import { type Rest, resting } from "../../files/rest.ts";
import { sizeText } from "../../files/file_kind.ts";
import {
  type Made,
  type Outcome,
  takenBy,
  type TextEdit,
  withoutLineNumbers,
} from "../../files/edit/text_edit.ts";
import type { Match } from "../../files/edit/text_match.ts";
import { numbered, sentences, WHOLE_FILE_BYTES } from "../files.ts";
import { truncate } from "../../base/strings.ts";

const RUNGS = {
  newlines: "(Matched apart from line ends.)",
  trailing: "(Matched apart from trailing spaces.)",
  indentation: "(Matched apart from indentation; the file's own was kept.)",
  quotes: "(Matched apart from the form of quotes, dashes and spaces.)",
} as const;

const ADAPTATIONS = {
  numbers: "(Line numbers pasted from Read were taken off.)",
  ends: "(old_string ends in line ends that the file does not have there; they were left out.)",
  indented: "(old_string has less indentation than the file; the file's own was kept.)",
  line_ends: "(New lines were given the file's line ends.)",
} as const;

const CAUSES = {
  blank: "Only blank lines or line ends before or behind it differ.",
  case: "Only upper and lower case differ.",
  looks:
    'They look alike: only spaces, quotes, widths of characters, their composition (é as one or as two), escapes (\\n, \\") or HTML entities (&lt;) differ.',
} as const;

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
  { t }: ToolContext,
): string {
  const total = edits.length;
  return total === 1
    ? ""
    : t("Edit {n} of {total} cannot be made, so none was; nothing was written:", {
      n: index + 1,
      total,
    }) + "\n";
}

/** What was done: how often, on which rungs, and the changed lines as Read would number them now. */
export function told(
  shown: string,
  made: readonly Made[],
  hunks: readonly Hunk[],
  context: ToolContext,
): string {
  const { t } = context;
  const count = made.reduce((sum, each) => sum + each.count, 0);
  const notes = made.flatMap((each, index) => {
    const note = sentences(t, ...notesOf(each, context));
    if (note === "") return [];
    return [made.length === 1 ? note : t("Edit {n}: {note}", { n: index + 1, note })];
  });
  const done = made.length === 1
    ? t("Edited {path} ({count} replaced).", { path: shown, count })
    : t("Edited {path} ({edits} edits, {count} replaced).", {
      path: shown,
      edits: made.length,
      count,
    });
  const many = made.some((each) => each.count > PLACES_SHOWN);
  const lines = changedLines(hunks, many ? SHOWN_LINES_OF_MANY : SHOWN_LINES, context);
  return [sentences(t, done, ...notes), ...(lines ? [lines] : [])].join("\n").toWellFormed();
}

/** How the text was found and what was done so that it fits in. */
function notesOf({ rung, adapted }: Made, { t }: ToolContext): string[] {
  return [
    ...(rung === "exact" ? [] : [t(RUNGS[rung])]),
    ...adapted.filter((how) => how !== "line_ends" || rung !== "newlines")
      .map((how) => t(ADAPTATIONS[how])),
  ];
}

function changedLines(hunks: readonly Hunk[], most: number, { t }: ToolContext): string {
  const parts: string[] = [];
  let room = most;
  for (const { newLine, steps } of hunks) {
    const lines = steps.filter((step) => step.kind !== "-");
    const shown = lines.slice(0, Math.max(0, room)).map(({ line }) => cutLong(line));
    if (shown.length > 0) parts.push(numbered(shown, newLine));
    room -= lines.length;
  }
  const shown = parts.join("\n…\n");
  return room < 0 ? `${shown}\n${t("… (further changes not shown)")}` : shown;
}

/** The edits leave the file as it is. */
export function changesNothing(
  path: string,
  made: readonly Made[],
  context: ToolContext,
): ToolResult {
  const { t } = context;
  const ends = made.some(({ adapted }) => adapted.includes("line_ends"));
  const why = ends
    ? [
      t("Edit and Write keep a file's line ends; to change them write a new file with a command in Bash and put it in the place of the old."),
    ]
    : [];
  return {
    ok: false,
    text: sentences(
      t,
      t("{path} would be the same as before; nothing was written.", { path }),
      ...why,
    ),
  };
}

/** The places lie in more text than is decoded; `counts` tells how often each old text stands there. */
export function tooLarge(
  counts: readonly number[],
  edits: readonly TextEdit[],
  { path, size }: { readonly path: string; readonly size: number },
  context: ToolContext,
): ToolResult {
  const { t } = context;
  const index = edits.findIndex(({ wanted, all, expected }, i) =>
    !all && expected === undefined && (counts[i] ?? 0) > 1 &&
    new TextEncoder().encode(wanted).length <= COUNTED_BYTES
  );
  const why = t(
    "Cannot edit {path} ({size}): the places to change lie in more than 64 MB of text. Make several smaller Edits, each with an old_string that stands in one place; or write a new file in Bash and put it in the place of the old: sed 's/old/new/' {path} > {path}.new && mv {path}.new {path}",
    { path, size: sizeText(size) },
  );
  if (index < 0) return { ok: false, text: why };
  const many = t("{count} matches found; give more context so that it is unique", {
    count: counts[index]!,
  });
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
  if (refusal.reason === "empty") {
    return refused(
      context.t(
        "old_string is empty but {path} is not. Give the text to replace; to insert, copy a line from the place and repeat it in new_string.",
        { path },
      ),
    );
  }
  if (refusal.reason === "numbers") {
    const line = edit.replacement.split("\n").find((each) => each.trim() !== "")!;
    return refused(
      context.t(
        "new_string carries the line numbers that Read puts before each line (“{line}”) and old_string does not; they would be written into the file, so nothing was written. Give the lines without them; if they belong in the file, use Write.",
        { line: cutLong(line) },
      ),
    );
  }
  const parts: Part[] = [];
  let moved = 0;
  for (const [i, { text, line }] of pieces.entries()) {
    const now = texts[i]!;
    parts.push({ text: now, line: line + moved });
    if (now !== text) moved += now.split("\n").length - text.split("\n").length;
  }
  const file = index === 0 ? context.t("the file") : context.t(
    index === 1 ? "the file after edit 1 of this call" : "the file after edits 1–{n} of this call",
    {
      n: index,
    },
  );
  if ("match" in refusal) {
    const why = tooMany(parts, edit, refusal.match, context);
    const whose = index === 0 ? [] : [context.t("Line numbers are those of {file}.", { file })];
    return refused(sentences(context.t, why, ...whose));
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
  { t }: ToolContext,
): Promise<string> {
  const out = [t("No match found; check that old_string is right")];
  const { replacement } = edit;
  const telling = replacement.trim() !== "" &&
    (replacement.length >= TELLING_CHARS || replacement.includes("\n"));
  const done = telling ? parts.find(({ text }) => text.includes(replacement)) : undefined;
  if (taken !== undefined) {
    out.push(
      t(
        "Edit {n} of this call already changed this place. Give old_string as edit {n} leaves it, or make one edit of both.",
        { n: taken + 1 },
      ),
    );
  } else if (done) {
    const line = done.line + lineAt(done.text, done.text.indexOf(replacement));
    out.push(
      t("new_string already stands at line {line}; this edit may have been made before.", { line }),
    );
  }
  const [bare] = withoutLineNumbers(edit.wanted);
  const wanted = bare?.text ?? edit.wanted;
  for (const part of parts) {
    const near = await nearestPlace(part.text, wanted, rest);
    if (!near) continue;
    const moved = part.line - 1;
    const [first, last] = [near.first + moved, near.last + moved];
    const key = first === last
      ? "The nearest place is line {first} (- is old_string, + is {file})."
      : "The nearest place is lines {first}–{last} (- is old_string, + is {file}).";
    const place = t(key, { first, last, file });
    const numbers = bare
      ? [
        t("old_string carries line numbers, which were left out here: give the lines without them."),
      ]
      : [];
    const cause = near.cause === "other" ? [] : [t(CAUSES[near.cause])];
    const at = near.at
      ? [
        t(
          "The first difference is at the file's line {line}, column {column}: old_string has {wanted} there, the file has {found}.",
          { ...near.at, line: near.at.line + moved },
        ),
      ]
      : [];
    out.push(sentences(t, place, ...numbers, ...cause, ...at), near.diff);
    return out.join("\n");
  }
  if (taken === undefined) {
    out.push(
      t(
        size > WHOLE_FILE_BYTES
          ? "The file is too large to be compared line by line. Find the place with Grep, then Read it."
          : "Nothing in the file resembles it. Read it again, or find the right file with Grep.",
      ),
    );
  }
  return out.join("\n");
}

function tooMany(
  parts: readonly Part[],
  { expected, wanted }: TextEdit,
  match: Match,
  { t }: ToolContext,
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
    return t(
      "{count} {count:match|matches} found (line {lines}), not the {expected} of expected_replacements; nothing was written.",
      { count, expected, lines: named },
    );
  }
  const where = lines.length === 1
    ? "All of them are on line {lines}. To replace all of them set replace_all."
    : "They are at lines {lines}. To replace all of them set replace_all.";
  const head = t("{count} matches found; give more context so that it is unique", {
    count: match.count,
  });
  return `${head}\n${t(where, { lines: named })}`;
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

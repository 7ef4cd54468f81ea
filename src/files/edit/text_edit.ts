import { reasonOf } from "../../base/errors.ts";
import { readRegular } from "../open_regular.ts";
import { noRest, type Rest } from "../rest.ts";
import { roundTrips } from "../text_file.ts";
import { linesBack, linesOn } from "./diff.ts";
import { cutPieces, onePiece, type Pieces } from "./pieces.ts";
import {
  findPlaces,
  type Fitting,
  type Match,
  type Place,
  replacePlaces,
  type Rung,
  stableStretch,
} from "./text_match.ts";

/** As our Read writes them: `3 | x`. */
const OURS = /^(\d+) \|(?: |(?=\r?$))/;
/** Ours and other agents': blanks before the number; a tab, `→` or a bar behind it. */
const FORMS = [
  /^ *(\d+) \|(?: |(?=\r?$))/,
  /^ *(\d+)\t/,
  /^ *(\d+)→/,
  /^ *(\d+)\|(?: |(?=\r?$))/,
  /^ *(\d+)\|/,
];

/** A text without its line numbers. */
interface Unnumbered {
  readonly text: string;
  /** Takes numbers of the same form off the lines of another text. */
  readonly strip: (other: string) => string;
}

/**
 * What the text may be without pasted line numbers, likeliest first; empty when it carries none.
 * At least half of its lines must have one, each higher than the one before.
 */
export function withoutLineNumbers(text: string): Unnumbered[] {
  return FORMS.filter((form) => carries(text, form)).map((form) => {
    const strip = (other: string) =>
      other.split("\n").map((line) => line.replace(form, "")).join("\n");
    return { text: strip(text), strip };
  });
}

/** Tells whether `replacement` carries the numbers our Read writes though `wanted` has none. */
function numbersPasted(replacement: string, wanted: string): boolean {
  return carries(replacement, OURS) && !wanted.split("\n").some((line) => OURS.test(line));
}

function carries(text: string, form: RegExp): boolean {
  let lines = 0;
  let numbered = 0;
  let before = -1;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    lines++;
    const digits = form.exec(line)?.[1];
    if (digits === undefined) continue;
    if (Number(digits) <= before) return false;
    before = Number(digits);
    numbered++;
  }
  return numbered > 0 && numbered * 2 >= lines;
}

/** More lines around a find than any diff, any nearest place and any look at line ends needs. */
const MARGIN_LINES = 5;
/** Characters to be searched, those of all edits together, up to which a small file is one piece. */
const SEARCHED_AT_ONCE = 64 * 1024 * 1024;

/** What came of edits, on the pieces of the file in which they were looked for. */
export interface Found extends Pieces {
  readonly outcome: Outcome;
}

/** Bounds, in bytes. */
interface FindOptions {
  /** The largest file that is decoded as one piece without trying anything less. */
  readonly whole: number;
  /** Bound on what is decoded at all; beyond it FileError "too_large". */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly rest?: Rest;
  readonly chunkBytes?: number;
}

/**
 * Makes the edits, without writing, on the part of a file that matters. A small file is one piece;
 * of a larger one only the lines around the text that is wanted are decoded: where it stands
 * exactly, or, when it does not, where a stretch of it does that all rungs need. A place between
 * that cannot be written back as it is does not matter then.
 */
export async function findEdits(
  path: string,
  size: number,
  edits: readonly TextEdit[],
  options: FindOptions,
): Promise<Found> {
  const { signal, rest = noRest } = options;
  if (size <= options.whole && size * edits.length <= SEARCHED_AT_ONCE) {
    const bytes = await readRegular(path, signal);
    const whole = onePiece(bytes);
    const { start, text } = whole.pieces[0]!;
    const { encoding } = whole.coding;
    if (roundTrips({ encoding, bom: false, text }, bytes.subarray(start))) {
      return await tried(whole, edits, { rest });
    }
  }
  const wanted = edits.map((each) => each.wanted);
  const lines = wanted.map((each) => each.split("\n").length);
  const longest = lines.reduce((most, each) => Math.max(most, each), 0);
  const all = lines.reduce((sum, each) => sum + each, 0);
  if (2 * longest < all) {
    // edits of one another's text need more around them than this; few do
    const near = await cutPieces(path, wanted, { ...options, margin: 2 * longest + MARGIN_LINES });
    const within = away(near, size, longest + MARGIN_LINES);
    const found = await tried(near, edits, { exactly: true, within, rest });
    if (found.outcome.ok) return found;
  }
  const cut = { ...options, margin: all + MARGIN_LINES };
  const exact = await tried(await cutPieces(path, wanted, cut), edits, { exactly: true, rest });
  if (exact.outcome.ok || exact.outcome.refusal.reason !== "nowhere") return exact;
  const whole = size <= options.most
    ? await tried(onePiece(await readRegular(path, signal)), edits, { rest })
    : undefined;
  if (whole && !whole.outcome.ok) return whole;
  const stretches = wanted.flatMap((each) =>
    [each, ...withoutLineNumbers(each).map(({ text }) => text)].map(stableStretch)
  );
  try {
    const loose = await tried(await cutPieces(path, stretches, cut), edits, { rest });
    return loose.outcome.ok || !whole ? loose : whole;
  } catch (error) {
    if (reasonOf(error) !== "too_large") throw error;
    return whole ?? exact;
  }
}

/** Tells whether places stay so many lines away from where their piece was cut off. */
function away({ pieces }: Pieces, size: number, lines: number): ApplyOptions["within"] {
  return (which, text, places) => {
    const { end, line } = pieces[which]!;
    const from = line === 1 ? 0 : linesOn(text, 0, lines);
    const to = end === size ? text.length : linesBack(text, text.length, lines);
    return places[0]!.start >= from && places.at(-1)!.end <= to;
  };
}

async function tried(cut: Pieces, edits: readonly TextEdit[], how: ApplyOptions): Promise<Found> {
  return { ...cut, outcome: await applyEdits(cut.pieces.map((each) => each.text), edits, how) };
}

/** Beyond so many characters it is not looked for which edit took another one's place. */
const RETRACED_CHARS = 4 * 1024 * 1024;

/** One replacement to be made in a text. */
export interface TextEdit {
  readonly wanted: string;
  readonly replacement: string;
  /** Replace every occurrence instead of the only one. */
  readonly all: boolean;
  /** How many occurrences there must be; all of them are replaced. */
  readonly expected?: number;
}

/**
 * What was done to an edit so that it could be made; `numbers`: pasted line numbers were taken off;
 * `ends`: line ends behind it that the file has not there.
 */
export type Adapted = "numbers" | "ends" | Fitting;

/** An edit that was made. */
export interface Made {
  readonly rung: Rung;
  /** How many places were replaced. */
  readonly count: number;
  readonly adapted: readonly Adapted[];
}

/**
 * Why an edit could not be made: it is empty in a text that is not, is nowhere, would write line
 * numbers pasted from Read, or stands in several places or not as often as expected.
 */
export type Refusal =
  | { readonly reason: "empty" | "nowhere" | "numbers" }
  | { readonly reason: "many" | "count"; readonly match: Match };

/** What came of a list of edits. */
export type Outcome =
  | { readonly ok: true; readonly texts: readonly string[]; readonly made: readonly Made[] }
  | {
    readonly ok: false;
    /** Which edit failed, from 0, and the texts as the edits before it left them. */
    readonly index: number;
    readonly texts: readonly string[];
    readonly refusal: Refusal;
  };

/** How `applyEdits` works. */
export interface ApplyOptions {
  /** Keeps to text that stands there character by character. */
  readonly exactly?: boolean;
  /** Whether all that an edit needs is in the piece, of which it is given the number and the text now. */
  readonly within?: (which: number, text: string, places: readonly Place[]) => boolean;
  readonly rest?: Rest;
}

/**
 * Makes the edits one after another, each on the result of the one before, in `texts`: pieces of
 * whole lines of one file. An edit that is not `within` its piece counts as being nowhere.
 */
export async function applyEdits(
  texts: readonly string[],
  edits: readonly TextEdit[],
  { exactly = false, within, rest = noRest }: ApplyOptions = {},
): Promise<Outcome> {
  let now = texts;
  const made: Made[] = [];
  for (const [index, edit] of edits.entries()) {
    const fail = (refusal: Refusal): Outcome => ({ ok: false, index, texts: now, refusal });
    if (edit.wanted === "") {
      if (now.length !== 1 || now[0] !== "") return fail({ reason: "empty" });
      now = [edit.replacement];
      made.push({ rung: "exact", count: 1, adapted: [] });
      continue;
    }
    const found = await locate(now, edit, exactly, rest);
    if (!found) return fail({ reason: "nowhere" });
    const { match, how } = found;
    const inside = match.places.every((places, which) =>
      places.length === 0 || !within || within(which, now[which]!, places)
    );
    if (!inside) return fail({ reason: "nowhere" });
    const { expected } = edit;
    if (how !== "numbers" && numbersPasted(edit.replacement, edit.wanted)) {
      return fail({ reason: "numbers" });
    }
    const count = match.places.reduce((sum, places) => sum + places.length, 0);
    if (expected !== undefined && expected !== count) return fail({ reason: "count", match });
    if (match.count > 1 && !edit.all && expected === undefined) {
      return fail({ reason: "many", match });
    }
    const next: string[] = [];
    for (const [which, text] of now.entries()) {
      const places = match.places[which]!;
      next.push(places.length === 0 ? text : await replacePlaces(text, places, rest));
    }
    now = next;
    made.push({
      rung: match.rung,
      count,
      adapted: [...how ? [how] : [], ...match.fitted],
    });
  }
  return { ok: true, texts: now, made };
}

/**
 * Which of the edits, from 0, took away the place of the one that is now nowhere; undefined when none
 * did, or when the text is too long to look.
 */
export async function takenBy(
  texts: readonly string[],
  edits: readonly TextEdit[],
  failed: number,
  rest: Rest = noRest,
): Promise<number | undefined> {
  if (texts.reduce((sum, text) => sum + text.length, 0) > RETRACED_CHARS) return undefined;
  const edit = edits[failed]!;
  let now = texts;
  if (!await locate(now, edit, false, rest)) return undefined;
  for (let index = 0; index < failed; index++) {
    const outcome = await applyEdits(now, [edits[index]!], { rest });
    if (!outcome.ok) return undefined;
    now = outcome.texts;
    if (!await locate(now, edit, false, rest)) return index;
  }
  return undefined;
}

interface Located {
  readonly match: Match;
  readonly how?: "numbers" | "ends";
}

/** Finds the text as given, else without line numbers pasted from Read, else without line ends behind it. */
async function locate(
  texts: readonly string[],
  edit: TextEdit,
  exactly: boolean,
  rest: Rest,
): Promise<Located | undefined> {
  const { wanted, replacement } = edit;
  const rungs = exactly ? ["exact" as const] : undefined;
  const match = await findPlaces(texts, wanted, replacement, { rungs, rest });
  if (match || exactly) return match && { match };
  const bare: Match[] = [];
  for (const { text, strip } of withoutLineNumbers(wanted)) {
    const found = await findPlaces(texts, text, strip(replacement), { rest });
    if (found) bare.push(found);
  }
  const best = bare.find(({ rung }) => rung === "exact") ?? bare[0];
  if (best) return { match: best, how: "numbers" };
  const ended = await withoutEnds(texts, edit, rest);
  return ended && { match: ended, how: "ends" };
}

/** Finds the text with fewer line ends behind it; with none only where the file ends. */
async function withoutEnds(
  texts: readonly string[],
  { wanted, replacement }: TextEdit,
  rest: Rest,
): Promise<Match | undefined> {
  const [behind] = /(?:\r?\n)*$/.exec(wanted)!;
  const ends = behind.match(/\r?\n/g) ?? [];
  for (let dropped = 1; dropped <= ends.length; dropped++) {
    const less = wanted.slice(0, wanted.length - ends.slice(-dropped).join("").length);
    const fitting = replacement.replace(new RegExp(`(?:\\r?\\n){1,${dropped}}$`), "");
    const match = less.trim() === "" ? undefined : await findPlaces(texts, less, fitting, { rest });
    if (!match) continue;
    if (dropped < ends.length) return match;
    const places = match.places.map((all, i) => all.filter(({ end }) => end === texts[i]!.length));
    const count = places.flat().length;
    return count === 0 ? undefined : { ...match, places, count };
  }
  return undefined;
}

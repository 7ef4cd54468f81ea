import { numbersPasted, withoutLineNumbers } from "../line_numbers.ts";
import { noRest, type Rest } from "../rest.ts";
import {
  findPlaces,
  type Fitting,
  type Match,
  type Place,
  replacePlaces,
  type Rung,
} from "./text_match.ts";

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

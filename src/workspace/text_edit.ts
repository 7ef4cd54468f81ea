import { numbersPasted, withoutLineNumbers } from "./line_numbers.ts";
import { findPlaces, type Fitting, type Match, replacePlaces, type Rung } from "./text_match.ts";

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

/** What was done to an edit so that it could be made; `numbers`: pasted line numbers were taken off. */
export type Adapted = "numbers" | Fitting;

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

/**
 * Makes the edits one after another, each on the result of the one before, in `texts`: pieces of
 * whole lines of one file. `exactly` keeps to text that stands there character by character.
 */
export function applyEdits(
  texts: readonly string[],
  edits: readonly TextEdit[],
  exactly = false,
): Outcome {
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
    const found = locate(now, edit, exactly);
    if (!found) return fail({ reason: "nowhere" });
    const { match, numbers } = found;
    const { expected } = edit;
    if (!numbers && numbersPasted(edit.replacement, edit.wanted)) {
      return fail({ reason: "numbers" });
    }
    const count = match.places.reduce((sum, places) => sum + places.length, 0);
    if (expected !== undefined && expected !== count) return fail({ reason: "count", match });
    if (match.count > 1 && !edit.all && expected === undefined) {
      return fail({ reason: "many", match });
    }
    now = now.map((text, which) => replacePlaces(text, match.places[which]!));
    made.push({
      rung: match.rung,
      count,
      adapted: [...(numbers ? ["numbers" as const] : []), ...match.fitted],
    });
  }
  return { ok: true, texts: now, made };
}

/**
 * Which of the edits, from 0, took away the place of the one that is now nowhere; undefined when none
 * did, or when the text is too long to look.
 */
export function takenBy(
  texts: readonly string[],
  edits: readonly TextEdit[],
  failed: number,
): number | undefined {
  if (texts.reduce((sum, text) => sum + text.length, 0) > RETRACED_CHARS) return undefined;
  const edit = edits[failed]!;
  let now = texts;
  for (let index = 0; index < failed && locate(now, edit, false); index++) {
    const outcome = applyEdits(now, [edits[index]!]);
    if (!outcome.ok) return undefined;
    now = outcome.texts;
    if (!locate(now, edit, false)) return index;
  }
  return undefined;
}

/** Finds the text as given, else without line numbers pasted from Read. */
function locate(
  texts: readonly string[],
  { wanted, replacement }: TextEdit,
  exactly: boolean,
): { match: Match; numbers: boolean } | undefined {
  const match = findPlaces(texts, wanted, replacement, exactly ? ["exact"] : undefined);
  if (match || exactly) return match && { match, numbers: false };
  const bare = withoutLineNumbers(wanted).flatMap(({ text, strip }) =>
    findPlaces(texts, text, strip(replacement)) ?? []
  );
  const best = bare.find(({ rung }) => rung === "exact") ?? bare[0];
  return best && { match: best, numbers: true };
}

import {
  findPlaces,
  type Match,
  replacePlaces,
  type Rung,
  withoutLineNumbers,
} from "./text_match.ts";

/** One replacement to be made in a text. */
export interface TextEdit {
  readonly wanted: string;
  readonly replacement: string;
  /** Replace every occurrence instead of the only one. */
  readonly all: boolean;
}

/** An edit that was made. */
export interface Made {
  readonly rung: Rung;
  /** How many places were replaced. */
  readonly count: number;
}

/** Why an edit could not be made: it is empty in a text that is not, is nowhere, or in several places. */
export type Refusal =
  | { readonly reason: "empty" | "nowhere" }
  | { readonly reason: "many"; readonly match: Match };

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
      made.push({ rung: "exact", count: 1 });
      continue;
    }
    const match = exactly
      ? findPlaces(now, edit.wanted, edit.replacement, ["exact"])
      : locate(now, edit);
    if (!match) return fail({ reason: "nowhere" });
    if (match.count > 1 && !edit.all) return fail({ reason: "many", match });
    now = now.map((text, which) => replacePlaces(text, match.places[which]!));
    made.push({
      rung: match.rung,
      count: match.places.reduce((sum, places) => sum + places.length, 0),
    });
  }
  return { ok: true, texts: now, made };
}

/** Finds the text as given, else without line numbers pasted from Read. */
function locate(texts: readonly string[], { wanted, replacement }: TextEdit): Match | undefined {
  const match = findPlaces(texts, wanted, replacement);
  if (match) return match;
  const bare = withoutLineNumbers(wanted);
  if (!bare) return undefined;
  return findPlaces(texts, bare, withoutLineNumbers(replacement) ?? replacement);
}

import { reasonOf } from "./file_error.ts";
import { withoutLineNumbers } from "./line_numbers.ts";
import { cutPieces, onePiece, type Pieces } from "./pieces.ts";
import { applyEdits, type Outcome, type TextEdit } from "./text_edit.ts";
import { roundTrips } from "./text_file.ts";
import { stableStretch } from "./text_match.ts";

/** More lines around a find than any diff, any nearest place and any look at line ends needs. */
const MARGIN_LINES = 5;

/** What came of edits, on the pieces of the file in which they were looked for. */
export interface Found extends Pieces {
  readonly outcome: Outcome;
}

/** Bounds, in bytes. */
export interface FindOptions {
  /** The largest file that is decoded as one piece without trying anything less. */
  readonly whole: number;
  /** Bound on what is decoded at all; beyond it FileError "too_large". */
  readonly most: number;
  readonly signal: AbortSignal;
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
  const { signal } = options;
  if (size <= options.whole) {
    const bytes = await Deno.readFile(path, { signal });
    const whole = onePiece(bytes);
    const { start, text } = whole.pieces[0]!;
    const { encoding } = whole.coding;
    if (roundTrips({ encoding, bom: false, text }, bytes.subarray(start))) {
      return tried(whole, edits);
    }
  }
  const margin = MARGIN_LINES +
    edits.reduce((sum, { wanted }) => sum + wanted.split("\n").length, 0);
  const cut = { ...options, margin };
  const wanted = edits.map((each) => each.wanted);
  const exact = tried(await cutPieces(path, wanted, cut), edits, true);
  if (exact.outcome.ok || exact.outcome.refusal.reason !== "nowhere") return exact;
  const whole = size <= options.most
    ? tried(onePiece(await Deno.readFile(path, { signal })), edits)
    : undefined;
  if (whole && !whole.outcome.ok) return whole;
  const stretches = wanted.flatMap((each) =>
    [each, ...withoutLineNumbers(each).map(({ text }) => text)].map(stableStretch)
  );
  try {
    const loose = tried(await cutPieces(path, stretches, cut), edits);
    return loose.outcome.ok || !whole ? loose : whole;
  } catch (error) {
    if (reasonOf(error) !== "too_large") throw error;
    return whole ?? exact;
  }
}

function tried(cut: Pieces, edits: readonly TextEdit[], exactly = false): Found {
  return { ...cut, outcome: applyEdits(cut.pieces.map((each) => each.text), edits, exactly) };
}

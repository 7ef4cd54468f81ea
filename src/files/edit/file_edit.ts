import { linesBack, linesOn } from "./diff.ts";
import { reasonOf } from "../../base/file_error.ts";
import { withoutLineNumbers } from "../line_numbers.ts";
import { cutPieces, onePiece, type Pieces } from "./pieces.ts";
import { readRegular } from "../open_regular.ts";
import { noRest, type Rest } from "../rest.ts";
import { applyEdits, type ApplyOptions, type Outcome, type TextEdit } from "./text_edit.ts";
import { roundTrips } from "../text_file.ts";
import { stableStretch } from "./text_match.ts";

/** More lines around a find than any diff, any nearest place and any look at line ends needs. */
const MARGIN_LINES = 5;
/** Characters to be searched, those of all edits together, up to which a small file is one piece. */
const SEARCHED_AT_ONCE = 64 * 1024 * 1024;

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

import { type CodePoints, contains, sizeOf } from "./unicode.ts";
import type { Node } from "./syntax.ts";

const LETTERS = "etaoinsrlcdupmfhgbyvwxkqzj";
const COMMON_SIGNS = " \n\t_.,()\"'=-/:;*<>{}[]";

/** Estimates what share of the bytes of source code and prose a byte makes up. */
function commonness(byte: number): number {
  const char = String.fromCharCode(byte);
  const letter = LETTERS.indexOf(char.toLowerCase());
  if (letter >= 0) {
    const share = 0.07 / (1 + 0.25 * letter);
    return char === char.toLowerCase() ? share : share / 8;
  }
  const sign = COMMON_SIGNS.indexOf(char);
  if (sign === 0) return 0.15;
  if (sign > 0) return 0.02 / (1 + 0.05 * sign);
  return byte >= 48 && byte <= 57 ? 0.006 : 0.003;
}

/** A byte string to look for. */
export interface Needle {
  /** UTF-8; with `ignoreCase` its ASCII letters are small and stand for both cases. */
  readonly bytes: Uint8Array;
  readonly ignoreCase: boolean;
}

/** What every matching text holds at least one of. */
export interface Needles {
  readonly needles: readonly Needle[];
  /** True when a text that holds one matches. */
  readonly exact: boolean;
}

const NEEDLES_AT_MOST = 8;
const ALTERNATIVES_AT_MOST = 16;
const BYTES_AT_MOST = 128;
const COPIES_AT_MOST = 8;
const PARTS_REPEATED_AT_MOST = 64;
/** With more hits to a byte a search for needles is slower than the automaton. */
const HITS_AT_MOST = 0.002;
/** What it costs to look closer where two rare bytes stand, and to look at a line, against a byte. */
const LOOK_COST = 200;
const HIT_COST = 5000;

type Fold = "none" | "one" | "both";

/** Bytes (as characters 0–255) that a match holds at a place. */
interface Piece {
  readonly text: string;
  /** Whether it has ASCII letters, and whether they stand for one case or (small) for both. */
  readonly fold: Fold;
  /** The text is all that is asked here. */
  readonly sure: boolean;
}

interface Found {
  /** All that the expression can match, when that is little. */
  readonly exact: readonly Piece[] | undefined;
  /** Of these every match holds one. */
  readonly needed: readonly Piece[] | undefined;
}

const NOTHING: Found = { exact: undefined, needed: undefined };

/** Finds what every match holds; undefined when nothing is known that is worth a search. */
export function findNeedles(node: Node): Needles | undefined {
  const { exact, needed } = find(node);
  const best = cheapest([exact, needed]);
  if (!best || best.length > NEEDLES_AT_MOST) return undefined;
  const pieces = withoutSupersets(best);
  // a "\r" may belong to the end of its line, and a line holds no "\n"
  const sure = best === exact && pieces.every((each) => each.sure && !/[\r\n]/.test(each.text));
  const hits = pieces.reduce((sum, each) => sum + sharesOf(each).all, 0);
  if (hits > HITS_AT_MOST && !(sure && pieces.length === 1)) return undefined;
  const needles = pieces.map(({ text, fold }) => ({
    bytes: Uint8Array.from(text, (each) => each.charCodeAt(0)),
    ignoreCase: fold === "both",
  }));
  return { needles, exact: sure };
}

function find(node: Node): Found {
  switch (node.kind) {
    case "set": {
      const exact = piecesOf(node.set);
      return { exact, needed: exact };
    }
    case "assertion":
    case "look":
      return { exact: [{ text: "", fold: "none", sure: false }], needed: undefined };
    case "capture":
      return find(node.item);
    case "atomic": {
      const { exact, needed } = find(node.item);
      return { exact: exact?.map((each) => ({ ...each, sure: false })), needed };
    }
    case "reference":
      return NOTHING;
    case "choice": {
      const all = node.items.map(find);
      return { exact: together(all.map((each) => each.exact)), needed: together(all.map(best)) };
    }
    case "sequence":
    case "repeat":
      return sequence(flat(node));
  }
}

function best(found: Found): readonly Piece[] | undefined {
  return cheapest([found.exact, found.needed]);
}

function together(all: readonly (readonly Piece[] | undefined)[]): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (const each of all) {
    if (!each) return undefined;
    pieces.push(...each);
  }
  const unique = [...new Map(pieces.map((each) => [`${each.fold} ${each.text}`, each])).values()];
  for (const piece of pieces) {
    if (piece.sure) continue;
    const index = unique.findIndex((each) => each.text === piece.text && each.fold === piece.fold);
    unique[index] = piece;
  }
  return unique.length <= ALTERNATIVES_AT_MOST ? unique : undefined;
}

/** The parts of a sequence one after the other: `ab+` is `a`, `b` and what may follow. */
function flat(node: Node): Found[] {
  if (node.kind === "sequence") return node.items.flatMap(flat);
  if (node.kind === "capture") return flat(node.item);
  if (node.kind !== "repeat") return [find(node)];
  const { item, min, max } = node;
  const inside = flat(item);
  if (inside.length > PARTS_REPEATED_AT_MOST) {
    const { needed } = sequence(inside);
    return [{ exact: undefined, needed: min > 0 ? needed : undefined }];
  }
  const copies = Math.min(min, COPIES_AT_MOST);
  const parts = Array.from({ length: copies }, () => inside).flat();
  if (max === min && copies === min) return parts;
  const once = copies === min && max - min <= 2 ? sequence(inside).exact : undefined;
  const optional = once && together([once, [{ text: "", fold: "none", sure: true }]]);
  const rest: Found = { exact: optional, needed: undefined };
  return [...parts, rest, ...(optional && max - min === 2 ? [rest] : [])];
}

/** Every stretch of parts that are known exactly is a candidate, as far as it has few forms. */
function sequence(parts: readonly Found[]): Found {
  const candidates: (readonly Piece[] | undefined)[] = parts.map((part) => part.needed);
  let whole: readonly Piece[] | undefined;
  for (let from = 0; from < parts.length; from++) {
    let pieces: readonly Piece[] = [{ text: "", fold: "none", sure: true }];
    let to = from;
    for (; to < parts.length; to++) {
      const { exact } = parts[to]!;
      if (!exact) break;
      const longer = product(pieces, exact);
      if (!longer) break;
      if (longer.length > pieces.length) candidates.push(pieces);
      pieces = longer;
    }
    if (from === 0 && to === parts.length) whole = pieces;
    candidates.push(pieces);
    // with one form each, later beginnings only make it shorter
    if (pieces.length === 1 && to > from) from = to - 1;
  }
  if (parts.length === 0) whole = [{ text: "", fold: "none", sure: true }];
  return { exact: whole, needed: cheapest(candidates) };
}

function product(left: readonly Piece[], right: readonly Piece[]): Piece[] | undefined {
  if (left.length * right.length > ALTERNATIVES_AT_MOST) return undefined;
  const pieces = left.flatMap((a) => right.map((b) => joined(a, b)));
  return pieces.some((each) => each.text.length > BYTES_AT_MOST) ? undefined : pieces;
}

function joined(a: Piece, b: Piece): Piece {
  const mixed = a.fold !== b.fold && a.fold !== "none" && b.fold !== "none";
  const fold = a.fold === "both" || b.fold === "both"
    ? "both"
    : a.fold === "none"
    ? b.fold
    : a.fold;
  const text = a.text + b.text;
  return { text: mixed ? lower(text) : text, fold, sure: a.sure && b.sure && !mixed };
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (each) => each.toLowerCase());
}

function piecesOf(set: CodePoints): Piece[] | undefined {
  if (sizeOf(set) > ALTERNATIVES_AT_MOST) return undefined;
  const pieces: Piece[] = [];
  for (let at = 0; at < set.length; at += 2) {
    for (let code = set[at]!; code <= set[at + 1]!; code++) {
      const char = String.fromCodePoint(code);
      // no half of a pair is ever met in UTF-8
      if (!char.isWellFormed()) continue;
      if (!/[a-zA-Z]/.test(char)) {
        pieces.push({ text: utf8(char), fold: "none", sure: true });
      } else if (!contains(set, code ^ 32)) {
        pieces.push({ text: char, fold: "one", sure: true });
      } else if (char >= "a") {
        pieces.push({ text: char, fold: "both", sure: true });
      }
    }
  }
  return pieces.length > 0 ? pieces : undefined;
}

function utf8(char: string): string {
  return String.fromCharCode(...new TextEncoder().encode(char));
}

function cheapest(
  candidates: readonly (readonly Piece[] | undefined)[],
): readonly Piece[] | undefined {
  let cheapest: readonly Piece[] | undefined;
  let least = Infinity;
  for (const pieces of candidates) {
    if (!pieces || pieces.length === 0 || pieces.some((each) => each.text === "")) continue;
    const cost = costOf(pieces);
    // of two that cost the same the one that asks for all
    if (cost < least) [cheapest, least] = [pieces, cost];
  }
  return cheapest;
}

function costOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => {
    const { pair, all } = sharesOf(piece);
    return sum + 1 + LOOK_COST * pair + HIT_COST * all;
  }, 0);
}

/** The shares of positions at which by chance the two rarest bytes of a piece stand, and all of it. */
function sharesOf({ text, fold }: Piece): { pair: number; all: number } {
  let [rarest, second, all] = [1, 1, 1];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let share = commonness(code);
    if (fold === "both" && code >= 0x61 && code <= 0x7a) share += commonness(code ^ 32);
    if (share < rarest) [rarest, second] = [share, rarest];
    else if (share < second) second = share;
    all *= share;
  }
  return { pair: rarest * second, all };
}

/** A piece within another makes the longer one needless. */
function withoutSupersets(pieces: readonly Piece[]): Piece[] {
  return pieces.filter((piece, index) =>
    !pieces.some((other, at) =>
      at !== index && other.fold === piece.fold && piece.text.includes(other.text) &&
      (other.text !== piece.text || at < index)
    )
  );
}

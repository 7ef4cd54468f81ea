/** Finds all secrets of a text in one pass: known values, and what looks like a key. */
import { formsOf, overBreaks } from "./forms.ts";
import { keyBodies, keyLines, privateKey, puttyKey } from "./private_key.ts";
import { canBegin, type Shape, type Stretch } from "./shape.ts";
import { SHAPES } from "./shapes.ts";
import { passwordIn } from "./named_values.ts";

/** What of the strings stands at a place of a text. */
interface Sighted {
  /** The longest that stands there whole. */
  readonly whole: string | undefined;
  /** Some that go on beyond `end`, and agree with the text up to there. */
  readonly open: readonly string[];
  /** Up to here the text agrees with `open`. */
  readonly end: number;
}

/** Of many that were cut at the same place any will do. */
const MOST_OPEN = 8;

/** Makes the function that compares a text, from a place on, with strings none of which is empty. */
function prefixesOf(strings: readonly string[]): (text: string, at: number) => Sighted {
  const sorted = [...new Set(strings)].sort();
  /** The first of [from, to) whose character there is `code` or beyond. */
  const firstWith = (code: number, depth: number, from: number, to: number) => {
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sorted[middle]!.charCodeAt(depth) < code) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  return (text, at) => {
    let [low, high] = [0, sorted.length];
    let whole: string | undefined;
    let depth = 0;
    for (;; depth++) {
      // the shortest of those that agree comes first
      if (sorted[low]!.length === depth) {
        whole = sorted[low++];
        if (low === high) break;
      }
      if (at + depth >= text.length) break;
      const code = text.charCodeAt(at + depth);
      const next = firstWith(code, depth, low, high);
      const end = firstWith(code + 1, depth, next, high);
      if (next === end) break;
      [low, high] = [next, end];
    }
    return { whole, open: sorted.slice(low, Math.min(high, low + MOST_OPEN)), end: at + depth };
  };
}

/** A value that is known. */
export interface Known {
  readonly value: string;
  /** The shape that told of it, where no name did. */
  readonly kind?: string;
}

/** A secret in a text. */
export interface Hit extends Stretch {
  /** However it is written there. */
  readonly value: string;
  /** Of what shape it is; undefined for a known value with a name. */
  readonly kind?: string;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** Up to here nothing depends on what follows. */
  readonly settled: number;
}

export interface Finder {
  /** Looks from a place on; of what stands before it, some tells what begins there. `last` when nothing follows. */
  find(text: string, from?: number, last?: boolean): Found;
  /** Knows one more value from now on. */
  learn(known: Known): void;
  /** The shape that the whole of a value has. */
  kindOf(value: string): string | undefined;
}

/** So much of what a stream has told is looked at again. */
export const CONTEXT = 24;
/** Of a value that was cut off, so much is surely its own. */
const PIECE_CHARS = 12;
/** Shorter values are not cut where a long one would be. */
const CUT_LEAST = 20;
/** So many may end alike; more are nobody's keys. */
const MOST_TAILS = 20;
const CUT_BEFORE = /[…\n\]]/;
const CUT_BEHIND = /["'`…\n\\]/;

/** What is known of one way of writing a value. */
interface Form {
  readonly value: string;
  readonly kind?: string;
  /** A part of it, where it was cut off, tells that it was one. */
  readonly cuts: boolean;
}

/** Where a value ends here whose beginning was cut off: where that stands. */
function tailStart(form: string, text: string, at: number): number | undefined {
  let start = at;
  for (let of = form.length - PIECE_CHARS - 1; of >= 0 && start > 0; of--, start--) {
    if (text[start - 1] !== form[of]) break;
  }
  return start === 0 || CUT_BEFORE.test(text[start - 1]!) ? start : undefined;
}

const ALL_SHAPES: readonly Shape[] = [...SHAPES, privateKey, puttyKey, ...keyBodies];

/** What may begin with the same three characters. */
interface Bucket {
  readonly shapes: Shape[];
  readonly forms: string[];
  /** The forms that end in the same characters, by those. */
  tails?: Map<string, string[]>;
  /** Made when it is asked for first. */
  seen?: ReturnType<typeof prefixesOf>;
}

const keyOf = (a: number, b: number, c: number) => (a & 255) << 16 | (b & 255) << 8 | c & 255;
const folded = (key: number) => (key ^ key >>> 11) & 0xffff;

/** What may begin at a character: tables are asked for each of them, the maps hardly ever. */
interface Index {
  readonly forms: Map<string, Form>;
  readonly pairs: Uint8Array;
  readonly triples: Uint8Array;
  readonly byKey: Map<number, Bucket>;
  /** What a value may begin with, and what a shape may where no word goes on. */
  readonly begins: { readonly value: Set<string>; readonly shape: Set<string> };
}

/** Makes the finder of these values, and of all shapes if those are wanted. */
export function createFinder(known: readonly Known[], shapes: boolean): Finder {
  const index: Index = {
    forms: new Map(),
    pairs: new Uint8Array(65536),
    triples: new Uint8Array(65536),
    byKey: new Map(),
    begins: { value: new Set(), shape: new Set() },
  };
  for (const one of known) learn(index, one);
  for (const shape of shapes ? ALL_SHAPES : []) {
    const { value, shape: ofShape } = index.begins;
    const may = shape.glued ? value : shape.apart ? undefined : ofShape;
    bucketOf(index, shape.begin, may).shapes.push(shape);
  }
  return {
    learn: (one) => learn(index, one),
    find(text, from = 0, last = true) {
      if (from > 0 || !last) return find(index, text, from, last);
      return { hits: overBreaks(text, (one) => find(index, one).hits), settled: text.length };
    },
    kindOf,
  };
}

function bucketOf({ pairs, triples, byKey }: Index, begin: string, may?: Set<string>): Bucket {
  const key = keyOf(begin.charCodeAt(0), begin.charCodeAt(1), begin.charCodeAt(2));
  pairs[key >> 8] = 1;
  triples[folded(key)] = 1;
  may?.add(begin.slice(0, 1)).add(begin.slice(0, 2));
  let bucket = byKey.get(key);
  if (!bucket) byKey.set(key, bucket = { shapes: [], forms: [] });
  return bucket;
}

function learn(index: Index, { value, kind }: Known): void {
  const { forms, begins } = index;
  for (const form of formsOf(value)) {
    if (forms.has(form)) continue;
    const cuts = form.length >= CUT_LEAST && passwordIn(value) === undefined &&
      !form.startsWith("eyJ");
    forms.set(form, { value, kind, cuts });
    if (form.length < 3) continue;
    const bucket = bucketOf(index, form, begins.value);
    bucket.forms.push(form);
    bucket.seen = undefined;
    if (!cuts) continue;
    const end = form.slice(-PIECE_CHARS);
    const tails = bucketOf(index, end, begins.value).tails ??= new Map<string, string[]>();
    const same = tails.get(end);
    if (!same) tails.set(end, [form]);
    else if (same.length < MOST_TAILS) same.push(form);
  }
}

/** A known value, whole or cut off. */
function knownAt(
  { forms }: Index,
  bucket: Bucket,
  text: string,
  at: number,
  last: boolean,
): Hit | "more" | undefined {
  let best: Hit | undefined;
  const take = (form: string, start: number, end: number) => {
    if (!best || best.end < end) {
      const { value, kind } = forms.get(form)!;
      best = { start, end, value, kind };
    }
  };
  if (bucket.forms.length > 0) {
    bucket.seen ??= prefixesOf(bucket.forms);
    const { whole, open, end } = bucket.seen(text, at);
    if (!last && open.length > 0 && end === text.length) return "more";
    if (whole !== undefined) take(whole, at, at + whole.length);
    const cut = last && end - at >= PIECE_CHARS &&
        (end === text.length || CUT_BEHIND.test(text[end]!))
      ? open.find((form) => forms.get(form)!.cuts)
      : undefined;
    if (cut !== undefined) take(cut, at, end);
  }
  if (!last || !bucket.tails) return best;
  for (const form of bucket.tails.get(text.slice(at, at + PIECE_CHARS)) ?? []) {
    const start = tailStart(form, text, at);
    if (start !== undefined) take(form, start, at + PIECE_CHARS);
  }
  return best;
}

function sightAt(index: Index, text: string, at: number, last: boolean): Hit | "more" | undefined {
  const { triples, byKey } = index;
  const key = keyOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  if (triples[folded(key)] === 0) return undefined;
  const bucket = byKey.get(key);
  if (!bucket) return undefined;
  let best = knownAt(index, bucket, text, at, last);
  if (best === "more") return best;
  for (const { begin, kind, look } of bucket.shapes) {
    if (!text.startsWith(begin, at)) {
      const rest = text.length - at;
      if (!last && rest < begin.length && text.endsWith(begin.slice(0, rest))) return "more";
      continue;
    }
    const sight = look(text, at, last);
    if (sight === "more") return sight;
    if (!sight || best && best.end >= sight.end) continue;
    const value = valueIn(text, sight, kind);
    // by what stands before it or by itself: it is the same
    const own = sight.start > at ? kindOf(value) : undefined;
    best = { ...sight, value, kind: own ?? kind };
  }
  return best;
}

/** A known value that begins in a stretch and reaches beyond it is hidden whole. */
function widened(index: Index, text: string, at: number, hit: Hit, last: boolean): Hit | "more" {
  const { triples, byKey } = index;
  let wide = hit;
  for (let from = at + 1; from < wide.end; from++) {
    const [a, b, c] = [0, 1, 2].map((next) => text.charCodeAt(from + next));
    const key = keyOf(a!, b!, c!);
    const bucket = triples[folded(key)] === 0 ? undefined : byKey.get(key);
    const known = bucket && knownAt(index, bucket, text, from, last);
    if (known === "more") return known;
    if (!known || known.end < wide.end) continue;
    const { start, end } = wide;
    if (known.start <= start) wide = known;
    else if (known.end > end) {
      wide = { ...wide, end: known.end, value: text.slice(start, known.end) };
    }
  }
  return wide;
}

function find(index: Index, text: string, from = 0, last = true): Found {
  const { pairs, begins } = index;
  const hits: Hit[] = [];
  const { length } = text;
  let done = from;
  // what begins before may still reach beyond
  const first = Math.max(0, from - CONTEXT);
  let before = first < length ? text.charCodeAt(first) : 0;
  for (let at = first; at < length - 1; at++) {
    const code = before;
    before = text.charCodeAt(at + 1);
    if (pairs[(code & 255) << 8 | before & 255] === 0) continue;
    if (at + 2 >= length) break;
    const sight = sightAt(index, text, at, last);
    if (sight === undefined) continue;
    const hit = typeof sight === "object" && sight.kind !== undefined
      ? widened(index, text, at, sight, last)
      : sight;
    if (hit === "more") return { hits, settled: Math.max(at, done) };
    if (hit.end <= done) continue;
    hits.push(hit.start < done ? { ...hit, start: done } : hit);
    done = hit.end;
    at = hit.end - 1;
    before = hit.end < length ? text.charCodeAt(hit.end) : 0;
  }
  if (last) return { hits, settled: length };
  const open = [2, 1].find((n) => {
    const end = text.slice(length - n);
    const may = begins.value.has(end) || begins.shape.has(end) && canBegin(text, length - n);
    return may && length - n >= done;
  });
  return { hits, settled: length - (open ?? 0) };
}

/** The shape that the whole of a value has. */
function kindOf(value: string): string | undefined {
  const all = ALL_SHAPES.filter(({ begin }) => value.includes(begin));
  for (const { begin, kind, look } of all) {
    const sight = look(value, value.indexOf(begin), true);
    if (typeof sight === "object" && sight.start === 0 && sight.end === value.length) return kind;
  }
  return undefined;
}

/** A block is the same however its lines are shown. */
function valueIn(text: string, { start, end }: Stretch, kind: string): string {
  const written = text.slice(start, end);
  return kind === "private-key" ? keyLines(written).join("") : written;
}

/** How text becomes the words of the index, a person's words a query, and a hit a snippet. */

/** Scripts written without blanks, Chinese above all: each of their characters is a word of the index. */
const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3041-\\u318f\\u31a0-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\uff66-\\uffdc";
/** Beyond those, characters of two units. */
const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]|[\\ud840-\\ud8ff][\\udc00-\\udfff]`, "g");
const WIDE_LETTER = /[\uff10-\uff5a]/;
const HUMP = /([a-z0-9])(?=[A-Z])/g;
const BEHIND_HUMP = /(?<=[a-z0-9])[A-Z]\w*/g;
const WORDLIKE = /[\p{L}\p{N}]/u;

const BEFORE_HIT = 30;
const SNIPPET = 110;

/**
 * Text for the index's own tokenizer: any run of Chinese characters is found, wherever a dictionary
 * would cut it, and `Keeper` in `createKeeper`.
 */
export function indexed(text: string): string {
  const spaced = spacedText(text);
  const parts = text.match(BEHIND_HUMP);
  return parts ? `${spaced} ${parts.join(" ").replace(HUMP, "$1 ")}` : spaced;
}

/** Letters of a character's width become those of a letter's. */
function spacedText(text: string): string {
  const plain = WIDE_LETTER.test(text) ? text.normalize("NFKC") : text;
  return plain.replace(UNSPACED_CHARACTER, " $& ");
}

/** What a person looks for: words, or several in quotes as one. Those without a letter or digit are none. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([all, quoted]) => (quoted ?? all).trim())
    .filter((word) => WORDLIKE.test(word));
}

/** The words as a query: all of them, each the beginning of a word at least. */
export function queryOf(words: readonly string[]): string {
  return words.map((word) => {
    const spaced = spacedText(word);
    // a character is whole
    return `"${spaced}"` + (spaced.endsWith(" ") ? "" : "*");
  }).join(" AND ");
}

/** One line around the first word that is found, each marked «so». */
export function snippetOf(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const marks = (boundary: string) => {
    const any = words.map((word) => boundary + pattern(word)).join("|");
    return new RegExp(any, "giu");
  };
  const whole = marks(BEGINNING);
  const mark = flat.search(whole) >= 0 ? whole : marks("");
  const at = Math.max(0, flat.search(mark));
  const from = at <= BEFORE_HIT ? 0 : at - BEFORE_HIT;
  const piece = flat.slice(from, from + SNIPPET).toWellFormed().replaceAll("\ufffd", "");
  const marked = piece.replace(mark, "«$&»");
  return `${from > 0 ? "…" : ""}${marked}${from + SNIPPET < flat.length ? "…" : ""}`;
}

/** Whether all the words stand in a text, each as the beginning of a word as far as words are parted. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const spaced = indexed(text);
  return words.every((word) => new RegExp(BEGINNING + pattern(word), "iu").test(spaced));
}

const BEGINNING = "(?<![\\p{L}\\p{N}])";

/** A word as the index finds it, whatever stands between its parts. */
function pattern(word: string): string {
  return word.replace(UNSPACED_CHARACTER, " $& ").split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "").join("[^\\p{L}\\p{N}]*");
}

/**
 * Cuts and trims texts, takes a line apart into words, and makes patterns that find a name and not
 * a longer one.
 */

/** The text, or the beginning of one of more than `most` UTF-16 units and a mark that it goes on. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** A text without empty lines around it; the blanks before its first line belong to it. */
export function withoutEmptyEnds(text: string): string {
  return text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, "");
}

/** The words of a line; quotes keep together what belongs together. */
export function wordsOf(args: string): string[] {
  const words: string[] = [];
  for (const [piece] of args.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/gs)) {
    words.push(
      piece.replace(
        /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs,
        (_, double, single, escaped) =>
          double?.replace(/\\(["\\])/g, "$1") ?? single ?? escaped ?? "",
      ),
    );
  }
  return words;
}

const quoted = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Finds a path, and what lies below it by its beginning. */
export const pathPattern = (path: string) =>
  new RegExp(`${quoted(path)}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, "gu");

/** Finds a name that stands by itself. */
export const wordPattern = (name: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}_])${quoted(name)}(?![\\p{L}\\p{N}_])`, "gu");

/** How much of its input an error repeats. */
const REPEATED_CHARS = 200;

/** The beginning of a text that an error repeats; the mark tells that there is more. */
export function excerpt(text: string): string {
  return truncate(text, REPEATED_CHARS);
}

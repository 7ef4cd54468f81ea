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

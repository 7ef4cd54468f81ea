/** A text without empty lines around it; the blanks before its first line belong to it. */
export function withoutEmptyEnds(text: string): string {
  return text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, "");
}

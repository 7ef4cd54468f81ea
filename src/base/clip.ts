/** The beginning of a text of more than `most` characters, and a mark that it goes on. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

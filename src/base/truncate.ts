/** The text, or the beginning of one of more than `most` UTF-16 units and a mark that it goes on. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

import { truncate } from "../base/strings.ts";

/** How much of its input an error repeats. */
const REPEATED_CHARS = 200;

/** The beginning of a text that an error repeats; the mark tells that there is more. */
export function excerpt(text: string): string {
  return truncate(text, REPEATED_CHARS);
}

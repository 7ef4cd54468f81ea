/** Takes from markdown what would cost a parser too much time or stack; it is shown as it stands. */

/** Quotes and lists within one another. */
const DEEPEST = 20;
const DEEP = new RegExp(`^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])[ \\t]?){${DEEPEST},}`);
/** Signs of emphasis in one paragraph: the parser takes the cube of their number. */
const MOST_MARKS = 400;
const MARKS = /[*_~]/g;
/** A line that does not go on with the paragraph before it. */
const BREAK = /^\s*(?:$|[-+*>|#]|\d{1,9}[.)]|`{3}|~{3})/;

export function tame(markdown: string): string {
  let marks = 0;
  let risky = false;
  const lines = markdown.split("\n");
  for (const line of lines) {
    if (BREAK.test(line)) marks = 0;
    marks += line.match(MARKS)?.length ?? 0;
    risky ||= marks > MOST_MARKS || DEEP.test(line);
  }
  if (!risky) return markdown;
  return lines.map((line) => {
    const flat = line.replace(DEEP, (markers) => markers.replace(/[->+.)]/g, "\\$&"));
    return flat.replace(MARKS, "\\$&");
  }).join("\n");
}

/** Line numbers that Read puts before the lines it shows, pasted into an edit. */

/** As our Read writes them: `3 | x`. */
const OURS = /^(\d+) \|(?: |(?=\r?$))/;
/** Ours and other agents': blanks before the number; a tab, `→` or a bar behind it. */
const FORMS = [
  /^ *(\d+) \|(?: |(?=\r?$))/,
  /^ *(\d+)\t/,
  /^ *(\d+)→/,
  /^ *(\d+)\|(?: |(?=\r?$))/,
  /^ *(\d+)\|/,
];

/** A text without its line numbers. */
export interface Unnumbered {
  readonly text: string;
  /** Takes numbers of the same form off the lines of another text. */
  readonly strip: (other: string) => string;
}

/**
 * What the text may be without pasted line numbers, likeliest first; empty when it carries none.
 * At least half of its lines must have one, each higher than the one before.
 */
export function withoutLineNumbers(text: string): Unnumbered[] {
  return FORMS.filter((form) => carries(text, form)).map((form) => {
    const strip = (other: string) =>
      other.split("\n").map((line) => line.replace(form, "")).join("\n");
    return { text: strip(text), strip };
  });
}

/** Tells whether `replacement` carries the numbers our Read writes though `wanted` has none. */
export function numbersPasted(replacement: string, wanted: string): boolean {
  return carries(replacement, OURS) && !wanted.split("\n").some((line) => OURS.test(line));
}

function carries(text: string, form: RegExp): boolean {
  let lines = 0;
  let numbered = 0;
  let before = -1;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    lines++;
    const digits = form.exec(line)?.[1];
    if (digits === undefined) continue;
    if (Number(digits) <= before) return false;
    before = Number(digits);
    numbered++;
  }
  return numbered > 0 && numbered * 2 >= lines;
}

/**
 * Characters that pi-tui's editor would change, or that would steer the terminal, stand in the
 * editor as private ones of one column each, so that what is pasted comes out as it went in.
 */

const BASE = 0x100000;
/** Stands before a character of the text itself that looks like a stand-in. */
const ESCAPE = "\u{10fffd}";
/** Joiners and the number signs of Arabic and Syriac are part of what is seen. */
const HIDDEN =
  /[\u{100000}-\u{10fffd}]|(?=[\0-\uffff])(?![\n\u200c\u200d\u0600-\u0605\u06dd\u070f\u08e2])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const STAND_IN = /\u{10fffd}([\u{100000}-\u{10fffd}])|[\u{100000}-\u{10fffc}]/gu;
const SHOWN = /[\u{100000}-\u{10fffd}]/gu;

/** Returns `text` without anything but newlines and what is seen. */
export function hide(text: string): string {
  return text.replace(
    HIDDEN,
    (char) => char.length > 1 ? ESCAPE + char : String.fromCodePoint(BASE + char.charCodeAt(0)),
  );
}

/** Takes back `hide`, and every other stand-in. */
export function reveal(text: string): string {
  return text.replace(
    STAND_IN,
    (char, kept?: string) => kept ?? String.fromCodePoint(char.codePointAt(0)! - BASE),
  );
}

/** How hidden text looks: a picture for each stand-in, of the same width. */
export function picture(text: string): string {
  return text.replace(SHOWN, (char) => {
    const code = char.codePointAt(0)! - BASE;
    if (char === ESCAPE) return "□";
    if (code === 9) return "→";
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "␡" : "◦";
  });
}

/**
 * Pasted text: what terminals put around it, and what stands in the editor for the characters in it
 * that pi-tui's editor would change or that would steer the terminal.
 */

/** What stands before and behind a paste in a terminal that marks them. */
export const PASTE = "\x1b[200~";
export const PASTE_END = "\x1b[201~";
/** As tmux's popups send a newline within a paste. */
// deno-lint-ignore no-control-regex -- it is one
const CONTROL_KEY = /\x1b\[(9[7-9]|1[01]\d|12[0-2]);5u/g;

/** Collects a paste, which may arrive in parts. */
export class BracketedPaste {
  #open: string | undefined;

  /** Returns undefined for what belongs to no paste; `text` once the paste is whole, and what came behind it. */
  take(data: string): { readonly text?: string; readonly rest: string } | undefined {
    if (this.#open === undefined && !data.startsWith(PASTE)) return undefined;
    const all = this.#open === undefined ? data.slice(PASTE.length) : this.#open + data;
    const end = all.indexOf(PASTE_END);
    this.#open = end < 0 ? all : undefined;
    if (end < 0) return { rest: "" };
    return { text: unpasted(all.slice(0, end)), rest: all.slice(end + PASTE_END.length) };
  }
}

/** A paste as it was copied: terminals send a carriage return for a newline. */
function unpasted(text: string): string {
  return text
    .replace(CONTROL_KEY, (_, code) => String.fromCharCode(Number(code) - 96))
    .replace(/\r\n?/g, "\n");
}

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

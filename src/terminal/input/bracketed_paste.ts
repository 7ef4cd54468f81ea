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

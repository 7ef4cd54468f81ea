/** Nothing that a model, a tool or a file name says may steer the terminal. */

// deno-lint-ignore-file no-control-regex -- control characters are this file's subject

/** Whole escape sequences, so that no `[31m` is left behind; what is not whole falls to UNSAFE. */
const SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]{0,4096}(?:\x1b\\|\x9c)|\x1b[ -/]{0,8}[0-~]/g;

/** Format characters that carry meaning: joiners, number signs of Arabic and Syriac, flag tags. */
const KEPT = "\\n\\u200c\\u200d\\u0600-\\u0605\\u06dd\\u070f\\u08e2\\u{e0020}-\\u{e007f}";
const UNSAFE = new RegExp(`(?![${KEPT}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]`, "gu");
const LONE = /\p{Cs}/gu;
const STYLED = new RegExp(
  "\\x1b\\[[0-9;]*m|\\x1b\\]8;;[^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b_pi:c\\x07" +
    `|(?![${KEPT}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|\\n`,
  "gu",
);
const LINK = "\x1b]8;;";
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
/** The beginning of something that the next delta may complete. */
const OPEN_END = /(?:\x1b(?:\[[0-?]{0,64}[ -/]{0,8}|\][^\x07\x1b]{0,4096})?|[\ud800-\udbff]|\r)$/;

/**
 * Returns `text` without escape sequences and without any control, format or separator character
 * except newline; tabs become four spaces, lone surrogates U+FFFD, `\r\n` and `\r` newlines.
 */
export function plain(text: string): string {
  return text
    .replace(SEQUENCE, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replace(LONE, "\ufffd")
    .replace(UNSAFE, "");
}

/** `plain` on one line: newlines become spaces. */
export function plainLine(text: string): string {
  return plain(text).replace(/\n+/g, " ");
}

/** The beginning of `plainLine`, at most `max` characters and a mark. */
export function clip(text: string, max = 200): string {
  const line = plainLine(text).trim();
  // Not in the midst of a character of two units.
  return line.length > max ? line.slice(0, max).replace(/[\ud800-\udbff]$/, "") + "…" : line;
}

/**
 * Returns `text` with nothing removed and everything hidden made visible: C0 and DEL as control
 * pictures (`␛`), other invisible characters and odd spaces as `<U+202E>`. Newlines stay.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    const code = char.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

const NAME_CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** They turn or hide what stands beside them. */
const NAME_INVISIBLE = /[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A file's name in a row of a list: nothing of it steers, breaks or turns the row. */
export const visibleName = (path: string) =>
  path.replaceAll(NAME_CONTROLS, (one) => one === "\n" ? "␊" : "�")
    .replaceAll(NAME_INVISIBLE, (one) => `<U+${one.charCodeAt(0).toString(16).toUpperCase()}>`);

/** `visible` on one line: no part of the text can pass for a line of narnat's own. */
export const visibleLine = (text: string) => visible(text).replaceAll("\n", "␊");

/** Drops from a finished line everything but text, colours (SGR), links and the editor's cursor marker. */
export function onlyStyles(line: string): string {
  return line.replace(STYLED, (match) => {
    if (match.startsWith(LINK)) return linkOf(match.slice(LINK.length));
    return match.length > 1 && match[0] === "\x1b" ? match : "";
  }).toWellFormed();
}

/** A link's end, or its begin where it leads to what a browser or a mail program opens. */
function linkOf(target: string): string {
  const url = target.replace(/(?:\x07|\x1b\\)$/, "");
  if (url === "") return `${LINK}\x1b\\`;
  const { protocol, href } = URL.parse(url) ?? { protocol: "", href: "" };
  return /^(?:https?|mailto):$/.test(protocol) ? `${LINK}${href}\x1b\\` : "";
}

/** `plain` over a stream: what a delta leaves unfinished waits for the next one. */
export class PlainStream {
  #open = "";

  push(delta: string): string {
    const text = this.#open + delta;
    this.#open = OPEN_END.exec(text)?.[0] ?? "";
    return plain(text.slice(0, text.length - this.#open.length));
  }

  /** Returns what was still waiting. */
  end(): string {
    const rest = plain(this.#open);
    this.#open = "";
    return rest;
  }
}

import { codeOf } from "../workspace/file_error.ts";
import { fileTexts, type Scratch } from "./file_texts.ts";
import type { Pattern } from "./pattern.ts";
import type { GrepFound, GrepQuery } from "./types.ts";

const SHOWN_CHARS = 400;
const SHOWN_BEFORE_MATCH = 120;

/** Searches one regular file and adds to `found`; a file that cannot be read is counted, not thrown. */
export function grepFile(
  absolute: string,
  path: string,
  pattern: Pattern,
  query: GrepQuery,
  found: GrepFound,
  scratch: Scratch,
): void {
  try {
    scratch.file = Deno.openSync(absolute);
  } catch {
    found.unopened++;
    return;
  }
  const scan = new FileScan(path, pattern, query, found);
  const texts = fileTexts(scratch.file, scratch, query.multiline);
  try {
    let next = texts.next();
    while (!next.done && scan.feed(next.value)) next = texts.next();
    if (!next.done || next.value === "read") found.searched++;
    else if (next.value === "binary") found.binary++;
    else found.tooLarge++;
  } catch (error) {
    // reading failed half-way: a device error, a folder put in the file's place
    // (Deno tells EINVAL as a TypeError); what has no code is a bug of ours
    if (codeOf(error) === "") throw error;
    found.unopened++;
  } finally {
    scratch.file.close();
    scratch.file = undefined;
  }
  scan.finish();
}

/** The search in one file, whose text comes in pieces of whole lines. */
class FileScan {
  readonly #path: string;
  readonly #pattern: Pattern;
  readonly #query: GrepQuery;
  readonly #found: GrepFound;
  #count = 0;
  /** Number of the first line of the piece in hand. */
  #first = 1;
  /** The last line that went into the result, and where in the piece the next one begins. */
  #emitted = 0;
  #next = 0;
  /** Lines up to this one are owed as context. */
  #owed = 0;
  /** The end of the piece before, for context across the border. */
  #tail: string[] = [];

  constructor(path: string, pattern: Pattern, query: GrepQuery, found: GrepFound) {
    this.#path = path;
    this.#pattern = pattern;
    this.#query = query;
    this.#found = found;
  }

  /** Returns false when the rest of the file does not matter. */
  feed(text: string): boolean {
    const more = this.#query.multiline ? this.#scanWhole(text) : this.#scanLines(text);
    if (!more) return false;
    this.#pay(text, Infinity);
    if (this.#query.before > 0) this.#tail = lastLines(text, this.#query.before);
    this.#first += lineEnds(text, 0, text.length);
    this.#next = 0;
    return true;
  }

  finish(): void {
    if (this.#count === 0) return;
    const { mode, offset, limit } = this.#query;
    const index = this.#found.matchedFiles++;
    if (mode !== "content" && index >= offset && index < offset + limit) {
      this.#found.files.push({ path: this.#path, count: this.#count });
    }
  }

  #scanLines(text: string): boolean {
    const { requiredText, required, regex, plain } = this.#pattern;
    let number = this.#first;
    for (let at = 0; at < text.length;) {
      let start = at;
      let column = -1;
      if (requiredText !== undefined) {
        column = text.indexOf(requiredText, at);
      } else if (required) {
        required.lastIndex = at;
        column = required.exec(text)?.index ?? -1;
      } else {
        column = at;
      }
      if (column < 0) return true;
      if (column > at) {
        start = text.lastIndexOf("\n", column - 1) + 1;
        number += lineEnds(text, at, start);
      }
      const end = lineEnd(text, column);
      const line = sliceLine(text, start, end);
      const where = plain ? column - start : regex.exec(line)?.index ?? -1;
      if (where >= 0 && !this.#match(text, start, end, number, line, where)) return false;
      at = end + 1;
      number++;
    }
    return true;
  }

  #scanWhole(text: string): boolean {
    const { regex } = this.#pattern;
    let number = this.#first;
    let counted = 0;
    let until = 0;
    for (const match of text.matchAll(regex)) {
      let start = text.lastIndexOf("\n", match.index - 1) + 1;
      if (match.index === 0) start = 0;
      if (start >= text.length && text.length > 0) break;
      number += lineEnds(text, counted, start);
      counted = start;
      const last = Math.max(match.index, match.index + match[0].length - 1);
      let line = number;
      for (let at = start; at <= last || at === start;) {
        const end = lineEnd(text, at);
        if (at >= until) {
          const shown = sliceLine(text, at, end);
          const column = Math.max(0, match.index - at);
          if (!this.#match(text, at, end, line, shown, column, at === start)) return false;
          until = end + 1;
        }
        at = end + 1;
        line++;
      }
    }
    return true;
  }

  /** Records the match on a line; `counts` is false for the further lines of one match. */
  #match(
    text: string,
    start: number,
    end: number,
    number: number,
    line: string,
    column: number,
    counts = true,
  ): boolean {
    const { mode, offset, limit, before, after } = this.#query;
    const found = this.#found;
    if (counts) {
      this.#count++;
      found.matches++;
    }
    if (mode === "files") return false;
    if (mode === "count" || found.matches <= offset || found.matches > offset + limit) return true;
    this.#pay(text, number - 1);
    this.#precede(text, start, number, Math.max(this.#emitted + 1, number - before));
    found.lines.push({ path: this.#path, line: number, text: around(line, column), match: true });
    this.#emitted = number;
    this.#next = end + 1;
    this.#owed = number + after;
    return true;
  }

  /** Emits the lines from number `from` to the one before the match. */
  #precede(text: string, start: number, number: number, from: number): void {
    const lines: string[] = [];
    let at = start;
    for (let each = number - 1; each >= from; each--) {
      if (at > 0) {
        const begin = at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
        lines.push(sliceLine(text, begin, at - 1));
        at = begin;
      } else {
        lines.push(this.#tail.at(each - this.#first) ?? "");
      }
    }
    lines.reverse().forEach((line, index) => this.#context(from + index, line));
  }

  /** Emits the context owed after earlier matches, up to line `until`. */
  #pay(text: string, until: number): void {
    while (this.#emitted < Math.min(this.#owed, until) && this.#next < text.length) {
      const end = lineEnd(text, this.#next);
      this.#context(++this.#emitted, sliceLine(text, this.#next, end));
      this.#next = end + 1;
    }
  }

  #context(line: number, text: string): void {
    this.#found.lines.push({ path: this.#path, line, text: around(text, 0), match: false });
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function sliceLine(text: string, start: number, end: number): string {
  return text.slice(start, end > start && text[end - 1] === "\r" ? end - 1 : end);
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

function lastLines(text: string, count: number): string[] {
  const lines: string[] = [];
  let end = text.endsWith("\n") ? text.length - 1 : text.length;
  while (lines.length < count && end >= 0) {
    const start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    lines.push(sliceLine(text, start, end));
    end = start - 1;
  }
  return lines.reverse();
}

/** Cuts a long line so that the match stays in sight. */
function around(line: string, column: number): string {
  if (line.length <= SHOWN_CHARS) return line;
  const start = Math.max(0, Math.min(column - SHOWN_BEFORE_MATCH, line.length - SHOWN_CHARS));
  const end = start + SHOWN_CHARS;
  return (start > 0 ? "…" : "") + line.slice(start, end) + (end < line.length ? "…" : "");
}

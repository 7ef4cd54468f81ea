import { Markdown, type MarkdownTheme, Marked, type Token } from "@earendil-works/pi-tui";
import { PlainStream } from "./clean.ts";
import type { Draw } from "./live.ts";

/** Characters of unfinished text above which even an unfinished block is cut, to keep frames cheap. */
const LARGEST_TAIL = 8192;
const OPTIONS = { renderLatex: false, preserveOrderedListMarkers: true };
/** Marks where CommonMark needs help; taken out again after rendering (`plain` removes all others). */
const HELP = "\u200b";
const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/;

/**
 * Makes `**“重点”**内容` bold: CommonMark refuses `**` between a punctuation mark and a letter, which
 * Chinese text has all the time. Code is left alone.
 */
export function helpBold(markdown: string): string {
  let out = "";
  let fence = "";
  let open = false;
  for (const line of markdown.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === "" || mark.startsWith(fence))) {
      fence = fence === "" ? mark : "";
      open = false;
    } else if (fence === "") {
      if (line.trim() === "") open = false;
      const helped = helpLine(line, open);
      out += helped.line;
      open = helped.open;
      continue;
    }
    out += line;
  }
  return out;
}

function helpLine(line: string, open: boolean): { line: string; open: boolean } {
  if (!line.includes("**")) return { line, open };
  let out = "";
  let at = 0;
  for (const match of line.matchAll(/\\.|(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|(?<!\*)\*\*(?!\*)/gsu)) {
    out += line.slice(at, match.index);
    at = match.index + match[0].length;
    if (match[0] !== "**") {
      out += match[0];
      continue;
    }
    const before = line.slice(0, match.index);
    const after = line.slice(at);
    if (!open && /^\S/u.test(after)) {
      open = true;
      out += /^[\p{P}\p{S}]/u.test(after) && /[^\s\p{P}\p{S}]$/u.test(before) ? "**" + HELP : "**";
    } else if (open && /\S$/u.test(before)) {
      open = false;
      out += /[\p{P}\p{S}]$/u.test(before) && /^[^\s\p{P}\p{S}]/u.test(after) ? HELP + "**" : "**";
    } else out += "**";
  }
  return { line: out + line.slice(at), open };
}

function lastText(tokens: readonly Token[]): number {
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]?.type === "space") last--;
  return last;
}

/** Index up to which whole blocks are finished: a blank line before the last block, or 0. */
function finishedLength(tokens: readonly Token[]): number {
  const last = lastText(tokens);
  let at = 0;
  let cut = 0;
  for (const token of tokens.slice(0, last)) {
    at += token.raw.length;
    if (token.type === "space" || token.raw.endsWith("\n\n")) cut = at;
  }
  return cut;
}

/** Length without splitting a line (or, lacking lines, a surrogate pair). */
function wholeLines(text: string): number {
  const newline = text.lastIndexOf("\n") + 1;
  if (newline > 0) return newline;
  if (text.length < 2 * LARGEST_TAIL) return 0;
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}

/** A code block that was cut in two: `opener` begins the part that follows. */
interface Cut {
  readonly opener: string;
  readonly tight: boolean;
}

/**
 * One answer as it streams. Finished blocks are handed to `commit` and never looked at again, so
 * the cost is linear in the text; `render` draws the unfinished rest.
 */
export class StreamMarkdown {
  readonly #commit: (draw: Draw) => void;
  readonly #theme: MarkdownTheme;
  readonly #clean = new PlainStream();
  readonly #lexer = new Marked();
  #tail = "";
  #cut: Cut = { opener: "", tight: true };
  #dirty = false;
  #live: Markdown;
  #liveText = "";
  #empty = true;

  constructor(commit: (draw: Draw) => void, theme: MarkdownTheme) {
    this.#commit = commit;
    this.#theme = theme;
    this.#live = this.#markdown("");
  }

  /** True until something has been committed. */
  get empty(): boolean {
    return this.#empty;
  }

  push(delta: string): void {
    const text = this.#clean.push(delta);
    this.#tail = this.#tail === "" && this.#empty && this.#cut.opener === ""
      ? text.replace(/^\n+/, "")
      : this.#tail + text;
    if (text.includes("\n") || this.#tail.length > LARGEST_TAIL) this.#dirty = true;
  }

  /** Commits the blocks that have been finished; call once per frame. */
  settle(): void {
    if (!this.#dirty) return;
    this.#dirty = false;
    const tokens = this.#lexer.lexer(this.#cut.opener + this.#tail);
    const finished = finishedLength(tokens) - this.#cut.opener.length;
    if (finished > 0) this.#freeze(finished, { opener: "", tight: false });
    if (this.#tail.length > LARGEST_TAIL) this.#cutBlock(tokens[lastText(tokens)]);
  }

  /** Commits the rest. */
  end(): void {
    this.#tail += this.#clean.end();
    if (this.#tail.trim() !== "") this.#freeze(this.#tail.length, { opener: "", tight: false });
    this.#tail = "";
  }

  /** Forgets what has not been committed (a retry voids it). */
  drop(): void {
    this.#clean.end();
    this.#tail = "";
    this.#cut = { opener: "", tight: true };
  }

  /** The unfinished rest: its last `max` lines, after a blank line unless a block was cut. */
  render(width: number, max: number): readonly string[] {
    if (this.#tail.trim() === "") return [];
    const text = helpBold(this.#cut.opener + this.#tail);
    if (text !== this.#liveText) {
      this.#live.setText(text);
      this.#liveText = text;
    }
    const lines = this.#lines(this.#live, width, this.#cut, false);
    const gap = this.#empty ? [""] : [];
    return [...gap, ...lines.slice(-Math.max(1, max))];
  }

  /** Cuts a block that is too long to wait for its end. */
  #cutBlock(block: Token | undefined): void {
    const fence = block?.type === "code" ? FENCE.exec(block.raw) : null;
    if (fence === null) {
      const length = wholeLines(this.#tail);
      if (length > 0) this.#freeze(length, { opener: "", tight: true });
      return;
    }
    const mark = fence[1]!;
    const closed = block!.raw.trimEnd().split("\n").at(-1)!.trim();
    if (closed.startsWith(mark) && block!.raw.includes("\n" + mark)) return;
    const length = wholeLines(this.#tail);
    if (length > 0) this.#freeze(length, { opener: fence[0], tight: true });
  }

  #freeze(length: number, next: Cut): void {
    const here = this.#cut;
    const inCode = next.opener !== "";
    const piece = this.#tail.slice(0, length).replace(inCode ? /\n$/ : /\n+$/, "");
    const block = this.#markdown(helpBold(here.opener + piece));
    this.#commit((width) => this.#lines(block, width, here, inCode));
    const rest = this.#tail.slice(length);
    this.#tail = next.tight ? rest : rest.replace(/^\n+/, "");
    this.#cut = next;
    this.#empty = false;
  }

  /** Renders a piece: a blank line before it unless tight, no borders where a code block was cut. */
  #lines(block: Markdown, width: number, cut: Cut, continues: boolean): string[] {
    let lines = block.render(width).map((line) => line.replaceAll(HELP, "").trimEnd());
    if (cut.opener !== "") lines = lines.slice(1);
    if (continues) lines = lines.slice(0, -1);
    while (!continues && lines.at(-1) === "") lines.pop();
    return cut.tight ? lines : ["", ...lines];
  }

  #markdown(text: string): Markdown {
    return new Markdown(text, 0, 0, this.#theme, undefined, OPTIONS);
  }
}

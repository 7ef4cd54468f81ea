/** What a line inside a list item or a quote begins with: `first` once, then `rest`. */
interface Prefix {
  readonly first: string;
  readonly rest: string;
  used: boolean;
}

/** Writes Markdown from left to right; blanks, line breaks and opening marks wait until text follows. */
export class MarkdownWriter {
  readonly #out: string[] = [];
  readonly #prefixes: Prefix[] = [];
  /** Opening marks (`**`, `## `) that no text has followed yet. */
  readonly #opens: string[] = [];
  /** The marks of emphasis that are open. */
  readonly #within = new Set<string>();
  readonly #limit: number;
  readonly #oneLine: boolean;
  #size = 0;
  #breaks = 0;
  #space = false;
  #flat = 0;

  /** Stops taking text after `limit` characters; `oneLine`: for a table cell. */
  constructor(limit: number, oneLine = false) {
    this.#limit = limit;
    this.#oneLine = oneLine;
  }

  /** True when the limit was reached. */
  get full(): boolean {
    return this.#size > this.#limit;
  }

  /** True when line breaks are not possible here. */
  get flat(): boolean {
    return this.#oneLine || this.#flat > 0;
  }

  /** Text of the page; runs of blanks become one. */
  text(text: string): void {
    const words = text.replace(/\s+/g, " ");
    const trimmed = words.trim();
    if (words.startsWith(" ")) this.#space = true;
    if (trimmed) this.mark(trimmed);
    if (trimmed && words.endsWith(" ")) this.#space = true;
  }

  /** Markdown that stands for itself. */
  mark(markdown: string): void {
    if (this.full) return;
    this.#startText();
    this.#push(markdown);
  }

  /** Writes lines as they are, each after the line prefix. */
  lines(lines: readonly string[]): void {
    for (const [i, line] of lines.entries()) {
      if (i > 0) this.break(1);
      if (this.full) return;
      this.#startText();
      this.#push(line);
    }
  }

  /** Ends the line (1) or the paragraph (2). */
  break(lines: 1 | 2): void {
    if (this.flat) this.#space = true;
    else if (this.#prefixes.at(-1)?.used !== false) this.#breaks = Math.max(this.#breaks, lines);
  }

  /** Puts `mark` around what `inside` writes, once, and nothing if it writes nothing. */
  around(mark: string, inside: () => void): void {
    if (this.#within.has(mark)) return inside();
    this.#within.add(mark);
    this.#opens.push(mark);
    inside();
    this.#within.delete(mark);
    if (this.#opens.at(-1) === mark) this.#opens.pop();
    else this.#push(mark);
  }

  /** Writes a heading of the given level on one line. */
  heading(level: number, inside: () => void): void {
    this.break(2);
    const mark = this.flat ? "" : "#".repeat(level) + " ";
    this.#opens.push(mark);
    this.#flat++;
    inside();
    this.#flat--;
    if (this.#opens.at(-1) === mark) this.#opens.pop();
    this.break(2);
  }

  /** Indents what `inside` writes; `tight`: no blank line before. */
  prefixed(first: string, rest: string, tight: boolean, inside: () => void): void {
    if (this.flat) {
      this.#space = true;
      return inside();
    }
    if (tight) this.#breaks = Math.min(this.#breaks, 1);
    this.#prefixes.push({ first, rest, used: false });
    inside();
    this.#prefixes.pop();
  }

  toString(): string {
    return this.#out.join("");
  }

  #push(text: string): void {
    this.#out.push(text);
    this.#size += text.length;
  }

  #startText(): void {
    const start = this.#out.length === 0;
    if (start || this.#breaks > 0) {
      if (!start) {
        this.#push("\n");
        const blank = this.#prefixes.filter(({ used }) => used).map(({ rest }) => rest).join("");
        for (let i = 1; i < this.#breaks; i++) this.#push(blank.trimEnd() + "\n");
      }
      for (const prefix of this.#prefixes) {
        this.#push(prefix.used ? prefix.rest : prefix.first);
        prefix.used = true;
      }
    } else if (this.#space) this.#push(" ");
    this.#breaks = 0;
    this.#space = false;
    for (const open of this.#opens.splice(0)) this.#push(open);
  }
}

import {
  Markdown,
  type MarkdownTheme,
  type Token,
  type Tokens,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { type BlockLexer, createBlockLexer, FENCE, flatten, HELP, helpBold } from "./blocks.ts";
import {
  AFRESH,
  alignColumns,
  columnsIn,
  drawTable,
  endsInHead,
  type First,
  fitTables,
  type Resume,
} from "./long_blocks.ts";
import type { Highlighter, Open } from "./highlight.ts";

// Rows of a text that grows: what its end can no longer change is not wrapped again.

/** Wraps a text as pi-tui does; the less work the more it goes on from the last one. */
type WrapGrowing = (text: string, width: number) => readonly string[];

/** What a break leaves out. */
const BREAK = / *\n?/y;

export function createWrapGrowing(): WrapGrowing {
  let known = { text: "", width: 0, at: 0, rows: [] as readonly string[] };
  return (text, width) => {
    const { at, rows } = known.width === width && text.startsWith(known.text)
      ? known
      : { at: 0, rows: [] };
    const rest = wrapTextWithAnsi(text.slice(at), width);
    let sure = 0;
    let from = at;
    // A character that is not whole may yet go back to the row before it.
    while (sure + 2 < rest.length) {
      const [row, next] = [rest[sure]!, rest[sure + 1]!];
      BREAK.lastIndex = from + row.length;
      BREAK.test(text);
      const begin = BREAK.lastIndex;
      // Where a style goes on from row to row they do not stand in the text.
      if (next === "" || !text.startsWith(row, from) || !text.startsWith(next, begin)) break;
      from = begin;
      sure++;
    }
    known = { text, width, at: from, rows: [...rows, ...rest.slice(0, sure)] };
    return [...rows, ...rest];
  };
}

// Cells that a row has more than its table's head, which a parser would leave out.

const DELIMITER = /^[ \t>]*[|:-][-:| \t]*$/m;
const LEAD = /^[ \t>]+/;
const CODE = /(`+)(?!`)[^]*?(?<!`)\1(?!`)/g;

/** Has in each row no more cells than in its head: a bar in code is text, what is too much the last cell's. */
function keepCells(markdown: string, blocks: BlockLexer): string {
  if (!markdown.includes("|") || !DELIMITER.test(markdown)) return markdown;
  return blocks(markdown).map((block) => {
    const kept = new Map(tablesIn(block).flatMap(keptRows));
    if (kept.size === 0) return block.raw;
    return block.raw.split("\n").map((line) => {
      const row = line.replace(LEAD, "");
      return line.slice(0, line.length - row.length) + (kept.get(row) ?? row);
    }).join("\n");
  }).join("");
}

function tablesIn(token: Token): Tokens.Table[] {
  if (token.type === "table") return [token as Tokens.Table];
  if (token.type === "list") {
    return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(tablesIn));
  }
  return token.type === "blockquote" ? (token as Tokens.Blockquote).tokens.flatMap(tablesIn) : [];
}

/** The rows of a table that have too many cells, each with how it is kept. */
function keptRows({ raw, header }: Tokens.Table): [string, string][] {
  return raw.split("\n").slice(2).flatMap((line): [string, string][] => {
    const row = line.replace(LEAD, "");
    const extra = barsOf(row).length - (header.length - 1);
    return extra > 0 ? [[row, keepRow(row, extra)]] : [];
  });
}

/** Where the cells of a row part; empty ones at its end are none. */
function barsOf(row: string): number[] {
  const end = /[\s|]*$/.exec(row)!.index;
  return [...row.matchAll(/\\[^]|\|/g)].filter(({ 0: found, index }) =>
    found === "|" && index > 0 && index < end
  ).map(({ index }) => index);
}

function keepRow(row: string, extra: number): string {
  const code = [...row.matchAll(CODE)];
  const inCode = (at: number) =>
    code.some(({ 0: { length }, index }) => index < at && at < index + length);
  const bars = barsOf(row);
  const first = bars.filter(inCode);
  const text = new Set([...first, ...bars.filter((at) => !inCode(at)).reverse()].slice(0, extra));
  return [...text].sort((a, b) => b - a)
    .reduce((kept, at) => `${kept.slice(0, at)}\\${kept.slice(at)}`, row);
}

// Takes from markdown what would cost a parser too much time; it is shown as it stands.

/**
 * Signs of emphasis in one paragraph without an end, times all that it has: from each the parser
 * reads on through all that follow, and again within what it finds. A pair costs it no more than a word.
 */
const MOST_STEPS = 400 * 400;
/** A sign of emphasis; one within a word like snake_case is none. */
const MARK = /[*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const IN_WORD = /(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu;
/** Code within a paragraph, what is escaped already, or a sign of emphasis. */
const MARK_OR_CODE = new RegExp(`\\\\[^]|(\`+)(?!\`)[^]*?(?<!\`)\\1(?!\`)|${MARK.source}`, "gu");
const pair = (mark: string, edge: string, end: string) =>
  `(?<![*_~])(${mark})(?![*_~${edge}])[^*_~]*(?<![${edge}])${end}(?![*_~])`;
/** Words between two signs of a kind; beside punctuation only bold is sure to end (see helpBold). */
const PAIR = new RegExp(
  pair("\\*\\*", "\\s", "\\1") + "|" +
    pair("\\*(?:\\*\\*)?|_{1,3}|~~", "\\s\\p{P}\\p{S}", "\\2"),
  "gu",
);
/** Pairs within pairs that people write. */
const PAIRS_DEEP = 3;

/** Leaves code as it is, whatever is in it. */
export function tame(markdown: string, blocks: BlockLexer): string {
  const flat = flatten(markdown);
  if (!isFlooded(flat)) return flat;
  return blocks(flat).map((block) => {
    if (!isFlood(block)) return block.raw;
    const escaped = escapeMarks(block.raw);
    // What looked like code is none where a list or a quote has ended before its fence.
    return blocks(escaped).some(isFlood) ? block.raw.replace(MARK, "\\$&") : escaped;
  }).join("");
}

/** Whether a paragraph in it has too many. */
function isFlood(token: Token): boolean {
  if (token.type === "code") return false;
  if (token.type === "list") {
    return (token as Tokens.List).items.some(({ tokens }) => tokens.some(isFlood));
  }
  if (token.type === "blockquote") return (token as Tokens.Blockquote).tokens.some(isFlood);
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].some((row) => row.some(({ text }) => isFlooded(text)));
  }
  return isFlooded(token.raw);
}

function isFlooded(text: string): boolean {
  const all = marksIn(text);
  if (all * all <= MOST_STEPS) return false;
  let rest = text.replace(MARK_OR_CODE, (found) => /^[*_~]/.test(found) ? found : ".")
    .replace(IN_WORD, ".");
  for (let n = 0; n < PAIRS_DEEP; n++) rest = rest.replace(PAIR, ".");
  return marksIn(rest) * all > MOST_STEPS;
}

function marksIn(text: string): number {
  let marks = 0;
  for (const [found] of text.matchAll(MARK_OR_CODE)) if (/^[*_~]/.test(found)) marks++;
  return marks;
}

function escapeMarks(text: string): string {
  let fence = "";
  const parts: string[] = [];
  let prose = "";
  const flush = () => {
    parts.push(prose.replace(MARK_OR_CODE, (found) => /^[*_~]/.test(found) ? `\\${found}` : found));
    prose = "";
  };
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark, info = ""] = FENCE.exec(line) ?? [];
    const begins = fence === "" && mark !== undefined &&
      !(mark.startsWith("`") && info.includes("`"));
    const ends = fence !== "" && mark?.startsWith(fence) && info.trim() === "";
    if (begins || fence !== "") {
      flush();
      parts.push(line);
      if (begins) fence = mark;
      if (ends) fence = "";
    } else prose += line;
  }
  flush();
  return parts.join("");
}

/** Blanks that pi-tui puts before code, and for a tab. */
const CODE_INDENT = 2;
const TAB = "   ";
/** Holds no line of the code that it goes on with: the fence at its end, or nothing. */
const NO_LINE = /^[ >]*(?:(?:`{3,}|~{3,})[^\n]*(?:\n|$)|$)/;

/** How markdown is drawn. */
export interface MarkdownLook {
  readonly theme: MarkdownTheme;
  readonly highlight: Highlighter;
}

/** What of pi-tui's Markdown its types keep to themselves. */
interface Inner {
  renderTable(table: Tokens.Table, width: number, next?: string, style?: unknown): string[];
  renderInlineTokens(tokens: readonly Token[], style?: unknown): string;
  renderList(list: Tokens.List, ...rest: unknown[]): string[];
  renderToken(token: Token, width: number, next?: string, style?: unknown): string[];
}

/** Each item under the mark that is shown of it: the number counts up, the sign behind it is as written. */
function marked(list: Tokens.List): Tokens.List {
  const sign = /^\s*\d+\)/.test(list.items[0]?.raw ?? "") ? ")" : ".";
  const items = list.items.map((item, n) => ({
    ...item,
    raw: list.ordered ? `${Number(list.start) + n}${sign} ` : "",
  }));
  return { ...list, items };
}

/** A stretch of markdown as rows. */
export class Piece {
  readonly #look: MarkdownLook;
  readonly #block: Markdown;
  readonly #blocks = createBlockLexer();
  #text = "";
  #resume = AFRESH;
  #open: Open | undefined;
  /** The piece's first code block is the one that was cut. */
  #goesOn = false;
  #first: First = { goesOn: false };
  #width = 0;

  constructor(look: MarkdownLook) {
    this.#look = look;
    this.#block = new Markdown(
      "",
      0,
      0,
      { ...look.theme, highlightCode: (code, lang) => this.#code(code, lang) },
      undefined,
      {
        renderLatex: false,
        preserveOrderedListMarkers: true,
        transform: (text, width) => fitTables(text, width, this.#first),
      },
    );
    const wrap = createWrapGrowing();
    const inner = this.#block as unknown as Inner;
    const drawList = inner.renderList.bind(inner);
    inner.renderList = (list, ...rest) => drawList(marked(list), ...rest);
    const drawToken = inner.renderToken.bind(inner);
    inner.renderToken = (token, width, next, style) => {
      const lines = drawToken(token, width, next, style);
      if (token.type !== "paragraph" || style !== undefined) return lines;
      return lines.flatMap((line, index) => index === 0 ? wrap(line, width) : line);
    };
    const draw = inner.renderTable.bind(inner);
    inner.renderTable = (table, width, next, style) => {
      const { goesOn, columns } = this.#first;
      this.#first = { goesOn: false };
      if (goesOn && !columns && table.rows.length === 0) return [];
      const cells = (row: Tokens.TableCell[]) =>
        row.map(({ tokens }) => inner.renderInlineTokens(tokens, style));
      const head = columns?.head ? cells(table.header).map(look.theme.bold) : undefined;
      const rows = columns
        ? drawTable(head, table.rows.map(cells), columns.widths)
        : draw(table, width, next, style);
      if (columns && next !== undefined && next !== "space") rows.push("");
      return alignColumns(rows, columns?.widths ?? columnsIn(rows), table.align);
    };
  }

  set(text: string, resume: Resume, open: Open | undefined): void {
    if (text === this.#text && resume === this.#resume) return;
    this.#text = text;
    this.#resume = resume;
    this.#open = open;
    const markdown = keepCells(tame(resume.opener + text, this.#blocks), this.#blocks);
    this.#block.setText(helpBold(markdown, this.#blocks));
  }

  /** Rows, after a blank one unless tight; `continues`: the code block at the end has none yet. */
  lines(width: number, continues: boolean): string[] {
    const { columns, fence, hidden, opener, tight } = this.#resume;
    this.#goesOn = fence;
    this.#first = {
      goesOn: endsInHead(opener),
      columns: columns?.room === width ? columns : undefined,
    };
    this.#width = width;
    const lines = this.#block.render(width).slice(hidden)
      .map((line) => line.replaceAll(HELP, "").trimEnd());
    if (continues) lines.pop();
    while (!continues && lines.at(-1) === "") lines.pop();
    return tight ? lines : ["", ...lines];
  }

  #code(source: string, lang: string | undefined): string[] {
    // Indented code has no language, not even an empty one, and no empty line at its end.
    const code = lang === undefined ? source.replace(/\n\s*$/, "") : source;
    const goesOn = this.#goesOn;
    this.#goesOn = false;
    if (goesOn && code === "" && NO_LINE.test(this.#text)) return [];
    const open = goesOn ? this.#open : undefined;
    const { lines } = this.#look.highlight(code, lang ?? "", open);
    // Within a list or a quote the room is not known.
    if (!`\n${this.#text.replaceAll("\t", TAB)}`.includes("\n" + code)) return lines;
    const room = Math.max(1, this.#width - CODE_INDENT);
    return lines.flatMap((line) => wrapTextWithAnsi(line, room));
  }
}

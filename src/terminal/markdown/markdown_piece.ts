import {
  Markdown,
  type MarkdownTheme,
  type Token,
  type Tokens,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { createBlockLexer, HELP } from "../transcript/blocks.ts";
import { AFRESH, type Resume } from "./cut_block.ts";
import { createWrapGrowing } from "./growing_rows.ts";
import { helpBold } from "./help_bold.ts";
import type { Highlighter, Open } from "./highlight.ts";
import { keepCells } from "./table_cells.ts";
import { alignColumns, columnsIn, drawTable, endsInHead, type First, fitTables } from "./tables.ts";
import { tame } from "./tame.ts";

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

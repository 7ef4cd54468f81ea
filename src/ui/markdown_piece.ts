import { Markdown, type MarkdownTheme, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { createBlockLexer, HELP } from "./blocks.ts";
import { AFRESH, type Resume } from "./cut_block.ts";
import { helpBold } from "./help_bold.ts";
import type { Highlighter, Open } from "./highlight.ts";
import { alignColumns, fitTables, type Fitted } from "./tables.ts";
import { tame } from "./tame.ts";

/** Blanks that pi-tui puts before code, and for a tab. */
const CODE_INDENT = 2;
const TAB = "   ";

/** How markdown is drawn. */
export interface MarkdownLook {
  readonly theme: MarkdownTheme;
  readonly highlight: Highlighter;
}

/** A stretch of markdown as rows. */
export class Piece {
  readonly #look: MarkdownLook;
  readonly #block: Markdown;
  readonly #blocks = createBlockLexer();
  #fitted: Fitted = { markdown: "", aligned: [] };
  #text = "";
  #resume = AFRESH;
  #open: Open | undefined;
  /** The piece's first code block is the one that was cut. */
  #goesOn = false;
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
        transform: (text, width) => {
          this.#fitted = fitTables(text, width);
          return this.#fitted.markdown;
        },
      },
    );
  }

  set(text: string, resume: Resume, open: Open | undefined): void {
    if (text === this.#text && resume === this.#resume) return;
    this.#text = text;
    this.#resume = resume;
    this.#open = open;
    const markdown = tame(resume.opener + text, this.#blocks);
    this.#block.setText(helpBold(markdown, this.#blocks));
  }

  /** Rows, after a blank one unless tight; `continues`: the code block at the end has none yet. */
  lines(width: number, continues: boolean): string[] {
    const { hidden, tight } = this.#resume;
    this.#goesOn = this.#resume.fence;
    this.#width = width;
    const drawn = this.#block.render(width);
    const lines = alignColumns(drawn, this.#fitted.aligned).slice(hidden)
      .map((line) => line.replaceAll(HELP, "").trimEnd());
    if (continues) lines.pop();
    while (!continues && lines.at(-1) === "") lines.pop();
    return tight ? lines : ["", ...lines];
  }

  #code(source: string, lang: string | undefined): string[] {
    // Indented code has no language, not even an empty one, and no empty line at its end.
    const code = lang === undefined ? source.replace(/\n\s*$/, "") : source;
    const open = this.#goesOn ? this.#open : undefined;
    this.#goesOn = false;
    const { lines } = this.#look.highlight(code, lang ?? "", open);
    // Within a list or a quote the room is not known.
    if (!`\n${this.#text.replaceAll("\t", TAB)}`.includes("\n" + code)) return lines;
    const room = Math.max(1, this.#width - CODE_INDENT);
    return lines.flatMap((line) => wrapTextWithAnsi(line, room));
  }
}

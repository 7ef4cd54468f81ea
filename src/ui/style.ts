import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";

type Paint = (text: string) => string;

/** The few ways narnat marks text; the base colours follow the terminal's own theme. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly strike: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
}

/** `color`: everything; `mono`: no colours (NO_COLOR); `none`: no escape sequence at all. */
export function createStyle(kind: "color" | "mono" | "none"): Style {
  const sgr = (on: number, off: number): Paint =>
    kind === "none" ? (text) => text : (text) => `\x1b[${on}m${text}\x1b[${off}m`;
  const color = (on: number): Paint => kind === "color" ? sgr(on, 39) : (text) => text;
  return {
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    italic: sgr(3, 23),
    underline: sgr(4, 24),
    strike: sgr(9, 29),
    red: color(31),
    green: color(32),
    yellow: color(33),
    blue: color(34),
    cyan: color(36),
  };
}

export function markdownTheme(style: Style): MarkdownTheme {
  return {
    heading: style.cyan,
    link: style.blue,
    linkUrl: style.dim,
    code: style.yellow,
    codeBlock: style.green,
    codeBlockBorder: style.dim,
    quote: style.italic,
    quoteBorder: style.dim,
    hr: style.dim,
    listBullet: style.cyan,
    bold: style.bold,
    italic: style.italic,
    strikethrough: style.strike,
    underline: style.underline,
  };
}

export function selectTheme(style: Style): SelectListTheme {
  return {
    selectedPrefix: style.cyan,
    selectedText: style.cyan,
    description: style.dim,
    scrollInfo: style.dim,
    noMatch: style.dim,
  };
}

export function editorTheme(style: Style): EditorTheme {
  return { borderColor: style.dim, selectList: selectTheme(style) };
}

import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import type { Theme } from "../base/types.ts";

type Paint = (text: string) => string;

const COLOURS = ["red", "green", "yellow", "blue", "cyan"] as const;

/** SGR parameters that set each colour. */
type Palette = { readonly [colour in typeof COLOURS[number]]: string };

/**
 * `color` is the terminal's own palette, which its owner has made readable; `light` and `dark` are
 * chosen from the 256 so that each keeps a contrast of 4.5 on a white or a black background.
 */
const PALETTES = {
  color: { red: "31", green: "32", yellow: "33", blue: "34", cyan: "36" },
  dark: {
    red: "38;5;203",
    green: "38;5;114",
    yellow: "38;5;221",
    blue: "38;5;111",
    cyan: "38;5;80",
  },
  light: {
    red: "38;5;124",
    green: "38;5;22",
    yellow: "38;5;94",
    blue: "38;5;25",
    cyan: "38;5;24",
  },
} satisfies { readonly [name: string]: Palette };

/** `mono`: no colours (NO_COLOR); `none`: no escape sequence at all. */
export type StyleKind = keyof typeof PALETTES | "mono" | "none";

/** The few ways narnat marks text. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly inverse: Paint;
  readonly strike: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
  /** Paints in another kind from now on; what has been painted stays. */
  use(kind: StyleKind): void;
}

export function createStyle(kind: StyleKind): Style {
  let now = kind;
  const sgr = (on: number, off: number): Paint => (text) =>
    now === "none" ? text : `\x1b[${on}m${text}\x1b[${off}m`;
  const color = (name: keyof Palette): Paint => (text) =>
    now === "none" || now === "mono" ? text : `\x1b[${PALETTES[now][name]}m${text}\x1b[39m`;
  return {
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    italic: sgr(3, 23),
    underline: sgr(4, 24),
    inverse: sgr(7, 27),
    strike: sgr(9, 29),
    red: color("red"),
    green: color("green"),
    yellow: color("yellow"),
    blue: color("blue"),
    cyan: color("cyan"),
    use(next) {
      now = next;
    },
  };
}

/** How a theme is painted in this environment: NO_COLOR wins, COLORFGBG tells `auto` the background. */
export function styleKind(theme: Theme, env: (name: string) => string | undefined): StyleKind {
  if (theme === "none" || (env("NO_COLOR") ?? "") !== "") return "mono";
  if (theme !== "auto") return theme;
  const background = /;(\d+)$/.exec(env("COLORFGBG") ?? "")?.[1];
  if (background === undefined) return "color";
  return background === "7" || Number(background) > 8 ? "light" : "dark";
}

export function markdownTheme(style: Style): MarkdownTheme {
  return {
    heading: style.cyan,
    link: style.blue,
    linkUrl: style.dim,
    code: style.yellow,
    codeBlock: (text) => text,
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

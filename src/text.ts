/**
 * The texts people (and, in tool results, the model) read, in Chinese and English.
 * Where a seed document fixes a Chinese wording, it stands here verbatim.
 */
import type { Lang } from "./types.ts";

const catalogue = {
  // tools in general
  "tool.interrupted": { zh: "已中断", en: "interrupted" },

  // files

  // shell

  // web

  // model

  // context and turns
  "turn.at_50": { zh: "已经50轮", en: "50 turns so far" },
  "turn.at_100": {
    zh: "已经到达100轮，建议开启新对话（/clear）",
    en: "100 turns reached; a new session is advised (/clear)",
  },
  // config

  // command line

  // commands

  // screen
} as const satisfies { [key: string]: { zh: string; en: string } };

export type TextKey = keyof typeof catalogue;

/** Returns the text for `key` with each `{name}` replaced by `values[name]`. */
export function say(
  lang: Lang,
  key: TextKey,
  values: { readonly [name: string]: string | number } = {},
): string {
  return catalogue[key][lang].replace(
    /\{(\w+)\}/g,
    (whole, name) => name in values ? String(values[name]) : whole,
  );
}

/** The language of narnat's own texts: `LC_ALL`, `LC_MESSAGES` or `LANG` beginning with `zh` means Chinese. */
export function langFrom(env: (name: string) => string | undefined): Lang {
  const locale = env("LC_ALL") || env("LC_MESSAGES") || env("LANG") || "";
  return locale.toLowerCase().startsWith("zh") ? "zh" : "en";
}

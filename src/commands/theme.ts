import type { Command, Theme } from "../base/types.ts";
import { say } from "../base/text.ts";

const THEMES: readonly Theme[] = ["light", "dark", "none", "auto"];

/** Changes the colours and keeps the choice. */
export const theme: Command = {
  name: "theme",
  usage: { zh: "light|dark|none|auto", en: "light|dark|none|auto" },
  help: {
    zh: "切换配色：浅色、深色、无、自动",
    en: "colours: for a light or dark terminal, none, automatic",
  },
  complete: () => Promise.resolve(THEMES.map((value) => ({ value, help: "" }))),
  async run(args, desk) {
    if (args === "") return say(desk.lang, "theme.now", { theme: desk.theme });
    const wanted = THEMES.find((name) => name === args);
    const names = THEMES.join(", ");
    if (!wanted) throw new Error(say(desk.lang, "theme.which", { found: args, names }));
    const why = await desk.useTheme(wanted);
    if (why !== undefined) return say(desk.lang, "theme.not_kept", { theme: wanted, why });
    return say(desk.lang, "theme.kept", { theme: wanted });
  },
};

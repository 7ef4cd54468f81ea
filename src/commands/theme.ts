import type { Command, Theme } from "../base/types.ts";

const THEMES: readonly Theme[] = ["light", "dark", "none", "auto"];

/** Changes the colours and keeps the choice. */
export const theme: Command = {
  name: "theme",
  usage: () => "light|dark|none|auto",
  help: (t) => t("colours: for a light or dark terminal, none, automatic"),
  complete: () => Promise.resolve(THEMES.map((value) => ({ value, help: "" }))),
  async run(args, desk) {
    if (args === "") {
      return desk.t("Colours: {theme}\nChange with /theme light|dark|none|auto", {
        theme: desk.theme,
      });
    }
    const wanted = THEMES.find((name) => name === args);
    const names = THEMES.join(", ");
    if (!wanted) {
      throw new Error(desk.t('/theme takes one of {names}, got "{found}"', { found: args, names }));
    }
    const why = await desk.useTheme(wanted);
    if (why !== undefined) {
      return desk.t("Colours: {theme}; they could not be kept: {why}", { theme: wanted, why });
    }
    return desk.t("Colours: {theme}; kept for next time", { theme: wanted });
  },
};

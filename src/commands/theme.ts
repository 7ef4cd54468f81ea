import type { Command, Theme } from "../base/types.ts";

const THEMES: readonly Theme[] = ["light", "dark", "none", "auto"];

/** Changes the colours and keeps the choice. */
export const theme: Command = {
  name: "theme",
  usage: () => "light|dark|none|auto",
  help: (t) => t("colours: for a light or dark terminal, none, automatic"),
  complete: () => Promise.resolve(THEMES.map((value) => ({ value, help: "" }))),
  async run(args, controller) {
    if (args === "") {
      return controller.t("Colours: {theme}\nChange with /theme light|dark|none|auto", {
        theme: controller.theme,
      });
    }
    const wanted = THEMES.find((name) => name === args);
    const names = THEMES.join(", ");
    if (!wanted) {
      throw new Error(
        controller.t('/theme takes one of {names}, got "{found}"', { found: args, names }),
      );
    }
    const why = await controller.useTheme(wanted);
    if (why !== undefined) {
      return controller.t("Colours: {theme}; they could not be kept: {why}", {
        theme: wanted,
        why,
      });
    }
    return controller.t("Colours: {theme}; kept for next time", { theme: wanted });
  },
};

import type { Command } from "../../base/types.ts";
import { MEMORY_CAPS } from "../../session/memory_files.ts";
import { remember as keep } from "./store.ts";
import { under } from "../../base/path.ts";

/** Adds a line to MEMORY.md and tells the model, so that it counts at once. */
export const remember: Command = {
  name: "remember",
  usage: (t) => t("TEXT"),
  help: (t) => t("remember a line"),
  run(args, desk) {
    const { t, memory } = desk;
    const added = keep(memory, args, t);
    const path = under(memory.dir!, "MEMORY.md");
    if (!added) return t("It is in the memory already: {path}", { path });
    desk.note(t("The user asks you to remember: {text}", { text: args }));
    const cap = MEMORY_CAPS["MEMORY.md"];
    const bytes = Deno.statSync(path).size;
    return [
      t("Added to {path}; takes effect now, and in later sessions", { path }),
      ...bytes > cap
        ? [
          t(
            "{name} has {bytes} bytes, more than the {cap} that the model reads: lines in its middle are left out of the prompt. /dream tidies it, /memory edit shortens it",
            { name: "MEMORY.md", bytes, cap },
          ),
        ]
        : [],
    ].join("\n");
  },
};

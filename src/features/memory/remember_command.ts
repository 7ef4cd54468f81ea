import type { Command } from "../../base/types.ts";
import { MEMORY_CAPS } from "../../session/memory_files.ts";
import { remember as keep } from "./store.ts";
import { say } from "../../base/text.ts";
import { under } from "../../base/under.ts";

/** Adds a line to MEMORY.md and tells the model, so that it counts at once. */
export const remember: Command = {
  name: "remember",
  usage: { zh: "内容", en: "TEXT" },
  help: { zh: "记住一句话", en: "remember a line" },
  run(args, desk) {
    const { lang, memory } = desk;
    const added = keep(memory, args, lang);
    const path = under(memory.dir!, "MEMORY.md");
    if (!added) return say(lang, "memory.known", { path });
    desk.note(say(lang, "memory.note", { text: args }));
    const cap = MEMORY_CAPS["MEMORY.md"];
    const bytes = Deno.statSync(path).size;
    return [
      say(lang, "memory.remembered", { path }),
      ...bytes > cap ? [say(lang, "memory.over_cap", { name: "MEMORY.md", bytes, cap })] : [],
    ].join("\n");
  },
};

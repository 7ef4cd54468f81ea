import { say } from "../text.ts";
import type { Command } from "../types.ts";

/** Describes every command of the list it is given. */
export function helpFor(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    usage: { zh: "", en: "" },
    anytime: true,
    help: { zh: "列出全部命令", en: "list all commands" },
    run(_args, desk) {
      const { lang } = desk;
      const rows = commands().map((c) => ({
        left: `/${c.name} ${c.usage[lang]}`.trimEnd(),
        right: c.help[lang],
      }));
      const width = Math.max(...rows.map((row) => columns(row.left))) + 2;
      const lines = rows.map(({ left, right }) => left + " ".repeat(width - columns(left)) + right);
      return [...lines, "", say(lang, "command.keys")].join("\n");
    },
  };
}

/** Columns of a terminal: a Chinese character takes two. */
const columns = (text: string) => text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);

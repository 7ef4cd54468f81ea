import { say } from "../base/text.ts";
import type { Command } from "../base/types.ts";
import { widthOf } from "./table.ts";

/** Columns of a command and its arguments, behind which the descriptions stand and wrap. */
const LEFT = 26;

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
      const lines = rows.flatMap(({ left, right }) => {
        const blanks = LEFT - widthOf(left);
        return blanks < 2 ? [left, " ".repeat(LEFT) + right] : [left + " ".repeat(blanks) + right];
      });
      return [...lines, "", say(lang, "command.keys")].join("\n");
    },
  };
}

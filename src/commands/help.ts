import type { Command } from "../types.ts";

/** Describes every command of the list it is given. */
export function helpFor(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    usage: "",
    help: { zh: "列出全部命令", en: "list all commands" },
    run(_args, desk) {
      const rows = commands().map((c) => ({
        left: `/${c.name}${c.usage === "" ? "" : ` ${c.usage}`}`,
        right: c.help[desk.lang],
      }));
      const width = Math.max(...rows.map((row) => row.left.length)) + 2;
      return rows.map((row) => row.left.padEnd(width) + row.right).join("\n");
    },
  };
}

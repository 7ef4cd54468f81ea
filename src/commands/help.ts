import type { Command } from "../base/types.ts";
import { widthOf } from "./table.ts";

/** Columns of a command and its arguments, behind which the descriptions stand and wrap. */
const LEFT = 26;

/** Describes every command of the list it is given. */
export function helpFor(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    anytime: true,
    help: (t) => t("list all commands"),
    run(_args, controller) {
      const { t } = controller;
      const rows = commands().map((c) => ({
        left: `/${c.name} ${c.usage?.(t) ?? ""}`.trimEnd(),
        right: c.help(t),
      }));
      const lines = rows.flatMap(({ left, right }) => {
        const blanks = LEFT - widthOf(left);
        return blanks < 2 ? [left, " ".repeat(LEFT) + right] : [left + " ".repeat(blanks) + right];
      });
      return [
        ...lines,
        "",
        t("@path attaches a file · !command runs a shell line and tells the model\n↑ history that begins with what is typed; takes a queued line back · ctrl-r searches it · ctrl-g your editor · ctrl-_ undo · alt-enter new line · tab completes\nesc interrupts, takes the queue back · esc esc back to an earlier prompt · ctrl-c clears, then interrupts, twice quits · ctrl-d quit · ctrl-z suspend\nctrl-o folded output · ctrl-t thinking"),
      ].join("\n");
    },
  };
}

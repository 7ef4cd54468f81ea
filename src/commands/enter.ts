import type { Command } from "../base/types.ts";
import { sessionChoices } from "./session_choices.ts";
import { whichSession } from "./show.ts";

/** Switches to a stored session. */
export const enter: Command = {
  name: "enter",
  aliases: ["resume", "continue", "load"],
  usage: (t) => t("<id|name|number>"),
  help: (t) => t("switch to a stored session"),
  complete: sessionChoices,
  async run(args, desk) {
    if (args === "") return await whichSession("enter", desk);
    const info = await desk.enter(args);
    return desk.t("Now in {id} ({title}), {turns} {turns:turn|turns}", {
      id: info.id,
      title: info.name || info.title,
      turns: info.turns,
    });
  },
};

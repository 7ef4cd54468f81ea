import type { Command } from "../base/types.ts";
import { sessionChoices } from "./session_choices.ts";
import { whichSession } from "./show.ts";

/** Deletes a stored session. */
export const remove: Command = {
  name: "delete",
  usage: (t) => t("<id|name|number>"),
  help: (t) => t("delete a stored session"),
  complete: sessionChoices,
  async run(args, desk) {
    if (args === "") return await whichSession("delete", desk);
    const info = await desk.remove(args);
    if (!info) throw new Error(desk.t("Not deleted"));
    return desk.t("Deleted {id} ({title})", { id: info.id, title: info.name || info.title });
  },
};

import type { Command } from "../base/types.ts";
import { say } from "../base/text.ts";
import { sessionChoices } from "./session_choices.ts";
import { whichSession } from "./show.ts";

/** Deletes a stored session. */
export const remove: Command = {
  name: "delete",
  usage: { zh: "<编号|名称|id>", en: "<id|name|number>" },
  help: { zh: "删除一个已保存的会话", en: "delete a stored session" },
  complete: sessionChoices,
  async run(args, desk) {
    if (args === "") return await whichSession("delete", desk);
    const info = await desk.remove(args);
    if (!info) throw new Error(say(desk.lang, "command.not_deleted"));
    return say(desk.lang, "command.deleted", { id: info.id, title: info.name || info.title });
  },
};

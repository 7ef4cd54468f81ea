import type { Command } from "../base/types.ts";

/** Names the current session, so that it is found again by that name. */
export const save: Command = {
  name: "save",
  aliases: ["rename"],
  usage: (t) => t("[name]"),
  help: (t) => t("name the current session"),
  async run(args, desk) {
    const session = desk.current();
    if (session.messages.length === 0) {
      throw new Error(desk.t("The current session is empty; there is nothing to save"));
    }
    const title = session.messages[0]!.text.trim().split("\n")[0]!.slice(0, 40);
    const name = args.replaceAll(/\s+/g, " ") || session.name || title;
    const taken = name !== session.name && (await desk.list()).some((info) => info.name === name);
    if (taken) {
      throw new Error(
        desk.t('There is already a session named "{name}"; choose another name', { name }),
      );
    }
    const info = await desk.save(name);
    return desk.t('Saved as "{name}" ({id})', { id: info.id, name });
  },
};

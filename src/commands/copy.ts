import { withoutEmptyEnds } from "../base/strings.ts";
import type { Command } from "../base/types.ts";

/** Puts the last answer on the clipboard. */
export const copy: Command = {
  name: "copy",
  anytime: true,
  help: (t) => t("copy the last answer to the clipboard"),
  run(_args, desk) {
    const answer = desk.current().messages.findLast((message) =>
      message.role === "assistant" && message.text.trim() !== ""
    );
    if (!answer) throw new Error(desk.t("There is no answer to copy yet"));
    desk.copy(withoutEmptyEnds(answer.text));
    return "";
  },
};

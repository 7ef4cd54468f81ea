import { visibleName } from "../../base/control_characters.ts";
import type { Command, Desk, RestoreWish } from "../../base/types.ts";
import { WHERE } from "../../commands/flags.ts";
import type { SharedCommand } from "../../commands/shell_command.ts";

const MOST = 99;

/** Takes back what the last turns did to files. */
export const undo: SharedCommand = {
  name: "undo",
  usage: () => "[n]",
  help: (t) => t("undo what the last n turns did to files, Bash included, after a preview"),
  async run(args, desk) {
    const count = args === "" ? 1 : Number(args);
    if (!Number.isInteger(count) || count < 1 || count > MOST) {
      throw new Error(
        desk.t("How many turns are to be undone? A number from 1 to {n}, not {found}", {
          n: MOST,
          found: args,
        }),
      );
    }
    return (await takeBackIn(desk, { what: "undo", count })).text;
  },
  shell: {
    brief: "undo what a turn did to files",
    flags: {
      ...WHERE,
      list: { is: "yes", brief: "list the turns that can be undone" },
      redo: { is: "yes", brief: "redo what was undone last" },
      yes: { is: "yes", brief: "do not ask (the preview is printed all the same)" },
      overwrite: {
        is: "yes",
        brief: "files that others have changed since are overwritten too",
      },
    },
    words: {
      brief: "number in --list: that turn and all after it; the last one when left out",
      placeholder: "N",
    },
    load: async () => (await import("./cli.ts")).undo,
  },
};

/** Brings back what was undone last. */
export const redo: Command = {
  name: "redo",
  help: (t) => t("redo what was undone last"),
  run: async (_args, desk) => (await takeBackIn(desk, { what: "redo" })).text,
};

/** Takes back in a session, whose model is told unless it is not to `hear`. */
export async function takeBackIn(
  desk: Desk,
  wish: RestoreWish,
  hear = true,
): Promise<{ readonly done: boolean; readonly text: string }> {
  const { t, checkpoints } = desk;
  const session = desk.current().id;
  const [{ takeBack }, words] = await Promise.all([import("./answer.ts"), import("./text.ts")]);
  return await takeBack({ ...wish, session }, {
    t,
    checkpoints,
    async ask(preview) {
      const choices = preview.conflicts
        .map(({ path }) => ({ value: path, label: visibleName(path) }));
      const label = t(
        "to be overwritten all the same (what they hold is kept first, and can be brought back)",
      );
      const answer = await desk.ask({
        kind: "undo",
        question: words.askText(preview, t),
        command: words.previewText(preview, t, session),
        ...choices.length === 0
          ? {}
          : { fields: [{ name: "overwrite", label, type: "choices", choices, value: [] }] },
      });
      if (answer === false) return undefined;
      const named = answer === true ? [] : answer["overwrite"];
      return Array.isArray(named) ? named.map(String) : [];
    },
    ...hear ? { note: (text: string) => desk.note(text) } : {},
  });
}

import { visibleName } from "../../base/control_characters.ts";
import type { Command, Desk, RestoreWish } from "../../base/types.ts";

const MOST = 99;

/** Takes back what the last turns did to files. */
export const undo: Command = {
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
    return (await takeBack({ what: "undo", count }, desk)).text;
  },
};

/** Brings back what was undone last. */
export const redo: Command = {
  name: "redo",
  help: (t) => t("redo what was undone last"),
  run: async (_args, desk) => (await takeBack({ what: "redo" }, desk)).text,
};

/** Shows what would be done, asks, does it, and tells the model unless it is not to `hear`. */
export async function takeBack(
  wish: RestoreWish,
  desk: Desk,
  hear = true,
): Promise<{ done: boolean; text: string }> {
  const { t, checkpoints } = desk;
  const words = await import("./text.ts");
  const session = desk.current().id;
  const preview = await checkpoints.preview({ ...wish, session });
  const { conflicts } = preview;
  const choices = conflicts.map(({ path }) => ({ value: path, label: visibleName(path) }));
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
  if (answer === false) return { done: false, text: t("Nothing was undone") };
  const named = answer === true ? [] : answer["overwrite"];
  const overwrite = Array.isArray(named) ? named.map(String) : [];
  const outcome = await checkpoints.restore(preview.id, overwrite);
  if (hear && outcome.paths.length > 0) desk.note(words.noteText(preview, outcome, t));
  return { done: true, text: words.outcomeText(preview, outcome, t) };
}

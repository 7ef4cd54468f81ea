import { visibleName } from "../../base/control_characters.ts";
import type {
  CheckpointTurn,
  Command,
  Field,
  Json,
  RestoreWish,
  SessionController,
} from "../../base/types.ts";
import { WHERE } from "../../commands/flags.ts";
import type { SharedCommand } from "../../commands/shell_command.ts";

const REWINDS = {
  files: "files",
  conversation: "conversation",
  both: "files and conversation",
  what: "what to restore",
  turn: "to before",
} as const;

const WHAT = ["files", "conversation", "both"] as const;
type What = (typeof WHAT)[number];
const LISTED = 20;

/** Goes back to before a turn: its files, the conversation, or both. */
export const rewind: Command = {
  name: "rewind",
  usage: () => "[n] [files|conversation|both]",
  help: (t) =>
    t("list the turns that changed files, and go back to before one: files, conversation or both"),
  async complete(controller) {
    const turns = await undoable(controller);
    const { turnLine } = await import("./answer.ts");
    return turns.slice(0, LISTED).flatMap((turn, at) =>
      (talks(turn, controller) ? WHAT : ["files"]).map((what) => ({
        value: `${at + 1} ${what}`,
        help: turnLine(turn, controller.t),
      }))
    );
  },
  async run(args, controller) {
    const turns = await undoable(controller);
    if (turns.length === 0) {
      throw new Error(
        controller.t("Nothing to undo: no turn has changed a file, or all of them are undone"),
      );
    }
    const wanted = args === "" ? await choose(turns, controller) : parse(args, turns, controller);
    if (!wanted) return controller.t("Nothing was undone");
    return await goBack(wanted.turn, wanted.what, controller);
  },
};

const undoable = async (controller: SessionController) =>
  (await controller.checkpoints.turns(controller.current().id)).filter(({ undone }) => !undone);

interface Wanted {
  readonly turn: CheckpointTurn;
  readonly what: What;
}

function parse(args: string, turns: readonly CheckpointTurn[], { t }: SessionController): Wanted {
  const [n = "", given = "files"] = args.split(/\s+/);
  const turn = turns[Number(n) - 1];
  const what = WHAT.find((one) => one === given);
  if (turn && what) return { turn, what };
  throw new Error(
    t(
      "Usage: /rewind <n> files|conversation|both; n counts from the last turn, 1 to {n}, not {found}",
      { n: turns.length, found: args },
    ),
  );
}

async function choose(
  turns: readonly CheckpointTurn[],
  controller: SessionController,
): Promise<Wanted | undefined> {
  const { t } = controller;
  const { turnLine, turnTable } = await import("./answer.ts");
  const shown = turns.slice(0, LISTED);
  const choices = shown.map((turn, at) => ({
    value: turn.id,
    label: `${at + 1}  ${turnLine(turn, t)}`,
  }));
  const question = { question: t("Rewind to before which turn?"), command: turnTable(shown, t) };
  const id = await pick(controller, "turn", question, choices);
  const turn = shown.find((one) => one.id === id);
  if (turn === undefined || !talks(turn, controller)) return turn && { turn, what: "files" };
  const kinds = WHAT.map((value) => ({ value, label: t(REWINDS[value]) }));
  const given = await pick(controller, "what", { question: t("Restore what?") }, kinds);
  const what = WHAT.find((one) => one === given);
  return what && { turn, what };
}

/** The value of one of `choices`, the first of which is likely; undefined when the user wants none. */
async function pick(
  controller: SessionController,
  name: "turn" | "what",
  question: { readonly question: string; readonly command?: string },
  choices: NonNullable<Field["choices"]>,
): Promise<Json | undefined> {
  const label = controller.t(REWINDS[name]);
  const field = { name, label, type: "choice", choices, value: choices[0]!.value } as const;
  const fields = [{ ...field, required: true }];
  const answer = await controller.ask({ kind: "input", ...question, fields, direct: true });
  return typeof answer === "boolean" ? undefined : answer[name];
}

/** Whether the conversation can go back to before the turn: it is of this session, and of a prompt. */
function talks({ session, prompt }: CheckpointTurn, controller: SessionController): boolean {
  const current = controller.current();
  return session === current.id && prompt !== undefined && prompt < current.prompts.length;
}

async function goBack(
  turn: CheckpointTurn,
  what: What,
  controller: SessionController,
): Promise<string> {
  const { prompt, id } = turn;
  const current = controller.current();
  const talk = what !== "files";
  if (talk && !talks(turn, controller)) {
    throw new Error(
      controller.t(
        "That turn does not begin with a prompt of this session: only its files can be restored",
      ),
    );
  }
  const said: string[] = [];
  if (what !== "conversation") {
    // who goes back in the conversation too knows nothing of what is undone
    const { done, text } = await takeBackIn(controller, { what: "undo", to: id }, !talk);
    said.push(text);
    if (!done) return text;
  }
  if (talk) {
    await controller.back(prompt!);
    said.push(
      controller.t(
        "Rewound to prompt {n}: edit and send it. The previous session is kept as {id}",
        {
          n: prompt! + 1,
          id: current.id,
        },
      ),
    );
  }
  return said.join("\n");
}

const MOST = 99;

/** Takes back what the last turns did to files. */
export const undo: SharedCommand = {
  name: "undo",
  usage: () => "[n]",
  help: (t) => t("undo what the last n turns did to files, Bash included, after a preview"),
  async run(args, controller) {
    const count = args === "" ? 1 : Number(args);
    if (!Number.isInteger(count) || count < 1 || count > MOST) {
      throw new Error(
        controller.t("How many turns are to be undone? A number from 1 to {n}, not {found}", {
          n: MOST,
          found: args,
        }),
      );
    }
    return (await takeBackIn(controller, { what: "undo", count })).text;
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
  run: async (_args, controller) => (await takeBackIn(controller, { what: "redo" })).text,
};

/** Takes back in a session, whose model is told unless it is not to `hear`. */
export async function takeBackIn(
  controller: SessionController,
  wish: RestoreWish,
  hear = true,
): Promise<{ readonly done: boolean; readonly text: string }> {
  const { t, checkpoints } = controller;
  const session = controller.current().id;
  const [{ takeBack }, words] = await Promise.all([import("./answer.ts"), import("./answer.ts")]);
  return await takeBack({ ...wish, session }, {
    t,
    checkpoints,
    async ask(preview) {
      const choices = preview.conflicts
        .map(({ path }) => ({ value: path, label: visibleName(path) }));
      const label = t(
        "to be overwritten all the same (what they hold is kept first, and can be brought back)",
      );
      const answer = await controller.ask({
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
    ...hear ? { note: (text: string) => controller.note(text) } : {},
  });
}

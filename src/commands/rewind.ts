import type { CheckpointTurn, Command, Desk } from "../types.ts";
import { say } from "../text.ts";
import { takeBack } from "./undo.ts";

const WHAT = ["files", "conversation", "both"] as const;
type What = (typeof WHAT)[number];
const LISTED = 20;

/** Goes back to before a turn: its files, the conversation, or both. */
export const rewind: Command = {
  name: "rewind",
  usage: { zh: "[n] [files|conversation|both]", en: "[n] [files|conversation|both]" },
  help: {
    zh: "列出改动过文件的回合，回到其中一轮之前：文件、对话或两者",
    en: "list the turns that changed files, and go back to before one: files, conversation or both",
  },
  async complete(desk) {
    const turns = await undoable(desk);
    const { turnLine } = await import("./undo_text.ts");
    return turns.slice(0, LISTED).flatMap((turn, at) =>
      WHAT.map((what) => ({ value: `${at + 1} ${what}`, help: turnLine(turn, desk.lang) }))
    );
  },
  async run(args, desk) {
    const turns = await undoable(desk);
    if (turns.length === 0) throw new Error(say(desk.lang, "undo.no_undo"));
    const wanted = args === "" ? await choose(turns, desk) : parse(args, turns, desk);
    if (!wanted) return say(desk.lang, "undo.declined");
    return await goBack(wanted.turn, wanted.what, desk);
  },
};

const undoable = async (desk: Desk) =>
  (await desk.checkpoints.turns(desk.current().id)).filter(({ undone }) => !undone);

interface Wanted {
  readonly turn: CheckpointTurn;
  readonly what: What;
}

function parse(args: string, turns: readonly CheckpointTurn[], { lang }: Desk): Wanted {
  const [n = "", given = "files"] = args.split(/\s+/);
  const turn = turns[Number(n) - 1];
  const what = WHAT.find((one) => one === given);
  if (turn && what) return { turn, what };
  throw new Error(say(lang, "rewind.usage", { n: turns.length, found: args }));
}

async function choose(turns: readonly CheckpointTurn[], desk: Desk): Promise<Wanted | undefined> {
  const { lang } = desk;
  const { turnLine, turnTable } = await import("./undo_text.ts");
  const shown = turns.slice(0, LISTED);
  const answer = await desk.ask({
    kind: "input",
    question: say(lang, "rewind.ask"),
    command: turnTable(shown, lang),
    fields: [
      {
        name: "turn",
        label: say(lang, "rewind.turn"),
        type: "choice",
        choices: shown.map((turn, at) => ({
          value: turn.id,
          label: `${at + 1}  ${turnLine(turn, lang)}`,
        })),
        value: shown[0]!.id,
        required: true,
      },
      {
        name: "what",
        label: say(lang, "rewind.what"),
        type: "choice",
        choices: WHAT.map((value) => ({ value, label: say(lang, `rewind.${value}`) })),
        value: "files",
        required: true,
      },
    ],
  });
  if (typeof answer === "boolean") return undefined;
  const turn = shown.find(({ id }) => id === answer["turn"]);
  return turn && { turn, what: answer["what"] as What };
}

async function goBack(turn: CheckpointTurn, what: What, desk: Desk): Promise<string> {
  const { session, prompt, id } = turn;
  const current = desk.current();
  const talk = what !== "files";
  if (
    talk && (session !== current.id || prompt === undefined || prompt >= current.prompts.length)
  ) {
    throw new Error(say(desk.lang, "rewind.no_conversation"));
  }
  const said: string[] = [];
  if (what !== "conversation") {
    // who goes back in the conversation too knows nothing of what is undone
    const { done, text } = await takeBack({ what: "undo", to: id }, desk, !talk);
    said.push(text);
    if (!done) return text;
  }
  if (talk) {
    await desk.back(prompt!);
    said.push(say(desk.lang, "back.done", { n: prompt! + 1, id: current.id }));
  }
  return said.join("\n");
}

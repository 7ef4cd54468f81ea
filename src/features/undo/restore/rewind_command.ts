import type { CheckpointTurn, Command, Desk, Field, Json } from "../../../base/types.ts";
import { say } from "../../../base/text.ts";
import { takeBack } from "../command.ts";

const WHAT = ["files", "conversation", "both"] as const;
type What = (typeof WHAT)[number];
const LISTED = 20;

/** Goes back to before a turn: its files, the conversation, or both. */
export const rewind: Command = {
  name: "rewind",
  usage: { zh: "[n] [files|conversation|both]", en: "[n] [files|conversation|both]" },
  help: {
    zh: "列出改动过文件的各轮，回到其中一轮之前：文件、会话或两者",
    en: "list the turns that changed files, and go back to before one: files, conversation or both",
  },
  async complete(desk) {
    const turns = await undoable(desk);
    const { turnLine } = await import("../text.ts");
    return turns.slice(0, LISTED).flatMap((turn, at) =>
      (talks(turn, desk) ? WHAT : ["files"]).map((what) => ({
        value: `${at + 1} ${what}`,
        help: turnLine(turn, desk.lang),
      }))
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
  const { turnLine, turnTable } = await import("../text.ts");
  const shown = turns.slice(0, LISTED);
  const choices = shown.map((turn, at) => ({
    value: turn.id,
    label: `${at + 1}  ${turnLine(turn, lang)}`,
  }));
  const question = { question: say(lang, "rewind.ask"), command: turnTable(shown, lang) };
  const id = await pick(desk, "turn", question, choices);
  const turn = shown.find((one) => one.id === id);
  if (turn === undefined || !talks(turn, desk)) return turn && { turn, what: "files" };
  const kinds = WHAT.map((value) => ({ value, label: say(lang, `rewind.${value}`) }));
  const given = await pick(desk, "what", { question: say(lang, "rewind.ask_what") }, kinds);
  const what = WHAT.find((one) => one === given);
  return what && { turn, what };
}

/** The value of one of `choices`, the first of which is likely; undefined when the user wants none. */
async function pick(
  desk: Desk,
  name: "turn" | "what",
  question: { readonly question: string; readonly command?: string },
  choices: NonNullable<Field["choices"]>,
): Promise<Json | undefined> {
  const label = say(desk.lang, `rewind.${name}`);
  const field = { name, label, type: "choice", choices, value: choices[0]!.value } as const;
  const fields = [{ ...field, required: true }];
  const answer = await desk.ask({ kind: "input", ...question, fields, direct: true });
  return typeof answer === "boolean" ? undefined : answer[name];
}

/** Whether the conversation can go back to before the turn: it is of this session, and of a prompt. */
function talks({ session, prompt }: CheckpointTurn, desk: Desk): boolean {
  const current = desk.current();
  return session === current.id && prompt !== undefined && prompt < current.prompts.length;
}

async function goBack(turn: CheckpointTurn, what: What, desk: Desk): Promise<string> {
  const { prompt, id } = turn;
  const current = desk.current();
  const talk = what !== "files";
  if (talk && !talks(turn, desk)) {
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

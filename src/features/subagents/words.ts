/** What a lane is told of an agent that works for it, for the model. */
import type { AgentInfo, AgentState, Lang } from "../../base/types.ts";
import { say } from "../../base/text.ts";
import { under } from "../../base/under.ts";
import { errorMessage } from "../../base/error_message.ts";
import type { TurnAnswer } from "./progress.ts";

/** Of a longer answer the model sees the beginning and the end, in characters. */
const ANSWER_CHARS = 24_000;
const FIRST_CHARS = 16_000;
/** Refused calls that are named. */
const REFUSED_CALLS = 10;

/** What a turn's end makes of who worked at it. */
export function stateAfter({ reason }: TurnAnswer): AgentState {
  return reason === "done" ? "done" : reason === "interrupted" ? "stopped" : "failed";
}

/** What it said, why it did not get further where it did not, and what was refused to it, whatever it says. */
export function answerText(
  state: AgentState,
  { reason, text, why, refused }: TurnAnswer,
  lang: Lang,
): string {
  const calls = [...new Set(refused)].slice(0, REFUSED_CALLS).join("; ");
  const also = [
    // what it has not verified is for who goes on with it
    ...state === "done" && why !== "" ? [`(${why})`] : [],
    ...calls === "" ? [] : [`(${say(lang, "agents.not_run", { calls })})`],
  ];
  if (state === "done") {
    return [text === "" ? say(lang, "agents.said_nothing") : text, ...also].join("\n\n");
  }
  const reasons = reason === "max_iterations" || reason === "loop"
    ? say(lang, `agents.why_${reason}`)
    : state === "stopped"
    ? say(lang, "agents.why_stopped")
    : why || say(lang, "agents.why_unknown");
  const soFar = text === "" ? [] : [say(lang, "agents.so_far"), text];
  return [reasons, ...soFar, ...also].join("\n\n");
}

/** The line that brings an agent's answer; nothing in it can end the fence around it. */
export function answerLine(info: AgentInfo, text: string, lang: Lang): string {
  const { id, label, member } = info;
  const state = info.state === "failed" || info.state === "stopped" ? info.state : "done";
  const head = say(lang, member ? `agents.member_${state}` : `agents.${state}`, { id, label });
  const inside = text.replaceAll(/<(?=\s*\/\s*answer\b)/gi, "&lt;");
  return `${head}\n<answer from="${id}">\n${inside}\n</answer>`;
}

/** The text where it is short enough; otherwise both ends of it, and a full copy in the folder. */
export async function bounded(
  text: string,
  name: string,
  folder: string,
  lang: Lang,
): Promise<string> {
  if (text.length <= ANSWER_CHARS) return text;
  const first = text.slice(0, FIRST_CHARS).toWellFormed();
  const last = text.slice(text.length - (ANSWER_CHARS - FIRST_CHARS)).toWellFormed();
  const chars = text.length - ANSWER_CHARS;
  const file = under(folder, name);
  let note: string;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(file, text, { mode: 0o600 });
    note = say(lang, "agents.cut", { chars, file });
  } catch (error) {
    const why = errorMessage(error);
    note = say(lang, "agents.cut_unkept", { chars, why });
  }
  return `${first}\n\n${note}\n\n${last}`;
}

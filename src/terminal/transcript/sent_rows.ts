/** A line that begins a turn and that no person has typed: a plan's step, an agent's answer, a hook's words. */
import { PLAN } from "../../agent/lines/steps.ts";
import type { AgentInfo } from "../../base/types.ts";
import { nameOf } from "./agent_rows.ts";
import { clip, plain } from "../../base/control_characters.ts";
import { cut, type Look, type Row, wrapped } from "./rows.ts";

const STEP = /^\[Step \d+\/\d+\]/;
const ANSWER = /<answer\b[^>]*>\n([^]*)\n<\/answer>/;
const LANE_OF_AGENT = /^(?:sub|team):(.*)$/;
const FIRST_CHARS = 200;

export interface SentRows {
  readonly rows: readonly Row[];
  /** All of it, where the rows leave something out. */
  readonly folded?: readonly Row[];
}

/** `agents` are those that it may come from. */
export function sentRows(
  { text, from }: { readonly text: string; readonly from: string },
  agents: readonly AgentInfo[],
  look: Look,
): SentRows {
  const { style } = look;
  if (from === PLAN) {
    const step = STEP.exec(text)?.[0] ?? "";
    const lines = plain(text.slice(step.length)).trim().split("\n");
    const head = step === "" ? "" : `${style.bold(step)} `;
    return {
      rows: lines.map((line, at) =>
        wrapped(at === 0 ? head + line : line, at === 0 ? style.cyan("▸ ") : "  ")
      ),
    };
  }
  const id = LANE_OF_AGENT.exec(from)?.[1];
  const who = agents.find((one) => one.id === id);
  const name = who ? nameOf(who, look) : style.bold(clip(from, FIRST_CHARS));
  const lines = plain(ANSWER.exec(text)?.[1] ?? text).trim().split("\n");
  const head = `${style.cyan("←")} ${name}`;
  const row = cut(head + style.dim(` · ${clip(lines[0]!, FIRST_CHARS)}`));
  if (lines.length === 1 && lines[0]!.length <= FIRST_CHARS / 4) return { rows: [row] };
  const hint = look.keys ? { end: style.dim(" · ctrl-o") } : {};
  return {
    rows: [{ ...row, ...hint }],
    folded: [cut(head), ...lines.map((line) => wrapped(line, "  "))],
  };
}

/** How agents read that work for the session. */
import type { AgentInfo } from "../../base/types.ts";
import { titleOf } from "./calls.ts";
import { clip, plain } from "../../base/control_characters.ts";
import { count, wholeSeconds } from "../../base/figures.ts";
import { cut, type Look, type Row, wrapped } from "./rows.ts";
import { PLAN } from "../../agent/lines/queue.ts";

// A line that begins a turn and that no person has typed: a plan's step, an agent's answer, a hook's words.

const STEP = /^\[Step \d+\/\d+\]/;
const ANSWER = /<answer\b[^>]*>\n([^]*)\n<\/answer>/;
const LANE_OF_AGENT = /^(?:sub|team):(.*)$/;
const FIRST_CHARS = 200;

interface SentRows {
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

const LABEL_CHARS = 60;

/** Whether it works, or waits for a place. */
export const isAtWork = ({ state }: AgentInfo): boolean =>
  state === "queued" || state === "running";

/** Those at work, at most `max` rows; the others, and those that wait for a place, are counted. */
export function agentRows(agents: readonly AgentInfo[], look: Look, max: number): Row[] {
  const { t, style } = look;
  const running = agents.filter(({ state }) => state === "running");
  const queued = agents.filter(({ state }) => state === "queued").length;
  const all = running.length + (queued > 0 ? 1 : 0);
  const shown = all <= max ? running : running.slice(0, Math.max(0, max - 1));
  const more = running.length - shown.length;
  const counts = [
    ...more > 0 ? [t("{n} more at work", { n: more })] : [],
    ...queued > 0 ? [t("{n} queued", { n: queued })] : [],
  ];
  return [
    ...shown.map((info): Row => ({
      ...cut(
        `${style.cyan("◆")} ${nameOf(info, look)}`,
        style.dim(
          ` · ${info.doing === "" ? t("thinking") : titleOf(info.doing, look)} · ${
            steps(info, look)
          }`,
        ),
      ),
      hint: style.dim(` · ${tokens(info)}`),
    })),
    ...counts.length > 0 ? [cut(style.dim(`  … ${counts.join(" · ")}`))] : [],
  ];
}

/** One that has ended, or a member that has answered. */
export function agentEndRow(info: AgentInfo, look: Look): Row {
  const { t, style } = look;
  const paint = info.state === "done" ? style.green : style.red;
  const facts = [
    ...info.steps > 0 ? [steps(info, look), tokens(info)] : [],
    wholeSeconds(Math.round(info.ms / 1000)),
  ];
  const state = t(info.state);
  return {
    ...cut(`${paint("◆")} ${nameOf(info, look)}`, style.dim(" · ") + paint(state)),
    hint: style.dim(` · ${facts.join(" · ")}`),
  };
}

/** `ab12cd34 label`; a member of a team goes by its name. */
export function nameOf({ id, label, kind }: AgentInfo, { style }: Look): string {
  const of = kind === "" ? "" : ` (${clip(kind, LABEL_CHARS)})`;
  return `${style.bold(clip(id, LABEL_CHARS))} ${clip(label, LABEL_CHARS)}${of}`;
}

const steps = ({ steps: n }: AgentInfo, { t }: Look) => t("{n} {n:step|steps}", { n });
/** Before a request has ended nobody knows. */
const tokens = ({ usage, steps }: AgentInfo) =>
  steps === 0 ? "–" : `↑${count(usage.input)} ↓${count(usage.output)}`;

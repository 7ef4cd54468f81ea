/** What is said of a turn: its line, notices, errors and its end. */
import type { Text } from "../../base/t.ts";
import type { AgentEvent, Usage } from "../../base/types.ts";
import { plain } from "../../base/control_characters.ts";
import { cost, count, duration } from "./figures.ts";
import { type Look, type Row, wrapped } from "./rows.ts";

type EventOf<V extends AgentEvent["type"]> = Extract<AgentEvent, { type: V }>;

/** What of a table's row, or before an indented line, the rest stays behind. */
const FIRST_COLUMN = /^(?:\*? *\S+(?: \S+)*? {2,}|\* | +)(?=\S)/;

/** A line the user sent. */
export function userRows(text: string, look: Look): Row[] {
  return plain(text).split("\n").map((line, index) =>
    wrapped(line, index === 0 ? look.style.cyan("❯ ") : "  ")
  );
}

export function noticeRows(event: EventOf<"notice">, look: Look): Row[] {
  const colour = event.level === "warn" ? look.style.yellow : (text: string) => text;
  return plain(event.text).trimEnd().split("\n").map((line) => {
    const lead = FIRST_COLUMN.exec(line)?.[0] ?? "";
    return wrapped(colour(line.slice(lead.length)), lead === "" ? "" : colour(lead));
  });
}

export function errorRows(event: EventOf<"error">, look: Look): Row[] {
  return plain(event.text).trimEnd().split("\n").map((line, index) =>
    wrapped(look.style.red(line), index === 0 ? look.style.red("✗ ") : "  ")
  );
}

/** The end of a turn: what it used, and what became of an unanswered prompt. */
export function turnEndRows(
  event: EventOf<"turn_end">,
  usage: Usage | undefined,
  look: Look,
): Row[] {
  const { style, t } = look;
  if (event.reason === "command") return [];
  const rows: Row[] = [];
  if (event.reason === "interrupted") rows.push(interruptedRow(look));
  if (event.prompt !== undefined) {
    rows.push(wrapped(style.dim(t("The turn did not finish; your prompt is back in the input"))));
  }
  if (usage === undefined) return rows;
  const parts = [
    t("{input} in · {output} out", { input: count(usage.input), output: count(usage.output) }),
    usage.cached > 0
      ? t("{cached} cached ({percent}%)", {
        cached: count(usage.cached),
        percent: Math.round(100 * usage.cached / usage.input),
      })
      : "",
    usage.cost === null ? t("cost unknown") : cost(usage.cost),
    duration(event.ms),
  ];
  rows.push(wrapped(style.dim(parts.filter((part) => part !== "").join(" · "))));
  return rows;
}

export function interruptedRow({ style, t }: Look): Row {
  return wrapped(style.yellow(t("Interrupted")));
}

/** One of the project's texts, aside. */
export function dimRow(
  text: Text,
  { style, t }: Look,
  values?: { readonly [name: string]: number },
): Row {
  return wrapped(style.dim(t(text, values)));
}

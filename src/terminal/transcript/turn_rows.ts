/**
 * What is said of a turn: its line, its list of tasks, notices, errors and its end, and the last
 * exchange when a session is taken up again.
 */
import { clip, plain } from "../../base/control_characters.ts";
import { HOST_MARK, type Text } from "../../base/t.ts";
import type { AgentEvent, Carried, Session, Todo, Usage } from "../../base/types.ts";
import { cost, count, duration } from "../../base/figures.ts";
import { cut, type Look, type Row, wrapped } from "./rows.ts";

/** The todo panel, at most `max` rows: what is done folds first, then what comes last; one row tells what is being done. */
export function todoRows(todos: readonly Todo[], look: Look, max: number): Row[] {
  const { style } = look;
  const row = (todo: Todo): Row => {
    const text = clip(todo.status === "in_progress" ? todo.activeForm : todo.content);
    switch (todo.status) {
      case "completed":
        return cut(style.dim(`  ✓ ${text}`));
      case "in_progress":
        return cut(style.cyan(`  ▸ ${style.bold(text)}`));
      case "pending":
        return cut(`  ○ ${text}`);
    }
  };
  if (todos.length <= max) return todos.map(row);
  if (max === 1) {
    const now = todos.find(({ status }) => status === "in_progress") ??
      todos.find(({ status }) => status === "pending") ?? todos.at(-1)!;
    const done = todos.filter(({ status }) => status === "completed").length;
    return [{ ...row(now), end: style.dim(` · ${done}/${todos.length}`) }];
  }
  const left = todos.filter((todo) => todo.status !== "completed");
  const done = todos.length - left.length;
  const rows = done > 0 ? [cut(style.dim(`  ✓ ${look.t("{count} done", { count: done })}`))] : [];
  const room = Math.max(1, max - rows.length);
  if (left.length <= room) return [...rows, ...left.map(row)];
  const shown = left.slice(0, room - 1);
  const more = look.t("… {count} more", { count: left.length - shown.length });
  return [...rows, ...shown.map(row), cut(style.dim(`  ${more}`))];
}

/** What a panel shows of a list at rest: nothing when all is done. */
export function openTodos(todos: readonly Todo[]): readonly Todo[] {
  return todos.every((todo) => todo.status === "completed") ? [] : todos;
}

const QUESTION_LINES = 4;
const ANSWER_LINES = 14;
/** A few long lines must not fill the screen either. */
const QUESTION_CHARS = 300;
const ANSWER_CHARS = 900;

/**
 * The last question and the end of its answer, dim, some twenty rows; of a session that began with
 * a summary which one it goes on from, too. None for an empty session.
 */
export function recapRows(session: Session, look: Look): Row[] {
  const { carried } = session;
  const said = lastSaid(session, look);
  const rows = carried === undefined
    ? said
    : [fromRow(carried, look), ...said.length > 0 ? said : carriedRows(carried, look)];
  return rows.map((row) => ({ ...row, text: look.style.dim(row.text) }));
}

function fromRow({ parent: id, turns }: Carried, { t }: Look): Row {
  const text = turns === undefined
    ? t("Continues session {id} (summed up); /undo-compact goes back", { id })
    : t("Continues session {id} ({turns} {turns:turn|turns}, summed up); /undo-compact goes back", {
      id,
      turns,
    });
  return { text, fit: "wrap" };
}

/** The last question before the summary, and how that begins. */
function carriedRows({ prompts = [], summary, written = Infinity }: Carried, look: Look): Row[] {
  const last = prompts.at(-1);
  const begin = summary.indexOf("\n\n") + 2;
  const words = plain(summary.slice(begin, begin + written)).trim();
  return [
    ...last === undefined ? [] : userRows(clipEnd(plain(last).trim()), look),
    ...answerRows(clipEnd(words, ANSWER_LINES, ANSWER_CHARS)),
  ];
}

const answerRows = (text: string): Row[] =>
  text.split("\n").map((line): Row => ({ lead: "  ", text: line, fit: "wrap" }));

function lastSaid(session: Session, look: Look): Row[] {
  const { t } = look;
  const { messages } = session;
  // The loop's own words to the model are nobody's question.
  const at = messages.findLastIndex((message) =>
    message.role === "user" && !message.text.startsWith(HOST_MARK)
  );
  const question = messages[at];
  if (question === undefined) return [];
  const answer = messages.slice(at).findLast((message) =>
    message.role === "assistant" && message.text.trim() !== ""
  );
  const title = t("Resumed at turn {turns}. Last exchange:", { turns: session.turns });
  const rows: Row[] = [
    { text: title, fit: "wrap" },
    ...userRows(clipEnd(plain(question.text).trim()), look),
  ];
  if (answer !== undefined) {
    rows.push(...answerRows(clipStart(plain(answer.text).trim())));
  }
  return rows;
}

function clipEnd(text: string, lines = QUESTION_LINES, chars = QUESTION_CHARS): string {
  const some = text.split("\n").slice(0, lines).join("\n").slice(0, chars);
  return some.length < text.length ? `${some.trimEnd().toWellFormed()} …` : text;
}

function clipStart(text: string): string {
  const some = text.split("\n").slice(-ANSWER_LINES).join("\n").slice(-ANSWER_CHARS);
  return some.length < text.length ? `… ${some.trimStart().toWellFormed()}` : text;
}

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

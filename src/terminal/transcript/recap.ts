/** The last exchange of a session that is taken up again. */
import { plain } from "../../base/control_characters.ts";
import { userRows } from "./turn_rows.ts";
import type { Look, Row } from "./rows.ts";
import { HOST_MARK } from "../../base/t.ts";
import type { Carried, Session } from "../../base/types.ts";

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

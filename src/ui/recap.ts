/** The last exchange of a session that is taken up again. */
import { plain } from "./clean.ts";
import { userRows } from "./turn_rows.ts";
import type { Look, Row } from "./rows.ts";
import { HOST_MARK, say } from "../text.ts";
import type { Session } from "../types.ts";

const QUESTION_LINES = 4;
const ANSWER_LINES = 14;
/** A few long lines must not fill the screen either. */
const QUESTION_CHARS = 300;
const ANSWER_CHARS = 900;

/** The last question and the end of its answer, dim, some twenty rows; none for an empty session. */
export function recapRows(session: Session, look: Look): Row[] {
  const { style, lang } = look;
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
  const title = say(lang, "screen.recap", { turns: session.turns });
  const rows: Row[] = [
    { text: title, fit: "wrap" },
    ...userRows(clipEnd(plain(question.text).trim()), look),
  ];
  if (answer !== undefined) {
    const lines = clipStart(plain(answer.text).trim()).split("\n");
    rows.push(...lines.map((text): Row => ({ lead: "  ", text, fit: "wrap" })));
  }
  return rows.map((row) => ({ ...row, text: style.dim(row.text) }));
}

function clipEnd(text: string): string {
  const some = text.split("\n").slice(0, QUESTION_LINES).join("\n").slice(0, QUESTION_CHARS);
  return some.length < text.length ? `${some.trimEnd().toWellFormed()} …` : text;
}

function clipStart(text: string): string {
  const some = text.split("\n").slice(-ANSWER_LINES).join("\n").slice(-ANSWER_CHARS);
  return some.length < text.length ? `… ${some.trimStart().toWellFormed()}` : text;
}

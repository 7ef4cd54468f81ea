/** What no summary may lose: facts of a session that the host keeps itself. */
import type { Session, Todo } from "../../base/types.ts";
import type { T } from "../../base/t.ts";

const REQUESTS = 3;
const REQUEST_CHARS = 3000;
/** From so many files on they are listed by folder. */
const LISTED_SINGLY = 100;
const FILES_AT_MOST = 3000;

/** What is known of a changed file besides that it was changed; undefined for nothing. */
export type FileState = (path: string) => string | undefined;

/**
 * The last requests word for word, open todos, every changed file, loaded skills and the folder, as
 * markdown for the model. It owes nothing to any model's summary.
 */
export function pinned(
  session: Session,
  t: T,
  stateOf: FileState = () => undefined,
  requestChars: number = REQUEST_CHARS,
): string {
  const sections = [
    section(
      t("The user's last requests, word for word (newest last)"),
      lastRequests(session, requestChars),
    ),
    section(t("Open todos"), session.todos.filter(isOpen).map(todoLine)),
    section(t("Changed and not verified since"), files(session, false, stateOf)),
    section(t("Changed and verified"), files(session, true, stateOf)),
    section(
      t("Skills loaded before (one that does not stand in full above: read it again before you follow it)"),
      [...session.skills],
    ),
    t(
      "Shell commands run in {cwd}. The rules and instructions of the project stand above in full, as in every session.",
      { cwd: session.cwd },
    ),
  ];
  return [
    t("# Recorded by narnat itself (facts, whatever a summary says)"),
    ...sections.filter((text) => text !== ""),
  ].join("\n\n");
}

/** The same in `most` characters: long requests must not crowd out the files and todos. */
export function pinnedWithin(
  session: Session,
  most: number,
  t: T,
  stateOf?: FileState,
): string {
  const whole = pinned(session, t, stateOf);
  if (whole.length <= most) return whole;
  const short = pinned(session, t, stateOf, Math.round(most / 12));
  return short.length <= most ? short : cutText(short, most);
}

/** The beginning of a text, and how much is missing. */
export function cutText(text: string, most: number): string {
  const left = Math.round(text.length - most);
  return left <= 0 ? text : `${text.slice(0, most).toWellFormed()}\n… (${left} characters cut)`;
}

/** The lines that a person submitted last, in this session or the ones that led to it; oldest first. */
export function lastPrompts(session: Session): readonly string[] {
  return [...session.carried?.prompts ?? [], ...session.prompts].slice(-REQUESTS);
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? "" : [`## ${title}`, ...lines.map((line) => `- ${line}`)].join("\n");

const isOpen = (todo: Todo) => todo.status !== "completed";

const todoLine = ({ status, content }: Todo) => `[${status}] ${oneLine(content)}`;

const lastRequests = (session: Session, most: number) =>
  lastPrompts(session).map((text) => clip(text.trim(), most).replaceAll("\n", "\n  "));

/** The beginning says what is wanted, the end what matters now. */
function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most * 2 / 3).toWellFormed();
  const tail = text.slice(-most / 3).toWellFormed();
  return `${head}\n… (${text.length - most} characters left out) …\n${tail}`;
}

function files(session: Session, verified: boolean, stateOf: FileState): string[] {
  const all = [...session.changed].filter(([, state]) => state === verified).map(([path]) => path);
  if (session.changed.size <= LISTED_SINGLY) {
    return all.map((path) => {
      const state = stateOf(path);
      return oneLine(path) + (state === undefined ? "" : ` (${state})`);
    });
  }
  // the newest matter most
  const shown = all.slice(-FILES_AT_MOST);
  const folders = new Map<string, string[]>();
  for (const path of shown) {
    const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;
    const folder = path.slice(0, end);
    const names = folders.get(folder);
    if (names) names.push(path.slice(end));
    else folders.set(folder, [path.slice(end)]);
  }
  const lines = [...folders].map(([folder, names]) =>
    `${oneLine(folder)}${folder === "" ? "" : ": "}${names.map(oneLine).join(", ")}`
  );
  const left = all.length - shown.length;
  return left > 0 ? [`${left} older ones, not listed`, ...lines] : lines;
}

/** A name may hold anything; a line of the list is one line. */
const oneLine = (text: string) => /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;

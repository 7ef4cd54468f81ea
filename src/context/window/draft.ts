/**
 * A view that is being made, and what no summary may lose; nothing has changed until it is shown.
 */
import { under } from "../../base/path.ts";
import { HOST_MARK, type T } from "../../base/t.ts";
import type { Message, Session, Todo } from "../../base/types.ts";

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
function cutText(text: string, most: number): string {
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

const PINS = "\n\n---\n\n";
const DROPPED = "The newest of these messages were dropped without a summary.";

/** What of it stays the same for a session. */
interface LeadOptions {
  readonly session: Session;
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir: string | undefined;
  readonly t: T;
}

/**
 * A lead for a view that begins at place `from`: `body`, which is what a model made of the messages
 * before, cut to `most` characters, and what the host itself pins, cut likewise.
 */
export function leadOf(
  { session, dir, t }: LeadOptions,
  from: number,
  body: string,
  most: number,
): string {
  const where = dir === undefined
    ? ""
    : ` In full, one JSON record a line: ${
      under(dir, "sessions", `${session.id}.jsonl`)
    } (Grep it for a detail).`;
  const head = `${HOST_MARK} The first ${from} messages of this session are not shown any more, ` +
    `to make room.${where}`;
  return [head, cutText(body, most)].filter((text) => text !== "").join("\n\n") +
    PINS + pinnedWithin(session, most, t);
}

/** The body of a lead. */
export function bodyOf(lead: string): string {
  const end = lead.lastIndexOf(PINS);
  const begin = lead.indexOf("\n\n");
  return end < 0 || begin >= end ? "" : lead.slice(begin + 2, end);
}

/** A body that says that messages went unsummarised. */
export function bodyAfterDrop(body: string): string {
  return body.includes(DROPPED) ? body : [body, DROPPED].filter((text) => text !== "").join("\n\n");
}

/** The shortest lead, where an answer may not stand first. */
export const BARE_LEAD = `${HOST_MARK} The earlier messages of this session were dropped.`;

/** What the model would see: `rest[i]` stands at place `from + i` of the session. */
export interface Draft {
  /** A user's message that stands first; empty for none. */
  readonly lead: string;
  readonly from: number;
  readonly rest: readonly Message[];
  /** Places of results that would be seen as another text, besides those that are already. */
  readonly shortened: ReadonlyMap<number, string>;
}

/** What the model sees now. */
export function draftOf({ view, viewFrom, messages }: Session): Draft {
  const led = view.length > messages.length - viewFrom;
  return {
    lead: led ? view[0]!.text : "",
    from: viewFrom,
    rest: led ? view.slice(1) : view.slice(),
    shortened: new Map(),
  };
}

/** The messages of a request. */
export function messagesOf({ lead, rest }: Draft): readonly Message[] {
  return lead === "" ? rest : [{ role: "user", text: lead }, ...rest];
}

/** Without the first `count` messages, behind another lead. */
export function without(draft: Draft, count: number, lead: string): Draft {
  const from = draft.from + count;
  return { ...draft, lead, from, rest: draft.rest.slice(count) };
}

/** Where a person's questions begin. */
export function turnStarts({ rest }: Draft): number[] {
  return rest.flatMap((one, at) =>
    one.role === "user" && !one.text.startsWith(HOST_MARK) ? [at] : []
  );
}

/** Where the model's answers begin, with the results of their calls behind them. */
export function stepStarts({ rest }: Draft): number[] {
  return rest.flatMap((one, at) => one.role === "assistant" ? [at] : []);
}

/** Where that begins which the next answer answers: the last calls with their results, or the last question. */
export function tailStart(rest: readonly Message[]): number {
  const at = rest.findLastIndex((one) => one.role === "assistant");
  const answer = rest[at];
  return answer?.role === "assistant" && answer.calls.length > 0 ? at : at + 1;
}

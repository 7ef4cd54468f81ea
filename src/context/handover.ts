/** The end of a session: its summary, written by the model, with what no summary may lose behind it. */
import {
  type Carried,
  type ContextHost,
  HandoverFailed,
  type Message,
  ModelError,
  type Session,
} from "../base/types.ts";
import { count } from "../base/figures.ts";
import type { T } from "../base/t.ts";
import { under } from "../base/path.ts";
import { whyOf } from "../base/file_why.ts";
import requestEn from "./prompts/handover_en.md" with { type: "text" };
import requestZh from "./prompts/handover_zh.md" with { type: "text" };
import { textTokens } from "./window/gauge.ts";
import { type FileState, lastPrompts, pinnedWithin } from "./window/draft.ts";
import { emptySummary, SUMMARY_FILE, writeSummary } from "../session/memory_files.ts";

/** A larger file's lines are not counted. */
const COUNTED_BYTES = 1_000_000;
/** A shorter summary says nothing. */
const LEAST_ASKED = 500;

export interface HandoverOptions {
  /** The project's narnat folder; undefined where nothing is kept. */
  readonly dir?: string | undefined;
  readonly workspace: string;
  readonly t: T;
  /** What the user wants in the summary above all; empty for nothing. */
  readonly focus: string;
  /** Tokens of the model's window. */
  readonly window: number;
  /** The messages do not fit the window: makes room; false when there is none to make. */
  makeRoom(error: ModelError): Promise<boolean>;
}

/**
 * Summarises the session by one more user message behind those the model has seen. Throws
 * HandoverFailed, ModelError, or `signal.reason`; the summary's file is then empty.
 */
export async function handOver(host: ContextHost, o: HandoverOptions): Promise<Carried> {
  const { session, signal } = host;
  const answer = await whole(host, o);
  const shown = cutToWindow(answer, o.window);
  const cut = shown !== answer;
  if (cut) {
    const figures = { chars: count(answer.length), shown: count(shown.length) };
    host.notice(
      "warn",
      o.t(
        "The summary has {chars} characters, too many for the model's window; only the first {shown} are kept. The old session has everything: /undo-compact goes back, /compact with a focus makes a shorter one",
        figures,
      ),
    );
  }
  const summary = [
    "# What the session before this one left",
    shown,
    ...cut ? [`(The end of this summary is missing; in full, ${wholeSession(session, o)})`] : [],
    pinnedWithin(session, o.window / 2, o.t, stateIn(o.workspace)),
  ].join("\n\n");
  if (o.dir !== undefined) await keep(o.dir, summary, o.t);
  if (signal.aborted) {
    if (o.dir !== undefined) emptySummary(o.dir, summary);
    signal.throwIfAborted();
  }
  return {
    parent: session.id,
    title: titleOf(session),
    turns: session.turns,
    summary,
    written: shown.length,
    todos: session.todos.some(({ status }) => status !== "completed") ? session.todos : [],
    changed: [...session.changed],
    skills: [...session.skills],
    prompts: lastPrompts(session),
    cwd: session.cwd,
    usage: session.usage,
  };
}

/** The model's answer to its end: cut off at the output limit it is asked for a shorter one, once. */
async function whole(host: ContextHost, o: HandoverOptions): Promise<string> {
  const request = requestFor(o);
  let { text, stop } = await ask(host, request, o);
  if (stop === "length") {
    host.notice(
      "info",
      o.t(
        "The model's output limit cut the summary off at {chars} characters; asking for a shorter one…",
        { chars: count(text.length) },
      ),
      "passing",
    );
    const chars = Math.max(LEAST_ASKED, Math.floor(text.length / 2));
    const shorter = o.t(
      "Your last summary went beyond the output limit and lost its end. Write it anew in at most {chars} characters: under each heading only what matters most.",
      { chars },
    );
    ({ text, stop } = await ask(host, `${request}\n\n${shorter}`, o));
  }
  host.signal.throwIfAborted();
  if (stop === "length") {
    throw new HandoverFailed(
      o.t(
        "twice the model's summary went beyond its output limit and lost its end (max_output_tokens can raise it)",
      ),
    );
  }
  const answer = text.trim();
  if (answer === "" || stop === "refused") {
    throw new HandoverFailed(o.t("the model gave no summary"));
  }
  return answer;
}

async function ask(
  host: ContextHost,
  text: string,
  o: HandoverOptions,
): ReturnType<ContextHost["ask"]> {
  const request: Message = { role: "user", text };
  for (;;) {
    try {
      return await host.ask([...host.session.view, request]);
    } catch (error) {
      const full = error instanceof ModelError && error.kind === "overflow";
      if (!full || !await o.makeRoom(error)) throw error;
    }
  }
}

/** A quarter of the window at most: the new session needs the rest. */
function cutToWindow(text: string, window: number): string {
  const share = window / 4 / textTokens(text);
  return share >= 1 ? text : text.slice(0, Math.floor(text.length * share)).toWellFormed();
}

function wholeSession({ id }: Session, { dir }: HandoverOptions): string {
  const file = dir === undefined ? "" : `: ${under(dir, "sessions", `${id}.jsonl`)} (Grep it)`;
  return `the session that it sums up${file}`;
}

function requestFor({ t, focus }: HandoverOptions): string {
  const text = (t.lang === "zh" ? requestZh : requestEn).trim();
  return focus === ""
    ? text
    : `${text}\n\n${t("The user wants above all in the summary: {focus}", { focus })}`;
}

/** Throws HandoverFailed unless the file holds the summary afterwards. */
async function keep(dir: string, summary: string, t: T): Promise<void> {
  let found: string;
  try {
    found = await writeSummary(dir, summary);
  } catch (error) {
    const why = whyOf(t, error);
    throw new HandoverFailed(t("cannot write {path}: {why}", { path: SUMMARY_FILE, why }));
  }
  if (found !== summary) {
    throw new HandoverFailed(
      t(
        "{path} does not hold the summary just written (another narnat may be compressing too); try again",
        { path: SUMMARY_FILE },
      ),
    );
  }
}

const titleOf = (session: Session) =>
  (session.prompts[0]?.trim().split("\n")[0] ?? session.carried?.title ?? "").slice(0, 80);

/** What a changed file is now: gone, or how many lines it has. */
function stateIn(workspace: string): FileState {
  return (path) => {
    const place = /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : under(workspace, path);
    try {
      const { isFile, size } = Deno.statSync(place);
      if (!isFile) return "no longer a file";
      if (size > COUNTED_BYTES) return `${size} bytes`;
      const text = Deno.readTextFileSync(place);
      const lines = text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
      return `${lines} ${lines === 1 ? "line" : "lines"}`;
    } catch (error) {
      return error instanceof Deno.errors.NotFound ? "deleted" : undefined;
    }
  };
}

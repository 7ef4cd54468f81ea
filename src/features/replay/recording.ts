/** A stored session taken apart for a rerun: lines, answers of the model, results of the tools. */
import type { Answer, ModelErrorKind, RecordedAnswer, ToolMessage } from "../../base/types.ts";
import { joinedLines } from "../../session/recorded.ts";
import { PLAN } from "../../agent/lines/queue.ts";
import type { Entry, RunFacts } from "../../session/entries.ts";

/** A line that began a turn, or joined one. */
export interface RecordedLine {
  readonly text: string;
  /** As in Line. */
  readonly from?: string;
  readonly joined?: true;
  /** How many requests had been answered before it came. */
  readonly behind: number;
}

export interface Recording {
  readonly lines: readonly RecordedLine[];
  readonly answers: readonly RecordedAnswer[];
  readonly results: readonly ToolMessage[];
  /** Questions and what was answered, in order. */
  readonly asks: readonly { readonly kind: string; readonly value: Answer }[];
  /** So many of the results come from an older narnat, which has kept no questions. */
  readonly unasked: number;
  /** What it was run with last, where that is kept. */
  readonly run: RunFacts | undefined;
  /** Its lines were planned first. */
  readonly planFirst: boolean;
  /** It began with the summary of another session, or was summarised amid. */
  readonly summarised: boolean;
}

const MODEL_ERRORS: readonly string[] = [
  "auth",
  "rate",
  "network",
  "overflow",
  "refused",
  "protocol",
] satisfies ModelErrorKind[];

export function recordingOf(entries: readonly Entry[]): Recording {
  const joined = joinedLines(entries);
  const lines: RecordedLine[] = [];
  const answers: RecordedAnswer[] = [];
  const results: ToolMessage[] = [];
  const asks = new Map<string, { kind: string; value: Answer }>();
  let run: RunFacts | undefined;
  let unasked: number | undefined;
  let steps = false;
  /** A turn waits for an answer of the model. */
  let open = false;
  const stop = () => {
    if (open) answers.push({ kind: "stopped", text: "" });
    open = false;
  };
  const begin = (text: string, from?: string) => {
    stop();
    lines.push({ text, ...from === undefined ? {} : { from }, behind: answers.length });
  };
  for (const entry of entries) {
    if (entry.type === "message") {
      const { message, usage } = entry;
      run = entry.run ?? run;
      if (run) unasked ??= results.length;
      if (message.role === "tool") results.push(message);
      else if (message.role === "user") {
        if (joined.has(entry)) {
          lines.push({ text: message.text, behind: answers.length, joined: true });
        } else if (entry.asked) {
          begin(message.text);
          open = true;
        }
      } else if (usage === undefined) {
        // what was cut off has cost nothing that is known
        answers.push({ kind: "stopped", text: message.text });
        open = false;
      } else {
        open = message.calls.length > 0;
        const stop = entry.stop ?? (open ? "calls" : "end");
        answers.push({ kind: "message", message, usage, stop });
      }
    } else if (entry.type === "event") {
      const { event } = entry;
      if (event.type === "turn_start") {
        // the steps of a plan come of themselves
        steps ||= event.from === PLAN;
        if (event.from !== PLAN) begin(event.text, event.from);
        open = event.from !== undefined;
      } else if (event.type === "error" && open && MODEL_ERRORS.includes(event.kind)) {
        answers.push({ kind: "error", error: event.kind as ModelErrorKind, text: event.text });
        open = false;
      } else if (event.type === "turn_end") {
        // a plan ends its turn with its call, and a turn in circles ends by itself
        if (event.reason === "done" || event.reason === "loop") open = false;
        stop();
      } else if (event.type === "ask") asks.set(event.id, { kind: event.kind, value: false });
      else if (event.type === "answer") {
        const ask = asks.get(event.id);
        if (ask) ask.value = event.value;
      }
    }
  }
  stop();
  const summarised = entries.some((one) =>
    one.type === "view" || one.type === "session" && one.carried !== undefined
  );
  const planFirst = steps && !results.some(({ name }) => name === "Plan");
  return {
    lines,
    answers,
    results,
    asks: [...asks.values()],
    unasked: unasked ?? results.length,
    run,
    planFirst,
    summarised,
  };
}

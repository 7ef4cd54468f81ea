/** Headless output: events in, bytes on stdout and stderr out. */
import type { AgentEvent, Desk, ErrorKind, Lang, TurnEndReason, Usage } from "../types.ts";
import { stakesText } from "../core/stakes_text.ts";
import { say } from "../text.ts";
import { addUsage, NO_USAGE } from "../usage.ts";

export type OutputFormat = "text" | "json" | "stream-json";

/** The last line of `json` and `stream-json`. */
export interface ResultLine {
  readonly type: "result";
  readonly ok: boolean;
  readonly text: string;
  readonly stop_reason: TurnEndReason;
  readonly session: string;
  readonly turns: number;
  readonly iterations: number;
  readonly duration_ms: number;
  readonly usage: Usage;
  readonly error?: { readonly kind: ErrorKind; readonly text: string };
}

/** Follows the events of a run and knows its final answer. */
export interface Tally {
  hear(event: AgentEvent): void;
  result(desk: Desk, ms: number): ResultLine;
  exitCode(): number;
}

const EXIT: { readonly [reason in TurnEndReason]: number } = {
  done: 0,
  command: 0,
  error: 1,
  max_iterations: 3,
  budget: 3,
  loop: 3,
  interrupted: 130,
};

/** Counts what a run used and keeps its last answer. */
export function createTally(): Tally {
  let text = "";
  let segment = "";
  let iterations = 0;
  let reason: TurnEndReason = "done";
  let failed = false;
  let warned = false;
  let error: ResultLine["error"];
  let usage = NO_USAGE;
  const keep = () => {
    if (segment.trim() !== "") text = segment;
    segment = "";
  };
  return {
    hear(event) {
      switch (event.type) {
        case "turn_start":
          text = segment = "";
          break;
        case "text":
          segment += event.delta;
          break;
        case "tool_start":
          keep();
          break;
        case "notice":
          if (event.retryMs !== undefined) segment = "";
          warned = event.level === "warn";
          break;
        case "usage":
          usage = addUsage(usage, event);
          break;
        case "error":
          failed = true;
          error = { kind: event.kind, text: event.text };
          break;
        case "turn_end":
          keep();
          iterations += event.iterations;
          // A command that refuses says why in a warning.
          if (event.reason === "command") failed ||= warned;
          else reason = event.reason;
          if (event.reason === "error") failed = true;
      }
    },
    result: (desk, ms) => ({
      type: "result",
      ok: !failed && reason === "done",
      text: text.trim(),
      stop_reason: reason,
      session: desk.current().id,
      turns: desk.current().turns,
      iterations,
      duration_ms: Math.round(ms),
      usage,
      ...(error ? { error } : {}),
    }),
    exitCode: () => failed ? 1 : EXIT[reason],
  };
}

/** One line about an event for a person watching stderr; undefined when it is not worth one. */
export function progressLine(event: AgentEvent, lang: Lang): string | undefined {
  switch (event.type) {
    case "tool_start": {
      const input = JSON.stringify(event.input);
      return `· ${event.name} ${input.length > 120 ? `${input.slice(0, 120)}…` : input}`;
    }
    case "tool_end":
      return event.ok ? undefined : `  ✗ ${event.text.split("\n")[0]}`;
    case "compress_start":
      return `· ${say(lang, "screen.compressing")}`;
    default:
      return undefined;
  }
}

/** What must be told on stderr even when nobody watches. */
export function complaint(event: AgentEvent, desk: Desk): string | undefined {
  if (event.type === "error") return `narnat: ${event.text}`;
  if (event.type === "notice" && event.level === "warn") {
    const wait = event.retryMs === undefined
      ? ""
      : ` · ${say(desk.lang, "headless.retry", { seconds: (event.retryMs / 1000).toFixed(1) })}`;
    return `narnat: ${event.text}${wait}`;
  }
  if (event.type === "ask") {
    const shown = event.command === undefined ? "" : `: ${event.command}`;
    const stakes = event.stakes && stakesText(desk.lang, event.stakes);
    const told = stakes ? `\n  ${[stakes.holds, ...stakes.warnings].join("; ")}` : "";
    const answer = event.answered === undefined
      ? "headless.asked"
      : event.answered
      ? "headless.allowed"
      : event.kind === "delete"
      ? "headless.refused_delete"
      : "headless.refused";
    return `narnat: ${say(desk.lang, answer, { question: event.question })}${shown}${told}`;
  }
  return undefined;
}

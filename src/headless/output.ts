/** Headless output: events in, bytes on stdout and stderr out. */
import type {
  AgentEvent,
  ErrorKind,
  Evidence,
  ServerInfo,
  SessionController,
  TurnEndReason,
  Usage,
} from "../base/types.ts";
import { PLAN } from "../agent/lines/queue.ts";
import { stakesText } from "../base/questions.ts";
import { truncate, withoutEmptyEnds } from "../base/strings.ts";
import type { T } from "../base/t.ts";
import { addUsage, NO_USAGE } from "../base/figures.ts";

export type OutputFormat = "text" | "json" | "stream-json";

export type UsageByModel = { readonly [model: string]: Usage };

/** What there is to work with when a run begins. */
export interface Outfit {
  /** Names of the tools. */
  readonly tools: readonly string[];
  readonly servers: readonly Pick<ServerInfo, "name" | "state">[];
  /** How many there are. */
  readonly rules: number;
  readonly skills: number;
}

/** The same in a line for people (seed 003). */
export const initText = (
  { tools, servers, rules, skills }: Outfit,
  controller: SessionController,
) =>
  `[Init] ${
    controller.t(
      "model {model}, tools {tools}, rules {rules}, skills {skills}, MCP servers {servers}",
      {
        model: controller.model,
        tools: tools.length,
        rules,
        skills,
        servers: servers.length,
      },
    )
  }`;

/** The first line of `stream-json`. */
export const initLine = ({ tools, servers }: Outfit, controller: SessionController) => ({
  type: "init",
  session: controller.current().id,
  model: controller.model,
  cwd: controller.workspace,
  permission: controller.permission,
  tools,
  servers: servers.map(({ name, state }) => ({ name, state })),
  version: controller.version,
  turn: 0,
  time: new Date().toISOString(),
});

/** The last line of `json` and `stream-json`. */
export interface ResultLine {
  readonly type: "result";
  readonly ok: boolean;
  readonly text: string;
  readonly stop_reason: TurnEndReason;
  readonly session: string;
  /** Questions of the session, which may have begun before this run, or amid it. */
  readonly turns: number;
  /** Questions of this run. */
  readonly run_turns: number;
  readonly iterations: number;
  readonly duration_ms: number;
  readonly usage: Usage;
  /** The same by the model that was asked. */
  readonly usage_by_model: UsageByModel;
  /** The model of the session at its end; empty where none was chosen. */
  readonly model: string;
  /** When the run ended, ISO 8601. */
  readonly time: string;
  /** Of the last turn that has changed something. */
  readonly evidence?: Evidence;
  /** Which limit or refusal has ended it, and what can be done. */
  readonly reason?: string;
  readonly error?: { readonly kind: ErrorKind | "config"; readonly text: string };
}

/** Of a run that could not begin. */
export const notBegun = (text: string): ResultLine => ({
  type: "result",
  ok: false,
  text: "",
  stop_reason: "error",
  session: "",
  turns: 0,
  run_turns: 0,
  iterations: 0,
  duration_ms: 0,
  usage: NO_USAGE,
  usage_by_model: {},
  model: "",
  time: new Date().toISOString(),
  error: { kind: "config", text },
});

/** Follows the events of a run and knows its final answer. */
export interface Tally {
  hear(event: AgentEvent): void;
  /** The run is ended before its turn. */
  interrupt(): void;
  /** The last turn's. */
  answer(): string;
  result(controller: SessionController, ms: number, usageByModel: UsageByModel): ResultLine;
  exitCode(): number;
}

const EXIT: { readonly [reason in TurnEndReason]: number } = {
  done: 0,
  command: 0,
  error: 1,
  refused: 1,
  length: 3,
  max_iterations: 3,
  budget: 3,
  loop: 3,
  interrupted: 130,
};

/** Counts what a run used and keeps its last answer. */
export function createTally(t: T): Tally {
  let text = "";
  let segment = "";
  let iterations = 0;
  let reason: TurnEndReason = "done";
  let failed = false;
  let warned = false;
  /** Which limit or refusal has ended the turn. */
  let why: string | undefined;
  let error: ResultLine["error"];
  /** What was wrong with the input first, and whether anything was done all the same. */
  let wrong: ResultLine["error"];
  let worked = false;
  let evidence: Evidence | undefined;
  let usage = NO_USAGE;
  /** Of the agents that worked for the lane, by their ids. */
  const theirs = new Map<string, Usage>();
  let turns = 0;
  /** What commands said since the last turn. */
  let said: string[] = [];
  const keep = () => {
    if (segment.trim() !== "") text = segment;
    segment = "";
  };
  const fault = () => error ?? (worked ? undefined : wrong);
  // what is warned of behind the last turn is work beside the turns that has failed
  const hasFailed = () => failed || warned || fault() !== undefined;
  return {
    hear(event) {
      const told = commandOutput(event, t);
      if (told !== undefined) said.push(told);
      switch (event.type) {
        case "turn_start":
          text = segment = "";
          why = undefined;
          said = [];
          if (event.turn > 0 && event.from === undefined) turns++;
          break;
        case "text":
          segment += event.delta;
          break;
        case "tool_start":
          keep();
          break;
        case "notice":
          if (event.retryMs !== undefined) segment = "";
          if (event.joined !== undefined) turns++;
          warned = event.level === "warn";
          if (event.limit) why = event.text;
          break;
        case "usage":
          usage = addUsage(usage, event);
          break;
        case "evidence": {
          const { changed, runs, unverified, more } = event;
          evidence = { changed, runs, unverified, ...more ? { more } : {} };
          break;
        }
        case "agent": {
          const before = theirs.get(event.id);
          // another one of the same name has begun
          if (before && before.input > event.usage.input) usage = addUsage(usage, before);
          theirs.set(event.id, event.usage);
          break;
        }
        case "error":
          // a stray line of the input spoils nothing that is done besides
          if (event.kind === "input") wrong ??= { kind: event.kind, text: event.text };
          else {
            failed = true;
            error = { kind: event.kind, text: event.text };
          }
          break;
        case "turn_end":
          keep();
          worked = true;
          iterations += event.iterations;
          // A command that refuses says why in a warning.
          if (event.reason === "command") failed ||= warned;
          else reason = event.reason;
          if (event.reason === "error") failed = true;
          if (event.prompt !== undefined && event.reason !== "command") turns--;
          warned = false;
      }
    },
    interrupt: () => void (reason = "interrupted"),
    answer: () => withoutEmptyEnds(text),
    result: (controller, ms, usageByModel) => ({
      type: "result",
      ok: !hasFailed() && reason === "done",
      text: withoutEmptyEnds(text) || said.join("\n").trim(),
      // what went wrong without a turn, as with the input, is not done either
      stop_reason: reason === "done" && hasFailed() ? "error" : reason,
      session: controller.current().id,
      turns: controller.current().turns,
      run_turns: turns,
      iterations,
      duration_ms: Math.round(ms),
      usage: addUsage([...theirs.values()].reduce(addUsage, usage), controller.backgroundUsage),
      usage_by_model: usageByModel,
      model: controller.model,
      time: new Date().toISOString(),
      ...(evidence ? { evidence } : {}),
      ...(why === undefined || EXIT[reason] !== 3 && reason !== "refused" ? {} : { reason: why }),
      ...(fault() ? { error: fault()! } : {}),
    }),
    exitCode: () => hasFailed() ? 1 : EXIT[reason],
  };
}

/** What a command or a shell line has to say, outside of any turn. */
export function commandOutput(event: AgentEvent, t: T): string | undefined {
  if (event.turn !== 0) return undefined;
  switch (event.type) {
    case "notice":
      return event.level === "info" ? event.text : undefined;
    // A script's clipboard is what it makes of the output.
    case "copy":
    case "tool_end":
      return event.text;
    case "edit":
      return t(
        "Open {path} in an editor; a session that has begun sees changes from the next one on",
        { path: event.path },
      );
    default:
      return undefined;
  }
}

/** One line about an event for a person watching stderr; undefined when it is not worth one. */
export function progressLine(
  event: AgentEvent,
  t: T,
  verbose = false,
): string | undefined {
  switch (event.type) {
    case "turn_start":
      return event.from === undefined ? undefined : `· ${event.text.split("\n")[0]}`;
    case "tool_start": {
      const input = JSON.stringify(event.input);
      if (verbose) return `[Tool] ${event.name}(${input})`;
      return `· ${event.name} ${truncate(input, 120)}`;
    }
    case "tool_end":
      return event.ok ? undefined : `  ✗ ${event.text.split("\n")[0]}`;
    case "compress_start":
      return `· ${t("Compressing…")}`;
    default:
      return undefined;
  }
}

/** How far a plan is, as whoever reads text is told it even when nobody watches. */
export function planProgress(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "turn_start":
      return event.from === PLAN ? event.text.split("\n")[0] : undefined;
    case "tool_end":
      return event.ok && event.name === "Plan" ? event.text : undefined;
    case "notice":
      return event.level === "info" && event.text.startsWith("[Plan] ") ? event.text : undefined;
    default:
      return undefined;
  }
}

/** What must be told on stderr even when nobody watches. */
export function complaint(event: AgentEvent, controller: SessionController): string | undefined {
  if (event.type === "error") return `narnat: ${event.text}`;
  if (event.type === "notice" && event.context && event.turn > 0 && event.level === "info") {
    return `narnat: ${event.text}`;
  }
  if (event.type === "notice" && event.level === "warn") {
    const wait = event.retryMs === undefined
      ? ""
      : ` · ${
        controller.t("trying again in {seconds} s", { seconds: (event.retryMs / 1000).toFixed(1) })
      }`;
    return `narnat: ${event.text}${wait}`;
  }
  // a plan that was wanted is carried out: nothing to complain of
  if (event.type === "ask" && !(event.kind === "plan" && event.answered)) {
    const question = event.done ?? event.question;
    const colon = /[?？]$/.test(question) ? "" : ":";
    const shown = event.command === undefined ? "" : `${colon} ${event.command}`;
    const stakes = event.stakes && stakesText(controller.t, event.stakes);
    const told = stakes ? `\n  ${[stakes.holds, ...stakes.warnings].join("; ")}` : "";
    const answer = event.answered === undefined
      ? "asks: {question}"
      : event.answered
      ? "allowed by --allow-delete: {question}"
      : event.done !== undefined
      ? "nobody is there to say that it may stay so, so it is brought back (--allow-delete leaves it so): {done}"
      : event.kind === "delete"
      ? "nobody is there to confirm, so it is refused (--allow-delete allows deletes): {question}"
      : "nobody is there to confirm, so it is refused: {question}";
    return `narnat: ${controller.t(answer, { question, done: question })}${shown}${told}`;
  }
  return undefined;
}

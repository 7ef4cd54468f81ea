/** What the model sees of a session. */
import type { ContextManager, ModelError } from "../base/types.ts";
import { USUAL_WINDOW, windowOf } from "../models/model_facts.ts";
import { under } from "../base/path.ts";
import { createGauge, sharesOf } from "./window/gauge.ts";
import { createHistory, type History } from "../session/history.ts";
import { emptySummary } from "../session/memory_files.ts";
import type { PromptOptions } from "./part.ts";
import { createPrompt } from "./prompt.ts";
import { createRoom } from "./window/room.ts";

export type { LeftOut, PromptOptions, PromptPart } from "./part.ts";
export { joinParts, promptParts } from "./prompt.ts";

/** Questions after which a session is handed over (seed 000), and those at which the user is told so. */
const MOST_TURNS = 120;
const TOLD_AT = {
  50:
    "50 turns so far. At 100 a new session is advised; question {next} is compressed first and goes on in a new one",
  100:
    "100 turns reached; a new session is advised: /compact goes on in one with a summary, /new starts afresh (the old one goes into the memory). Question {next} is compressed first and goes on in a new session",
} as const;

export interface ContextManagerOptions extends PromptOptions {
  /** Tokens of the model's window, where the user has told. */
  readonly contextWindow?: number | undefined;
  /** Largest answer asked for, in tokens. */
  readonly maxOutputTokens?: number | undefined;
  /** Questions after which the session is handed over. */
  readonly mostTurns?: number | undefined;
  /** Windows that refusals have told, by the model's name; those of this context manager's are added. */
  readonly learnt?: Map<string, number>;
  /** Where that goes which leaves the window; the one in `dir` when left out. */
  readonly history?: History;
}

/** Decides what the model sees during one session. */
export function createContextManager(options: ContextManagerOptions): ContextManager {
  const prompt = createPrompt(options);
  const { dir, t, maxOutputTokens, contextWindow = windowOf(options.model) } = options;
  const { model, mostTurns = MOST_TURNS, learnt = new Map<string, number>() } = options;
  const tools = asJson(() => options.tools);
  const gauge = createGauge(() => [prompt.system(), tools()]);
  const history = options.history ??
    createHistory(dir === undefined ? undefined : under(dir, "memory"), options.now);
  const told = Math.min(contextWindow ?? Infinity, learnt.get(model) ?? Infinity);
  const room = createRoom(
    told === Infinity ? undefined : told,
    { t, dir, gauge, history, maxOutputTokens },
    (tokens) => learnt.set(model, tokens),
  );
  const contextManager: ContextManager = {
    mostTurns,
    ready: (waiting) => prompt.ready(waiting),
    system: () => prompt.system(),
    get skills() {
      return prompt.skills;
    },
    skillText: (skill) => prompt.skillText(skill),
    withheld: () => prompt.withheld(),
    beforeTurn(turn) {
      return [
        ...prompt.notices(),
        ...(turn === 50 || turn === 100) && turn < mostTurns
          ? [options.t(TOLD_AT[turn], { next: mostTurns + 1 })]
          : [],
      ];
    },
    get window() {
      return room.window();
    },
    beforeCall: room.beforeCall,
    onOverflow: room.onOverflow,
    outdated: () => prompt.outdated(),
    afterCalls: () => prompt.reminder(),
    estimate: gauge.estimate,
    shares: (session) => sharesOf(prompt.parts(), tools(), session.view, gauge.estimate(session)),
    async handOver(host, focus) {
      const { handOver } = await import("./handover.ts");
      const makeRoom = async (error: ModelError) => !await room.onOverflow(host, error);
      const window = room.window() ?? USUAL_WINDOW;
      return await handOver(host, { ...options, focus, window, makeRoom });
    },
    settled: (summary) =>
      options.dir === undefined ? undefined : emptySummary(options.dir, summary),
  };
  return contextManager;
}

/** The definitions as text, made again only when they are others. */
function asJson(tools: () => ContextManagerOptions["tools"]): () => string {
  let made: { readonly of: ContextManagerOptions["tools"]; readonly text: string } | undefined;
  return () => {
    const of = tools();
    if (made?.of !== of) made = { of, text: JSON.stringify(of) };
    return made.text;
  };
}

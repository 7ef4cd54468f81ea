/** A context manager at work on a real session, with a model that answers by a function. */
import { join } from "node:path";
import type { ContextHost, ContextManager, Message, Usage } from "../../src/base/types.ts";
import { type ContextManagerOptions, createContextManager } from "../../src/context/mod.ts";
import { createHistory } from "../../src/session/history.ts";
import type { SessionFile } from "../../src/session/store.ts";
import { promptOptions, sessionStore } from "../support/parts.ts";

interface ContextStage {
  readonly session: SessionFile;
  readonly contextManager: ContextManager;
  readonly host: ContextHost;
  readonly history: ReturnType<typeof createHistory>;
  /** What the model was asked, beside the session's own requests. */
  readonly asked: (readonly Message[])[];
  readonly notices: string[];
  /** Of the next request. */
  readonly tokens: number;
}

const USAGE: Usage = { input: 5000, output: 200, cached: 4000, cost: 0.0031 };

/** Sets it in `root`, where copies of results go. */
export function contextStage(
  root: string,
  answer: (messages: readonly Message[]) => string | Promise<string> = () => "the summary",
  options: Partial<ContextManagerOptions> = {},
  signal: AbortSignal = new AbortController().signal,
): ContextStage {
  const dir = options.dir;
  const session = sessionStore(dir && join(dir, "sessions"), {
    workspace: root,
  }).create();
  const history = createHistory(dir && join(dir, "memory"), () => new Date(0));
  const contextManager = createContextManager({ ...promptOptions(root), history, ...options });
  const asked: (readonly Message[])[] = [];
  const notices: string[] = [];
  const host: ContextHost = {
    session,
    signal,
    outputDir: join(root, "outputs"),
    async ask(messages) {
      asked.push(messages);
      const text = await answer(messages);
      signal.throwIfAborted();
      return { text, usage: USAGE, stop: "end" };
    },
    show: (view) => session.show(view),
    notice: (level, text) => void notices.push(`${level}: ${text}`),
  };
  return {
    session,
    contextManager,
    host,
    history,
    asked,
    notices,
    get tokens() {
      return contextManager.estimate(session);
    },
  };
}

/** A question, steps of one call each with a result of so many characters, an answer. */
export function addTurn(session: SessionFile, name: string, results: readonly number[]): void {
  session.append({ role: "user", text: `question ${name}` }, { asked: true });
  for (const [step, chars] of results.entries()) addStep(session, `${name}-${step}`, chars);
  session.append({ role: "assistant", text: `answer ${name}`, calls: [], thinking: [] });
}

/** One call with its result. */
export function addStep(session: SessionFile, id: string, chars: number): void {
  const calls = [{ id, name: "Read", input: JSON.stringify({ file_path: `src/${id}.ts` }) }];
  session.append({ role: "assistant", text: "", calls, thinking: [] });
  const line = `result ${id} of a line of code\n`;
  const text = line.repeat(Math.ceil(chars / line.length)).slice(0, chars);
  session.append({ role: "tool", id, name: "Read", ok: true, text });
}

/** Talk whose weight is in what was said, so that pointers cannot help. */
export function fill(stage: ContextStage, name: string, until: number): void {
  for (let i = 0; stage.tokens <= until; i++) {
    const { session } = stage;
    session.append({ role: "user", text: `${name} ${i}: ${"why is that so? ".repeat(60)}` }, {
      asked: true,
    });
    const text = "because of this and that. ".repeat(60);
    session.append({ role: "assistant", text, calls: [], thinking: [] });
  }
  stage.session.append({ role: "user", text: `${name}: the last request` }, { asked: true });
}

/** What a lane is at: a session, the model that answers there, and the context manager of what it sees. */
import { addUsage } from "../base/figures.ts";
import type { Log } from "../base/log.ts";
import { under } from "../base/path.ts";
import { HOST_MARK, type T } from "../base/t.ts";
import {
  type ContextHost,
  type ContextManager,
  type EventBody,
  type Message,
  ModelError,
  type OpenModel,
  type SessionInfo,
  type StopReason,
  type ToolChoice,
  type Usage,
} from "../base/types.ts";
import type { SessionFile } from "../session/store.ts";
import type { AgentOptions } from "./agent_options.ts";
import type { Budget, TurnLimits } from "./budget.ts";
import {
  createWriting,
  request,
  type RequestBudget,
  type RequestParts,
  responseLine,
  unsentImages,
} from "./loop/request.ts";

/** What it is made of. */
interface ContextHostParts extends RequestParts {
  readonly outputDir: string;
  readonly limits: TurnLimits;
  readonly log: Log;
  readonly t: T;
  /** Milliseconds on any clock that does not jump. */
  now(): number;
}

/** Makes the host of one context manager's work on one session. */
export function contextHost(parts: ContextHostParts): ContextHost {
  const { session, signal, outputDir, emit, log } = parts;
  return {
    session,
    signal,
    outputDir,
    show: (view) => session.show(view),
    notice(level, text, passing) {
      if (level === "warn") log.warning("core.context", text);
      else log.info("core.context", text);
      emit({ type: "notice", level, text, ...passing ? {} : { context: true } });
    },
    async ask(messages) {
      const answer = await once(parts, messages, "unwanted");
      // it cost little to try: the second request's prefix is cached where the first one's was
      if (!answer.called) return answer;
      const again = await once(parts, messages, "none");
      return { ...again, usage: addUsage(answer.usage, again.usage) };
    },
  };
}

/** Asks the model once. */
async function once(
  parts: ContextHostParts,
  messages: readonly Message[],
  toolChoice: ToolChoice,
): Promise<{ text: string; usage: Usage; stop: StopReason; called: boolean }> {
  const { session, signal, emit, log } = parts;
  signal.throwIfAborted();
  const over = await parts.budget.over(parts);
  if (over !== undefined) throw new ModelError("refused", over);
  await parts.contextManager.ready();
  const began = parts.now();
  const tokens = parts.contextManager.estimate(session);
  log.info("core.llm", parts.t("request sent, tokens_in={tokens}", { tokens }));
  const stream = request(parts, messages, toolChoice);
  const writing = createWriting(parts);
  writing.tell();
  for await (const event of stream) {
    if (event.type === "text" || event.type === "thinking") writing.more(event.delta);
    if (event.type === "retry") {
      log.warning("core.llm", event.text);
      emit({ type: "notice", level: "warn", text: event.text, retryMs: event.waitMs });
    }
    if (event.type !== "done") continue;
    const { input, output, cached, cost } = event.usage;
    if (!parts.closed) session.spend(event.usage);
    emit({ type: "usage", input, output, cached, cost });
    log.info("core.llm", responseLine(event.usage, parts.now() - began, parts.t));
    const { text, calls } = event.message;
    return { text, usage: event.usage, stop: event.stop, called: calls.length > 0 };
  }
  throw new ModelError("protocol", "the stream ended without an answer");
}

/** Begins with an empty session. */
export class Current {
  readonly #options: AgentOptions;
  readonly #budget: Budget;
  #session: SessionFile;
  /** How many of its messages were there when the lane came to it. */
  #arrived = 0;
  #modelName: string;
  #model: OpenModel;
  #contextManager: ContextManager;
  /** Which images were last told to be left out. */
  #leftOut = "";
  #tell = (_text: string) => {};
  /** What is to be told of the session to who has entered it. */
  #untold: string[] = [];

  constructor(options: AgentOptions, budget: Budget) {
    this.#options = options;
    this.#budget = budget;
    this.#session = options.store.create();
    this.#modelName = options.modelName;
    this.#model = { client: options.model, imageTypes: options.imageTypes };
    this.#contextManager = options.contextManager(this.#session, this.#modelName);
  }

  get session(): SessionFile {
    return this.#session;
  }

  get contextManager(): ContextManager {
    return this.#contextManager;
  }

  get modelName(): string {
    return this.#modelName;
  }

  get imageTypes(): readonly string[] {
    return this.#model.imageTypes;
  }

  /** Which images of the session its model does not see, in words for the user; each case once. */
  leftOut(): string | undefined {
    const n = unsentImages(this.#session.view, this.#model.imageTypes);
    const found = `${this.#session.id} ${this.#modelName} ${n}`;
    if (n === 0 || found === this.#leftOut) return undefined;
    this.#leftOut = found;
    return this.#options.t(
      '{n} {n:image|images} of this session {n:is|are} not sent to {model}, which narnat does not know to take {n:it|them}. If it does, set "images": true in narnat.json',
      { n, model: this.#modelName },
    );
  }

  /** What work on the session is made of, besides who hears of it and who stops it. */
  parts(): Omit<ContextHostParts, "signal" | "emit"> & { readonly budget: Budget } {
    const o = this.#options;
    return {
      session: this.#session,
      contextManager: this.#contextManager,
      model: this.#model.client,
      modelName: this.#modelName,
      toolbox: o.toolbox,
      outputDir: under(o.outputDir, this.#session.id),
      limits: o.limits,
      budget: this.#budget,
      log: o.log,
      t: o.t,
      now: o.monotonic,
    };
  }

  /** Leaves the session for `next`, with `summary` for the memory where there is one. */
  take(next: SessionFile, summary?: string): void {
    this.#options.memory.leave(this.#session, this.#arrived, summary);
    this.#session.close();
    this.#come(next);
  }

  /** Finds a stored session as `SessionController.enter` does. Throws in words for the user. */
  find(which: string): SessionInfo {
    const { store, t } = this.#options;
    const info = store.find(which);
    if (!info) {
      throw new Error(
        t("Cannot find the session {which}: /show or narnat sessions lists what there is", {
          which,
        }),
      );
    }
    return info;
  }

  /** Tells what becomes of the file of the session it is at. */
  onDisk(tell: (text: string) => void): void {
    this.#tell = tell;
    this.#session.onDisk = tell;
  }

  /** Settles what an earlier end of narnat has left open in the session; returns what is to be told. */
  async settle(): Promise<string[]> {
    const { t, toolbox, workspace } = this.#options;
    const session = this.#session;
    const told = this.#untold.splice(0);
    if (session.takeCut()) {
      const cut = t(
        "narnat was ended while you were writing the answer above: it is cut off there, and what came behind is lost",
      );
      session.append({ role: "user", text: `${HOST_MARK} ${cut}` });
      told.unshift(
        t("narnat was ended amid an answer last time: it is cut off there (the model is told)"),
      );
    }
    if (session.openCalls.length === 0) return told;
    const { settleLostCalls } = await import("../session/lost_calls.ts");
    const { outputDir } = this.parts();
    return [...await settleLostCalls(session, { toolbox, outputDir, workspace, t }), ...told];
  }

  /** Opens a stored session; `bad` counts its unreadable lines. Throws in words for the user. */
  enter(which: string): { info: SessionInfo; bad: number } {
    const info = this.find(which);
    if (info.id === this.#session.id) return { info, bad: 0 };
    const { session: next, bad } = this.#options.store.open(info.id);
    next.enter();
    this.#untold = next.takeUntold();
    this.take(next);
    return { info, bad };
  }

  /**
   * Leaves the session for an empty one; returns the work that summarises it for the memory, of
   * which `onUsage` hears what it costs, or undefined when nothing in it is new.
   */
  archive(onUsage: (usage: Usage) => void): ((signal: AbortSignal) => Promise<string>) | undefined {
    const { store, memory } = this.#options;
    const budget = this.#budget;
    const from = this.#arrived;
    if (this.#session.messages.length === from) {
      this.take(store.create());
      return undefined;
    }
    const emit = (event: EventBody) => event.type === "usage" && onUsage(event);
    // of the session that is left it holds, though the next one pays
    const over = budget.over(this);
    const closing: RequestBudget = {
      priceOf: budget.priceOf,
      count: (usage, model) => budget.count(usage, model),
      over: async (asker) => await over ?? await budget.over(asker),
    };
    const left = { ...this.parts(), budget: closing, emit, closed: true };
    this.#session.close();
    this.#come(store.create());
    return (signal) => memory.archive(contextHost({ ...left, signal }), from);
  }

  /** Takes another model. Throws when it cannot be had as configured. */
  async useModel(name: string): Promise<void> {
    this.#model = await this.#options.models.open(name);
    this.#modelName = name;
    // The prompt names the model. Another model has no cached prefix to lose, and the way back
    // finds the same bytes again.
    this.#contextManager = this.#options.contextManager(this.#session, name);
  }

  /** Leaves the session for good. */
  leave(): void {
    this.#options.memory.leave(this.#session, this.#arrived);
    this.#session.close();
  }

  #come(next: SessionFile): void {
    this.#session = next;
    next.onDisk = this.#tell;
    this.#arrived = next.messages.length;
    this.#contextManager = this.#options.contextManager(next, this.#modelName);
    if (next.carried) this.#contextManager.settled(next.carried.summary);
  }
}

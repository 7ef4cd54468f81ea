/** The events of a lane on their way out. */
import type { AgentEvent, EventBody, Secrets } from "../base/types.ts";
import { happened } from "../session/recorded.ts";
import type { SessionFile } from "../session/store.ts";

export interface LaneEventsParts {
  readonly secrets: Secrets;
  now(): Date;
  session(): SessionFile;
  send(event: AgentEvent): void;
}

/** Redacts and stamps what a lane emits, and records it in its session. */
export class LaneEvents {
  /** Number of the running turn; 0 outside of one. */
  turn = 0;
  readonly #parts: LaneEventsParts;
  #whenSent: (() => void) | undefined;

  constructor(parts: LaneEventsParts) {
    this.#parts = parts;
  }

  readonly emit = (told: EventBody, turn = this.turn): void => {
    if (this.#whenSent && isBehindRequest(told)) this.sent();
    const { session, now, send } = this.#parts;
    const body = this.#safe(told);
    send({ ...body, session: session().id, turn, time: now().toISOString() });
    const event = happened(body, turn);
    if (event) session().record(event);
  };

  readonly warn = (text: string): void => this.emit({ type: "notice", level: "warn", text });

  /** Calls back once the next request has been sent. */
  whenSent(tell: () => void): void {
    this.#whenSent = tell;
  }

  /** A request has been sent. */
  readonly sent = (): void => {
    const tell = this.#whenSent;
    this.#whenSent = undefined;
    tell?.();
  };

  /**
   * The look for secrets where text leaves for people and programs: errors, notices and questions have
   * had no other. A project's wishes, and the targets of a delete, are judged by a person as they are.
   */
  #safe(told: EventBody): EventBody {
    const { redactIn: redactIn, redactOwn: redactOwn } = this.#parts.secrets;
    if (told.type !== "ask" || !told.targets) {
      return told.type === "ask" && told.kind === "trust" ? told : redactIn(told);
    }
    return { ...redactIn(told), targets: told.targets.map(redactOwn) };
  }
}

/** Whether it can only come when a request was made, or none will be. */
const isBehindRequest = (event: EventBody) =>
  ["text", "thinking", "writing", "tool_start", "usage", "error", "turn_end"]
    .includes(event.type) || event.type === "notice" && event.retryMs !== undefined;

/** The named points at which what is built around a lane joins its work: an onion, in one visible order. */
import type { T } from "../base/t.ts";
import type {
  Agents,
  Answer,
  ContextManager,
  EventBody,
  Json,
  Line,
  Message,
  ModelClient,
  ModelError,
  Permission,
  PreparedCall,
  Question,
  Secrets,
  Servers,
  Toolbox,
  ToolContext,
  ToolResult,
  TurnEndReason,
  TurnWatch,
} from "../base/types.ts";
import type { Log } from "../base/log.ts";
import type { Watchdog } from "../base/watchdog.ts";
import type { SessionFile } from "../session/store.ts";
import type { Budget, TurnLimits } from "./budget.ts";
import type { TurnMonitor } from "./loop/turn_monitor.ts";
import type { Queue } from "./lines/queue.ts";
import type { ReadOnlyMode } from "./consent.ts";

/** A tool call on its way to the tool. A layer may hand a changed one to the next. */
export interface Call {
  readonly id: string;
  readonly what: PreparedCall;
  /** Its input as it may be shown: without secrets. */
  readonly shown: Json;
}

export type RunCall = (call: Call, host: CallHost) => Promise<ToolResult>;
export type RunTurn = (line: Line, host: TurnHost) => Promise<TurnOutcome>;

/** What a turn has come to, once it has ended well. */
export interface TurnEnd {
  readonly line: Line;
  /** A plan to go on with. */
  readonly steps?: readonly string[] | undefined;
  /** The text of the model's last message. */
  readonly answer: string;
  /** Says that the layer may have changed files. */
  mayHaveChanged(): void;
  readonly signal: AbortSignal;
}

/** What a lane's features join; each point is optional, and called in the order of the list. */
export interface Middleware {
  readonly name: string;
  /** A session begins or is entered: returns what the model reads behind the next line. */
  sessionStart?(signal: AbortSignal): Promise<string | undefined>;
  /** A turn begins: returns the line as the model reads it. `seen` is what the model sees so far. */
  beforeTurn?(line: Line, seen: readonly Message[]): Line;
  aroundTurn?(line: Line, host: TurnHost, next: RunTurn): Promise<TurnOutcome>;
  /** A person's line stands in the session: adds what it names. */
  afterLine?(text: string, host: TurnHost): Promise<void>;
  aroundCall?(call: Call, host: CallHost, next: RunCall): Promise<ToolResult>;
  /** A turn has ended well: returns the lines that come before all that wait; the first to return any decides. */
  afterTurn?(end: TurnEnd): Promise<readonly Line[]>;
  /** A person is called back. Nobody waits for it. */
  notify?(text: string): void;
}

/** What a lane shows to its features. */
export interface LaneHost {
  readonly key: string;
  /** It works for another lane, or apart from all. */
  readonly isScoped: boolean;
  readonly t: T;
  readonly readOnly: ReadOnlyMode;
  readonly secrets: Secrets;
  readonly queue: Pick<Queue, "hasPlan" | "hasPersons">;
  readonly agents: Pick<Agents, "list">;
  session(): SessionFile;
  emit(event: EventBody): void;
  /** Warns the user. */
  warn(text: string): void;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}

/** What running calls needs of a turn. */
export interface CallHost {
  /** Key of the lane. */
  readonly lane: string;
  /** A step of a plan is being carried out, or what a hook asked for. */
  readonly planned: boolean;
  readonly middleware: readonly Middleware[];
  /** The only tools that the line which began the turn allows; any tool when left out. */
  readonly bounds?: readonly string[] | undefined;
  readonly session: SessionFile;
  readonly toolbox: Toolbox;
  readonly limits: { readonly toolMs: number };
  /** The first `setTimeout` of a process takes 8 ms and 4 MB. */
  readonly watchdog: Watchdog;
  readonly t: T;
  readonly permission: Permission;
  readonly workspace: string;
  readonly imageTypes: readonly string[];
  readonly outputDir: string;
  readonly trash?: Omit<NonNullable<ToolContext["trash"]>, "session">;
  readonly env: { readonly [name: string]: string };
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The user's own line asks for the calls. */
  readonly typed?: boolean;
  /** Keeps what calls may change; nothing is kept when left out. */
  readonly watch?: TurnWatch;
  readonly secrets: Secrets;
  emit(event: EventBody): void;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  now(): number;
}

/** What a turn is handed. */
export interface TurnHost extends CallHost {
  readonly session: SessionFile;
  readonly model: ModelClient;
  readonly modelName: string;
  /** Of narnat. */
  readonly version: string;
  readonly toolbox: Toolbox;
  readonly contextManager: ContextManager;
  /** What `@server:uri` names is read from them. */
  readonly servers: Servers;
  readonly limits: TurnLimits;
  readonly budget: Budget;
  readonly monitor: TurnMonitor;
  readonly t: T;
  readonly log: Log;
  readonly signal: AbortSignal;
  emit(event: EventBody): void;
  /** The model is to answer at once: no tool may be called. */
  readonly answerOnly?: true;
  /** Called when a request has been sent. */
  readonly onSent?: () => void;
  /** Lines a person typed meanwhile; they join before the next model call. */
  takeJoining(): readonly Line[];
  /** Words a ModelError for the user. */
  describe(error: ModelError): string;
  /** Milliseconds on any clock that does not jump. */
  now(): number;
}

export interface TurnOutcome {
  readonly reason: TurnEndReason;
  readonly iterations: number;
  /** True when the line was taken back because nothing answered it. */
  readonly unanswered: boolean;
  /** A plan to go on with. */
  readonly steps?: readonly string[];
}

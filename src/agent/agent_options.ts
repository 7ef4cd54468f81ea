/** What the agent is handed, of which it imports nothing, and what a lane is to the others. */
import type { Log } from "../base/log.ts";
import type { T } from "../base/t.ts";
import type {
  Agents,
  Bus,
  Checkpoints,
  Command,
  ContextManager,
  DaySpending,
  EventBody,
  Evidence,
  Inbound,
  Line,
  Memory,
  ModelClient,
  ModelError,
  Models,
  Permission,
  Secrets,
  Servers,
  SessionController,
  Theme,
  Toolbox,
  Trash,
  Usage,
} from "../base/types.ts";
import type { SessionFile, SessionStore } from "../session/store.ts";
import type { Budget, PriceOf, TurnLimits } from "./budget.ts";
import type { ConsentPolicy } from "./consent.ts";
import type { LaneHost, Middleware } from "./middleware.ts";

export interface LaneFace {
  receive(inbound: Inbound): void;
  readonly controller: SessionController;
  /** Goes on with a stored session; tells of its unreadable lines, and what else is to be told of it. */
  resume(which: string): Promise<{ readonly bad: number; readonly notes: readonly string[] }>;
  busy(): boolean;
  readonly limits: TurnLimits;
  readonly budget: Budget;
  /** What the running turn is restricted to; it holds for what is done elsewhere for it, too. */
  readonly bounds: Pick<Line, "tools">;
  /** Emits an event of what goes on for it elsewhere. */
  tell(event: EventBody): void;
  /** Counts what was spent for it elsewhere. */
  spend(usage: Usage): void;
  /** Takes in what was changed and verified for it elsewhere. */
  vouch(evidence: Evidence): void;
  /** The model is to read this behind the next line. */
  note(text: string): void;
  stop(): void;
  close(): void;
}

/** The agents, as lanes know them. */
export interface LaneAgents extends Agents {
  /** Stops what is done for a lane; what was said so far comes with the lane's next line. */
  interrupt(parent: string): void;
  /** Stops and forgets all that work for a lane; returns how many were at work. */
  leave(parent: string): number;
}

export interface AgentOptions {
  readonly model: ModelClient;
  readonly modelName: string;
  readonly models: Models;
  readonly toolbox: Toolbox;
  /** Called for each session that a lane opens, and when the lane takes another model. */
  readonly contextManager: (session: SessionFile, model: string) => ContextManager;
  /** Those there are at the moment. */
  readonly commands: () => readonly Command[];
  readonly checkpoints: Checkpoints;
  /** What joins the work of a lane, in its order. */
  readonly features: (lane: LaneHost) => readonly Middleware[];
  readonly servers: Servers;
  /** Makes the agents that work for lanes. */
  readonly agentPool: (host: AgentPoolHost) => AgentPool;
  /** Only what changes nothing may be called, whatever the lane's own mode is. */
  readonly readOnly: () => boolean;
  readonly store: SessionStore;
  readonly memory: Memory;
  /** Finds words in all stored sessions. */
  readonly search: (
    words: string,
    tell: (text: string) => void,
  ) => ReturnType<SessionController["search"]>;
  readonly limits: TurnLimits;
  /** What the day has cost; of this agent alone when left out. */
  readonly spending?: DaySpending;
  /** Knows no price when left out. */
  readonly priceOf?: PriceOf;
  readonly consentPolicy: ConsentPolicy;
  readonly permission: Permission;
  readonly sandbox?: SessionController["sandbox"];
  readonly t: T;
  readonly version: string;
  readonly workspace: string;
  /** Media types of the images that the model takes. */
  readonly imageTypes: readonly string[];
  /** Parent of the per-session folders for full copies of cut output. */
  readonly outputDir: string;
  /** Folder where deletes are kept; none are when left out. */
  readonly trash?: Trash | undefined;
  readonly env: { readonly [name: string]: string };
  readonly log: Log;
  readonly secrets: Secrets;
  readonly describe: (error: ModelError) => string;
  /** Wall clock and a clock that does not jump, in milliseconds. */
  readonly now: () => Date;
  readonly monotonic: () => number;
  readonly uuid: () => string;
  /** The user's choice of colours so far. */
  readonly theme: Theme;
  /** Keeps the user's choice of colours; returns why it cannot, or undefined. */
  readonly keepTheme: (theme: Theme) => Promise<string | undefined>;
  /** The user asked to leave. */
  readonly onExit: () => void;
}

/** What a lane of its own may have otherwise than the others. */
export type LaneScope = Partial<AgentOptions>;

/** What an agent's lane has otherwise, and what has to be known of it. */
export interface AgentScope extends LaneScope {
  /** For the user. */
  readonly notices?: readonly string[];
  /** Ends what was opened for the lane. */
  readonly end?: () => Promise<void>;
}

/** All agents of one narnat. */
export interface AgentPool extends LaneAgents {
  readonly busy: boolean;
}

/** What the pool may do with lanes. */
export interface AgentPoolHost {
  readonly t: T;
  lane(key: string): LaneFace;
  /** Opens a lane that may do no more than its parent; `atRest` is called whenever it has nothing left to do. */
  open(key: string, scope: LaneScope, parent: string, atRest: () => void): void;
  drop(key: string): void;
  send(inbound: Inbound): void;
  subscribe: Bus["subscribe"];
  emit(lane: string, event: EventBody): void;
  /** Folder for full copies of what a lane was told in part. */
  outputDir(lane: string): string;
  id(): string;
  /** A clock that does not jump, in milliseconds. */
  now(): number;
  /** An agent has ended. */
  onIdle(): void;
}

/** What the agent is handed; it imports none of it. */
import type {
  AgentTask,
  Checkpoints,
  Command,
  DaySpending,
  Desk,
  Hooks,
  Keeper,
  Lang,
  Memory,
  ModelClient,
  ModelError,
  Models,
  Permission,
  Secrets,
  Servers,
  Theme,
  Toolbox,
} from "../base/types.ts";
import type { Log } from "../base/log.ts";
import type { PriceOf } from "./budget.ts";
import type { Answering } from "./consent.ts";
import type { TurnLimits } from "./loop/limits.ts";
import type { SessionFile, SessionStore } from "../session/store.ts";

export interface AgentOptions {
  readonly model: ModelClient;
  readonly modelName: string;
  readonly models: Models;
  readonly toolbox: Toolbox;
  /** Called for each session that a lane opens, and when the lane takes another model. */
  readonly keeper: (session: SessionFile, model: string) => Keeper;
  /** Those there are at the moment. */
  readonly commands: () => readonly Command[];
  readonly checkpoints: Checkpoints;
  readonly hooks: Hooks;
  readonly servers: Servers;
  /** What an agent that works for the lane `parent` has otherwise than it. Rejects in words for the user. */
  readonly agentScope: (
    task: AgentTask,
    key: string,
    parent: string,
    signal: AbortSignal,
  ) => Promise<AgentScope>;
  /** How many agents work at once; the others wait. */
  readonly mostAgents: number;
  /** Lines are planned first, and the plan's steps asked one by one. */
  readonly planFirst: boolean;
  /** Only what changes nothing may be called, whatever the lane's own mode is. */
  readonly readOnly: () => boolean;
  readonly store: SessionStore;
  readonly memory: Memory;
  /** Finds words in all stored sessions. */
  readonly search: (
    words: string,
    tell: (text: string) => void,
  ) => ReturnType<Desk["search"]>;
  readonly limits: TurnLimits;
  /** What the day has cost; of this agent alone when left out. */
  readonly spending?: DaySpending;
  /** Knows no price when left out. */
  readonly priceOf?: PriceOf;
  readonly answering: Answering;
  readonly permission: Permission;
  readonly sandbox?: Desk["sandbox"];
  readonly lang: Lang;
  readonly version: string;
  readonly workspace: string;
  /** Media types of the images that the model takes. */
  readonly imageTypes: readonly string[];
  /** Parent of the per-session folders for full copies of cut output. */
  readonly outputDir: string;
  /** Folder where deletes are kept; none are when left out. */
  readonly trash?: string | undefined;
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

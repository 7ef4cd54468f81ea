/** What the agent is handed; it imports none of it. */
import type {
  Command,
  Desk,
  Keeper,
  Lang,
  Memory,
  ModelClient,
  ModelError,
  Permission,
  Session,
  Theme,
  Toolbox,
} from "../types.ts";
import type { Log } from "../log.ts";
import type { Answering } from "./consent.ts";
import type { TurnLimits } from "./limits.ts";
import type { SessionStore } from "./session.ts";

export interface AgentOptions {
  readonly model: ModelClient;
  readonly modelName: string;
  readonly models: Models;
  readonly toolbox: Toolbox;
  /** Called for each session that a lane opens, and when the lane takes another model. */
  readonly keeper: (session: Session, model: string) => Keeper;
  readonly commands: readonly Command[];
  readonly store: SessionStore;
  readonly memory: Memory;
  /** Finds words in all stored sessions. */
  readonly search: (
    words: string,
    tell: (text: string) => void,
  ) => ReturnType<Desk["search"]>;
  readonly limits: TurnLimits;
  readonly answering: Answering;
  readonly permission: Permission;
  readonly lang: Lang;
  readonly version: string;
  readonly workspace: string;
  /** Media types of the images that the model takes. */
  readonly imageTypes: readonly string[];
  /** Parent of the per-session folders for full copies of cut output. */
  readonly outputDir: string;
  readonly env: { readonly [name: string]: string };
  readonly log: Log;
  /** Replaces the provider's key in what tools bring. */
  readonly hide: (text: string) => string;
  readonly describe: (error: ModelError) => string;
  /** Wall clock and a clock that does not jump, in milliseconds. */
  readonly now: () => Date;
  readonly monotonic: () => number;
  readonly uuid: () => string;
  /** The user's choice of colours so far. */
  readonly theme: Theme;
  /** Keeps the user's choice of colours; returns why it cannot, or undefined. */
  readonly keepTheme: (theme: Theme) => string | undefined;
  /** The user asked to leave. */
  readonly onExit: () => void;
}

/** What a lane of its own may have otherwise than the others. */
export type LaneScope = Partial<AgentOptions>;

/** The models there are besides the one at hand. */
export interface Models {
  /** Names; throws when the provider does not tell. */
  list(): Promise<readonly string[]>;
  /** Throws when it cannot be had as configured. */
  open(name: string): Promise<OpenModel>;
  /** Host that a model is asked at; empty for one that asks nobody. */
  hostOf(name: string): string;
}

export interface OpenModel {
  readonly client: ModelClient;
  readonly imageTypes: readonly string[];
}

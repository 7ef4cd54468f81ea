/** What a command of the command line is lent: where narnat works, and what prints. */
import type { AgentOptions } from "../agent/agent_options.ts";
import type { T, Text } from "../base/t.ts";
import type { AgentEvent, Secrets, Theme, Tool } from "../base/types.ts";
import type { Settings } from "../config/keys.ts";
import type { Config } from "../config/load.ts";
import type { Trusted } from "../config/project.ts";
import type { PromptOptions } from "../context/part.ts";

/** What the command line decided. */
export interface Choices {
  readonly settings: Settings;
  readonly cwd: string | undefined;
  readonly tools: readonly string[] | undefined;
  readonly session: boolean;
  /** Lines are planned first. */
  readonly planFirst: boolean;
  /** The user has just said No to what the project wants. */
  readonly refused?: boolean;
  /** It works in a copy of a workspace, to be thrown away: commands write nothing else and reach no network. */
  readonly copy?: boolean;
}

/** One thing of a project that is trusted as a whole. */
export interface TrustRequest extends Trusted {
  /** What it starts, fetches or says, in full, a row each. */
  readonly rows: readonly string[];
  /** Rows that a question shows of it; all of them when left out. */
  readonly brief?: number;
}

/** What a feature asks trust for in a project. */
export interface TrustSource {
  /** Whether there may be any request; looks at names alone. */
  mayRequest(environment: Environment): boolean;
  requests(environment: Environment): Promise<readonly TrustRequest[]>;
}

/** Where narnat works: configuration, tools, what the prompt needs to know; no agent yet. */
export interface Environment {
  readonly config: Config;
  readonly configured: boolean;
  readonly workspace: string;
  readonly warnings: readonly string[];
  readonly prompt: PromptOptions;
  readonly tools: readonly Tool[];
  /** Names of the only tools there are to be; all of them when left out. */
  readonly chosen: readonly string[] | undefined;
  /** Of the tools that are there only when they are asked for, those that are. */
  readonly extraTools: NonNullable<Config["extraTools"]>;
  /** What the project wants to start and the user has trusted, with the hash of its content, as far as that was looked up. */
  readonly trusted: Map<string, string>;
  /** What a project may want, in the order in which it is asked for. */
  readonly trustSources: readonly TrustSource[];
  readonly userFile: string | undefined;
  readonly childEnv: { [name: string]: string };
  /** The same for what narnat starts for itself: no program of the project's. */
  readonly ownEnv: { [name: string]: string };
  /** Hides what no model, session, log or screen may show; knows the files that hold it once it is refreshed. */
  readonly secrets: Secrets;
  /** Ends the search workers, and last whatever Bash has started. */
  close(): Promise<void>;
}

/** Prints what happened in a session. */
export interface SessionPrinter {
  hear(event: AgentEvent): void;
  end(): void;
}

/** What a session is printed for. */
export interface PrinterOptions {
  readonly t: T;
  /** The folder that the session worked in. */
  readonly workspace: string;
  readonly theme: Theme;
  /** Columns of the terminal; undefined for plain lines. */
  readonly columns: number | undefined;
}

/** What every command of the command line is lent. */
export interface CommandHost {
  /** Loads the configuration and makes the tools. Rejects with ConfigError. */
  open(choices: Choices, t: T, need?: "model" | "no model"): Promise<Environment>;
  /** Whether a person at the terminal types a Yes. Rejects with ConfigError, which says `unasked`, where nobody is there. */
  confirm(t: T, unasked: Text): Promise<boolean>;
  /** Makes what prints a stored session on stdout, as the terminal shows a live one. */
  printer(options: PrinterOptions): Promise<SessionPrinter>;
  /** Makes what joins the lanes of an agent that has no others working for it. */
  laneParts(options: { readonly planFirst: boolean }): Promise<LaneParts>;
}

/** What joins the lanes of an agent. */
export type LaneParts = Pick<AgentOptions, "features" | "agentPool">;

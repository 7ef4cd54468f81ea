import type { Bus, Command, Desk, Lang } from "../types.ts";

/** What an interactive session is handed. */
export interface TerminalOptions {
  readonly bus: Bus;
  readonly desk: Desk;
  readonly commands: readonly Command[];
  readonly lang: Lang;
  readonly model: string;
  readonly workspace: string;
  readonly version: string;
  /** Sent first, as if typed. */
  readonly firstPrompt?: string;
  env(name: string): string | undefined;
  /** No colours; a non-empty NO_COLOR in the environment does the same. */
  readonly noColor?: boolean;
  /** Aborted when the session is to end (`Desk.exit`). */
  readonly ended?: AbortSignal;
}

/** Exit codes of the signals that end narnat. */
export const SIGNAL_CODES = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 } as const;

/** The lane of the terminal. */
export const LANE = "main";

/** A model service the set-up offers. An empty `baseUrl` means: ask for it. */
export interface ProviderChoice {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  /** Where a key is to be had. */
  readonly keyUrl?: string;
  readonly needsKey: boolean;
}

/** What the user chose; `apiKey` is empty when none is needed. */
export interface SetupChoice {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
}

/** Why a choice does not work, and the answer that is to be given again. */
export interface SetupTrouble {
  readonly text: string;
  readonly mend: "url" | "key" | "model";
}

export interface SetupOptions {
  readonly lang: Lang;
  env(name: string): string | undefined;
  readonly providers: readonly ProviderChoice[];
  /** Tries the choice; resolves with what is wrong, or undefined when it works. */
  test(choice: SetupChoice, signal: AbortSignal): Promise<SetupTrouble | undefined>;
  /** Stores the choice and resolves with the path it was stored at. */
  save(choice: SetupChoice): Promise<string>;
}

export type SetupResult = "saved" | "demo" | "quit";

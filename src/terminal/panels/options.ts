import type { Searcher } from "../../search/mod.ts";
import type { T } from "../../base/t.ts";
import type { Bus, Command, SessionController, Theme } from "../../base/types.ts";
import type { HistoryFileOptions } from "../input/history.ts";

/** What an interactive session is handed. */
export interface TerminalOptions {
  readonly bus: Bus;
  readonly controller: SessionController;
  readonly commands: () => readonly Command[];
  readonly t: T;
  readonly model: string;
  readonly workspace: string;
  readonly version: string;
  /** Sent first, as if typed. */
  readonly firstPrompt?: string;
  env(name: string): string | undefined;
  /** The whole environment of the programs that are started; narnat's own when left out. */
  readonly childEnv?: { readonly [name: string]: string };
  /** Colours; `auto` when left out. A non-empty NO_COLOR in the environment means `none`. */
  readonly theme?: Theme;
  /** Where typed lines are kept between sessions; they are not when left out. */
  readonly history?: HistoryFileOptions;
  /** What stands for secrets in what was typed: so the events tell it. */
  readonly redact?: (text: string) => string;
  /** Finds files for completion; none are offered when left out. */
  readonly searcher?: Pick<Searcher, "start" | "walk" | "glob">;
  /** Rings when a turn of half a minute or more has ended; yes when left out. */
  readonly notify?: boolean;
  /** What stands on the screen since the start, for the live screen to take over. */
  readonly firstFrame?: FirstFrame;
  /** Line by line, on any terminal. */
  readonly plain?: boolean;
  /** Aborted when the session is to end (`SessionController.exit`). */
  readonly ended?: AbortSignal;
  /** Called when all events are shown from now on. */
  begun?(): void;
  /** A clock in milliseconds, for waits and what is told of them; the machine's when left out. */
  readonly now?: () => number;
}

/** Welcome and prompt, on the screen before the rest of narnat is loaded. */
export interface FirstFrame {
  /** Leaves all as it is to the live screen; says how many rows the cursor stands below the first. */
  handOver(): number;
  /** Takes it off the screen and gives the terminal back; does nothing once it is handed over. */
  end(): void;
}

/** Exit codes of the signals that end narnat. */
export const SIGNAL_CODES = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130, SIGQUIT: 131 } as const;

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
  readonly t: T;
  env(name: string): string | undefined;
  readonly providers: readonly ProviderChoice[];
  /** Names of the models at a choice's address; rejects where the provider does not tell. */
  models?(choice: SetupChoice, signal: AbortSignal): Promise<readonly string[]>;
  /** Tries the choice; resolves with what is wrong, or undefined when it works. */
  test(choice: SetupChoice, signal: AbortSignal): Promise<SetupTrouble | undefined>;
  /** Stores the choice and resolves with the path it was stored at. */
  save(choice: SetupChoice): Promise<string>;
}

export type SetupResult = "saved" | "demo" | "quit";

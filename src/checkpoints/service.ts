/** The ledger and the way back, as one: what a worker does for its narnat, or a command in its own thread. */
import type { GitPlaces } from "../search/git_settings.ts";
import { openLedger } from "./ledger.ts";
import { createRestorer } from "./restore.ts";
import type { Change, Limits } from "./types.ts";

export interface ServiceOptions {
  /** The folder of all that is kept. */
  readonly dir: string;
  readonly workspace: string;
  readonly places: GitPlaces;
  readonly limits: Limits;
}

export type Service = ReturnType<typeof openService>;

/** Opens it. Throws where nothing can be kept. */
export function openService(options: ServiceOptions) {
  const clock = { now: Date.now, random: Math.random };
  const ledger = openLedger({ ...options, ...clock });
  const { fileBytes } = options.limits;
  const { turns, preview, restore } = createRestorer(ledger, { ...options, ...clock, fileBytes });
  const { begin, start, end, close } = ledger;
  /** The paths that hold, or held, something else than a folder. */
  const look = (key: string) =>
    ledger.look(key).filter((change) => !isFolders(change)).map(({ path }) => path);
  return { begin, start, look, end, close, turns, preview, restore };
}

const isFolders = ({ before, after }: Change) =>
  [before, after].every((state) => state === null || state.kind === "folder");
